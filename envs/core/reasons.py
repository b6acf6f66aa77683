"""What every game says of an action that is not allowed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import one
from reichenbach.envs.core.record import States, Tables

MANY = 8  # so many of the legal actions are listed


def legal_texts(states: States, tables: Tables, seat: int, n_actions: int, text: Callable[[int], str]) -> str:
    """The first of the seat's legal actions in an array of one, in an error's words."""
    mask: NDArray[np.int8] = np.empty(n_actions, np.int8)
    one.legal(states, tables, seat, mask)
    listed = ", ".join(repr(text(int(action))) for action in np.flatnonzero(mask)[:MANY])
    return listed + (", ..." if mask.sum() > MANY else "")
