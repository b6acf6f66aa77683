"""For tools that want plain observations, and the masks in the infos: AgileRL among them."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import Space
from gymnasium.vector import VectorEnv, VectorWrapper
from numpy.typing import NDArray
from pettingzoo import ParallelEnv
from pettingzoo.utils.wrappers import BaseParallelWrapper

Plain = NDArray[np.float32]


class ParallelMasksInInfo(BaseParallelWrapper[str, Plain, int]):
    """Every seat's observation is its numbers alone, float32 (size,); ``info["action_mask"]`` has its mask.

    That is a list of 0 and 1: of arrays AgileRL's IPPO (2.58) asks whether they are None, and fails.

    Args:
        env: a ``parallel_env`` of either game.
    """

    def __init__(self, env: ParallelEnv[str, Any, int]) -> None:
        super().__init__(env)
        spaces: dict[str, Any] = {agent: env.observation_space(agent) for agent in env.possible_agents}
        self._spaces: dict[str, Space[Plain]] = {agent: space["observation"] for agent, space in spaces.items()}

    def observation_space(self, agent: str) -> Space[Plain]:
        """The numbers' own space; the same object every time."""
        return self._spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Plain], dict[str, dict[str, Any]]]:
        """Starts a new game, as the environment does."""
        return _apart(*self.env.reset(seed=seed, options=options))

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Plain], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Plays one slot, as the environment does."""
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        plain, told = _apart(observations, infos)
        return plain, rewards, terminations, truncations, told


class MasksInInfo(gymnasium.Wrapper[Any, Any, Any, Any]):
    """The same for one seat's environment."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self.observation_space = env.observation_space["observation"]  # type: ignore[index]  # a mapping of two

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Plain, dict[str, Any]]:
        """Starts a new game, as the environment does."""
        return _split(*self.env.reset(seed=seed, options=options))

    def step(self, action: Any) -> tuple[Plain, Any, bool, bool, dict[str, Any]]:
        """Plays an action, as the environment does."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        plain, told = _split(observation, info)
        return plain, reward, terminated, truncated, told


class VectorMasksInInfo(VectorWrapper):
    """The same for one seat in many games: float32 (N, size), and in the infos ``action_mask``, int8 (N, actions)."""

    def __init__(self, envs: VectorEnv[Any, Any, Any]) -> None:
        super().__init__(envs)
        self.observation_space = envs.observation_space["observation"]  # type: ignore[index]  # a mapping of two
        self.single_observation_space = envs.single_observation_space["observation"]  # type: ignore[index]

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts new games, as the environment does."""
        return _split(*self.env.reset(seed=seed, options=options))

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Plays an action in every game, as the environment does."""
        observation, rewards, terminations, truncations, infos = self.env.step(actions)
        plain, told = _split(observation, infos)
        if "final_obs" in infos:  # of games that ended, None elsewhere
            finals = told["final_obs"] = np.full(self.num_envs, None, object)
            for game, final in enumerate(infos["final_obs"]):
                finals[game] = final and final["observation"]
        return plain, rewards, terminations, truncations, told


def _split(observation: dict[str, Any], info: dict[str, Any]) -> tuple[Plain, dict[str, Any]]:
    """The numbers alone, and the info with the mask."""
    return observation["observation"], {**info, "action_mask": observation["action_mask"]}


def _apart(
    observations: dict[str, Any], infos: dict[str, dict[str, Any]]
) -> tuple[dict[str, Plain], dict[str, dict[str, Any]]]:
    plain = {agent: seen["observation"] for agent, seen in observations.items()}
    masks = {agent: seen["action_mask"].tolist() for agent, seen in observations.items()}
    return plain, {agent: {**infos[agent], "action_mask": mask} for agent, mask in masks.items()}
