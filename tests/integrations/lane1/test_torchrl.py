"""TorchRL: its own checks of both games, masks that are kept to, and a loss that learning lowers."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import check_env_specs

from reichenbach.envs import manor_v0, who_is_moriarty_v0
from reichenbach.training.examples import torchrl_ppo as example

pytestmark = pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested")

FACES = [(who_is_moriarty_v0, {}), (manor_v0, {"days": 1}), (manor_v0, {"table": "4p_roles", "days": 1})]


@pytest.mark.parametrize(("faces", "options"), FACES, ids=lambda part: getattr(part, "__name__", "").split(".")[-1])
@pytest.mark.parametrize("kind", ["parallel_env", "env"])
def test_its_own_checks(faces: Any, options: dict[str, Any], kind: str) -> None:
    """Specs, and whole games of actions that it draws by the masks."""
    env = PettingZooWrapper(getattr(faces, kind)(**options), use_mask=True, seed=3)
    check_env_specs(env, seed=3)
    paid = 0.0
    for _ in range(20):  # some games nobody wins
        played = env.rollout(200, break_when_any_done=True)
        assert played["next", "done"].any()
        paid = paid or max(float(played["next", group, "reward"].abs().sum()) for group in env.group_map)
    assert paid


def test_a_masked_step_of_ppo_lowers_the_loss() -> None:
    for before, after in example.main(iterations=2, steps=128):
        assert after < before


def test_nothing_outside_the_masks_is_drawn() -> None:
    torch.manual_seed(0)
    env = example.environment(seed=2)
    actor, _ = example.actor_and_critic(290, env.action_spec[example.ACTION].n)
    with torch.no_grad():
        played = env.rollout(64, actor, break_when_any_done=False)
    taken = played[example.MASK].gather(-1, played[example.ACTION].unsqueeze(-1))
    assert bool(taken.all())
