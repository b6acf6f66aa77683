"""What a seat sees, written section by section (layout.py) over a float32 array; rules §13 says who knows what."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.fill import fill
from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.after import write_after
from reichenbach.envs.manor.layout import ACT_FACTS, AFTER, BASE_LAYOUT, BELIEF, ORDER_FACTS, PAWN_FACTS, SPOT_FACTS
from reichenbach.envs.manor.pairs import PAIRS, pair
from reichenbach.envs.manor.sight import is_critical, limit
from reichenbach.envs.manor.state import (
    BY_ANOTHER,
    BY_MORIARTY,
    HIDDEN,
    IRENE,
    MORIARTY,
    N_PAIRS,
    N_PAWNS,
    NONE,
    State,
)
from reichenbach.envs.manor.tables import ManorTables

_DEEDS, _MAX_AREAS, _ASSAIL_ORDER = actions.N_DEEDS, actions.MAX_AREAS, actions.ASSAIL_ORDER
_SIZE = BASE_LAYOUT.size
_ROLE, _PLACE, _TABLE = BASE_LAYOUT.start("role"), BASE_LAYOUT.start("place"), BASE_LAYOUT.start("table")
_TURN, _PHASE, _LEFT = BASE_LAYOUT.start("turn"), BASE_LAYOUT.start("phase"), BASE_LAYOUT.start("commands_left")
_AREAS, _PAWNS, _SPOTS = BASE_LAYOUT.start("areas"), BASE_LAYOUT.start("pawns"), BASE_LAYOUT.start("spots")
_FUSE_BOXES, _PASSAGES = BASE_LAYOUT.start("fuse_boxes"), BASE_LAYOUT.start("passages")
_DARK, _GAS, _DOG = BASE_LAYOUT.start("dark"), BASE_LAYOUT.start("gas"), BASE_LAYOUT.start("dog")
_ACTS, _ANSWERS, _CHART = BASE_LAYOUT.start("acts"), BASE_LAYOUT.start("answers"), BASE_LAYOUT.start("chart")
_ORDERS, _LAST_ORDERS = BASE_LAYOUT.start("orders"), BASE_LAYOUT.start("last_orders")
_NOTICES, _ALLY_ORDERS = BASE_LAYOUT.start("notices"), BASE_LAYOUT.start("ally_orders")
_SECRET = BASE_LAYOUT.start("secret")
_FROM, _DID, _HELPED = 6, 6 + _MAX_AREAS, 6 + _MAX_AREAS + 9  # places in what is said of an act
_FORCED, _FOUND, _SPOT_LEFT = _HELPED + N_PAWNS, _HELPED + N_PAWNS + 1, _HELPED + N_PAWNS + 8
_BELIEF_SIZE = N_PAIRS + 2 * N_PAWNS


@large_kernel
def observe(state: State, tables: ManorTables, seat: int, sections: int, out: NDArray[np.float32]) -> None:
    """Writes the seat's whole observation; the seat one past the last sees all, but no seat's own facts."""
    fill(out, 0)
    everyone = seat >= tables.n_seats
    role = NONE if everyone else int(tables.role[seat])
    _write_seat(state, tables, seat, role, out)
    _write_pawns(state, seat, role, out)
    _write_house(state, tables, seat, everyone, out)
    _write_acts(state, seat, everyone, out)
    detective = everyone or (tables.detectives >> seat) & 1 != 0
    _write_pairs(int(state.side_chart if detective else state.chart), out[_CHART : _CHART + N_PAIRS])
    if not everyone:
        _write_own(state, tables, seat, role, out)
    if everyone or not detective:
        _write_secret(state, out)
    start = _SIZE
    if sections & BELIEF:
        _write_belief(state, seat, everyone, out[start : start + _BELIEF_SIZE])
        start += _BELIEF_SIZE
    if sections & AFTER:
        write_after(state, tables, seat, out[start:])


@large_kernel
def _write_seat(state: State, tables: ManorTables, seat: int, role: int, out: NDArray[np.float32]) -> None:
    """Who observes, and the clock."""
    if role == NONE:
        for each in range(4):
            out[_ROLE + each] = 1
            out[_PLACE + each] = int(each < tables.n_seats)
    else:
        out[_ROLE + index(role)] = 1
        out[_PLACE + index(seat)] = 1
    out[_TABLE + index(state.table)] = 1
    out[_TURN - 1 + index(state.turn)] = 1  # a game not yet dealt is in turn 0
    commands = state.ending == 0 and not state.voting
    if commands:
        out[_PHASE + index(state.slot)] = 1
        if role != NONE and not state.passed[seat]:
            out[_LEFT] = (tables.quota[seat] - state.used[seat]) / 3
    out[_PHASE + 3] = int(state.final)
    out[_PHASE + 4] = int(state.voting)


@large_kernel
def _write_pawns(state: State, seat: int, role: int, out: NDArray[np.float32]) -> None:
    """Where the pawns are and how they fare; items as far as the seat knows of them (M20)."""
    for pawn in range(N_PAWNS):
        out[_AREAS + pawn * _MAX_AREAS + index(state.area[pawn])] = 1
        facts = _PAWNS + pawn * PAWN_FACTS
        out[facts] = int(state.hunger[pawn] > 0)
        out[facts + 1] = int(state.hunger[pawn] > 1)
        out[facts + 2] = state.injured[pawn]
        out[facts + 3] = int(is_critical(state, pawn))
        out[facts + 4] = state.fatigued[pawn]
        out[facts + 5] = state.armed[pawn]
        out[facts + 6] = limit(state, pawn, role == MORIARTY) / 3
        for item in range(3):
            number = state.items[pawn, item] if role == NONE else state.known_items[seat, pawn, item]
            out[facts + 7 + item] = number / 2


@large_kernel
def _write_house(state: State, tables: ManorTables, seat: int, everyone: bool, out: NDArray[np.float32]) -> None:
    """Spots as far as the seat knows them (M6), fuse boxes, passage, dark wings, gas and the dog."""
    known = -1 if everyone else int(state.known[seat])
    for spot in range(tables.n_spots):
        area = index(tables.spot_area[spot])
        there = 1 - ((int(state.gone) >> spot) & 1)
        out[_SPOTS + area * SPOT_FACTS] = there
        out[_SPOTS + area * SPOT_FACTS + 1 + index(state.content[spot])] = there & (known >> spot)
        out[_FUSE_BOXES + area] = (int(state.fuse_boxes) >> spot) & 1
    if state.passage_is != HIDDEN:
        for end in range(2):
            out[_PASSAGES + index(tables.spot_area[index(tables.passage_spot[index(state.passage), end])])] = 1
    if state.dark != 0:
        for area in range(tables.n_areas):
            out[_DARK + area] = (int(state.dark) >> tables.wing[area]) & 1
    if state.gas != 0 or state.leak != NONE:
        leaking = int(tables.zone_areas[index(state.leak)]) if state.leak != NONE else 0
        for area in range(tables.n_areas):
            turns = max((int(state.gas) >> area) & 1, state.leak_turns * ((leaking >> area) & 1))
            out[_GAS + area] = turns / 2
    if state.dog != NONE:
        out[_DOG + index(state.dog)] = 1
        out[_DOG + _MAX_AREAS - 1 + index(state.dog_turns)] = 1


@large_kernel
def _write_acts(state: State, seat: int, everyone: bool, out: NDArray[np.float32]) -> None:
    """The last action phase as all saw it, and the nightly answers."""
    for pawn in range(N_PAWNS):
        if state.acted[pawn] != NONE:
            act = _ACTS + pawn * ACT_FACTS
            out[act + index(state.acted[pawn])] = 1
            out[act + _FROM + index(state.came_from[pawn])] = 1
            out[act + _DID + index(state.did[pawn])] = 1
            if state.helped[pawn] != NONE:
                out[act + _HELPED + index(state.helped[pawn])] = 1
            out[act + _FORCED] = state.forced[pawn]
            if state.found[pawn] != NONE and (everyone or (state.find_seen[pawn] >> seat) & 1):
                out[act + _FOUND + index(state.found[pawn])] = 1
            out[act + _SPOT_LEFT] = state.left[pawn]
    for night in range(3):
        if state.answer[night] != NONE:
            out[_ANSWERS + 2 * night + 1 - index(state.answer[night])] = 1


@kernel
def _write_pairs(pairs: int, out: NDArray[np.float32]) -> None:
    for bit in range(N_PAIRS):
        out[bit] = (pairs >> bit) & 1


@large_kernel
def _write_own(state: State, tables: ManorTables, seat: int, role: int, out: NDArray[np.float32]) -> None:
    """What the seat alone knows: its commands, its notices (M13), and an ally's commands on the villain side (M3)."""
    _write_orders(state.order[seat], out[_ORDERS : _ORDERS + N_PAWNS * ORDER_FACTS])
    _write_orders(state.last_order[seat], out[_LAST_ORDERS : _LAST_ORDERS + N_PAWNS * ORDER_FACTS])
    if role in (MORIARTY, IRENE):
        ally = int(tables.irene if role == MORIARTY else tables.moriarty)
        if ally != NONE:
            _write_orders(state.last_order[index(ally)], out[_ALLY_ORDERS : _ALLY_ORDERS + N_PAWNS * ORDER_FACTS])
    for pawn in range(N_PAWNS):
        out[_NOTICES + 2 * pawn] = int(state.notice[seat, pawn] == BY_MORIARTY)
        out[_NOTICES + 2 * pawn + 1] = int(state.notice[seat, pawn] == BY_ANOTHER)


