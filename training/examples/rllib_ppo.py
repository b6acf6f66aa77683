"""RLlib: both sides of either game learn by masked PPO, a policy each, and play here as ``policy:FOLDER``.

    python -m reichenbach.training.examples.rllib_ppo [GAME] [FOLDER] [ITERATIONS]

needs the extras ``train`` and ``rllib``. The seats of Who Is Moriarty take turns; those of The Manor move at
once, and the seats of a side share its policy.
"""

from __future__ import annotations

import sys
from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.tune import register_env

from reichenbach.envs import registry
from reichenbach.training import report
from reichenbach.training.evaluate import evaluate
from reichenbach.training.plugs import rllib


def main(name: str = "who_is_moriarty", folder: str = "runs/rllib", iterations: int = 20, **options: Any) -> None:
    """Trains, and lets the two policies play each other."""
    game = registry.game(name)
    rules = game.resolve(options)
    side_of = dict(zip(game.seats(rules), game.sides(rules), strict=True))
    register_env(name, rllib.turns if name == "who_is_moriarty" else rllib.at_once)
    module = RLModuleSpec(module_class=rllib.MaskedModule, model_config={"hidden": [128], "value_hidden": [128]})
    config = (
        PPOConfig()
        .environment(name, env_config={"game": name, **options}, disable_env_checking=True)  # it ignores masks
        .env_runners(num_env_runners=1, num_envs_per_env_runner=8)
        .multi_agent(policies=set(side_of.values()), policy_mapping_fn=lambda seat, *_, **__: side_of[seat])
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(set(side_of.values()), module)))
        .training(train_batch_size_per_learner=2048, minibatch_size=256, num_epochs=4, lr=1e-3, gamma=1.0)
    )
    algorithm = config.build_algo()
    for _ in range(iterations):
        found = algorithm.train()["env_runners"]
        print({side: round(mean, 2) for side, mean in found.get("module_episode_returns_mean", {}).items()})
    seats = {}
    for seat, side in side_of.items():
        rllib.convert(algorithm.get_module(side), f"{folder}/{seat}", game=game, seat=seat, **options)
        seats[seat] = f"policy:{folder}/{seat}?mode=sample"
    algorithm.stop()
    print(report.result(evaluate(game, options, seats, games=300, seed=1)))


if __name__ == "__main__":
    main(*sys.argv[1:3], *map(int, sys.argv[3:]))
