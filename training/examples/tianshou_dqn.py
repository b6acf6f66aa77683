"""Tianshou: a masked DQN learns Moriarty against random play, and is judged beside it.

python -m reichenbach.training.examples.tianshou_dqn [EPOCHS]; needs the extra ``tianshou``.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import reichenbach  # noqa: F401  registers the ids


class _Named(gymnasium.ObservationWrapper[Any, Any, Any]):
    """The parts of an observation by Tianshou's names; infos of the last step alone would be holes in its buffer."""

    def observation(self, observation: Any) -> Any:
        return {"obs": observation["observation"], "mask": observation["action_mask"].astype(bool)}

    def step(self, action: Any) -> Any:
        return *super().step(action)[:4], {}


class _ByRows(Net):
    """An action's value by its row of section ``after``, 77 x 3; the 290 numbers before say what a row is worth."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        (weights, state), rows = super().forward(obs[:, :290], state), torch.as_tensor(obs[:, 290:])
        return weights[:, 3:] + (rows.reshape(-1, 77, 3) @ weights[:, :3, None]).squeeze(2), state


def main(epochs: int = 6, games: int = 64) -> tuple[float, float]:
    """Trains; the shares of games that random play wins (an epsilon of 1, by masks), and the policy afterwards."""
    moriarty, options = "reichenbach/WhoIsMoriartyMoriarty-v0", {"opponent": "random", "observe_after": True}
    envs = DummyVectorEnv([lambda: _Named(gymnasium.make(moriarty, **options))] * games)
    model, actions = _ByRows(state_shape=290, action_shape=4, hidden_sizes=[32, 32]), envs.action_space[0]
    policy = DiscreteQLearningPolicy(model=model, action_space=actions, eps_training=0.2, eps_inference=1.0)
    dqn = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, n_step_return_horizon=4)
    player = Collector[CollectStats](policy, envs, VectorReplayBuffer(50_000, games), exploration_noise=True)
    before = float(np.mean(player.collect(n_episode=1_000, reset_before_collect=True).returns > 0))
    pace: dict[str, Any] = {"max_epochs": epochs, "epoch_num_steps": 10_240, "collection_step_num_env_steps": 1_024}
    pace |= {"batch_size": 1_024, "update_step_num_gradient_steps_per_sample": 1 / 64, "show_progress": False}
    dqn.run_training(OffPolicyTrainerParams(training_collector=player, **pace))
    policy.set_eps_inference(0.0)
    after = float(np.mean(player.collect(n_episode=1_000, reset_before_collect=True).returns > 0))
    return before, after


if __name__ == "__main__":
    print("won of 1,000 games against random play, by random play and by the DQN:", *main(*map(int, sys.argv[1:])))
