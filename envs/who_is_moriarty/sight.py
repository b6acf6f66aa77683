"""What the detectives see (W4-W6), and clearing tiles."""

from __future__ import annotations

from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel
from reichenbach.envs.who_is_moriarty.state import ALL_SUSPECTS, OPEN, State
from reichenbach.envs.who_is_moriarty.tables import BoardTables


@kernel
def seen_from(state: State, tables: BoardTables, place: int) -> int:
    """Bit i: suspect i's tile, face up or not, is seen from this place."""
    line = tables.line[index(place)]  # W5
    near, middle, far = index(line[0]), index(line[1]), index(line[2])
    side = index(place) // 3  # W4: 0-2 look S and enter from N, 3-5 enter from E, 6-8 from S, 9-11 from W
    reach = int(tables.reach[side, index(state.wall[near]), index(state.wall[middle]), index(state.wall[far])])  # W6
    seen = (reach & 1) << int(state.suspect[near])
    seen |= ((reach >> 1) & 1) << int(state.suspect[middle])
    return seen | (reach >> 2) << int(state.suspect[far])


@kernel
def tiles_in_sight(state: State, tables: BoardTables) -> int:
    """Bit i: suspect i's tile, face up or not, is in sight of a detective."""
    seen = 0
    for detective in range(3):
        seen |= seen_from(state, tables, int(state.detective[detective]))
    return seen


@kernel
def seen_by_any(state: State, tables: BoardTables) -> int:
    """Bit i: suspect i is face up and in sight of a detective."""
    return tiles_in_sight(state, tables) & face_up(state)


@kernel
def face_up(state: State) -> int:
    """Bit i: suspect i's tile is face up."""
    return ALL_SUSPECTS & ~state.cleared


@kernel
def count(bits: int) -> int:
    """How many of nine bits are set: by pairs, by fours, together."""
    pairs = bits - ((bits >> 1) & 0b101010101)
    fours = (pairs & 0b100110011) + ((pairs >> 2) & 0b100110011)
    return (fours & 15) + ((fours >> 4) & 15) + (fours >> 8)


@kernel
def cell_of(state: State, suspect: int) -> int:
    """The cell on which the suspect's tile lies."""
    found = -1
    for cell in range(9):
        if state.suspect[cell] == suspect:
            found = cell
    return found


@kernel
def clear(state: State, suspects: int) -> None:
    """Turns over the tiles of all suspects whose bit is set (W2); a crossroads loses its wall (W3)."""
    state.cleared |= suspects
    opened = suspects & state.crossroads
    if opened != 0:
        for cell in range(9):
            if (opened >> state.suspect[cell]) & 1:
                state.wall[cell] = OPEN
