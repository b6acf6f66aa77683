"""Other beliefs, pasts and commands of the other seats, as far as a seat cannot tell (M9, M13, M27, M30, §13)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.bits import count, nth
from reichenbach.envs.core.chance import draw
from reichenbach.envs.core.fill import fill
from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.core.pick import nth_legal
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.options import EXPOSURE_PUBLIC, EXPOSURE_SIDE
from reichenbach.envs.manor.pairs import WITH_TARGET, pair, villains
from reichenbach.envs.manor.play import legal
from reichenbach.envs.manor.state import ALL_PAWNS, BY_MORIARTY, N_PAWNS, NONE, State
from reichenbach.envs.manor.tables import ManorTables

_DEEDS, _ASSAIL, _PASS = actions.N_DEEDS, actions.ASSAIL, actions.PASS
_N_ACTIONS, _ORDERS, _ASSAIL_ORDER, _ASSAILED = (
    actions.N_ACTIONS,
    actions.ORDERS,
    actions.ASSAIL_ORDER,
    actions.ASSAILED,
)
_WORDS, _SHARES = 1 << 32, 1 << 14  # how many words there are to choose by, and how many of them are drawn from


# ---------------------------------------------------------------- charts and beliefs


@large_kernel
def redraw_charts(state: State, tables: ManorTables, seat: int) -> None:
    """The detective side's chart where the seat does not see it, hidden exposures, and all others' beliefs."""
    detective = bool((tables.detectives >> seat) & 1)
    true = pair(int(state.villain), int(state.target))
    if state.exposure == EXPOSURE_SIDE and not detective and not state.failed_assail:
        _redraw_side_chart(state)
    told = state.exposure == EXPOSURE_PUBLIC or (state.exposure == EXPOSURE_SIDE and detective)
    _redraw_exposures(state, seat, int(state.side_chart if detective else state.chart) if told else 0)
    for other in range(tables.n_seats):
        if other != seat:
            some = draw(state, 1024) | draw(state, 1024) << 10 | draw(state, 1024) << 20
            state.belief[other] = int(state.side_chart) & some | true if (tables.detectives >> other) & 1 else true


@kernel
def _redraw_exposures(state: State, seat: int, chart: int) -> None:
    """Who was exposed, as far as neither a chart that would tell nor the seat's own notices do (M13)."""
    exposed = draw(state, ALL_PAWNS + 1) & ~(1 << int(state.target))
    for pawn in range(N_PAWNS):
        if chart & WITH_TARGET[pawn] != 0:
            exposed &= ~(1 << pawn)
        exposed |= int(state.notice[seat, pawn] == BY_MORIARTY) << pawn
    state.exposed = exposed


@kernel
def _redraw_side_chart(state: State) -> None:
    """The chart without some targets; more than one villain is left, or the villain would be identified (M28)."""
    left = int(state.chart)
    for pawn in range(N_PAWNS):
        if pawn != state.target and draw(state, 4) == 0:
            left &= ~WITH_TARGET[pawn]
    if state.final or count(villains(left)) > 1:
        state.side_chart = left
    else:
        state.side_chart = state.chart


# ---------------------------------------------------------------- the last turn


@large_kernel
def redraw_past(state: State, tables: ManorTables, seat: int) -> None:
    """Others' notices and orders of the last turn, but for those that the villain side sees of each other (M3)."""
    fill(state.obeyed, NONE)
    acted = False
    for pawn in range(N_PAWNS):
        acted = acted or state.acted[pawn] != NONE
    detective = (tables.detectives >> seat) & 1
    for other in range(tables.n_seats):
        theirs = (tables.detectives >> other) & 1
        if other != seat and acted and (detective or theirs):
            for pawn in range(N_PAWNS):
                notice = draw(state, 3) if theirs else 0
                state.notice[other, pawn] = notice if notice != BY_MORIARTY or (state.exposed >> pawn) & 1 else 0
            _redraw_last_orders(state, tables, other)


@kernel
def _redraw_last_orders(state: State, tables: ManorTables, other: int) -> None:
    """Up to as many as the seat may give, Moriarty's all (M15); half of them what the pawn then did."""
    fill(state.last_order[other], NONE)
    quota = int(tables.quota[other])
    pawns = ALL_PAWNS if (tables.detectives >> other) & 1 else ALL_PAWNS & ~(1 << int(state.target))
    for _ in range(quota if other == tables.moriarty else draw(state, quota + 1)):
        pawn = nth(pawns, draw(state, count(pawns)))
        pawns &= ~(1 << pawn)
        order = int(state.area[pawn]) * _DEEDS + int(state.did[pawn])
        if draw(state, 2) == 0:
            order = draw(state, int(tables.n_areas)) * _DEEDS + draw(state, _DEEDS)
        if state.did[pawn] == _ASSAILED:
            order = _ASSAIL_ORDER if other == tables.moriarty else int(state.area[pawn]) * _DEEDS
        state.last_order[other, pawn] = order


# ---------------------------------------------------------------- this turn


@large_kernel
def redraw_orders(state: State, tables: ManorTables, seat: int, words: NDArray[np.int64]) -> None:
    """Others' commands and votes as far as they are given, each legal for its seat (M9, M30).

    ``words`` is scratch space, as `pick.masks` makes it for one game.
    """
    submitter = int(state.submitter)
    for other in range(tables.n_seats):
        if other != seat:
            given = int(state.slot) + int(other < submitter)
            if state.voting:
                voted = (tables.detectives >> other) & 1 and (other < submitter or state.ending != 0)
                state.vote[other] = draw(state, N_PAWNS) if voted else NONE
            elif state.ending != 0:  # nothing is forgotten at the end
                _repeat_last_orders(state, tables, other)
            else:
                state.submitter = 0  # who has submitted has nothing legal any more
                _give_orders(state, tables, other, given, words)
                state.submitter = submitter


@kernel
def _repeat_last_orders(state: State, tables: ManorTables, other: int) -> None:
    used = 0
    for pawn in range(N_PAWNS):
        state.order[other, pawn] = state.last_order[other, pawn]
        used += int(state.order[other, pawn] != NONE)
    state.used[other] = used
    state.passed[other] = int(used < tables.slots)


@kernel
def _give_orders(state: State, tables: ManorTables, other: int, submitted: int, words: NDArray[np.int64]) -> None:
    """A random number of random legal commands; a seat that gave fewer than it submitted has passed."""
    fill(state.order[other], NONE)
    state.used[other] = 0
    state.passed[other] = 0
    for _ in range(draw(state, min(submitted, int(tables.quota[other])) + 1)):
        legal(state, tables, other, words.view(np.int8)[:_N_ACTIONS])
        action = nth_legal(words, draw(state, _SHARES) * (_WORDS // _SHARES))
        if action != _PASS:
            pawn = index(state.villain) if action == _ASSAIL else action // _ORDERS
            state.order[other, pawn] = _ASSAIL_ORDER if action == _ASSAIL else action % _ORDERS
            state.used[other] += 1
    state.passed[other] = int(state.used[other] < submitted)
