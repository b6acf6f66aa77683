"""After-states: what a command to each pawn and area would leave, as an optional section of the observation.

They are reckoned from what the seat knows: its own commands of this turn are taken as obeyed, all other pawns as
staying, and every pair that it cannot rule out (belief.py) as equally likely. Ten values, all from 0 to 1:

0 danger now: how likely it is that the villain, sent for the target in this turn, is alone with it when he acts (M16)
1 danger next: the same for the turn after, when all stand where they are sent
2 chart left: the share of the chart that the nightly answer leaves in the mean (M26); 1 where none is due
3 weapon: how likely a spot there, not emptied, is a weapon, for a pawn that has none
4 way to a weapon: the distance from there to the nearest known one, / 10, for a pawn that has none
5 company: other pawns with vision in the zone there, / 5
6 way to the target: the distance from there to the target, / 10, in the mean over the pairs of which the pawn is the
  villain; for the villain side the distance to the target of every pawn
7 steps: the length of the move, / 3
8 food: a spot there, not emptied, that the seat knows to be food
9 possible: 1
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.bits import count
from reichenbach.envs.core.fill import fill
from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.dangers import dangers
from reichenbach.envs.manor.layout import AFTER_FEATURES
from reichenbach.envs.manor.pairs import pair
from reichenbach.envs.manor.plan import Plan, at, in_zone, moved, plan_of, watchers
from reichenbach.envs.manor.play import active, may_not_command
from reichenbach.envs.manor.sight import limit, reach, steps_between, ways
from reichenbach.envs.manor.state import FOOD, MORIARTY, N_PAWNS, NONE, WEAPON, State
from reichenbach.envs.manor.tables import ManorTables

_MAX_AREAS = actions.MAX_AREAS
_FAR = 10  # distances beyond count as this
_NEAR = 3  # areas (M26)


@large_kernel
def write_after(state: State, tables: ManorTables, seat: int, out: NDArray[np.float32]) -> None:
    """Ten values for each pawn and area; zeros where the seat has no command to give now, and for the all-seeing."""
    fill(out, 0)
    if seat >= tables.n_seats or state.voting or not active(state, tables, seat):
        return
    if state.passed[seat] or state.used[seat] >= tables.quota[seat]:
        return
    withheld, plan = may_not_command(state, tables, seat), plan_of(state, seat)
    weapons, weapon = _known_weapons(state, tables, seat), _chance_of_weapon(state, tables, seat)
    for pawn in range(N_PAWNS):
        if state.order[seat, pawn] == NONE and not (withheld >> pawn) & 1:
            areas = reach(state, tables, pawn, limit(state, pawn, tables.role[seat] == MORIARTY))
            company = watchers(tables, plan[2] & ~(1 << pawn), plan[1])
            for area in range(tables.n_areas):
                if (areas >> area) & 1:
                    row = out[(pawn * _MAX_AREAS + area) * AFTER_FEATURES :]
                    _write_meetings(state, tables, plan, seat, pawn, area, company, row)
                    _write_place(state, tables, seat, pawn, area, weapons, weapon, row)


@large_kernel
def _write_meetings(
    state: State,
    tables: ManorTables,
    plan: Plan,
    seat: int,
    pawn: int,
    area: int,
    company: int,
    row: NDArray[np.float32],
) -> None:
    """What depends on who is where: ``company`` are the others with vision by zone (plan.py)."""
    sent, zone = moved(plan[1], pawn, area), int(tables.zone[area])
    watched = company + (((plan[2] >> pawn) & 1) << (4 * zone))
    row[0], row[1] = dangers(state, tables, plan, seat, pawn, sent, watched)
    row[2] = _chart_left(state, tables, seat, sent)
    row[5] = in_zone(company, zone) / 5
    row[6] = _way_to_target(state, tables, seat, pawn, sent) / _FAR


@large_kernel
def _write_place(
    state: State,
    tables: ManorTables,
    seat: int,
    pawn: int,
    area: int,
    weapons: int,
    weapon: float,
    row: NDArray[np.float32],
) -> None:
    """What depends on the area alone; ``weapons``: the spots that the seat knows to hold one, ``weapon`` how likely
    another does."""
    spot = int(tables.spot[area])
    there = int(spot != NONE) & ~(int(state.gone) >> (spot & 31)) & 1
    known = there & (int(state.known[seat]) >> (spot & 31))
    if not state.armed[pawn]:
        if there:
            row[3] = int(state.content[spot] == WEAPON) if known else weapon
        row[4] = _way_to_weapon(state, tables, weapons, area) / _FAR
    row[7] = steps_between(state, tables, int(state.area[pawn]), area) / 3
    row[8] = known & int(state.content[spot] == FOOD)
    row[9] = 1


@large_kernel
def _chart_left(state: State, tables: ManorTables, seat: int, sent: int) -> float:
    """Value 2; the villain side knows which part the answer leaves."""
    if state.turn % 3 != 0 or state.final:
        return 1.0
    detective = (tables.detectives >> seat) & 1
    chart, way = int(state.side_chart if detective else state.chart), index(ways(state))
    near = 0
    for villain in range(N_PAWNS):
        start = at(sent, villain)
        for target in range(N_PAWNS):
            if target != villain and tables.distance[way, start, at(sent, target)] <= _NEAR:
                near |= pair(villain, target)
    near &= chart
    number, close = count(chart), count(near)
    if not detective:
        return (close if near & int(state.belief[seat]) else number - close) / max(number, 1)
    return (close * close + (number - close) * (number - close)) / max(number * number, 1)


@large_kernel
def _chance_of_weapon(state: State, tables: ManorTables, seat: int) -> float:
    """How likely a spot whose content the seat does not know is a weapon."""
    unknown = count(~(int(state.gone) | int(state.known[seat])) & ((1 << int(tables.n_spots)) - 1))
    left = int(tables.counts[WEAPON]) - count(_known_weapons(state, tables, seat))
    for pawn in range(N_PAWNS):
        left -= int(state.armed[pawn])
    return min(max(left, 0), unknown) / max(unknown, 1)  # a loaded position may have lost some


@large_kernel
def _known_weapons(state: State, tables: ManorTables, seat: int) -> int:
    """Bit s: the seat knows that a weapon lies in spot s."""
    spots = 0
    for spot in range(tables.n_spots):
        spots |= int(state.content[spot] == WEAPON) << spot
    return spots & int(state.known[seat]) & ~int(state.gone)


@kernel
def _way_to_weapon(state: State, tables: ManorTables, weapons: int, area: int) -> int:
    """Steps to the nearest of these spots."""
    least = _FAR
    for spot in range(tables.n_spots):
        if (weapons >> spot) & 1:
            least = min(least, steps_between(state, tables, area, int(tables.spot_area[spot])))
    return least


@large_kernel
def _way_to_target(state: State, tables: ManorTables, seat: int, pawn: int, sent: int) -> float:
    """Value 6, before it is divided."""
    area, pairs = at(sent, pawn), int(state.belief[seat])
    if not (tables.detectives >> seat) & 1:
        return float(min(steps_between(state, tables, area, at(sent, index(state.target))), _FAR))
    total, number = 0, 0
    for target in range(N_PAWNS):
        if target != pawn and pairs & pair(pawn, target):
            total += min(steps_between(state, tables, area, at(sent, target)), _FAR)
            number += 1
    return total / max(number, 1)
