"""SuperSuit: all seats of several copies as the rows of a Stable-Baselines3 or Gymnasium vector environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import supersuit

from reichenbach.envs import manor_v0, who_is_moriarty_v0

FACES = [(who_is_moriarty_v0, {}), (manor_v0, {}), (manor_v0, {"table": "4p_roles"})]
COPIES, STEPS = 3, 150


def legal(masks: Any, generator: np.random.Generator) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array([generator.choice(np.flatnonzero(mask)) for mask in masks])


@pytest.mark.parametrize(("faces", "options"), FACES, ids=str)
def test_as_stable_baselines3_takes_it(faces: Any, options: dict[str, Any]) -> None:
    """Every seat of every copy is a row; masks come along in the observation, and games follow each other."""
    env = faces.parallel_env(**options)
    rows = COPIES * len(env.possible_agents)
    envs = supersuit.concat_vec_envs_v1(
        supersuit.pettingzoo_env_to_vec_env_v1(env), COPIES, base_class="stable_baselines3"
    )
    generator = np.random.default_rng(0)
    observed = envs.reset()
    finished, paid = 0, 0.0
    for _ in range(STEPS):
        observed, rewards, done, infos = envs.step(legal(observed["action_mask"], generator))
        assert observed["observation"].shape[0] == len(rewards) == len(done) == len(infos) == rows == envs.num_envs
        finished += int(done.sum())
        paid += float(np.abs(rewards).sum())
    assert finished > 0
    assert paid > 0


@pytest.mark.parametrize(("faces", "options"), FACES, ids=str)
def test_as_gymnasium_takes_it(faces: Any, options: dict[str, Any]) -> None:
    env = faces.parallel_env(**options)
    envs = supersuit.concat_vec_envs_v1(
        supersuit.pettingzoo_env_to_vec_env_v1(env), COPIES, num_cpus=1, base_class="gymnasium"
    )
    generator = np.random.default_rng(0)
    observed, _ = envs.reset(seed=1)
    finished = 0
    for _ in range(STEPS):
        observed, _, terminated, truncated, _ = envs.step(legal(observed["action_mask"], generator))
        assert not truncated.any()
        finished += int(terminated.sum())
    assert finished > 0


@pytest.mark.parametrize(("faces", "options"), FACES, ids=str)
def test_its_wrappers_leave_masks_alone(faces: Any, options: dict[str, Any]) -> None:
    """Those for the turns of a game, where the observation is a mapping."""
    env = supersuit.clip_reward_v0(faces.env(**options), -0.5, 0.5)
    env.reset(seed=1)
    last = []
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        last.append(reward)
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    assert {abs(reward) for reward in last} <= {0, 0.5}
