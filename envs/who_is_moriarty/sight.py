"""What the detectives see (W4-W6), and clearing tiles."""

from __future__ import annotations

from reichenbach.envs.core.kernel import kernel
from reichenbach.envs.who_is_moriarty.state import OPEN, State
from reichenbach.envs.who_is_moriarty.tables import BoardTables


@kernel
def seen_from(state: State, tables: BoardTables, place: int) -> int:
    """Bit i: suspect i is face up and seen from this place."""
    near_side = place // 3  # W4: 0-2 look S and enter from N, 3-5 enter from E, 6-8 from S, 9-11 from W
    far_side = (near_side + 2) % 4
    seen = 0
    for step in range(3):
        cell = tables.line[place, step]
        wall = state.wall[cell]
        if wall == near_side:  # W6: a wall on the near side stops the look before the tile,
            break
        suspect = int(state.suspect[cell])
        if not state.cleared[suspect]:
            seen |= 1 << suspect
        if wall == far_side:  # one on its far side after it
            break
    return seen


@kernel
def seen_by_any(state: State, tables: BoardTables) -> int:
    """Bit i: suspect i is face up and in sight of a detective."""
    seen = 0
    for detective in range(3):
        seen |= seen_from(state, tables, state.detective[detective])
    return seen


@kernel
def face_up(state: State) -> int:
    """Bit i: suspect i's tile is face up."""
    bits = 0
    for suspect in range(9):
        if not state.cleared[suspect]:
            bits |= 1 << suspect
    return bits


@kernel
def count(bits: int) -> int:
    """How many of nine bits are set."""
    total = 0
    for suspect in range(9):
        total += (bits >> suspect) & 1
    return total


@kernel
def cell_of(state: State, suspect: int) -> int:
    """The cell on which the suspect's tile lies."""
    for cell in range(9):
        if state.suspect[cell] == suspect:
            return cell
    return -1


@kernel
def clear(state: State, suspect: int) -> None:
    """Turns a suspect's tile over (W2); a crossroads loses its wall (W3)."""
    state.cleared[suspect] = 1
    if (state.crossroads >> suspect) & 1:
        state.wall[cell_of(state, suspect)] = OPEN
