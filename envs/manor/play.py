"""The rules in the order of play: the deal (M1-M7), whose move it is, what is legal (M9-M12), and one submission.

Everything here works on one state record inside compiled code; rules.py has it for Python. When the last submission
of a turn is in, the turn is played in acting.py and ended in turn.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.bits import count, nth
from reichenbach.envs.core.chance import draw_apart as draw
from reichenbach.envs.core.fill import fill
from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.acting import play_turn
from reichenbach.envs.manor.options import INVENTORY_PRIVATE
from reichenbach.envs.manor.sight import limit, reach
from reichenbach.envs.manor.state import (
    ALL_PAIRS,
    FOOD,
    HIDDEN,
    MAX_SEATS,
    MEDICINE,
    MORIARTY,
    N_PAIRS,
    N_PAWNS,
    NONE,
    NOTHING,
    PASSAGE,
    SPRAY,
    WEAPON,
    State,
)
from reichenbach.envs.manor.tables import MAX_SPOTS, ManorTables
from reichenbach.envs.manor.turn import count_votes, forget_acts, forget_orders

_ORDERS, _ASSAIL, _PASS, _VOTE = actions.ORDERS, actions.ASSAIL, actions.PASS, actions.VOTE
_ASSAIL_ORDER, _MAX_AREAS = actions.ASSAIL_ORDER, actions.MAX_AREAS
_SHUFFLES = 720  # orders of six pawns


# ---------------------------------------------------------------- set-up


@large_kernel
def deal(state: State, tables: ManorTables) -> None:
    """A new game under the state's options (M1, M3, M6, M7)."""
    drawn = draw(state, N_PAIRS)  # M1
    state.villain = drawn // 5
    state.target = drawn % 5 + int(drawn % 5 >= drawn // 5)
    _place_pawns(state, tables)
    _fill_spots(state, tables)
    _show_spots(state, tables)
    for seat in range(MAX_SEATS):
        fill(state.last_order[seat], NONE)
        state.belief[seat] = ALL_PAIRS if (tables.detectives >> seat) & 1 else 1 << drawn
    fill(state.answer, NONE)
    state.chart = ALL_PAIRS
    state.side_chart = ALL_PAIRS
    state.failed_assail = False
    state.ending = 0
    state.dark = 0
    state.dark_next = 0
    state.leak, state.leak_turns = NONE, 0
    state.gas = 0
    state.dog, state.dog_turns, state.dog_came = NONE, 0, False
    state.turn = 1  # a morning without events (M21, M22)
    state.final = False
    state.voting = False
    forget_acts(state)
    forget_orders(state)


@large_kernel
def _place_pawns(state: State, tables: ManorTables) -> None:
    """Six areas as M7 asks, the pawns in any order over them; nobody carries anything."""
    areas = int(tables.starts[index(draw(state, int(tables.n_starts)))])
    shuffle = draw(state, _SHUFFLES)
    for pawn in range(N_PAWNS):
        area = nth(areas, shuffle % (N_PAWNS - pawn))
        shuffle //= N_PAWNS - pawn
        areas &= ~(1 << area)
        state.area[pawn] = area
        for item in range(3):
            state.items[pawn, item] = 0
            for seat in range(MAX_SEATS):
                state.known_items[seat, pawn, item] = 0
    fill(state.hunger, 0)
    fill(state.injured, 0)
    fill(state.fatigued, 0)
    fill(state.armed, 0)


@large_kernel
def _fill_spots(state: State, tables: ManorTables) -> None:
    """The passage at one of its ends, everything else over the other spots (M6)."""
    hidden = NONE
    state.passage, state.passage_is = NONE, HIDDEN
    if tables.counts[PASSAGE] > 0:
        drawn = draw(state, 2 * int(tables.n_passages))
        state.passage = drawn // 2
        hidden = int(tables.passage_spot[drawn // 2, drawn % 2])
    left, rest = 0, 0  # what is not laid yet: five bits for each content, and how many in all
    for content in range(NOTHING + 1):
        if content != PASSAGE:
            left |= int(tables.counts[content]) << (5 * content)
            rest += int(tables.counts[content])
    for spot in range(MAX_SPOTS):
        content = NOTHING
        if spot == hidden:
            content = PASSAGE
        elif spot < tables.n_spots:
            content = nth_left(left, draw(state, rest))
            left -= 1 << (5 * content)
            rest -= 1
        state.content[spot] = content
    state.gone = ((1 << MAX_SPOTS) - 1) & ~((1 << int(tables.n_spots)) - 1)
    state.fuse_boxes = 0


@large_kernel
def nth_left(left: int, n: int) -> int:
    """The content of the n-th of those that are left, counted content by content."""
    for content in range(NOTHING):
        number = (left >> (5 * content)) & 31
        if n < number:
            return content
        n -= number
    return NOTHING


@large_kernel
def _show_spots(state: State, tables: ManorTables) -> None:
    """The villain side sees food and weapons, each detective two food spots of its own (M3)."""
    food, weapons = spots_with(state, FOOD, FOOD), spots_with(state, WEAPON, WEAPON)
    unknown = food
    for seat in range(MAX_SEATS):
        state.known[seat] = 0
        if (tables.detectives >> seat) & 1:
            for _ in range(2):
                spot = 1 << nth(unknown, draw(state, count(unknown)))
                unknown &= ~spot
                state.known[seat] |= spot
        elif seat < tables.n_seats:
            state.known[seat] = food | weapons


@large_kernel
def spots_with(state: State, first: int, last: int) -> int:
    """Bit s: spot s, emptied or not, holds one of these contents."""
    bits = 0
    for spot in range(MAX_SPOTS):
        bits |= int(first <= state.content[spot] <= last) << spot
    return bits


# ---------------------------------------------------------------- whose move


@kernel
def mover(state: State, tables: ManorTables) -> int:
    """In every slot every seat submits, one after the other, unseen (M9)."""
    return int(state.submitter) if state.ending == 0 else NONE


@kernel
def active(state: State, tables: ManorTables, seat: int) -> bool:
    """Whether the seat has not submitted in this slot yet."""
    return state.ending == 0 and seat >= state.submitter


# ---------------------------------------------------------------- legal actions


@large_kernel
def legal(state: State, tables: ManorTables, seat: int, mask: NDArray[np.int8]) -> None:
    """The seat's legal actions over the whole mask; whoever has nothing to choose may only pass."""
    votes = state.voting and (tables.detectives >> seat) & 1
    idle = not active(state, tables, seat)
    if idle or state.voting or state.passed[seat] or state.used[seat] >= tables.quota[seat]:
        fill(mask, 0)
        if votes and not idle:
            for pawn in range(N_PAWNS):
                mask[_VOTE + pawn] = 1  # M30
        else:
            mask[_PASS] = 1
        return
    _write_commands(state, tables, seat, mask[:_ASSAIL].view(np.int64))
    fill(mask[_ASSAIL:], 0)
    mask[_ASSAIL] = _may_assail(state, tables, seat)
    mask[_PASS] = 1


@large_kernel
def _write_commands(state: State, tables: ManorTables, seat: int, words: NDArray[np.int64]) -> None:
    """A word of eight marks for each pawn and area: what the pawn may be told to do there (M9).

    Written without branches where random play would have the processor guess them.
    """
    spots, items, weapons, fuse_boxes = _areas_to_search(state, tables, seat)
    withheld = may_not_command(state, tables, seat)
    for pawn in range(N_PAWNS):
        free = state.order[seat, pawn] == NONE and not (withheld >> pawn) & 1
        areas = reach(state, tables, pawn, limit(state, pawn, tables.role[seat] == MORIARTY)) if free else 0
        there = 1 | _deeds(state, pawn)
        full = state.items[pawn, FOOD] + state.items[pawn, MEDICINE] + state.items[pawn, SPRAY] >= 2
        search = spots & ~(items * int(full)) & ~(weapons * int(state.armed[pawn]))  # M17
        for area in range(_MAX_AREAS):
            marks = there | (search >> area & 1) << 8 | (fuse_boxes >> area & 1) << 56
            words[pawn * _MAX_AREAS + area] = -(areas >> area & 1) & marks


@kernel
def _areas_to_search(state: State, tables: ManorTables, seat: int) -> tuple[int, int, int, int]:
    """Bits of areas: with a spot not emptied; one that the seat knows to hold an item; a weapon; with a fuse box."""
    known = int(state.known[seat]) if state.inventory != INVENTORY_PRIVATE else 0  # M20
    spots, items, weapons, fuse_boxes = 0, 0, 0, 0
    for spot in range(tables.n_spots):
        area, content = int(tables.spot_area[spot]), state.content[spot]
        there = 1 - (int(state.gone) >> spot & 1)
        spots |= there << area
        items |= (there & known >> spot & int(content <= SPRAY)) << area
        weapons |= (there & known >> spot & int(content == WEAPON)) << area
        fuse_boxes |= (int(state.fuse_boxes) >> spot & 1) << area
    return spots, items, weapons, fuse_boxes


@kernel
def _deeds(state: State, pawn: int) -> int:
    """The marks of eat, feed, heal, heal other and spray, which do not depend on where (M18)."""
    private = state.inventory == INVENTORY_PRIVATE  # then the mask must not tell who has what (M20)
    food = int(private or state.items[pawn, FOOD] > 0)
    medicine = int(private or state.items[pawn, MEDICINE] > 0)
    spray = int(private or state.items[pawn, SPRAY] > 0)
    eat = food & int(state.hunger[pawn] > 0)
    heal = medicine & int(state.injured[pawn] > 0)
    return eat << 16 | food << 24 | heal << 32 | medicine << 40 | spray << 48


@kernel
def may_not_command(state: State, tables: ManorTables, seat: int) -> int:
    """Bit p: the seat may not command pawn p: the villain side and the target (M3)."""
    if (tables.detectives >> seat) & 1 or (seat == tables.irene and state.irene_commands_target):
        return 0
    return 1 << int(state.target)


@large_kernel
def _may_assail(state: State, tables: ManorTables, seat: int) -> int:
    """1 if Moriarty may send the armed villain for the target within his reach, whatever his fatigue (M25)."""
    villain = index(state.villain)
    if tables.role[seat] != MORIARTY or not state.armed[villain] or state.order[seat, villain] != NONE:
        return 0
    return (reach(state, tables, villain, limit(state, villain, True)) >> int(state.area[index(state.target)])) & 1


# ---------------------------------------------------------------- one submission


@large_kernel
def step(state: State, tables: ManorTables, action: int) -> None:
    """Takes a legal action of the seat that submits; the last one of a turn has the turn played."""
    _submit(state, action)
    state.submitter += 1
    if state.submitter < tables.n_seats:
        return
    state.submitter = 0
    if state.voting:
        count_votes(state, tables)
        return
    state.slot += 1
    if state.slot == tables.slots:
        play_turn(state, tables)


@kernel
def _submit(state: State, action: int) -> None:
    seat = index(state.submitter)
    if action >= _VOTE:
        state.vote[seat] = action - _VOTE
    elif action < _PASS:
        pawn = index(state.villain) if action == _ASSAIL else action // _ORDERS
        state.order[seat, pawn] = _ASSAIL_ORDER if action == _ASSAIL else action % _ORDERS
        state.used[seat] += 1
    elif not state.voting:
        state.passed[seat] = 1
