"""Whether learning has run away: what is no number any more, or too large to be told from what is illegal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from reichenbach.agents.network import MASKED, Network


def problem(network: Network, observations: NDArray[np.float32], logged: Mapping[str, Any]) -> str | None:
    """What shows that learning has run away, or None.

    Args:
        network: the learner's.
        observations: some that it meets next, shape (k, size).
        logged: of the last update, by name; the losses among them are looked at.
    """
    for name, value in logged.items():
        if "loss" in name and not math.isfinite(value):
            return f"{name} is {float(value)}"
    for name, weights in network.named_parameters():
        if not bool(torch.isfinite(weights).all()):
            return f"weights {name} are not all finite"
    with torch.no_grad():
        logits, values = network(torch.from_numpy(observations))
    if not bool((logits.abs() < -MASKED).all()):  # so for what is no number
        return "the odds of actions are beyond what can be told from those of illegal ones"
    if not bool(torch.isfinite(values).all()):
        return "the values of positions are no numbers"
    return None
