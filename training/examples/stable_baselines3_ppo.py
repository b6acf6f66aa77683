"""Stable-Baselines3: a MaskablePPO learns Sherlock, is judged and saved there, and plays here as ``policy:FOLDER``.

    python -m reichenbach.training.examples.stable_baselines3_ppo [FOLDER] [STEPS]

needs the extra ``train``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from reichenbach.agents import registry
from reichenbach.envs import registry as games
from reichenbach.training import report, vec_env
from reichenbach.training.evaluate import evaluate
from reichenbach.training.plugs import sb3

GAME = games.game("who_is_moriarty")
SECTIONS = {"observe_after": True}  # optional sections of the observation are arguments, as options of the rules are


def environment(num_envs: int, seed: int) -> vec_env.LockstepVecEnv:
    """Sherlock against greedy play."""
    greedy = registry.make("greedy", game=GAME, options=GAME.resolve({}), seat="moriarty", seed=seed)
    return vec_env.make(GAME, seat="sherlock", opponents={"moriarty": greedy}, num_envs=num_envs, seed=seed, **SECTIONS)


def main(folder: str = "runs/stable_baselines3", steps: int = 100_000) -> None:
    """Trains, judges twice, and leaves a zip of Stable-Baselines3 and a folder of ours."""
    model = MaskablePPO("MlpPolicy", environment(64, seed=1), n_steps=32, batch_size=512, learning_rate=1e-3, seed=1)
    model.learn(steps)

    reward, spread = evaluate_policy(model, environment(16, seed=2), n_eval_episodes=200, warn=False)
    print(f"reward of a game, from -1 to 1: {reward:.2f}, standard deviation {spread:.2f}")

    file = Path(folder) / "model.zip"
    model.save(file)
    MaskablePPO.load(file)  # by its own means; and for `reichenbach evaluate`:
    sb3.convert(file, Path(folder) / "policy", game=GAME, seat="sherlock", trusted=True, **SECTIONS)

    seats = {"sherlock": f"policy:{folder}/policy", "moriarty": "greedy"}
    print(report.result(evaluate(GAME, {}, seats, games=1000, seed=3)))


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:]))
