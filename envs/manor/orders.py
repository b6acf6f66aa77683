"""Whose order a pawn obeys, and who is told of it (M13, M15)."""

from __future__ import annotations

from reichenbach.envs.core.bits import count, nth
from reichenbach.envs.core.chance import draw_apart as draw
from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import large_kernel
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.sight import limit, reach
from reichenbach.envs.manor.state import (
    ALL_PAWNS,
    BY_ANOTHER,
    BY_MORIARTY,
    MAX_SEATS,
    N_PAWNS,
    NO_NOTICE,
    NONE,
    SHERLOCK,
    WATSON,
    State,
)
from reichenbach.envs.manor.tables import ManorTables

_DEEDS, _SEARCH = actions.N_DEEDS, actions.SEARCH


@large_kernel
def settle_orders(state: State, tables: ManorTables) -> None:
    """From all commands to one order for each pawn, or none; last turn's orders and notices are forgotten already."""
    for _ in range(int(tables.quota[index(tables.moriarty)] - state.used[index(tables.moriarty)])):
        _give_random_order(state, tables)
    commanded = 0
    for seat in range(MAX_SEATS):
        for pawn in range(N_PAWNS):
            state.last_order[seat, pawn] = state.order[seat, pawn]
            commanded |= int(state.order[seat, pawn] != NONE) << pawn
    while commanded != 0:
        pawn = nth(commanded, 0)
        commanded &= commanded - 1
        state.obeyed[pawn] = _obeyed_order(state, tables, pawn)
        _notify(state, tables, pawn)


@large_kernel
def random_order(state: State, tables: ManorTables, pawn: int) -> int:
    """An area within the pawn's own limit, staying included; a search half the time where there is a spot (M14)."""
    areas = reach(state, tables, pawn, limit(state, pawn, False))
    area = nth(areas, draw(state, count(areas)))
    spot = int(tables.spot[index(area)])
    searches = spot != NONE and not (state.gone >> spot) & 1 and draw(state, 2) == 1
    return area * _DEEDS + (_SEARCH if searches else 0)


@large_kernel
def _give_random_order(state: State, tables: ManorTables) -> None:
    """A command that Moriarty left unused goes to a random pawn (M15)."""
    moriarty = index(tables.moriarty)
    pawns = ALL_PAWNS & ~(1 << int(state.target))
    for pawn in range(N_PAWNS):
        pawns &= ~(int(state.order[moriarty, pawn] != NONE) << pawn)
    chosen = nth(pawns, draw(state, count(pawns)))
    state.order[moriarty, chosen] = random_order(state, tables, chosen)


@large_kernel
def _obeyed_order(state: State, tables: ManorTables, pawn: int) -> int:
    """Moriarty's order, else that of a random one of those who commanded the pawn (M13)."""
    moriarty = index(tables.moriarty)
    if state.order[moriarty, pawn] != NONE:
        return int(state.order[moriarty, pawn])
    seats, by_sherlock, by_watson = 0, 0, 0
    for seat in range(tables.n_seats):
        ordered = int(state.order[seat, pawn] != NONE) << seat
        seats |= ordered
        by_sherlock |= ordered if tables.role[seat] == SHERLOCK else 0
        by_watson |= ordered if tables.role[seat] == WATSON else 0
    if state.sherlock_beats_watson and by_sherlock != 0:
        seats &= ~by_watson
    return int(state.order[nth(seats, draw(state, count(seats))), pawn])


@large_kernel
def _notify(state: State, tables: ManorTables, pawn: int) -> None:
    """Detectives whose order differs from the obeyed one are told; by Moriarty's the pawn is exposed (M13)."""
    moriarty = state.order[index(tables.moriarty), pawn] != NONE
    for seat in range(MAX_SEATS):
        order = state.order[seat, pawn]
        overridden = (tables.detectives >> seat) & 1 and order != NONE and order != state.obeyed[pawn]
        state.notice[seat, pawn] = (BY_MORIARTY if moriarty else BY_ANOTHER) if overridden else NO_NOTICE
        if overridden and moriarty:
            state.exposed |= 1 << pawn
