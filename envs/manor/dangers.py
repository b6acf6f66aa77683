"""How likely a murder is after a command, as far as a seat can tell: values 0 and 1 of the after-states (after.py)."""

from __future__ import annotations

from reichenbach.envs.core.bits import count
from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.plan import Plan, at, in_zone, moved, watchers
from reichenbach.envs.manor.sight import ways
from reichenbach.envs.manor.state import N_PAWNS, NONE, State
from reichenbach.envs.manor.tables import ManorTables

_ASSAIL_ORDER = actions.ASSAIL_ORDER

# How likely a murder is with so many witnesses about: some of them may be led away, or go.
ALONE = (1.0, 0.35, 0.1, 0.03, 0.01, 0.0)
UNARMED = 0.2  # how likely a villain is armed a turn later who is not yet
TOO_FAR = 0.4  # how likely he is near enough a turn later, for each area beyond his reach


@large_kernel
def dangers(
    state: State, tables: ManorTables, plan: Plan, seat: int, pawn: int, sent: int, watched: int
) -> tuple[float, float]:
    """Now and in the turn after, in the mean over the pairs that the seat cannot rule out.

    Args:
        pawn: who is commanded; ``sent``: where all are then; ``watched``: the witnesses there by zone.
    """
    pairs = int(state.belief[seat])
    now, later = 0.0, 0.0
    for villain in range(N_PAWNS):
        targets = (pairs >> (5 * villain)) & 31
        if targets:
            targets = (targets & ((1 << villain) - 1)) | (targets >> villain) << (villain + 1)  # by pawn
            later += _next(state, tables, plan, villain, targets, sent, watched)
            if (plan[3] >> villain) & 1:
                now += _now(state, tables, plan, seat, pawn, villain, targets, sent)
    number = max(count(pairs), 1)
    return now / number, later / number


@kernel
def _alone(tables: ManorTables, sees: int, watched: int, villain: int, at_zone: int, target: int, zone: int) -> float:
    """How likely nobody else sees the two: the villain stands in one zone, the target in the other."""
    witnesses = in_zone(watched, zone) - ((sees >> target) & 1) - (((sees >> villain) & 1) & int(at_zone == zone))
    return ALONE[index(max(witnesses, 0))]


@kernel
def _next(state: State, tables: ManorTables, plan: Plan, villain: int, targets: int, sent: int, watched: int) -> float:
    """Where all are sent, the villain may go for a target in the turn after; the sum over the targets."""
    way, start = index(ways(state)), at(sent, villain)
    at_zone, reach = int(tables.zone[start]), (plan[4] >> (2 * villain)) & 3
    danger = 0.0
    for target in range(N_PAWNS):
        if (targets >> target) & 1:
            there = at(sent, target)
            likely = _alone(tables, plan[2], watched, villain, at_zone, target, int(tables.zone[there]))
            for _ in range(int(tables.distance[way, start, there]) - reach):
                likely *= TOO_FAR
            danger += likely
    return danger if (plan[3] >> villain) & 1 else danger * UNARMED


@large_kernel
def _now(
    state: State, tables: ManorTables, plan: Plan, seat: int, pawn: int, villain: int, targets: int, sent: int
) -> float:
    """The armed villain is sent for a target and acts in his turn; his own side's command of him is known to it.

    The sum over the targets.
    """
    then = plan[0]  # where all are when he acts: some have not moved yet
    for other in range(N_PAWNS):
        if at(plan[5], other) < at(plan[5], villain):
            then = moved(then, other, at(sent, other))
    watched = watchers(tables, plan[2], then)
    start, order = at(plan[0], villain), int(state.order[seat, villain])
    if (tables.detectives >> seat) & 1 or (pawn != villain and order == NONE):
        areas = int(tables.within[index(ways(state)), start, index(plan[4] >> (2 * villain)) & 3])
    else:
        areas = 1 << at(sent, villain) if order != _ASSAIL_ORDER else -1
    danger = 0.0
    for target in range(N_PAWNS):
        there = at(then, target)
        if (targets >> target) & 1 and (areas >> there) & 1:
            danger += _alone(
                tables, plan[2], watched, villain, int(tables.zone[start]), target, int(tables.zone[there])
            )
    return danger
