"""Where rows of numbers differ from one that they should be equal to, bit by bit, in compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.kernel import kernel


@kernel
def first_difference(rows: NDArray[np.int32], truth: NDArray[np.int32]) -> int:
    """The first column of the first row of (k, n) that is not as in ``truth`` (n,); -1 if there is none.

    Floats are handed over as the whole numbers that their bits are: to these a zero has a sign.
    """
    for k in range(rows.shape[0]):
        different = np.int32(0)  # of the rows' own width: the processor then takes many columns at once
        for column in range(truth.shape[0]):
            different = np.int32(different | (rows[k, column] ^ truth[column]))
        if different != 0:
            for column in range(truth.shape[0]):
                if rows[k, column] != truth[column]:
                    return column
    return -1
