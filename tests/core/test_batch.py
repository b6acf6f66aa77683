"""The batch loops: uniform play, what is refused before any state is touched, and threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reichenbach.envs.core import batch, chance
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.who_is_moriarty.game import GAME
from reichenbach.envs.who_is_moriarty.state import Ending
from reichenbach.envs.who_is_moriarty.tables import TABLES

pytestmark = pytest.mark.plain

GAMES = 12


def dealt(n: int = GAMES) -> NDArray[Any]:
    states = GAME.new(GAME.resolve({}), n)
    chance.seed(states, range(n))
    batch.deal(states, TABLES, np.arange(n))
    return states


def played(states: NDArray[Any], sweeps: int, sections: int, seed: int = 1) -> tuple[int, NDArray[np.int64]]:
    size = GAME.layout(max(sections, 0)).size
    endings = np.zeros(len(Ending), np.int64)
    observations = np.zeros((len(states), size), np.float32)
    masks = np.zeros((len(states), GAME.n_actions), np.int8)
    steps = batch.play_uniformly(states, TABLES, sweeps, sections, seed, observations, masks, endings)
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


@pytest.mark.parametrize("n", [1, 15, 16, 17, 77])
def test_words_choose_evenly_among_the_legal(n: int) -> None:
    mask = np.zeros(n, np.int8)
    mask[::3] = 1
    mask[-1] = 1
    legal = np.flatnonzero(mask)
    words = [int((k + 0.5) * 2**32 / len(legal)) for k in range(len(legal))]
    assert [batch.nth_legal(mask, word) for word in words] == list(legal)
    assert batch.nth_legal(mask, 0) == legal[0]
    assert batch.nth_legal(mask, 2**32 - 1) == legal[-1]


@pytest.mark.parametrize("action", [-1, GAME.n_actions, GAME.no_op])
def test_one_illegal_action_stops_all(action: int) -> None:
    states = dealt()
    before = states.tobytes()
    rows = np.array([2, 5, 7])
    masks = np.zeros((3, GAME.n_actions), np.int8)
    movers = np.zeros(GAMES, np.int64)
    batch.movers(states, TABLES, movers)
    batch.view(states, TABLES, rows, movers[rows], 0, np.zeros((3, GAME.layout(0).size), np.float32), masks)
    actions = masks.argmax(axis=1).astype(np.int64)
    actions[1] = action
    with pytest.raises(IllegalAction, match=r"row 1 \(game 5\): action "):
        batch.step(GAME, states, TABLES, rows, actions)
    assert states.tobytes() == before


@pytest.mark.parametrize("actions", [[0], [0.0, 1.0], [[0, 1]], [[0], [0, 1]], ["0", "1"], [True, False]])
def test_actions_that_are_no_row_of_whole_numbers_are_refused(actions: Any) -> None:
    states = dealt(2)
    before = states.tobytes()
    with pytest.raises(IllegalAction, match=r"shape \(2,\) and int64 are"):
        batch.step(GAME, states, TABLES, np.arange(2), actions)
    assert states.tobytes() == before
