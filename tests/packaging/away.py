"""Plays games through each face of an installed package that has its core dependencies alone, away from a checkout."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import reichenbach
from reichenbach.envs import manor_v0, who_is_moriarty_v0


def play_aec(env: Any) -> int:
    """One game by the loop of PettingZoo's documentation; how many actions it took."""
    env.reset(seed=1)
    generator = np.random.default_rng(1)
    actions = 0
    for _agent in env.agent_iter():
        observation, _reward, termination, truncation, _info = env.last()
        if termination or truncation:
            env.step(None)
            continue
        env.step(int(generator.choice(np.flatnonzero(observation["action_mask"]))))
        actions += 1
    return actions


def play_gymnasium(identifier: str) -> float:
    """One game of one seat by Gymnasium's; the reward."""
    env = gymnasium.make(identifier)
    observation, _info = env.reset(seed=1)
    done = False
    reward = 0.0
    while not done:
        action = int(np.flatnonzero(observation["action_mask"])[0])
        observation, gained, terminated, truncated, _info = env.step(action)
        reward, done = reward + float(gained), terminated or truncated
    return reward


def main() -> None:
    """Plays, and refuses to have done it with the checkout or with torch."""
    where = Path(reichenbach.__file__)
    if "site-packages" not in where.parts:
        raise SystemExit(f"away: reichenbach is imported from {where}, not from the installed wheel")
    if importlib.util.find_spec("torch") is not None:
        raise SystemExit("away: torch is here; this should run on the core dependencies alone")
    for env, identifier in (
        (who_is_moriarty_v0.env(), "reichenbach/WhoIsMoriartySherlock-v0"),
        (manor_v0.env(table="4p_roles"), "reichenbach/Manor4pRolesWatson-v0"),
    ):
        actions, reward = play_aec(env), play_gymnasium(identifier)
        print(f"away: {actions} actions through PettingZoo, reward {reward} through Gymnasium, from {where}")


if __name__ == "__main__":
    main()
