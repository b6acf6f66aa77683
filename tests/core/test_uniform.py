"""Uniform play: its counts, its seeds, threads on slices of the games, and the choice among legal actions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reichenbach.envs.core import pick, uniform
from reichenbach.envs.who_is_moriarty.game import GAME
from reichenbach.envs.who_is_moriarty.state import Ending
from reichenbach.envs.who_is_moriarty.tables import TABLES
from tests.core.games import GAMES, dealt

pytestmark = pytest.mark.plain


def played(states: NDArray[Any], sweeps: int, sections: int, seed: int = 1) -> tuple[int, NDArray[np.int64]]:
    size = GAME.layout(max(sections, 0)).size
    endings = np.zeros(len(Ending), np.int64)
    observations = np.zeros((len(states), size), np.float32)
    masks = pick.masks(len(states), GAME.n_actions)
    steps = uniform.play(states, TABLES, sweeps, sections, seed, observations, masks, GAME.n_actions, endings)
    assert bool(observations.any()) == (sections >= 0)
    return steps, endings


def test_uniform_play_counts_steps_and_endings() -> None:
    states = dealt()
    steps, endings = played(states, 60, 0)
    assert steps == 60 * GAMES
    assert endings[Ending.RUNNING] == 0
    assert endings.sum() >= GAMES, "60 steps are more than one game of each"
    assert not states["ending"].any(), "where a game ended the next was dealt"


def test_uniform_play_is_the_same_with_and_without_observations_and_differs_by_seed() -> None:
    looking, blind, other = dealt(), dealt(), dealt()
    played(looking, 30, 3)
    played(blind, 30, -1)
    played(other, 30, -1, seed=2)
    assert looking.tobytes() == blind.tobytes() != other.tobytes()


def test_threads_on_slices_play_what_one_thread_does() -> None:
    # every slice counts its games from 0, so both halves are compared with plays of their own
    together, apart = dealt(), dealt()
    halves = (slice(0, GAMES // 2), slice(GAMES // 2, GAMES))
    for half in halves:
        played(apart[half], 30, 0)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda half: played(together[half], 30, 0), halves))
    assert together.tobytes() == apart.tobytes()


@pytest.mark.parametrize("n_actions", [1, 7, 8, 9, 77, 1256])
def test_words_choose_evenly_among_the_legal(n_actions: int) -> None:
    masks = pick.masks(1, n_actions)
    marks = masks.view(np.int8)[0]
    marks[:n_actions:3] = 1
    marks[n_actions - 1] = 1
    # column by column: every eighth action, then those behind them
    legal = sorted(np.flatnonzero(marks).tolist(), key=lambda action: (action % 8, action))
    words = [int((k + 0.5) * 2**32 / len(legal)) for k in range(len(legal))]
    assert [pick.nth_legal(masks[0], word) for word in words] == legal
    assert pick.nth_legal(masks[0], 0) == legal[0]
    assert pick.nth_legal(masks[0], 2**32 - 1) == legal[-1]
