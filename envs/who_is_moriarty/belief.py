"""The exact belief of rules §8: who Moriarty may be and how many hourglasses he may have.

All pairs of an identity j and an ordered draw of Moriarty's m cards from the cards that are neither j nor Sherlock's
weigh the same, if they agree with every goal check passed. Draws are counted by how many cards of each value they
hold, not one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.kernel import kernel
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


@kernel
def write_belief(state: State, tables: BoardTables, seat: int, out: NDArray[np.floating]) -> None:
    """Writes identity (9) and total hourglasses (14) over ``out``, which holds zeros."""
    if seat != SHERLOCK:
        out[state.moriarty] = 1
        out[9 + min(total_hourglasses(state, tables), TOTALS - 1)] = 1
        return
    drawn = _drawn_by_sherlock(state)
    known = _known_moriarty_cards(state)
    weights = np.zeros(9 + TOTALS)
    for suspect in range(9):
        if not state.cleared[suspect] and not ((drawn | known) >> suspect) & 1:
            _weigh(state, tables, suspect, drawn | 1 << suspect, weights)
    total = weights[:9].sum()
    if total > 0:
        for i in range(9 + TOTALS):
            out[i] = weights[i] / total


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
def _weigh(
    state: State, tables: BoardTables, identity: int, excluded: int, weights: NDArray[np.float64]
) -> None:
    """Adds the draws that fit this identity to the weights of identity and totals."""
    if state.moriarty_open:
        weights[identity] += 1
        weights[9 + min(total_hourglasses(state, tables), TOTALS - 1)] += 1
        return
    pool = np.zeros(3)  # cards in the pool by their hourglasses
    for card in range(9):
        if not (excluded >> card) & 1:
            pool[tables.hourglasses[card]] += 1
    ways = _count_draws(state, pool)
    for ones in range(9):
        for twos in range(9):
            if ways[ones, twos] > 0:
                weights[identity] += ways[ones, twos]
                weights[9 + min(state.won_unseen + ones + 2 * twos, TOTALS - 1)] += ways[ones, twos]


@kernel
def _count_draws(state: State, pool: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ordered draws that fit the checks, by how many cards of one and of two hourglasses they hold, (9, 9)."""
    ways = np.zeros((9, 9))
    ways[0, 0] = 1
    _drop_misfits(state, 0, ways)
    for drawn in range(state.moriarty_cards):
        longer = np.zeros((9, 9))
        for ones in range(drawn + 1):
            for twos in range(drawn + 1 - ones):
                count = ways[ones, twos]
                if count > 0:
                    longer[ones, twos] += count * (pool[0] - (drawn - ones - twos))
                    longer[ones + 1, twos] += count * (pool[1] - ones)
                    longer[ones, twos + 1] += count * (pool[2] - twos)
        ways = longer
        _drop_misfits(state, drawn + 1, ways)
    return ways


@kernel
def _drop_misfits(state: State, drawn: int, ways: NDArray[np.float64]) -> None:
    """After so many cards the total was below the goal at the last check, and not below it when the chase began."""
    for ones in range(9):
        for twos in range(9):
            held = ones + 2 * twos
            if state.last_check[1] == drawn and state.last_check[0] + held >= state.hourglasses_to_win:
                ways[ones, twos] = 0
            if state.chase_check[1] == drawn and state.chase_check[0] + held < state.hourglasses_to_win:
                ways[ones, twos] = 0
