"""Choosing evenly among the actions that a mask allows, in compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.kernel import kernel

WORD = 8  # actions whose marks lie in one int64
_EVERY_OTHER = 0x00FF00FF00FF00FF


def masks(games: int, n_actions: int) -> NDArray[np.int64]:
    """Scratch space for the masks of so many games: a byte an action, zeros behind the last, shape (games, words)."""
    return np.zeros((games, -(-n_actions // WORD)), np.int64)


@kernel
def nth_legal(mask: NDArray[np.int64], word: int) -> int:
    """A legal action of a mask of ``masks``, uniform if ``word`` is uniform below 2**32.

    The words are the rows and their eight bytes the columns of a table. Legal actions are counted column by column,
    all columns at once and without a branch on what is legal: random play makes the processor guess those wrong.
    """
    even, odd = 0, 0  # counts of the columns 0, 2, 4, 6 and 1, 3, 5, 7, sixteen bits each
    for row in range(mask.shape[0]):
        even += mask[row] & _EVERY_OTHER
        odd += (mask[row] >> 8) & _EVERY_OTHER
    total = even + odd
    total += total >> 32
    left = (word * ((total + (total >> 16)) & 0xFFFF)) >> 32  # legal actions counted before the chosen one
    column, before, upto = 0, 0, 0
    for byte in range(8):
        count = ((odd if byte & 1 else even) >> (8 * (byte & 6))) & 0xFFFF
        upto += count
        column += int(upto <= left)
        before += count * int(upto <= left)
    action, upto = column, before
    for row in range(mask.shape[0]):
        upto += (mask[row] >> (8 * column)) & 1
        action += WORD * int(upto <= left)
    return action
