"""The agent ``random``: uniform over the legal actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.agents.generator import Lots
from reichenbach.agents.setup import BadAgent, Setup
from reichenbach.envs.core.seat import Agent, Views


class Random:
    """Uniform over the legal actions; needs no optional section."""

    sections = 0

    def __init__(self, seed: int) -> None:
        self._lots = Lots(seed)

    def act(self, views: Views) -> NDArray[np.int64]:
        """One action for each row of the views, int64 (k,)."""
        return self._lots.among(views.action_mask)

    def get_state(self) -> dict[str, Any]:
        """The generator's state, JSON-able."""
        return self._lots.get_state()

    def set_state(self, state: dict[str, Any]) -> None:
        """Takes up a state that ``get_state`` gave."""
        self._lots.set_state(state)


def make(argument: str, setup: Setup) -> Agent:
    """The agent of the text ``random``."""
    if argument:
        raise BadAgent(f"agent random:{argument}: random takes nothing after its name")
    return Random(setup.seed)
