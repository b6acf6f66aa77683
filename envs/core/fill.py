"""Filling an array inside a kernel: a loop that becomes one memory fill, where a slice costs ten times as much."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from reichenbach.envs.core.kernel import kernel


@kernel
def fill(values: NDArray[Any], value: int) -> None:
    """Sets every element of a one-dimensional array."""
    for i in range(values.shape[0]):
        values[i] = value


@kernel
def fill_part(values: NDArray[Any], start: int, length: int, value: int) -> None:
    """Sets ``length`` elements from ``start`` on."""
    for i in range(start, start + length):
        values[i] = value
