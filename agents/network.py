"""The network of a trained policy: plain torch, the same for learning and for acting.

Three kinds. ``mlp``: a trunk, a linear head for the actions and one for the value. ``after``: the trunk does not read
the section ``after``; instead a third head gives, for the situation, one quadratic form by which the row of every
action is scored: what it is worth to leave this or that is learnt once, not action by action. Tried with PPO as
Moriarty in Who Is Moriarty, 300,000 steps, against random / greedy: ``after`` 68 / 41 %, the same form beside a trunk
that reads all 65 / 39 %, a small network over row and trunk instead of the form 55 / 29 % at 1.7 times the cost.

Where a game's actions are a grid (The Manor: pawns, areas, deeds), a row stands for a pawn and an area; the linear head
then scores pawn and area, and pawn and deed, apart; a linear form for each deed scores the row anew, and one more the
mean of the pawn's rows, those whose last value is 1: what is good wherever the pawn goes is not urgent.

``separate``: a trunk for the actions and another for the value, as other libraries train them (training/plugs).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn

KINDS = ("mlp", "after", "separate")
ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}
MASKED = -1e8  # what an illegal action has for a logit: less than any legal one


@dataclass(frozen=True)
class NetworkSpec:
    """All that is needed to build a network, as it stands in a checkpoint's manifest."""

    kind: str  # one of KINDS
    hidden: tuple[int, ...]  # widths of the trunk's layers
    observation: int  # length of the observation
    actions: int  # number of actions
    after: tuple[int, int] = (0, 0)  # where section "after" starts and stops; (0, 0) for kind "mlp"
    grid: tuple[int, ...] = ()  # the game's `grid` for kind "after"; () where every action has a row of its own
    value_hidden: tuple[int, ...] = ()  # widths of the value's own layers for kind "separate"
    activation: str = "relu"  # behind every layer but the heads; one of ACTIVATIONS

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON-able values."""
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> NetworkSpec:
        """The inverse of ``to_json``. Raises TypeError or ValueError on fields that do not fit."""
        lists = {name: tuple(data.get(name, ())) for name in ("hidden", "grid", "value_hidden")}
        spec = NetworkSpec(**{**data, **lists, "after": tuple(data["after"])})
        if spec.kind not in KINDS:
            raise ValueError(f"network.kind: {spec.kind!r}; allowed: {', '.join(KINDS)}")
        if spec.activation not in ACTIVATIONS:
            raise ValueError(f"network.activation: {spec.activation!r}; allowed: {', '.join(ACTIVATIONS)}")
        if spec.grid and len(spec.grid) != 3:
            raise ValueError(f"network.grid: {spec.grid!r}; three numbers, or none, are allowed")
        return spec

    @property
    def rows(self) -> int:
        """How many rows the section ``after`` has."""
        return self.grid[0] * self.grid[1] if self.grid else self.actions

    @property
    def scores(self) -> int:
        """How many numbers the linear head of the policy gives."""
        if not self.grid:
            return self.actions
        first, second, third = self.grid
        return first * second + first * third + self.actions - first * second * third


class Network(nn.Module):
    """Logits and value for a batch of observations."""

    def __init__(self, spec: NetworkSpec) -> None:
        super().__init__()
        self.spec = spec
        base = spec.observation - (spec.after[1] - spec.after[0])
        self.trunk, width = _trunk(base, spec.hidden, spec.activation), [base, *spec.hidden][-1]
        self.policy = _linear(width, spec.scores, 0.01)
        if spec.kind == "separate":
            self.value_trunk = _trunk(base, spec.value_hidden, spec.activation)
        self.value = _linear([base, *spec.value_hidden][-1] if spec.kind == "separate" else width, 1, 1.0)
        if spec.kind == "after":
            start, stop = spec.after
            features = (stop - start) // spec.rows
            self.form = _linear(width, features + features * (features + 1) // 2, 0.1)
            if spec.grid:
                self.deeds = _linear(width, spec.grid[2] * features, 0.1)
                self.means = _linear(width, features, 0.1)

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (k, actions), not masked, and values (k,) of observations float32 (k, observation)."""
        trunk = self.trunk(self._base(observation))
        logits = self.policy(trunk)
        if self.spec.kind == "after":
            rows = self._rows(observation)
            scored = _quadratic(self.form(trunk), rows)
            logits = self._over_grid(trunk, logits, rows, scored) if self.spec.grid else logits + scored
        of_value = self.value_trunk(observation) if self.spec.kind == "separate" else trunk
        return logits, self.value(of_value).squeeze(-1)

    def _over_grid(self, trunk: Tensor, logits: Tensor, rows: Tensor, scored: Tensor) -> Tensor:
        """From scores of rows (k, first * second) and of the linear head to logits (k, actions)."""
        first, second, third = self.spec.grid
        k, deeds = len(logits), first * (second + third)
        of_row, of_deed, others = logits[:, : first * second], logits[:, first * second : deeds], logits[:, deeds:]
        anew = torch.bmm(self.deeds(trunk).reshape(k, third, -1), rows).transpose(1, 2)
        of_first = torch.bmm(self.means(trunk).unsqueeze(1), _means(rows, first)).reshape(k, first, 1, 1)
        whole = of_first + (scored + of_row).reshape(k, first, second, 1) + of_deed.reshape(k, first, 1, third)
        return torch.cat([(whole + anew.reshape(k, first, second, third)).reshape(k, -1), others], 1)

    def _base(self, observation: Tensor) -> Tensor:
        """The observation without the section ``after``."""
        start, stop = self.spec.after
        if stop == observation.shape[1]:
            return observation[:, :start]
        return torch.cat([observation[:, :start], observation[:, stop:]], 1) if stop else observation

    def _rows(self, observation: Tensor) -> Tensor:
        """The section ``after``: (k, features, rows)."""
        start, stop = self.spec.after
        return observation[:, start:stop].reshape(len(observation), self.spec.rows, -1).transpose(1, 2).contiguous()


