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
from reichenbach.envs.manor.layout import AFTER_FEATURES
from reichenbach.envs.manor.pairs import PAIRS, pair
from reichenbach.envs.manor.play import may_not_command
from reichenbach.envs.manor.sight import is_critical, limit, reach, steps_between
from reichenbach.envs.manor.state import FOOD, MORIARTY, N_PAIRS, N_PAWNS, NONE, WEAPON, State
from reichenbach.envs.manor.tables import ManorTables

_DEEDS, _MAX_AREAS, _ASSAIL_ORDER = actions.N_DEEDS, actions.MAX_AREAS, actions.ASSAIL_ORDER
_FAR = 10  # distances beyond count as this
_NEAR = 3  # areas (M26)

# How likely a murder is with so many witnesses about: some of them may be led away, or go.
ALONE = (1.0, 0.35, 0.1, 0.03, 0.01, 0.0)
UNARMED = 0.2  # how likely a villain is armed a turn later who is not yet
TOO_FAR = 0.4  # how likely he is near enough a turn later, for each area beyond his reach


@large_kernel
def write_after(state: State, tables: ManorTables, seat: int, out: NDArray[np.float32]) -> None:
    """Ten values for each pawn and area; zeros where the seat has no command to give, and for the all-seeing."""
    fill(out, 0)
    if seat >= tables.n_seats or state.ending != 0 or state.voting:
        return
    if state.passed[seat] or state.used[seat] >= tables.quota[seat]:
        return
    withheld = may_not_command(state, tables, seat)
    weapons = _chance_of_weapon(state, tables, seat)
    for pawn in range(N_PAWNS):
        if state.order[seat, pawn] == NONE and not (withheld >> pawn) & 1:
            areas = reach(state, tables, pawn, limit(state, pawn, tables.role[seat] == MORIARTY))
            for area in range(tables.n_areas):
                if (areas >> area) & 1:
                    row = (pawn * _MAX_AREAS + area) * AFTER_FEATURES
                    _write_row(state, tables, seat, pawn, area, weapons, out[row : row + AFTER_FEATURES])


@large_kernel
def _write_row(
    state: State, tables: ManorTables, seat: int, pawn: int, area: int, weapons: float, out: NDArray[np.float32]
) -> None:
    pairs = int(state.belief[seat])
    out[0], out[1] = _dangers(state, tables, seat, pairs, pawn, area)
    out[2] = _chart_left(state, tables, seat, pairs, pawn, area)
    spot = int(tables.spot[area])
    there = int(spot != NONE) & ~(int(state.gone) >> (spot & 31)) & 1
    known = there & (int(state.known[seat]) >> (spot & 31))
    if not state.armed[pawn]:
        if there:
            out[3] = int(state.content[spot] == WEAPON) if known else weapons
        out[4] = min(_way_to_weapon(state, tables, seat, area), _FAR) / _FAR
    out[5] = _company(state, tables, seat, pawn, area) / 5
    out[6] = _way_to_target(state, tables, seat, pairs, pawn, area) / _FAR
    out[7] = steps_between(state, tables, int(state.area[pawn]), area) / 3
    out[8] = known & int(state.content[spot] == FOOD)
    out[9] = 1


@kernel
def _sent(state: State, seat: int, pawn: int, area: int, other: int) -> int:
    """Where the other pawn goes if the seat sends the pawn to the area: where it was sent already, or it stays."""
    if other == pawn:
        return area
    order = int(state.order[seat, other])
    return order // _DEEDS if order != NONE and order != _ASSAIL_ORDER else int(state.area[other])


@kernel
def _turn_to_act(state: State, pawn: int) -> int:
    """Whoever has less acts earlier (M16)."""
    return int(state.hunger[pawn] + state.injured[pawn]) * N_PAWNS + pawn


# ---------------------------------------------------------------- danger


@large_kernel
def _dangers(state: State, tables: ManorTables, seat: int, pairs: int, pawn: int, area: int) -> tuple[float, float]:
    """Values 0 and 1, the mean over the pairs."""
    watched = 0  # witnesses by zone when all stand where they are sent, four bits each
    for other in range(N_PAWNS):
        watched += _watches(state, tables, other, _sent(state, seat, pawn, area, other))
    now, later = 0.0, 0.0
    for villain in range(N_PAWNS):
        targets = (pairs >> (5 * villain)) & 31
        if targets:
            by_then = _watched_then(state, tables, seat, pawn, area, villain) if state.armed[villain] else 0
            for other in range(N_PAWNS):
                if other != villain and (targets >> (other - int(other > villain))) & 1:
                    if state.armed[villain]:
                        now += _danger_now(state, tables, seat, pawn, area, villain, other, by_then)
                    later += _danger_next(state, tables, seat, pawn, area, villain, other, watched)
    number = max(count(pairs), 1)
    return now / number, later / number


@kernel
def _watches(state: State, tables: ManorTables, pawn: int, area: int) -> int:
    """One for the zone of the area, if the pawn has vision."""
    return 0 if is_critical(state, pawn) else 1 << (4 * int(tables.zone[index(area)]))


