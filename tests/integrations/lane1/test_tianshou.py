"""Tianshou: a masked DQN learns; its own wrapper of PettingZoo plays whole games by masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, CollectStats
from tianshou.env import DummyVectorEnv, PettingZooEnv

from reichenbach.envs import manor_v0, who_is_moriarty_v0
from reichenbach.training.examples import tianshou_dqn as example


def test_a_masked_dqn_beats_random_play() -> None:
    """In whole games against random play, a thousand before and after."""
    np.random.seed(1)  # noqa: NPY002  Tianshou draws from it
    torch.manual_seed(1)
    randomly, learned = example.main(epochs=3)
    assert 0.18 < randomly < 0.30
    assert learned > 0.45, "before it has learned anything it wins a third by luck"


@pytest.mark.parametrize(("faces", "options"), [(who_is_moriarty_v0, {}), (manor_v0, {"days": 1})])
def test_all_seats_in_its_wrapper(faces: Any, options: dict[str, Any]) -> None:
    env = PettingZooEnv(faces.env(**options))
    dealt = MultiAgentOffPolicyAlgorithm(
        algorithms=[MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents], env=env
    )
    envs = DummyVectorEnv([lambda: PettingZooEnv(faces.env(**options)) for _ in range(2)])
    collector = Collector[CollectStats](dealt.policy, envs)
    np.random.seed(1)  # noqa: NPY002  Tianshou draws from it
    envs.seed(1)
    found = collector.collect(n_episode=8, reset_before_collect=True)  # some games nobody wins
    assert found.returns.shape == (8, len(env.agents))
    assert np.abs(found.returns).max() == 1
