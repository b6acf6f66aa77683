"""Leaks planted in what the audit looks at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reichenbach.envs.core import batch, differ, one
from reichenbach.envs.core.record import States

# Changes what seats are shown, row by row: states, their seats, observations and masks.
Leaky = Callable[[States, NDArray[np.int64], NDArray[np.float32], NDArray[np.int8]], None]
AT_ONCE = 100


def plant(leak: Leaky, monkeypatch: pytest.MonkeyPatch) -> None:
    """The truth and all settings are shown to the audit with the leak."""

    def shown(states: States, tables: Any, seat: int, sections: int, observation: Any, mask: Any) -> Any:
        """Observations and masks of many states; those given tell their lengths."""
        n = len(states)
        seats = np.full(n, seat, np.int64)
        views, masks = np.empty((n, len(observation)), np.float32), np.empty((n, len(mask)), np.int8)
        batch.view(states, tables, np.arange(n, dtype=np.int64), seats, sections, views, masks)
        leak(states, seats, views, masks)
        return views, masks

    def view(states: States, tables: Any, seat: int, sections: int, observation: Any, mask: Any) -> None:
        views, masks = shown(states, tables, seat, sections, observation, mask)
        observation[:], mask[:] = views[0], masks[0]

    def first_unlike(
        states: States, tables: Any, seat: int, sections: int, observation: Any, mask: Any, *scratch: Any
    ) -> int:
        for begin in range(0, len(states), AT_ONCE):
            part = states[begin : begin + AT_ONCE]
            views, masks = shown(part, tables, seat, sections, observation, mask)
            unlike = (views.view(np.int32) != observation.view(np.int32)).any(axis=1) | (masks != mask).any(axis=1)
            if unlike.any():
                return begin + int(unlike.argmax())
        return -1

    monkeypatch.setattr(one, "view", view)
    monkeypatch.setattr(differ, "first_unlike", first_unlike)
