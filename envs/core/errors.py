"""What is raised for bad input; every message says where, what was wrong and what is allowed."""

from __future__ import annotations

from collections.abc import Sequence

from reichenbach.envs.core.problems import Problem


class IllegalAction(ValueError):
    """An action that the rules do not allow now; the state is unchanged."""


class BadOption(ValueError):
    """An option of unknown name or out of its range."""


class BadMap(BadOption):
    """A map that cannot be used; its text has one line for every problem."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class BadPosition(ValueError):
    """A position text that is no position."""
