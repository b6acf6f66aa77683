"""How the benchmark times: rates as the median of several short runs, and what a row of its table holds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

RUNS = 5
SECONDS = 1.0  # the least that one run lasts


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, the figure with its unit, and what is asked of it (None: nothing)."""

    what: str
    figure: str
    asked: str = ""
    holds: bool | None = None


def rate(work: Callable[[], int]) -> float:
    """Steps a second: the median over runs of at least a second each; ``work`` returns how many steps it did."""
    work()  # compiles and warms up
    rates: list[float] = []
    for _ in range(RUNS):
        steps, start = 0, time.perf_counter()
        while time.perf_counter() - start < SECONDS:
            steps += work()
        rates.append(steps / (time.perf_counter() - start))
    return statistics.median(rates)


def steps_a_second(value: float) -> str:
    """As 6.12 M or 215,000 steps/s."""
    return f"{value / 1e6:.2f} M steps/s" if value >= 1e6 else f"{value:,.0f} steps/s"


def at_least(what: str, value: float, least: float) -> Row:
    """A rate that must reach an absolute figure."""
    return Row(what, steps_a_second(value), f">= {steps_a_second(least)}", value >= least)


def ratio(what: str, value: float, least: float) -> Row:
    """A ratio that must reach a figure."""
    return Row(what, f"{value:.2f} x", f">= {least:g} x", value >= least)
