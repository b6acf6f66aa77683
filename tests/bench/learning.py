"""What a learner does a second over our games, beside the same learner over environments that cost nothing."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from reichenbach.agents import registry as agents
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.lockstep import Lockstep
from reichenbach.training.vec_env import LockstepVecEnv

GAMES, STEPS = 512, 32


class Instantaneous(LockstepVecEnv):
    """The same shapes, but a step returns what it returned before: what is left is the learner's own time."""

    def step_wait(self) -> Any:
        """Nothing is played."""
        n = self.num_envs
        return self.lockstep.observation, np.zeros(n, np.float32), np.zeros(n, np.bool_), self._running.copy()

    def step_async(self, actions: np.ndarray[Any, Any]) -> None:
        """Takes the actions and forgets them."""


def learner_share(game: Game, seat: str, others: Sequence[str]) -> float:
    """Steps a second against greedy opponents over those of the same learner above instantaneous environments.

    The two are measured in turns, pair by pair, on one torch thread.
    """
    torch.set_num_threads(1)
    real, empty = (_learner(kind, game, seat, others) for kind in (LockstepVecEnv, Instantaneous))
    real()
    empty()
    return statistics.median(empty() / real() for _ in range(5))


def _learner(kind: Callable[[Lockstep], VecEnv], game: Game, seat: str, others: Sequence[str]) -> Callable[[], float]:
    options = game.resolve({})
    opponents = {
        other: [(agents.make("greedy", game=game, options=options, seat=other, seed=0), 1.0)] for other in others
    }
    sections = game.sections(observe_after=True)
    vec_env = kind(Lockstep(game, options, seat, opponents, GAMES, sections, 0))
    vec_env.seed(0)
    model = MaskablePPO(
        "MlpPolicy", vec_env, n_steps=STEPS, batch_size=2048, n_epochs=4, policy_kwargs={"net_arch": [64, 64]}, seed=0
    )
    state = model._setup_learn(10**9)

    def iteration() -> float:
        start = time.perf_counter()
        model.collect_rollouts(vec_env, state[1], model.rollout_buffer, STEPS)
        model.train()
        return time.perf_counter() - start

    return iteration
