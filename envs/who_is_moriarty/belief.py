"""The exact belief of rules §8: who Moriarty may be and how many hourglasses he may have.

All pairs of an identity j and an ordered draw of Moriarty's m cards from the cards that are neither j nor Sherlock's
weigh the same, if they agree with every goal check passed. Draws are counted by their hourglasses, not card by card.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.core.record import States, Tables
from reichenbach.envs.who_is_moriarty.goals import total_hourglasses
from reichenbach.envs.who_is_moriarty.layout import TOTALS
from reichenbach.envs.who_is_moriarty.state import NONE, SHERLOCK, State
from reichenbach.envs.who_is_moriarty.tables import TABLES, BoardTables


class Belief(NamedTuple):
    """Probabilities: ``identity`` by suspect, shape (9,); ``hourglasses`` 0-12 and 13 or more in all, shape (14,)."""

    identity: NDArray[np.float64]
    hourglasses: NDArray[np.float64]


def belief(state: States, seat: int) -> Belief:
    """What the seat can know of identity and total hourglasses; Moriarty (1) and an all-seeing seat (2) know both.

    Args:
        state: an array of one.
        seat: 0 sherlock, 1 moriarty, 2 everyone.
    """
    out = np.zeros(9 + TOTALS)
    _belief_of_one(state, TABLES, seat, out)
    return Belief(out[:9], out[9:])


@kernel
def _belief_of_one(states: States, tables: Tables, seat: int, out: NDArray[np.float64]) -> None:
    write_belief(states[0], tables[0], seat, out)


@large_kernel
def write_belief(state: State, tables: BoardTables, seat: int, out: NDArray[np.floating]) -> None:
    """Writes identity (9) and total hourglasses (14) over ``out``, which holds zeros."""
    if seat != SHERLOCK:
        out[state.moriarty] = 1
        out[9 + min(total_hourglasses(state, tables), TOTALS - 1)] = 1
        return
    drawn = _drawn_by_sherlock(state)
    known = _known_moriarty_cards(state)
    for suspect in range(9):
        if not ((state.cleared | drawn | known) >> suspect) & 1:
            _weigh(state, tables, suspect, drawn | 1 << suspect, out)
    total = out[:9].sum()
    if total > 0:
        for i in range(9 + TOTALS):
            out[i] /= total


@kernel
def _drawn_by_sherlock(state: State) -> int:
    """Bit i: card i is Sherlock's, shown or not, or lies before him."""
    bits = 0
    for i in range(state.sherlock_cards):
        bits |= 1 << state.sherlock_card[i]
    if state.choosing != NONE:
        bits |= 1 << state.choosing
    return bits


@kernel
def _known_moriarty_cards(state: State) -> int:
    """Bit i: Sherlock saw Moriarty draw card i (moriarty_cards=open)."""
    bits = 0
    if state.moriarty_open:
        for i in range(state.moriarty_cards):
            bits |= 1 << state.moriarty_card[i]
    return bits


@kernel
def _weigh(state: State, tables: BoardTables, identity: int, excluded: int, out: NDArray[np.floating]) -> None:
    """Adds the number of draws that fit this identity to the weights of the identity and of the totals."""
    if state.moriarty_open:
        out[identity] += 1
        out[9 + min(total_hourglasses(state, tables), TOTALS - 1)] += 1
        return
    zeros, ones, twos = 0, 0, 0  # cards that he may have drawn, by their hourglasses
    for card in range(9):
        if not (excluded >> card) & 1:
            zeros += tables.hourglasses[card] == 0
            ones += tables.hourglasses[card] == 1
            twos += tables.hourglasses[card] == 2
    for draws in range(3**state.moriarty_cards):  # base 3: the hourglasses of each card in the order drawn
        ways, held = _count_ways(state, draws, zeros, ones, twos)
        if ways > 0:
            out[identity] += ways
            out[9 + min(state.won_unseen + held, TOTALS - 1)] += ways


@kernel
def _count_ways(state: State, draws: int, zeros: int, ones: int, twos: int) -> tuple[int, int]:
    """How many ordered draws have these hourglasses and fit the checks, and how many hourglasses that is."""
    ways, held = 1, 0
    if not _fits(state, 0, held):
        return 0, 0
    for drawn in range(1, state.moriarty_cards + 1):
        value = draws % 3
        draws //= 3
        if value == 0:
            ways *= zeros
            zeros -= 1
        elif value == 1:
            ways *= ones
            ones -= 1
        else:
            ways *= twos
            twos -= 1
        held += value
        if ways == 0 or not _fits(state, drawn, held):
            return 0, 0
    return ways, held


@kernel
def _fits(state: State, drawn: int, held: int) -> bool:
    """With so many cards drawn the total was below the goal at the last check, and not when the chase began."""
    if state.last_check[1] == drawn and state.last_check[0] + held >= state.hourglasses_to_win:
        return False
    return not (state.chase_check[1] == drawn and state.chase_check[0] + held < state.hourglasses_to_win)