def _means(rows: Tensor, parts: int) -> Tensor:
    """The mean of each part of the rows, over those whose last feature is 1: (k, features, parts)."""
    sums: Tensor = rows.reshape(*rows.shape[:2], parts, -1).sum(-1)
    return sums / sums[:, -1:].clamp(min=1)


def _quadratic(form: Tensor, rows: Tensor) -> Tensor:
    """The value of every row (k, rows) under a form for each situation (k, coefficients).

    Its coefficients: of the features, then of their products two by two, as the upper triangle of a matrix. Rows times
    matrix times rows is several times as fast as writing out all products.
    """
    k, features = rows.shape[:2]
    first, second = torch.triu_indices(features, features, device=form.device)
    matrix = form.new_zeros(k, features * features).index_copy(1, second * features + first, form[:, features:])
    linear = form[:, :features].unsqueeze(2)
    return ((torch.bmm(matrix.reshape(k, features, features), rows) + linear) * rows).sum(1)


def masked(logits: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities (k, actions) over the actions whose mask is not 0; -1e8 and less for the others."""
    return torch.log_softmax(logits.masked_fill(mask == 0, MASKED), dim=-1)


def sample(log_probabilities: Tensor, generator: torch.Generator | None = None) -> Tensor:
    """One action (k,) drawn from each row, by the race of exponential clocks (faster than multinomial)."""
    clocks = torch.empty_like(log_probabilities).exponential_(generator=generator)
    return torch.argmax(log_probabilities - clocks.log(), dim=-1)


def _trunk(width: int, hidden: Sequence[int], activation: str) -> nn.Sequential:
    layers: list[nn.Module] = []
    for size in hidden:
        layers += [_linear(width, size, 2**0.5), ACTIVATIONS[activation]()]
        width = size
    return nn.Sequential(*layers)


def _linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def shapes(spec: NetworkSpec) -> dict[str, Sequence[int]]:
    """The shape of every weight a network of this kind has, by name."""
    with torch.device("meta"):
        return {name: tuple(value.shape) for name, value in Network(spec).state_dict().items()}
