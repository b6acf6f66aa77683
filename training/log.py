"""What a run leaves to be looked at: tables, curves, and one line of progress."""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from reichenbach.envs.core.problems import first_line
from reichenbach.training.folders import NEW
from reichenbach.training.tracking import Tracker

PROGRESS, EVALUATION = "progress.csv", "evaluation.csv"
PLAIN_EVERY = 10.0  # seconds between lines where the line cannot be written over


class Table:
    """A CSV file with a column ``steps``; columns are those of the first row."""

    def __init__(self, file: Path, keep_to: int) -> None:
        self._file = file
        rows = []
        if file.is_file():
            with file.open(newline="", encoding="utf-8") as stream:
                rows = [row for row in csv.DictReader(stream) if _kept(row, keep_to)]
        self._columns = list(rows[0]) if rows else []
        new = file.with_name(file.name + NEW)  # a process killed here must not lose what was written before
        with new.open("w", newline="", encoding="utf-8") as stream:
            if rows:
                writer = csv.DictWriter(stream, self._columns, extrasaction="ignore")
                writer.writeheader()
                writer.writerows(rows)
        new.replace(file)

    def add(self, row: Mapping[str, object]) -> None:
        """Appends one row."""
        new = not self._columns
        if new:
            self._columns = list(row)
        with self._file.open("a", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, self._columns, extrasaction="ignore")
            if new:
                writer.writeheader()
            writer.writerow(row)


def _kept(row: Mapping[str | None, object], keep_to: int) -> bool:
    """Whether a row is whole (a process may have been killed while it wrote the last) and not too late."""
    steps = row.get("steps")
    whole = None not in row and None not in row.values()
    return whole and isinstance(steps, str) and steps.isdecimal() and int(steps) <= keep_to


class Log:
    """All that a run writes beside its checkpoints; rows after step ``keep_to`` of an earlier try are dropped."""

    def __init__(self, folder: Path, keep_to: int, trackers: Sequence[Tracker] = ()) -> None:
        self.progress = Table(folder / PROGRESS, keep_to)
        self.evaluation = Table(folder / EVALUATION, keep_to)
        self._trackers = list(trackers)

    def iteration(self, steps: int, values: Mapping[str, float]) -> None:
        """One row, and a point on every curve."""
        self.progress.add({"steps": steps, **{name: f"{value:.6g}" for name, value in values.items()}})
        self._curves("train", steps, values)

    def evaluated(self, steps: int, win_rates: Mapping[str, float]) -> None:
        """The win rates of an evaluation, by opponent."""
        self.evaluation.add({"steps": steps, **{name: f"{value:.6g}" for name, value in win_rates.items()}})
        self._curves("evaluation", steps, win_rates)

    def _curves(self, group: str, steps: int, values: Mapping[str, float]) -> None:
        points = {f"{group}/{name}": value for name, value in values.items()}
        self._trackers = [tracker for tracker in self._trackers if _done(tracker, lambda one: one.add(steps, points))]

    def close(self) -> None:
        """Writes what is still buffered."""
        for tracker in self._trackers:
            _done(tracker, lambda one: one.close())


def _done(tracker: Tracker, what: Callable[[Tracker], None]) -> bool:
    """Whether a tracker did it; of one that failed a line is said: the run is worth more than its curves elsewhere."""
    try:
        what(tracker)
    except Exception as error:  # of whatever kind
        print(f"{type(tracker).__name__}: {first_line(error)}; the run goes on without it", file=sys.stderr)
        return False
    return True


class Progress:
    """One line: label, steps, rate, time left, win rates. Written over on a terminal, else one line now and then."""

    def __init__(self, label: str, total: int, begun: int, stream: TextIO | None = None) -> None:
        self._label = label
        self._total = total
        self._stream = stream or sys.stdout
        self._start = time.perf_counter()
        self._begun = begun
        self._shown = 0.0
        self._width = 0
        self.judged = ""

    def show(self, steps: int, win_rate: float, *, always: bool = False) -> None:
        """Shows where the run is; ``always`` also where it would be too early for the next plain line."""
        now = time.perf_counter()
        terminal = self._stream.isatty()
        if not terminal and not always and now - self._shown < PLAIN_EVERY:
            return
        self._shown = now
        rate = (steps - self._begun) / max(now - self._start, 1e-9)
        line = (
            f"{self._label}  {steps:,} of {self._total:,} steps  {rate:,.0f} steps/s  "
            f"{clock(max(self._total - steps, 0) / max(rate, 1e-9))} left  wins {100 * win_rate:.1f} %{self.judged}"
        )
        if terminal:
            self._stream.write("\r" + line.ljust(self._width))
            self._width = len(line)
        else:
            self._stream.write(line + "\n")
        self._stream.flush()

    def end(self) -> None:
        """Leaves the line."""
        if self._stream.isatty():
            self._stream.write("\n")
            self._stream.flush()


def clock(seconds: float) -> str:
    """Seconds as ``1:02:03`` or ``2:03``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
