"""Uniform play of many games: as fast as the rules go, for measuring them and for figures of random play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import verbs
from reichenbach.envs.core.batch import deal_next_game
from reichenbach.envs.core.chance import clear_record, philox
from reichenbach.envs.core.kernel import kernel
from reichenbach.envs.core.pick import nth_legal
from reichenbach.envs.core.record import States, Tables


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
        masks: scratch space of N games as `pick.masks` makes it.
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