@large_kernel
def _write_orders(orders: NDArray[np.int32], out: NDArray[np.float32]) -> None:
    for pawn in range(N_PAWNS):
        order = index(orders[pawn]) if orders[pawn] != NONE else NONE
        if order != NONE:
            if order != _ASSAIL_ORDER:
                out[pawn * ORDER_FACTS + order // _DEEDS] = 1
            deed = _DEEDS if order == _ASSAIL_ORDER else order % _DEEDS
            out[pawn * ORDER_FACTS + _MAX_AREAS + deed] = 1


@large_kernel
def _write_secret(state: State, out: NDArray[np.float32]) -> None:
    """Villain and target (M3), and where they are."""
    villain, target = index(state.villain), index(state.target)
    out[_SECRET + villain] = 1
    out[_SECRET + N_PAWNS + target] = 1
    out[_SECRET + 2 * N_PAWNS + index(state.area[villain])] = 1
    out[_SECRET + 2 * N_PAWNS + _MAX_AREAS + index(state.area[target])] = 1


@large_kernel
def _write_belief(state: State, seat: int, everyone: bool, out: NDArray[np.float32]) -> None:
    """The pairs that the seat cannot rule out (§14), who may be villain and who target among them."""
    pairs = pair(int(state.villain), int(state.target)) if everyone else int(state.belief[seat])
    for bit in range(N_PAIRS):
        possible = (pairs >> bit) & 1
        out[bit] = possible
        if possible:
            out[N_PAIRS + PAIRS[bit][0]] = 1
            out[N_PAIRS + N_PAWNS + PAIRS[bit][1]] = 1
