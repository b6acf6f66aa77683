"""What ``make train`` runs: policies for the seats of every game learn, two at a time, then all are judged.

``python -m reichenbach.training.quickstart`` takes no arguments; results go to ``runs/make_train`` (or ``-2``, ``-3``).
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from reichenbach.envs import registry as games
from reichenbach.training import report
from reichenbach.training.command import command
from reichenbach.training.evaluate import evaluate
from reichenbach.training.log import clock


@dataclass(frozen=True)
class Job:
    """One training: a seat of a game, by its config ``quick``."""

    game: str
    seat: str

    @property
    def config(self) -> str:
        """The config's name."""
        return f"{self.game}/{self.seat}/quick"


JOBS = tuple(Job(game, seat) for game in ("who_is_moriarty", "manor") for seat in ("sherlock", "moriarty"))
AT_ONCE = 2  # processes, of one thread each
OPPONENTS = ("random", "greedy")
GAMES: Mapping[str, int] = {"who_is_moriarty": 20_000, "manor": 5_000}  # to judge by, against each opponent
SEED = 1
OVERRIDES: tuple[str, ...] = ()  # of all configs


def main() -> int:
    """Trains and judges; the exit code: 0 done, 1 a training failed or was stopped."""
    start = time.perf_counter()
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # as on the command line; torch is not imported yet
    folder = free_folder(Path("runs"), "make_train")
    print(
        f"Training {len(JOBS)} policies, {AT_ONCE} at a time, into {folder} (some minutes; Ctrl-C saves and stops)",
        flush=True,
    )
    codes = Trainings(folder).run()
    if any(codes.values()):
        for place in [place for job in codes if (place := place_of(folder, job)).exists()]:
            print(f"continue with: {command()} train --resume {place}", file=sys.stderr)
        return 1
    for game in dict.fromkeys(job.game for job in JOBS):
        policies = {job.seat: f"policy:{place_of(folder, job)}" for job in JOBS if job.game == game}
        print(f"Judging {game}: {GAMES[game]} games each, 95 % intervals", flush=True)
        print(judged(game, policies), flush=True)
        seats = " ".join(f"{seat}={policy}" for seat, policy in policies.items())
        print(f"Let them play: {command()} evaluate {game} {seats}")
    print(f"All in {clock(time.perf_counter() - start)}.")
    return 0


def place_of(folder: Path, job: Job) -> Path:
    """The folder of one training."""
    return folder / job.game / job.seat


def free_folder(root: Path, name: str) -> Path:
    """``root/name``, or with the first number behind it that is not there yet."""
    folder, number = root / name, 1
    while folder.exists():
        number += 1
        folder = root / f"{name}-{number}"
    return folder


class Trainings:
    """All trainings, each in a process of its own, so many at once. Ctrl-C and kill are passed on to those that run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[str]] = []
        self.stopped = False
        self._begin = threading.RLock()  # a signal reaches every process once: those that begin first are waited for

    def run(self) -> dict[Job, int]:
        """The exit code of every job, 1 for one that was not begun any more."""
        before = {number: signal.signal(number, self._pass_on) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            with ThreadPoolExecutor(AT_ONCE) as pool:
                return dict(zip(JOBS, pool.map(self._train, JOBS), strict=True))
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _pass_on(self, number: int, frame: FrameType | None) -> None:
        with self._begin:
            self.stopped = True
            for process in self.processes:
                process.send_signal(number)

    def _train(self, job: Job) -> int:
        with self._begin:
            if self.stopped:
                return 1
            process = _start(job.config, place_of(self.folder, job))
            self.processes.append(process)
        _copy(process, job.game)
        return process.wait()


def _start(config: str, output: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "reichenbach", "train", config, *OVERRIDES, f"output={output}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # the terminal's Ctrl-C reaches them through this process alone
    )


def judged(name: str, policies: Mapping[str, str]) -> str:
    """A table: how often each policy of a game wins against each opponent, and how often random and greedy do."""
    game = games.game(name)
    rows = [["", *(f"against {opponent}" for opponent in OPPONENTS)]]
    for seat, policy in policies.items():
        for agent, label in (
            (policy, f"{seat}, trained"),
            ("greedy", f"{seat}, greedy"),
            ("random", f"{seat}, random"),
        ):
            row = [label]
            for opponent in OPPONENTS:
                agents = {other: agent if other == seat else opponent for other in game.seats(game.resolve({}))}
                found = evaluate(game, {}, agents, games=GAMES[name], seed=SEED)["seats"][seat]
                row.append(f"{report.percent(found['win_rate'])} ({report.between(found['interval'])})")
            rows.append(row)
    return report.table(rows)


def _copy(process: subprocess.Popen[str], game: str) -> None:
    if process.stdout is not None:  # it is a pipe
        with process.stdout as lines:
            for line in lines:
                print(f"{game}: {line}", end="", flush=True)


if __name__ == "__main__":
    argparse.ArgumentParser("python -m reichenbach.training.quickstart", description=__doc__).parse_args()
    sys.exit(main())
