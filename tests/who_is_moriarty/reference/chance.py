"""Where the reference's chance comes from: what the kernel recorded, or dice of its own."""

from __future__ import annotations

import random
from collections.abc import Iterable


class Told:
    """Chance outcomes told beforehand; each question must expect as many outcomes as there were."""

    def __init__(self, outcomes: Iterable[tuple[int, int]]) -> None:
        self._outcomes = list(outcomes)
        self._asked = 0

    def __call__(self, n: int) -> int:
        """The next told outcome, which must be one out of `n`."""
        if self._asked == len(self._outcomes):
            raise AssertionError(f"the reference draws one of {n}, the kernel drew only {self._outcomes}")
        told, outcome = self._outcomes[self._asked]
        if told != n:
            raise AssertionError(f"draw {self._asked}: the reference draws one of {n}, the kernel one of {told}")
        self._asked += 1
        return outcome

    def finish(self) -> None:
        """Everything that was told must have been asked for."""
        if self._asked != len(self._outcomes):
            raise AssertionError(f"the kernel drew {self._outcomes}, the reference asked for {self._asked}")


class Dice:
    """Ordinary random outcomes, kept as they fall; not the kernel's generator."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.fallen: list[tuple[int, int]] = []

    def __call__(self, n: int) -> int:
        """One of `n` outcomes."""
        outcome = self._random.randrange(n)
        self.fallen.append((n, outcome))
        return outcome
