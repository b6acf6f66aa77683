"""What is wrong with a config: collected one by one, raised together."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One mistake: where it stands, which key it is about, what is wrong and what is allowed."""

    where: str  # "file:line", or "command line"
    key: str  # "ppo.learning_rate"
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.key}: {self.message}" if self.key else f"{self.where}: {self.message}"


class ConfigError(ValueError):
    """A config that cannot be used; its text has one line for every problem."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def nearest(name: str, allowed: Iterable[str]) -> str:
    """``did you mean X? `` with the nearest allowed name, or an empty text where none is near."""
    near = difflib.get_close_matches(name, list(allowed), 1, 0.5)
    return f"did you mean {near[0]}? " if near else ""


def dotted(path: Iterable[str | int]) -> str:
    """A path of keys and list places as text: ``opponents[1].agent``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
