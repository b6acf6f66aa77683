"""What a sweep seeks in: whether every value of every key is one that a run can have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from reichenbach.envs.core.digits import whole
from reichenbach.envs.core.problems import Problem
from reichenbach.training.config import Axis, Sweep

# Scores are compared: all trials play the same game and are judged alike. The rest is not the trial's, or makes no
# difference to what it learns.
FIXED = ("game", "seat", "evaluation", "seed", "output", "sweep", "ray", "trackers", "threads")
MOST = 2**53  # what a study stores exactly
OBSERVED = "observe_"  # options of what is seen; all others are the rules

Found = Iterator[tuple[tuple[str, ...], str]]


def settable(key: str) -> tuple[str | int, ...]:
    """The path of a key such as ``opponents.0.weight``."""
    return tuple(part if (number := whole(part)) is None else number for part in key.split("."))


def check(sweep: Sweep, tried: Callable[[str, Any], Sequence[Problem]]) -> Found:
    """Paths and what is wrong there; ``tried`` are the problems of the run with that value for that key."""
    for key, axis in sweep.space.items():
        path = ("sweep", "space", key)
        if reason := _fixed(key) or _within(key, sweep.space) or _form(axis):
            yield path, reason
            continue
        problems = {
            problem.message if problem.key == key else f"{value!r}: {problem.key}: {problem.message}": None
            for value in axis.choices or [axis.low, axis.high]
            for problem in tried(key, value)
        }
        for message in problems:  # once, where the key is wrong and not its values
            yield path, message


def _fixed(key: str) -> str:
    first, _, second = key.partition(".")
    if first == "options":
        return (
            ""
            if second.startswith(OBSERVED)
            else f"of options, {OBSERVED}... alone may vary: all trials play the same game"
        )
    return f"this is the same for all trials, as are {', '.join(FIXED)}" if first in FIXED else ""


def _within(key: str, space: Iterable[str]) -> str:
    """Which other key is a part of this one, or written otherwise but the same."""
    path = settable(key)
    inner = next((other for other in space if other != key and settable(other)[: len(path)] == path), None)
    return "" if inner is None else f"{inner} is a part of it, or the same; one of them is needed"


def _form(axis: Axis) -> str:
    """What is wrong with an axis by itself, if something is."""
    numbers = (axis.low, axis.high)
    if axis.choices is not None:
        mixed = axis.log or any(number is not None for number in numbers)
        return "choices stand alone, without low, high and log" if mixed else ""
    if None in numbers:
        return "choices are needed, or low and high"
    if any(isinstance(number, int) and abs(number) > MOST for number in numbers):
        return f"low, high: whole numbers to {MOST} are allowed"
    if axis.low > axis.high:
        return f"low: {axis.low} is more than high: {axis.high}"
    return "low: a logarithm needs more than 0" if axis.log and axis.low <= 0 else ""
