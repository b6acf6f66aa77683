"""How the benchmark times: rates as the median of several short runs, and what a row of its table holds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

RUNS = 5
SECONDS = 1.0  # the least that one run lasts

Work = Callable[[], int]  # does some work and returns how many steps it was


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, the figure with its unit, and what is asked of it (None: nothing)."""

    what: str
    figure: str
    asked: str = ""
    holds: bool | None = None


def rate(work: Work) -> float:
    """Steps a second: the median over runs of at least a second each; ``work`` returns how many steps it did."""
    return rates(work)[0]


def rates(*works: Work) -> list[float]:
    """The rate of each; their runs take turns, so that a machine that slows down slows all of them."""
    for work in works:
        work()  # compiles and warms up
    runs = [[_run(work) for work in works] for _ in range(RUNS)]
    return [statistics.median(of_one) for of_one in zip(*runs, strict=True)]


def _run(work: Work) -> float:
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        steps += work()
    return steps / (time.perf_counter() - start)


def steps_a_second(value: float) -> str:
    """As 6.12 M or 215,000 steps/s."""
    return f"{value / 1e6:.2f} M steps/s" if value >= 1e6 else f"{value:,.0f} steps/s"


def at_least(what: str, value: float, least: float | None) -> Row:
    """A rate that must reach an absolute figure, if one is asked."""
    if least is None:
        return Row(what, steps_a_second(value))
    return Row(what, steps_a_second(value), f">= {steps_a_second(least)}", value >= least)


def ratio(what: str, value: float, least: float) -> Row:
    """A ratio that must reach a figure."""
    return Row(what, f"{value:.2f} x", f">= {least:g} x", value >= least)
