"""AgileRL: a masked PPO learns Sherlock against greedy play; its masks are in the infos.

    python -m reichenbach.training.examples.agilerl_ppo [UPDATES]

needs the extra ``agilerl``.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
from agilerl.algorithms import PPO
from agilerl.rollouts.on_policy import collect_rollouts

import reichenbach  # noqa: F401  registers the ids
from reichenbach.envs.plugs.masks_in_info import VectorMasksInInfo

GAMES, STEPS = 32, 64


def main(updates: int = 20) -> list[float]:
    """Trains; the mean result of the games of each update, from -1 to 1."""
    name = "reichenbach/WhoIsMoriartySherlock-v0"
    envs = VectorMasksInInfo(gymnasium.make_vec(name, num_envs=GAMES, opponent="greedy", observe_after=True))
    agent = PPO(
        envs.single_observation_space,
        envs.single_action_space,
        net_config={"latent_dim": 128, "encoder_config": {"hidden_size": [128], "layer_norm": False}},
        num_envs=GAMES,
        learn_step=GAMES * STEPS,
        batch_size=256,
        lr=1e-3,
        gamma=1.0,
    )
    going_on: dict[str, Any] = {}
    found: list[float] = []
    for update in range(updates):
        results, *last = collect_rollouts(agent, envs, STEPS, **going_on)
        going_on = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), last, strict=True))
        agent.learn()
        found.append(float(np.mean(results)))
        print(f"update {update + 1}: {len(results)} games, {found[-1]:.2f} in the mean")
    return found


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
