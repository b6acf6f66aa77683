"""A NumPy generator whose state is plain JSON, for agents that draw lots."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Lots:
    """Draws among actions; saved and restored exactly."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def among(self, choices: NDArray[np.bool_] | NDArray[np.int8]) -> NDArray[np.int64]:
        """One column for each row of (k, n), uniform over those that are not 0; every row has one at least."""
        counts = np.count_nonzero(choices, axis=1)
        picks = (self._generator.random(len(counts)) * counts).astype(np.int64)
        drawn: NDArray[np.int64] = np.argmax(np.cumsum(choices != 0, axis=1) > picks[:, None], axis=1)
        return drawn

    def get_state(self) -> dict[str, Any]:
        """The generator's state, JSON-able."""
        return dict(self._generator.bit_generator.state)

    def set_state(self, state: dict[str, Any]) -> None:
        """Takes up a state that ``get_state`` gave."""
        self._generator.bit_generator.state = state
