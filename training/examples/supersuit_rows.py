"""SuperSuit: all seats of several games as the rows of one Stable-Baselines3 environment.

    python -m reichenbach.training.examples.supersuit_rows [STEPS]

needs the extras ``train`` and ``supersuit``. Here a policy sees its mask as a part of the observation, but may
choose what is illegal; ``illegal_moves="lose"`` has it pay for that. With masks kept to: stable_baselines3_ppo.py.
"""

from __future__ import annotations

import sys

import supersuit
from stable_baselines3 import PPO

from reichenbach.envs import who_is_moriarty_v0


def main(steps: int = 4_096) -> PPO:
    """One policy learns both seats at once."""
    env = who_is_moriarty_v0.parallel_env(illegal_moves="lose")
    rows = supersuit.concat_vec_envs_v1(
        supersuit.pettingzoo_env_to_vec_env_v1(env), 8, num_cpus=1, base_class="stable_baselines3"
    )
    model = PPO("MultiInputPolicy", rows, n_steps=64, batch_size=256, device="cpu")
    model.learn(steps)
    print(f"{rows.num_envs} rows, {model.num_timesteps} steps")
    return model


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
