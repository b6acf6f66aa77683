"""Where the commands of a seat send the pawns, packed into whole numbers: what after-states are reckoned from.

Areas of the six pawns take five bits each, zones with their witnesses four bits each. To look something up in a number
costs less than in the state, and after-states look up a hundred things for each of a hundred commands.
"""

from __future__ import annotations

from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.sight import is_critical, limit
from reichenbach.envs.manor.state import N_PAWNS, NONE, State
from reichenbach.envs.manor.tables import ManorTables

_DEEDS, _ASSAIL_ORDER = actions.N_DEEDS, actions.ASSAIL_ORDER

# The areas where the pawns are; those where they are sent, and stay if they are not; bit p: pawn p has vision, is
# armed; two bits a pawn: how far Moriarty may send it; five bits a pawn: who has less acts earlier (M16).
Plan = tuple[int, int, int, int, int, int]


@large_kernel
def plan_of(state: State, seat: int) -> Plan:
    """The seat's own commands of this turn are taken as obeyed, all other pawns as staying."""
    here, sent, sees, armed, limits, turns = 0, 0, 0, 0, 0, 0
    for pawn in range(N_PAWNS):
        order, area = int(state.order[seat, pawn]), int(state.area[pawn])
        here = moved(here, pawn, area)
        sent = moved(sent, pawn, order // _DEEDS if order != NONE and order != _ASSAIL_ORDER else area)
        sees |= int(not is_critical(state, pawn)) << pawn
        armed |= int(state.armed[pawn] != 0) << pawn
        limits |= limit(state, pawn, True) << (2 * pawn)
        turns = moved(turns, pawn, int(state.hunger[pawn] + state.injured[pawn]) * N_PAWNS + pawn)
    return here, sent, sees, armed, limits, turns


@kernel
def at(areas: int, pawn: int) -> int:
    """A pawn's five bits."""
    return index(areas >> (5 * pawn)) & 31


@kernel
def moved(areas: int, pawn: int, area: int) -> int:
    """The same with other five bits for one pawn."""
    return (areas & ~(31 << (5 * pawn))) | (area << (5 * pawn))


@kernel
def watchers(tables: ManorTables, pawns: int, areas: int) -> int:
    """By zone, four bits each: how many of these pawns are there."""
    found = 0
    for pawn in range(N_PAWNS):
        found += ((pawns >> pawn) & 1) << (4 * int(tables.zone[at(areas, pawn)]))
    return found


@kernel
def in_zone(watched: int, zone: int) -> int:
    """How many `watchers` a zone has."""
    return (watched >> (4 * zone)) & 15
