"""Whoever plays a seat: scripted agents, trained policies, a user's own. They get views, never a state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Views:
    """What one seat sees in k games at its move, row by row.

    Attributes:
        seat: number of the seat.
        observation: float32, shape (k, size of the layout with the agent's sections).
        action_mask: int8, shape (k, actions); every row has a legal action.
        game: int64, shape (k,): the number of the slot in which the game is played.
        first: bool, shape (k,): this is the agent's first move of the game in that slot.
    """

    seat: int
    observation: NDArray[np.float32]
    action_mask: NDArray[np.int8]
    game: NDArray[np.int64]
    first: NDArray[np.bool_]


class Agent(Protocol):
    """Plays one seat in many games at once."""

    @property
    def sections(self) -> int:
        """Bits of the optional observation sections that the agent reads."""
        ...

    def act(self, views: Views) -> NDArray[np.int64]:
        """A legal action for every row, shape (k,)."""
        ...

    def get_state(self) -> dict[str, Any]:
        """What the agent remembers (its generator, say), fit for JSON."""
        ...

    def set_state(self, state: dict[str, Any]) -> None:
        """Puts back what ``get_state`` gave."""
        ...
