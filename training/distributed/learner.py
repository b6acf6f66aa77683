"""RLlib's side of learning: our network as its module, and MaskablePPO's loss in its learner."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.evaluation.postprocessing import Postprocessing

from reichenbach.agents.network import Network, NetworkSpec, masked

MASK = "action_mask"  # a column of the batch
VALUES = "values"
# What an update logs.
PPO_LOGS = ("entropy_loss", "policy_gradient_loss", "value_loss", "approx_kl", "clip_fraction", "loss")
IMITATION_LOGS = ("imitation_loss", "value_loss")


class GamesModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]  # RLlib has no types
    """The learner's network; its ``model_config`` is a ``NetworkSpec`` as JSON."""

    def setup(self) -> None:
        """Builds the network."""
        self.network = Network(NetworkSpec.from_json(self.model_config))

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        logits, values = self.network(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: masked(logits, batch[MASK]), VALUES: values}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """One value for each row."""
        values: torch.Tensor = self.network(batch[Columns.OBS])[1]
        return values


class GamesLearner(PPOTorchLearner):  # type: ignore[misc]  # RLlib has no types
    """The loss of MaskablePPO (advantages are scaled minibatch by minibatch), or that of imitation.

    The run says with every update, in ``timesteps``, its learning rate and entropy weight, and whether it imitates.
    """

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        """Adam, as the local engine has it."""
        parameters = self.get_parameters(self.module[module_id])
        optimizer = torch.optim.Adam(parameters, eps=1e-5)
        self.register_optimizer(
            module_id=module_id, optimizer=optimizer, params=parameters, lr_or_lr_schedule=config.lr
        )

    def before_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        """Takes up the schedules' values for this update."""
        super().before_gradient_based_update(timesteps=timesteps)
        self.wanted = timesteps
        for module_id in self.module.keys():  # noqa: SIM118  it is no mapping
            for _, optimizer in self.get_optimizers_for_module(module_id):
                self._set_optimizer_lr(optimizer, timesteps["learning_rate"])

    def after_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        """No schedule of RLlib's own moves on."""

    def compute_loss_for_module(self, *, module_id: str, config: Any, batch: Any, fwd_out: Any) -> torch.Tensor:
        """One loss for the minibatch."""
        chances, values = fwd_out[Columns.ACTION_DIST_INPUTS], fwd_out[VALUES]
        taken = chances.gather(1, batch[Columns.ACTIONS].unsqueeze(1)).squeeze(1)
        value_loss = torch.nn.functional.mse_loss(values, batch[Postprocessing.VALUE_TARGETS])
        if self.wanted["imitates"]:
            logged = {"imitation_loss": -taken.mean(), "value_loss": value_loss}
            loss: torch.Tensor = logged["imitation_loss"] + config.vf_loss_coeff * value_loss
        else:
            policy, logged = _policy_loss(taken, batch, config.clip_param)
            # An action that is masked has chance 0 exactly, and 0 * -1e8 is 0.
            entropy = -(chances.exp() * chances).sum(-1).mean()
            loss = policy + config.vf_loss_coeff * value_loss - self.wanted["entropy"] * entropy
            logged |= {"value_loss": value_loss, "entropy_loss": -entropy, "loss": loss}
        for name, value in logged.items():  # tensors; RLlib takes their values later
            self.metrics.log_value((module_id, name), value.detach(), reduce="mean", window=1000)
        return loss


def _policy_loss(taken: torch.Tensor, batch: Any, clip: float) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """The clipped objective, and what is logged of it."""
    advantages = batch[Postprocessing.ADVANTAGES]
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    log_ratio = taken - batch[Columns.ACTION_LOGP]
    ratio = log_ratio.exp()
    loss = -torch.minimum(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).mean()
    logged = {
        "policy_gradient_loss": loss,
        "approx_kl": ((ratio - 1) - log_ratio).mean(),
        "clip_fraction": ((ratio - 1).abs() > clip).float().mean(),
    }
    return loss, logged
