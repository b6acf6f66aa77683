"""Finding where rows differ: the first column of the first row that is not as it should be."""

from __future__ import annotations

import numpy as np
import pytest

from reichenbach.envs.core.differ import first_difference

pytestmark = pytest.mark.plain


def test_the_first_difference() -> None:
    truth = np.arange(9, dtype=np.int32)
    rows = np.stack([truth] * 4)
    assert first_difference(rows, truth) == -1
    assert first_difference(rows[:0], truth) == -1
    rows[3, 2] = -1
    assert first_difference(rows, truth) == 2
    rows[1, 8] = 2**31 - 1
    rows[1, 5] ^= 1 << 31 - 1
    assert first_difference(rows, truth) == 5


def test_a_zero_has_a_sign() -> None:
    truth = np.zeros(3, np.float32)
    rows = np.array([[0, 0, -0.0]], np.float32)
    assert first_difference(rows.view(np.int32), truth.view(np.int32)) == 2
