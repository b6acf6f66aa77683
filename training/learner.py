"""The policy class that MaskablePPO trains: our own network (agents/network.py) behind Stable-Baselines3's face.

Its forward pass makes masked log-probabilities directly: about twice as fast as the distribution objects of the
library, and its weights are those that ``agents/policy.py`` loads without the library.
"""

from __future__ import annotations

from typing import Any, cast

import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import PyTorchObs, Schedule
from torch import Tensor

from reichenbach.agents.network import Network, NetworkSpec, masked, sample

Masks = NDArray[Any] | Tensor


class MaskedPolicy(MaskableActorCriticPolicy):
    """Actions, values and log-probabilities of one ``Network``."""

    def __init__(self, *spaces: Any, spec: NetworkSpec, **others: Any) -> None:
        self.spec = spec
        super().__init__(*spaces, **others)

    def _build(self, lr_schedule: Schedule) -> None:
        self.network = Network(self.spec)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=lr_schedule(1.0), eps=1e-5)

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Masks | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions (k,), values (k, 1) and log-probabilities (k,) for observations (k, size)."""
        chances, values = self._chances(obs, action_masks)
        actions = chances.argmax(-1) if deterministic else sample(chances)
        return actions, values.unsqueeze(1), _taken(chances, actions)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Masks | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values (k,), log-probabilities (k,) of the given actions, and entropies (k,)."""
        chances, values = self._chances(obs, action_masks)
        # An action that is masked has chance 0 exactly, and 0 * -1e8 is 0.
        entropy = -(chances.exp() * chances).sum(-1)
        return values, _taken(chances, actions), entropy

    def predict_values(self, obs: PyTorchObs) -> Tensor:
        """Values (k, 1)."""
        values: Tensor = self.network(obs)[1]
        return values.unsqueeze(1)

    def _predict(
        self, observation: PyTorchObs, deterministic: bool = False, action_masks: Masks | None = None
    ) -> Tensor:
        return self.forward(cast("Tensor", observation), deterministic, action_masks)[0]

    def _chances(self, obs: Tensor, action_masks: Masks | None) -> tuple[Tensor, Tensor]:
        logits, values = self.network(obs)
        mask = torch.ones_like(logits) if action_masks is None else torch.as_tensor(action_masks)
        return masked(logits, mask.reshape(logits.shape)), values


def _taken(chances: Tensor, actions: Tensor) -> Tensor:
    return chances.gather(1, actions.unsqueeze(1)).squeeze(1)
