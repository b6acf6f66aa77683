"""Gymnasium: one seat of The Manor in 64 games at once, with its record of whole games.

    python -m reichenbach.training.examples.gymnasium_vector [STEPS]

needs the core alone.
"""

from __future__ import annotations

import sys

import gymnasium
import numpy as np
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import reichenbach  # noqa: F401  registers the ids


def main(steps: int = 500) -> float:
    """Plays at random among what is legal; the mean reward of the games that ended."""
    name = "reichenbach/Manor2pSherlock-v0"
    envs = RecordEpisodeStatistics(gymnasium.make_vec(name, num_envs=64, opponent=[("greedy", 0.5), ("random", 0.5)]))
    generator = np.random.default_rng(1)
    observations, _ = envs.reset(seed=1)
    for _ in range(steps):
        masks = observations["action_mask"]  # a seat is asked only where it has something to choose
        actions = (generator.random(masks.shape) * masks).argmax(axis=1)
        observations, _, _, _, _ = envs.step(actions)
    results, lengths = list(envs.return_queue), list(envs.length_queue)
    print(f"the last {len(results)} games: {np.mean(results):.2f} in the mean, {np.mean(lengths):.0f} choices each")
    return float(np.mean(results))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
