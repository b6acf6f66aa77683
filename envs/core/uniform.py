"""Uniform play of many games: as fast as the rules go, for measuring them and for figures of random play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import verbs
from reichenbach.envs.core.batch import deal_next_game
from reichenbach.envs.core.chance import clear_record, philox
from reichenbach.envs.core.kernel import kernel
from reichenbach.envs.core.record import States, Tables

WORD = 8  # actions whose marks lie in one int64
_EVERY_OTHER = 0x00FF00FF00FF00FF


def masks(games: int, n_actions: int) -> NDArray[np.int64]:
    """Scratch space for the masks of so many games: a byte an action, zeros behind the last, shape (games, words)."""
    return np.zeros((games, -(-n_actions // WORD)), np.int64)


@kernel
def play(
    states: States,
    tables: Tables,
    sweeps: int,
    sections: int,
    seed: int,
    observations: NDArray[np.float32],
    masks: NDArray[np.int64],
    n_actions: int,
    endings: NDArray[np.int64],
) -> int:
    """Moves every game ``sweeps`` times by uniform legal actions, dealing anew where one is over.

    Args:
        sections: the optional sections to observe, or -1 to leave out the mover's observation altogether.
        seed: of the choice of actions, which is apart from the games' own chance.
        observations: scratch space, shape (N, size).
        masks: scratch space of N games as ``masks`` makes it.
        n_actions: how many actions the game has.
        endings: counts of the endings met, added to.

    Returns:
        The number of steps played.
    """
    n = int(states.shape[0])
    for sweep in range(sweeps):
        for i in range(n):
            state = states[i]
            word = philox(sweep, i, seed & 0xFFFFFFFF)[0]  # early: it takes long and is needed last
            seat = verbs.mover(state, tables[0])
            if sections >= 0:
                verbs.observe(state, tables[0], seat, sections, observations[i])
            verbs.legal(state, tables[0], seat, masks[i].view(np.int8)[:n_actions])
            clear_record(state)
            verbs.step(state, tables[0], nth_legal(masks[i], word))
            ending = verbs.outcome(state, tables[0])
            if ending != 0:
                endings[ending] += 1
                deal_next_game(state, tables[0])
    return int(n * sweeps)


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
