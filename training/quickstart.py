"""What ``make train`` runs: a Sherlock and a Moriarty learn side by side, then both are judged.

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
from pathlib import Path
from types import FrameType

from reichenbach.envs import registry as games
from reichenbach.training import report
from reichenbach.training.evaluate import evaluate
from reichenbach.training.log import clock

GAME = "who_is_moriarty"
CONFIGS: Mapping[str, str] = {"sherlock": f"{GAME}/sherlock/quick", "moriarty": f"{GAME}/moriarty/quick"}
OPPONENTS = ("random", "greedy")
GAMES, SEED = 20_000, 1
OVERRIDES: tuple[str, ...] = ()  # of both configs


def main() -> int:
    """Trains and judges; the exit code: 0 done, 1 a training failed or was stopped."""
    start = time.perf_counter()
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # as on the command line; torch is not imported yet
    folder = free_folder(Path("runs"), "make_train")
    print(
        f"Training {' and '.join(CONFIGS)} side by side into {folder} (a few minutes; Ctrl-C saves and stops)",
        flush=True,
    )
    codes = train(folder)
    if any(codes.values()):
        for seat in [seat for seat in codes if (folder / seat).exists()]:
            print(f"continue with: reichenbach train --resume {folder / seat}", file=sys.stderr)
        return 1
    print(f"Judging: {GAMES} games each, 95 % intervals", flush=True)
    print(judged({seat: f"policy:{folder / seat}" for seat in CONFIGS}))
    print(
        f"All in {clock(time.perf_counter() - start)}. Let them play: reichenbach evaluate {GAME} "
        + " ".join(f"{seat}=policy:{folder / seat}" for seat in CONFIGS)
    )
    return 0


def free_folder(root: Path, name: str) -> Path:
    """``root/name``, or with the first number behind it that is not there yet."""
    folder, number = root / name, 1
    while folder.exists():
        number += 1
        folder = root / f"{name}-{number}"
    return folder


def train(folder: Path) -> dict[str, int]:
    """One process and one thread for each seat; their exit codes. Ctrl-C and kill are passed on to them."""
    processes: dict[str, subprocess.Popen[str]] = {}

    def pass_on(number: int, frame: FrameType | None) -> None:
        for process in processes.values():
            process.send_signal(number)

    before = {number: signal.signal(number, pass_on) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        for seat, config in CONFIGS.items():
            processes[seat] = _start(config, folder / seat)
        readers = [threading.Thread(target=_copy, args=(process,)) for process in processes.values()]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        return {seat: process.wait() for seat, process in processes.items()}
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _start(config: str, output: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "reichenbach", "train", config, *OVERRIDES, f"output={output}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # the terminal's Ctrl-C reaches them through this process alone
    )


def judged(policies: Mapping[str, str]) -> str:
    """A table: how often each policy wins against each opponent, and how often random and greedy do."""
    game = games.game(GAME)
    rows = [["", *(f"against {opponent}" for opponent in OPPONENTS)]]
    for seat, policy in policies.items():
        for agent, name in ((policy, f"{seat}, trained"), ("greedy", f"{seat}, greedy"), ("random", f"{seat}, random")):
            row = [name]
            for opponent in OPPONENTS:
                agents = {other: agent if other == seat else opponent for other in policies}
                found = evaluate(game, {}, agents, games=GAMES, seed=SEED)["seats"][seat]
                row.append(f"{report.percent(found['win_rate'])} ({report.between(found['interval'])})")
            rows.append(row)
    return report.table(rows)


def _copy(process: subprocess.Popen[str]) -> None:
    if process.stdout is not None:  # it is a pipe
        with process.stdout as lines:
            for line in lines:
                print(line, end="", flush=True)


if __name__ == "__main__":
    argparse.ArgumentParser("python -m reichenbach.training.quickstart", description=__doc__).parse_args()
    sys.exit(main())
