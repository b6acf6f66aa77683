"""Tianshou: a masked DQN learns Moriarty against random play, and is judged beside it.

python -m reichenbach.training.examples.tianshou_dqn [EPOCHS]; needs ``pip install 'reichenbach[tianshou]'``.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
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


def environment() -> _Named:
    """A game of Moriarty against random play."""
    return _Named(gymnasium.make("reichenbach/WhoIsMoriartyMoriarty-v0", opponent="random", observe_after=True))


def main(epochs: int = 10, games: int = 16) -> tuple[float, float]:
    """Trains; the shares of games that random play wins, and that the policy wins afterwards."""
    size, actions = environment().observation_space["observation"].shape, environment().action_space
    model = Net(state_shape=size, action_shape=actions.n, hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(model=model, action_space=actions, eps_training=0.1)
    dqn = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), n_step_return_horizon=3, target_update_freq=500)
    judge = Collector[CollectStats](policy, DummyVectorEnv([environment] * games), exploration_noise=True)
    policy.set_eps_inference(1.0)  # random play by masks, which Tianshou's own random=True does not look at
    before = np.mean(judge.collect(n_episode=500, reset_before_collect=True).returns > 0)
    buffer, envs = VectorReplayBuffer(50_000, games), DummyVectorEnv([environment] * games)
    player = Collector[CollectStats](policy, envs, buffer, exploration_noise=True)
    player.collect(n_step=2_000, reset_before_collect=True)
    pace = {"epoch_num_steps": 5_000, "collection_step_num_env_steps": 64, "batch_size": 128, "max_epochs": epochs}
    often = {"update_step_num_gradient_steps_per_sample": 0.25}
    dqn.run_training(OffPolicyTrainerParams(training_collector=player, show_progress=False, **pace, **often))
    policy.set_eps_inference(0.0)
    after = np.mean(judge.collect(n_episode=500, reset_before_collect=True).returns > 0)
    print(f"wins against random play: random play {100 * before:.0f} %, the DQN {100 * after:.0f} %")
    return float(before), float(after)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
