"""Every setting of the hidden facts that fits a seat's view (rules §8), for the leak audit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.record import States, duplicate
from reichenbach.envs.who_is_moriarty.state import NONE, SHERLOCK, State
from reichenbach.envs.who_is_moriarty.tables import HOURGLASSES


def alternatives(state: States, seat: int) -> Iterator[States]:
    """Copies of an array of one with other hidden facts that the seat (0 or 1) cannot tell from the true ones.

    For Sherlock all identities and all sets of Moriarty's cards, each in one order that fits the goal checks; for
    Moriarty all sets of cards that Sherlock did not show.
    """
    yield from _for_sherlock(state) if seat == SHERLOCK else _for_moriarty(state)


def _for_sherlock(state: States) -> Iterator[States]:
    one: State = state[0]
    own = [card for card in (*one.sherlock_card, one.choosing) if card != NONE]
    count = int(one.moriarty_cards)
    open_cards = [int(card) for card in one.moriarty_card[:count]] if one.moriarty_open else None
    goal, last, chase = int(one.hourglasses_to_win), one.last_check.tolist(), one.chase_check.tolist()
    for identity in range(9):
        if (one.cleared >> identity) & 1 or identity in own or identity in (open_cards or ()):
            continue
        pool = [card for card in range(9) if card != identity and card not in own]
        sets = [open_cards] if open_cards is not None else combinations(pool, count)
        for cards in sets:
            order = next((order for order in permutations(cards) if _fits(goal, last, chase, order)), None)
            if order is not None:
                other = duplicate(state)
                other["moriarty"] = identity
                other["moriarty_card"][0, :count] = order
                yield other


def _fits(goal: int, last: list[int], chase: list[int], order: tuple[int, ...]) -> bool:
    """The draw agrees with what the goal checks passed have shown."""
    return (last[0] == NONE or _total(last, order) < goal) and (chase[0] == NONE or _total(chase, order) >= goal)


def _total(check: list[int], order: tuple[int, ...]) -> int:
    """Moriarty's hourglasses at a check, if he drew the cards in this order."""
    return check[0] + sum(HOURGLASSES[card] for card in order[: check[1]])


def _for_moriarty(state: States) -> Iterator[States]:
    one: State = state[0]
    hidden = [i for i in range(one.sherlock_cards) if not one.sherlock_shown[i]]
    waiting = bool(one.choosing != NONE)
    known = {one.moriarty, *one.moriarty_card} | {
        one.sherlock_card[i] for i in range(one.sherlock_cards) if one.sherlock_shown[i]
    }
    pool = [card for card in range(9) if card not in known]
    for cards in permutations(pool, len(hidden) + waiting):
        other = duplicate(state)
        for i, card in zip(hidden, cards, strict=False):
            other["sherlock_card"][0, i] = card
        if waiting:
            other["choosing"] = cards[-1]
        yield other


def weights(settings: States, seat: int) -> NDArray[np.float64]:
    """How likely each setting is: to Sherlock in proportion to the orders of Moriarty's cards that fit the goal checks.

    Args:
        settings: of ``alternatives``, in one array (N,).
        seat: 0 or 1.
    """
    return np.array([_orders(one) if seat == SHERLOCK else 1 for one in settings], np.float64)


def _orders(one: State) -> int:
    cards = [int(card) for card in one.moriarty_card[: int(one.moriarty_cards)]]
    if one.moriarty_open:
        return 1
    goal, last, chase = int(one.hourglasses_to_win), one.last_check.tolist(), one.chase_check.tolist()
    return sum(_fits(goal, last, chase, order) for order in permutations(cards))
