"""Whether states look different to a seat, bit by bit, in compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import verbs
from reichenbach.envs.core.kernel import kernel
from reichenbach.envs.core.record import States, Tables


@kernel
def change_chance(states: States, words: NDArray[np.int32]) -> None:
    """Gives each state another generator, and leaves nothing of the chance that led to it.

    Args:
        words: two for each state, shape (N, 2).
    """
    for i in range(states.shape[0]):
        state, word = states[i], words[i, 0]
        state.chance_key[0], state.chance_key[1] = word, words[i, 1]
        state.chance_counter = word & 0xFFFF
        state.script_length = state.script_used = state.record_length = word & 15
        for place in range(state.record.shape[0]):
            state.record[place] = state.script[place] = word


@kernel
def first_unlike(
    states: States,
    tables: Tables,
    seat: int,
    sections: int,
    observation: NDArray[np.float32],
    mask: NDArray[np.int8],
    scratch: NDArray[np.float32],
    scratch_mask: NDArray[np.int8],
) -> int:
    """The first state whose observation or mask is not the given one, -1 if there is none.

    Args:
        sections: the optional sections to observe.
        observation: shape (size,); bits are compared, so that a zero has a sign.
        mask: shape (actions,).
        scratch: space like ``observation``; ``scratch_mask``: space like ``mask``.
    """
    truth, found = observation.view(np.int32), scratch.view(np.int32)
    for i in range(states.shape[0]):
        verbs.observe(states[i], tables[0], seat, sections, scratch)
        verbs.legal(states[i], tables[0], seat, scratch_mask)
        different = np.int32(0)  # of the numbers' own width: the processor then takes many columns at once
        for column in range(truth.shape[0]):
            different = np.int32(different | (found[column] ^ truth[column]))
        marks = np.int8(0)
        for action in range(mask.shape[0]):
            marks = np.int8(marks | (scratch_mask[action] ^ mask[action]))
        if different != 0 or marks != 0:
            return i
    return -1
