"""What pawns can do and see: how far they go (M10, M11), who is a witness, and whether there is a murder (M24)."""

from __future__ import annotations

from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.manor.pairs import pair
from reichenbach.envs.manor.state import MAX_SEATS, N_PAWNS, OPEN, State
from reichenbach.envs.manor.tables import ManorTables


@kernel
def is_critical(state: State, pawn: int) -> bool:
    """Two ailments (M23)."""
    return bool(state.hunger[pawn] + state.injured[pawn] >= 2)


@large_kernel
def limit(state: State, pawn: int, forcing: bool) -> int:
    """How many areas the pawn may be sent; ``forcing``: by Moriarty, who need not mind fatigue (M10, M11)."""
    most = 3
    if state.fatigued[pawn] and not forcing:
        most = 2
    if state.hunger[pawn] > 0:
        most = min(most, int(state.hungry_reach))
    if state.injured[pawn] and state.injury_slows:
        most = min(most, 2)
    return 1 if is_critical(state, pawn) else most


@kernel
def ways(state: State) -> int:
    """Which of the tables' distances hold now: 0 without a passage, else 1 + the passage's number (M19)."""
    return 1 + int(state.passage) if state.passage_is == OPEN else 0


@kernel
def reach(state: State, tables: ManorTables, pawn: int, steps: int) -> int:
    """Bit a: area a is at most so many steps away (M10)."""
    return int(tables.within[index(ways(state)), index(state.area[pawn]), index(steps)])


@kernel
def steps_between(state: State, tables: ManorTables, start: int, end: int) -> int:
    """The shortest distance of two areas over the edges that are usable now."""
    return int(tables.distance[index(ways(state)), index(start), index(end)])


@large_kernel
def toward(state: State, tables: ManorTables, start: int, end: int, steps: int) -> int:
    """Where so many steps lead, as near as can be: of equally near areas the fewest steps, then map order (M25)."""
    best, least = start, 1 << 20
    for area in range(tables.n_areas):
        walked = steps_between(state, tables, start, area)
        away = steps_between(state, tables, area, end) * 64 + walked
        if walked <= steps and away < least:
            best, least = area, away
    return best


@large_kernel
def _is_witness(state: State, tables: ManorTables, pawn: int, area: int) -> bool:
    """Whether the pawn sees what happens in the area: the whole zone, its own area alone in a dark wing (M19, M24)."""
    if is_critical(state, pawn):
        return False
    where = index(state.area[pawn])
    dark = (state.dark >> tables.wing[index(area)]) & 1
    return where == area or (not dark and tables.zone[where] == tables.zone[index(area)])


@large_kernel
def murders(state: State, tables: ManorTables) -> int:
    """The pairs that would be a murder now: armed, in one area, no other pawn sees it (M24)."""
    pairs = 0
    for villain in range(N_PAWNS):
        if state.armed[villain]:
            area = int(state.area[villain])
            company, witnesses = 0, 0
            for pawn in range(N_PAWNS):
                if pawn != villain:
                    company |= int(state.area[pawn] == area) << pawn
                    witnesses |= int(_is_witness(state, tables, pawn, area)) << pawn
            for target in range(N_PAWNS):
                if (company >> target) & 1 and not witnesses & ~(1 << target):
                    pairs |= pair(villain, target)
    return pairs


@large_kernel
def is_murder(state: State, tables: ManorTables) -> bool:
    """The murder test (M24); if the target lives, nobody believes in the pairs that would have been a murder (§14)."""
    pairs = murders(state, tables)
    if pairs & pair(int(state.villain), int(state.target)):
        return True
    for seat in range(MAX_SEATS):
        state.belief[seat] &= ~pairs
    return False
