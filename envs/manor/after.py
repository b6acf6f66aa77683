"""After-states: what a command to each pawn and area would leave, as an optional section of the observation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.kernel import large_kernel
from reichenbach.envs.manor.state import State
from reichenbach.envs.manor.tables import ManorTables


@large_kernel
def write_after(state: State, tables: ManorTables, seat: int, out: NDArray[np.float32]) -> None:
    """To come."""
