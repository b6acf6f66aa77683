"""The VecEnv as Stable-Baselines3 and sb3-contrib ask it, and MaskablePPO of the shelf over it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from reichenbach.agents import registry
from reichenbach.envs import registry as games
from reichenbach.envs.core.errors import BadOption, IllegalAction
from reichenbach.envs.core.lockstep import Lockstep
from reichenbach.training import vec_env
from reichenbach.training.vec_env import LockstepVecEnv

GAME = games.game("who_is_moriarty")
N = 16


def make(seat: str | list[str] = "sherlock") -> LockstepVecEnv:
    options = GAME.resolve({})
    opponents = {
        other: [(registry.make("greedy", game=GAME, options=options, seat=other, seed=1), 1.0)]
        for other in ("sherlock", "moriarty")
        if other != seat
    }
    return LockstepVecEnv(Lockstep(GAME, options, seat, opponents, N, 0, 1))


def first_legal(env: LockstepVecEnv) -> Any:
    return np.argmax(env.action_masks(), axis=1)


def test_made_from_arguments() -> None:
    """The same games as over ``Lockstep``, with the sections that were asked for."""
    greedy = registry.make("greedy", game=GAME, options=GAME.resolve({}), seat="moriarty", seed=1)
    env: Any = vec_env.make(GAME, seat="sherlock", opponents={"moriarty": greedy}, num_envs=N, seed=1)
    other: Any = make()
    env.seed(5)
    other.seed(5)
    assert env.reset().tobytes() == other.reset().tobytes()
    for _ in range(20):
        actions = first_legal(other)
        assert [part.tobytes() for part in env.step(actions)[:3]] == [
            part.tobytes() for part in other.step(actions)[:3]
        ]
    more = vec_env.make(
        "who_is_moriarty", seat="moriarty", opponents={"sherlock": greedy}, num_envs=2, observe_after=True
    )
    assert more.observation_space.shape == (GAME.layout(GAME.sections(observe_after=True)).size,)


def test_what_it_is_not_made_from() -> None:
    with pytest.raises(BadOption, match=r"^who_is_moriarty: seat: 'watson' is not allowed"):
        vec_env.make(GAME, seat="watson", opponents={}, num_envs=2)
    with pytest.raises(ValueError, match="moriarty"):
        vec_env.make(GAME, seat="sherlock", opponents={}, num_envs=2)


def test_spaces_and_masks() -> None:
    env = make()
    observations = env.reset()
    assert observations.shape == (N, GAME.layout(0).size)
    assert env.observation_space.shape == observations.shape[1:]
    assert observations.dtype == np.float32
    assert is_masking_supported(env)
    assert np.array_equal(get_action_masks(env), env.action_masks())
    assert len(env.env_method("action_masks", indices=[1, 3])) == 2
    assert env.action_masks().any(axis=1).all()


def test_only_finished_games_have_infos() -> None:
    env = make(["sherlock", "moriarty"] * (N // 2))
    env.seed(3)
    env.reset()
    finished = 0
    for _ in range(60):
        stepped: Any = env.step(first_legal(env))
        observations, rewards, dones, infos = stepped
        for i in range(N):
            assert (infos[i] != {}) == dones[i]
            if dones[i]:
                finished += 1
                seat = ("sherlock", "moriarty")[i % 2]
                assert rewards[i] == (1 if infos[i]["winner"] == seat else -1)
                last = infos[i]["terminal_observation"]
                mover = GAME.layout(0).slice("mover")
                assert not last[mover].any()  # over: nobody moves
                assert observations[i][mover].any()
            else:
                assert rewards[i] == 0
    assert finished == env.tally.games > 0
    assert 0 < env.tally.wins < finished
    assert env.tally.seconds > 0
    env.tally.clear()
    assert env.tally.games == 0


def test_seeds_repeat_the_games() -> None:
    one, other = make(), make()
    for env in (one, other):
        env.seed(7)
    assert np.array_equal(one.reset(), other.reset())
    for _ in range(20):
        left: Any = one.step(first_legal(one))
        right: Any = other.step(first_legal(other))
        assert np.array_equal(left[0], right[0])
        assert np.array_equal(left[2], right[2])


def test_an_illegal_action_is_refused() -> None:
    env = make()
    env.reset()
    before = env.lockstep.states.copy()
    actions = first_legal(env)
    actions[5] = int(np.argmin(env.action_masks()[5]))
    with pytest.raises(IllegalAction, match="5"):
        env.step(actions)
    assert env.lockstep.states.tobytes() == before.tobytes()


def test_no_game_has_begun_before_a_reset() -> None:
    env = make()
    before = env.lockstep.states.tobytes()
    assert is_masking_supported(env)
    for ask in (lambda: env.step(np.full(N, GAME.no_op)), env.action_masks, lambda: get_action_masks(env)):
        with pytest.raises(RuntimeError, match="who_is_moriarty: no game has begun; call reset"):
            ask()
    assert env.lockstep.states.tobytes() == before
    other = make()
    other.reset()
    env.lockstep.set_state(*other.lockstep.get_state())
    env.step(first_legal(env))  # a restored game has begun


def test_what_the_games_have_not() -> None:
    env = make()
    assert env.get_attr("render_mode") == [None] * N
    assert env.get_images() == [None] * N
    assert env.env_is_wrapped(VecMonitor) == [False] * N
    assert not env.has_attr("board")
    with pytest.raises(AttributeError, match="no method render"):
        env.env_method("render")
    with pytest.raises(AttributeError, match="no attribute board"):
        env.get_attr("board")
    with pytest.raises(AttributeError, match="no attribute board to set"):
        env.set_attr("board", 1)
    env.close()


def test_maskable_ppo_of_the_shelf_learns_on_it() -> None:
    model = MaskablePPO("MlpPolicy", VecMonitor(make()), n_steps=8, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(256)
    assert model.num_timesteps == 256


def test_games_differ_that_nobody_seeded() -> None:
    """A model without a seed does not seed its environment: all rows are other games, by the seed it was made with."""
    agents = {"moriarty": registry.make("random", game=GAME, options=GAME.resolve({}), seat="moriarty", seed=0)}
    one, same, other = (
        vec_env.make(GAME, seat="sherlock", opponents=agents, num_envs=64, seed=seed) for seed in (5, 5, 6)
    )
    first = one.reset()
    assert len(np.unique(first, axis=0)) == 64
    assert np.array_equal(first, same.reset())
    assert not (first == other.reset()).all(axis=1).any()
    assert not (first == one.reset()).all(axis=1).any(), "a second reset goes on"
