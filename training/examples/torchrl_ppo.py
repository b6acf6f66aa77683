"""TorchRL: both seats of Who Is Moriarty share a policy that masked PPO trains, in ``PettingZooWrapper``.

python -m reichenbach.training.examples.torchrl_ppo [ITERATIONS]; needs the extra ``torchrl``.
"""

from __future__ import annotations

import sys

import torch
from tensordict.nn import TensorDictModule
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from reichenbach.envs import who_is_moriarty_v0

SEEN, MASK, ACTION = ("seats", "observation", "observation"), ("seats", "action_mask"), ("seats", "action")
KEYS = {name: ("seats", name) for name in ("reward", "done", "terminated", "value")}


def environment(seed: int = 1) -> PettingZooWrapper:
    """All seats in one group; the one that does not move has the no-op in its mask alone."""
    seats = {"seats": ["sherlock", "moriarty"]}
    return PettingZooWrapper(who_is_moriarty_v0.parallel_env(), group_map=seats, use_mask=True, seed=seed)


def actor_and_critic(size: int, actions: int) -> tuple[ProbabilisticActor, ValueOperator]:
    """Networks of two layers; whatever is not in the mask is never drawn."""
    scores = TensorDictModule(MLP(size, actions, num_cells=[128]), [SEEN], [("seats", "logits")])
    places, log_odds = {"logits": ("seats", "logits"), "mask": MASK}, {"log_prob_key": ("seats", "log_prob")}
    drawn = {"distribution_class": MaskedCategorical, "return_log_prob": True, **log_odds}
    critic = ValueOperator(MLP(size, 1, num_cells=[128]), in_keys=[SEEN], out_keys=[KEYS["value"]])
    return ProbabilisticActor(scores, in_keys=places, out_keys=[ACTION], **drawn), critic


def main(iterations: int = 5, steps: int = 512, epochs: int = 10) -> list[tuple[float, float]]:
    """Plays and learns from it; the loss on what was played, before and after."""
    env, found = environment(), []
    actor, critic = actor_and_critic(env.observation_spec[SEEN].shape[-1], env.action_spec[ACTION].n)
    loss, advantages = ClipPPOLoss(actor, critic), GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss.set_keys(**KEYS, action=ACTION, sample_log_prob=("seats", "log_prob"))
    advantages.set_keys(**KEYS)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    for _ in range(iterations):
        played = advantages(env.rollout(steps, actor, break_when_any_done=False)).detach()
        totals = []
        for _ in range(epochs):
            totals.append(sum(part for name, part in loss(played).items() if name.startswith("loss_")))
            optimizer.zero_grad()
            totals[-1].backward()
            optimizer.step()
        found.append((totals[0].item(), totals[-1].item()))
        print("loss {:.3f} before, {:.3f} after".format(*found[-1]))
    return found


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
