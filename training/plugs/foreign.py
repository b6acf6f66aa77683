"""From weights that another library trained to a checkpoint's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from torch import Tensor, nn

from reichenbach.agents.network import ACTIVATIONS, Network, NetworkSpec
from reichenbach.agents.stored import BOTH
from reichenbach.envs.core.face import Face, chosen
from reichenbach.envs.core.problems import first_line
from reichenbach.training import checkpoint, folders


class BadPolicy(ValueError):
    """A policy that is no network of ours, or was not trained for this game; says what is, and what is needed."""


@dataclass(frozen=True)
class Branch:
    """The layers from the observation to what one head gives: linear layers, an activation behind each but the head."""

    layers: tuple[nn.Linear, ...]
    activation: str

    @property
    def hidden(self) -> tuple[int, ...]:
        """The widths of the layers before the head."""
        return tuple(layer.out_features for layer in self.layers[:-1])

    def weights(self, trunk: str, head: str) -> Mapping[str, Tensor]:
        """By the names that a `Network` of the kind ``separate`` has."""
        names = [*(f"{trunk}.{2 * i}" for i in range(len(self.layers) - 1)), head]
        return {
            f"{name}.{part}": getattr(layer, part).detach().clone()
            for name, layer in zip(names, self.layers, strict=True)
            for part in ("weight", "bias")
        }


def branch(modules: Sequence[nn.Module], where: str) -> Branch:
    """The layers of a plain network: linear ones, ReLU or Tanh between them.

    Raises:
        BadPolicy: there is something else in it.
    """
    by_class = {kind: name for name, kind in ACTIVATIONS.items()}
    layers = [module for module in modules if isinstance(module, nn.Linear)]
    between = {by_class.get(type(module), "") for module in modules if not isinstance(module, nn.Linear)}
    alternates = [isinstance(module, nn.Linear) for module in modules] == [i % 2 == 0 for i in range(len(modules))]
    if not alternates or len(between) > 1 or "" in between or any(layer.bias is None for layer in layers):
        said = ", ".join(type(module).__name__ for module in modules)
        raise BadPolicy(f"{where}: {said}; linear layers with bias, and one of {', '.join(ACTIVATIONS)}, are needed")
    return Branch(tuple(layers), next(iter(between), "relu"))


def separate(policy: Branch, value: Branch, source: str) -> tuple[NetworkSpec, Mapping[str, Tensor]]:
    """The network of a policy and a value that share nothing, and its weights.

    Args:
        policy: from the observation to one number for each action.
        value: from the observation to one number.
        source: where it comes from, for errors.

    Raises:
        BadPolicy: two kinds of activation, or more than one value.
    """
    if policy.hidden and value.hidden and policy.activation != value.activation:
        raise BadPolicy(
            f"{source}: {policy.activation} for the policy, {value.activation} for the value; one is needed"
        )
    if value.layers[-1].out_features != 1 or value.layers[0].in_features != policy.layers[0].in_features:
        raise BadPolicy(f"{source}: the value is not one number of what the policy reads")
    spec = NetworkSpec(
        "separate",
        policy.hidden,
        observation=policy.layers[0].in_features,
        actions=policy.layers[-1].out_features,
        value_hidden=value.hidden,
        activation=policy.activation if policy.hidden else value.activation,
    )
    return spec, {**policy.weights("trunk", "policy"), **value.weights("value_trunk", "value")}


def write(
    folder: Path, face: Face, seat: str, spec: NetworkSpec, weights: Mapping[str, Tensor], *, steps: int, source: str
) -> None:
    """Writes a checkpoint that ``policy:FOLDER`` plays.

    Args:
        folder: must not be there yet.
        face: the game, its options and sections, for which the policy was trained.
        seat: that it plays, or "both".
        spec: the network.
        weights: by their names in it.
        steps: that it was trained for.
        source: what it was made of, for the manifest.

    Raises:
        BadPolicy: it reads another observation, or gives other actions, than the game has, or its weights do not fit.
        ValueError: the game has no such seat.
        FileExistsError: the folder is there.
    """
    chosen(f"{face.game.name}: seat", seat, (*face.seats, BOTH))
    if type(steps) is not int or steps < 0:
        raise BadPolicy(f"{source}: steps: {steps!r} is not allowed; a whole number from 0 on is")
    for name, found, needed in (
        ("reads", spec.observation, face.size),
        ("chooses among", spec.actions, face.game.n_actions),
    ):
        if found != needed:
            wanted = f"{face.game.name} with these options and sections needs {needed}"
            raise BadPolicy(f"{source}: the policy {name} {found} numbers; {wanted}")
    network = Network(spec)
    try:
        network.load_state_dict(dict(weights))
    except RuntimeError as error:
        raise BadPolicy(f"{source}: {first_line(error)}") from error
    if wrong := [name for name, value in weights.items() if not bool(value.isfinite().all())]:
        raise BadPolicy(f"{source}: {', '.join(wrong)}: not all numbers are finite")
    if folders.exists(folder):
        raise FileExistsError(f"{folder}: is there; a folder that is not is needed")
    with folders.replacing(folder) as new:
        checkpoint.write(new, network, {**checkpoint.described(face, seat, spec, steps=steps), "source": source})
