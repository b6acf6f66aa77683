"""What is wrong with a file that a user wrote: collected one by one, raised together."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from reichenbach.envs.core.digits import whole


@dataclass(frozen=True)
class Problem:
    """One mistake: where it stands, which key it is about, what is wrong and what is allowed."""

    where: str  # "file:line", or "command line"
    key: str  # "ppo.learning_rate"
    message: str

    @property
    def line(self) -> int:
        """The line of the file, 0 where there is none."""
        return whole(self.where.rpartition(":")[2]) or 0

    def __str__(self) -> str:
        return f"{self.where}: {self.key}: {self.message}" if self.key else f"{self.where}: {self.message}"


def first_line(error: BaseException) -> str:
    """What an error of another's making says, in one line; its kind where it says nothing."""
    return next(iter(str(error).splitlines()), "") or type(error).__name__


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
