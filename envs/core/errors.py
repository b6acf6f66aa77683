"""What is raised for bad input; every message says where, what was wrong and what is allowed."""

from __future__ import annotations


class IllegalAction(ValueError):
    """An action that the rules do not allow now; the state is unchanged."""


class BadOption(ValueError):
    """An option of unknown name or out of its range."""


class BadPosition(ValueError):
    """A position text that is no position."""