@large_kernel
def _watched_then(state: State, tables: ManorTables, seat: int, pawn: int, area: int, villain: int) -> int:
    """Witnesses by zone, four bits each, when the villain has his turn to act: some have not moved yet."""
    watched = 0
    for other in range(N_PAWNS):
        acted = _turn_to_act(state, other) < _turn_to_act(state, villain)
        where = _sent(state, seat, pawn, area, other) if acted else int(state.area[other])
        watched += _watches(state, tables, other, where)
    return watched


@large_kernel
def _alone(state: State, tables: ManorTables, watched: int, villain: int, at: int, target: int, area: int) -> float:
    """How likely nobody else sees the two: the villain stands ``at`` one area, the target in the other."""
    zone = int(tables.zone[index(area)])
    witnesses = (watched >> (4 * zone)) & 15
    witnesses -= int(not is_critical(state, target))
    witnesses -= int(not is_critical(state, villain) and tables.zone[index(at)] == zone)
    return ALONE[index(max(witnesses, 0))]


@large_kernel
def _danger_now(
    state: State, tables: ManorTables, seat: int, pawn: int, area: int, villain: int, target: int, watched: int
) -> float:
    """The armed villain is sent for the target and acts in his turn; his own side's command of him is known to it."""
    acted = _turn_to_act(state, target) < _turn_to_act(state, villain)
    there = _sent(state, seat, pawn, area, target) if acted else int(state.area[target])
    his = not (tables.detectives >> seat) & 1
    if his and (pawn == villain or state.order[seat, villain] != NONE):
        if _sent(state, seat, pawn, area, villain) != there and state.order[seat, villain] != _ASSAIL_ORDER:
            return 0.0
    elif not (reach(state, tables, villain, limit(state, villain, True)) >> there) & 1:
        return 0.0
    return _alone(state, tables, watched, villain, int(state.area[villain]), target, there)


@large_kernel
def _danger_next(
    state: State, tables: ManorTables, seat: int, pawn: int, area: int, villain: int, target: int, watched: int
) -> float:
    """Where all are sent, the villain may go for the target in the turn after."""
    at, there = _sent(state, seat, pawn, area, villain), _sent(state, seat, pawn, area, target)
    beyond = steps_between(state, tables, at, there) - limit(state, villain, True)
    danger = _alone(state, tables, watched, villain, at, target, there)
    if not state.armed[villain]:
        danger *= UNARMED
    for _ in range(beyond):
        danger *= TOO_FAR
    return danger


# ---------------------------------------------------------------- the other values


@large_kernel
def _chart_left(state: State, tables: ManorTables, seat: int, pairs: int, pawn: int, area: int) -> float:
    """Value 2; the villain side knows which part the answer leaves."""
    if state.turn % 3 != 0 or state.final:
        return 1.0
    chart = int(state.side_chart if (tables.detectives >> seat) & 1 else state.chart)
    near = 0
    for bit in range(N_PAIRS):
        if (chart >> bit) & 1:
            first = _sent(state, seat, pawn, area, PAIRS[bit][0])
            second = _sent(state, seat, pawn, area, PAIRS[bit][1])
            near |= int(steps_between(state, tables, first, second) <= _NEAR) << bit
    number, close = count(chart), count(near)
    if not (tables.detectives >> seat) & 1:
        return (close if near & pairs else number - close) / max(number, 1)
    return (close * close + (number - close) * (number - close)) / max(number * number, 1)


@large_kernel
def _chance_of_weapon(state: State, tables: ManorTables, seat: int) -> float:
    """How likely a spot whose content the seat does not know is a weapon."""
    unknown = count(~(int(state.gone) | int(state.known[seat])) & ((1 << int(tables.n_spots)) - 1))
    left = int(tables.counts[WEAPON])
    for pawn in range(N_PAWNS):
        left -= int(state.armed[pawn])
    for spot in range(tables.n_spots):
        left -= (state.known[seat] >> spot) & ~(state.gone >> spot) & 1 & int(state.content[spot] == WEAPON)
    return min(max(left, 0), unknown) / max(unknown, 1)  # a loaded position may have lost some


@large_kernel
def _way_to_weapon(state: State, tables: ManorTables, seat: int, area: int) -> int:
    """Steps to the nearest weapon that the seat knows of."""
    least = _FAR
    for spot in range(tables.n_spots):
        if state.content[spot] == WEAPON and (state.known[seat] >> spot) & ~(state.gone >> spot) & 1:
            least = min(least, steps_between(state, tables, area, int(tables.spot_area[spot])))
    return least


@large_kernel
def _company(state: State, tables: ManorTables, seat: int, pawn: int, area: int) -> int:
    """Value 5."""
    company = 0
    for other in range(N_PAWNS):
        where = index(_sent(state, seat, pawn, area, other))
        company += int(
            other != pawn and not is_critical(state, other) and tables.zone[where] == tables.zone[index(area)]
        )
    return company


@large_kernel
def _way_to_target(state: State, tables: ManorTables, seat: int, pairs: int, pawn: int, area: int) -> float:
    """Value 6, before it is divided."""
    if not (tables.detectives >> seat) & 1:
        there = _sent(state, seat, pawn, area, int(state.target))
        return float(min(steps_between(state, tables, area, there), _FAR))
    total, number = 0, 0
    for target in range(N_PAWNS):
        if target != pawn and pairs & pair(pawn, target):
            total += min(steps_between(state, tables, area, _sent(state, seat, pawn, area, target)), _FAR)
            number += 1
    return total / max(number, 1)
