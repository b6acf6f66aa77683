"""PPO ("Proximal Policy Optimization Algorithms", 2017) in one loop of bare torch over the vector environment.

python -m reichenbach.training.examples.bare_torch [SEAT] [STEPS]; needs torch beside the core.
"""

from __future__ import annotations

import sys

import gymnasium
import torch

import reichenbach  # noqa: F401  registers the ids

GAMES, LENGTH, LAMBDA, CLIP, EPOCHS, MINIBATCH = 64, 32, 0.95, 0.2, 4, 256


def _odds(logits: torch.Tensor, mask: torch.Tensor) -> torch.distributions.Categorical:
    return torch.distributions.Categorical(logits=logits.masked_fill(mask == 0, -1e8), validate_args=False)


def main(seat: str = "sherlock", steps: int = 300_000) -> list[float]:
    """Trains against greedy play; the share of games won in each update."""
    name, shares = f"reichenbach/WhoIsMoriarty{seat.capitalize()}-v0", []
    envs = gymnasium.make_vec(name, num_envs=GAMES, opponent="greedy", observe_after=True)
    sizes = envs.single_observation_space["observation"].shape[0], int(envs.single_action_space.n) + 1
    network = torch.nn.Sequential(torch.nn.Linear(sizes[0], 128), torch.nn.ReLU(), torch.nn.Linear(128, sizes[1]))
    (seen, _), optimizer = envs.reset(seed=1), torch.optim.Adam(network.parameters(), lr=1e-3, eps=1e-5)
    for update in range(steps // (GAMES * LENGTH)):
        rows, won = [], []
        for _ in range(LENGTH):
            observation, mask = torch.from_numpy(seen["observation"]), torch.from_numpy(seen["action_mask"])
            out = network(observation).detach()  # logits, and the value behind them
            chances = _odds(out[:, :-1], mask)
            action = chances.sample()
            seen, reward, over, _, _ = envs.step(action.numpy())
            won += (reward[over] > 0).tolist()
            followed = torch.from_numpy(reward).float(), torch.from_numpy(~over)
            rows.append((observation, mask, action, chances.log_prob(action), out[:, -1], *followed))
        value, advantage, parts = network(torch.from_numpy(seen["observation"]))[:, -1].detach(), torch.zeros(GAMES), []
        for *kept, now, gain, more in reversed(rows):  # generalised advantages; no discount
            advantage, value = gain + value * more - now + LAMBDA * more * advantage, now
            parts.append((*kept, advantage, advantage + now))
        observation, mask, action, log_chance, advantage, target = map(torch.cat, zip(*parts, strict=True))
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        for rows_of in (part for _ in range(EPOCHS) for part in torch.randperm(len(action)).split(MINIBATCH)):
            out, gains = network(observation[rows_of]), advantage[rows_of]
            chances = _odds(out[:, :-1], mask[rows_of])
            ratio = (chances.log_prob(action[rows_of]) - log_chance[rows_of]).exp()
            clipped = torch.minimum(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains)
            optimizer.zero_grad()
            (0.5 * (out[:, -1] - target[rows_of]).square() - clipped - 0.01 * chances.entropy()).mean().backward()
            optimizer.step()
        shares.append(sum(won) / max(len(won), 1))
        print(f"update {update + 1}: {len(won)} games, {100 * shares[-1]:.0f} % won")
    return shares


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:]))
