"""Places that are marked, as numbers: what the second implementations of both games write observations with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

Numbers = list[float]


def marks(places: Sequence[object], marked: object) -> Numbers:
    """A one for every place that is marked: equal to it, or one of it if it is a set or a list."""
    if isinstance(marked, set | list):
        return [1.0 if place in marked else 0.0 for place in places]
    return list(one_hot(tuple(places), marked))


@cache
def one_hot(places: tuple[object, ...], marked: object) -> tuple[float, ...]:
    """The commonest, worked out once."""
    return tuple(1.0 if place == marked else 0.0 for place in places)
