"""A config small enough to train in a test (16 iterations of 256 steps), and a process that is killed in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

YAML = """\
game: who_is_moriarty
seat: both
options: {observe_after: true}
opponents:
  - {agent: random, weight: 1}
  - {agent: greedy, weight: 1}
  - {agent: self, weight: 2}
total_steps: 4_096
network: {kind: after, hidden: [16]}
ppo:
  n_envs: 32
  n_steps: 8
  batch_size: 64
  epochs: 2
  learning_rate: {start: 0.01, end: 0.001}
  entropy: {start: 0.02, end: 0.01}
snapshots: {every: 2, keep: 2}
evaluation: {every: 1_500, games: 10, opponents: [random], mode: sample}
save_every: 3
seed: 5
"""
# `reichenbach train` that sends itself a signal when it has logged so many iterations, before it saves.
SIGNALLED = """
import os, sys
from reichenbach.training.cli import main
from reichenbach.training.log import Log

number, iterations, *arguments = sys.argv[1:]
log_iteration = Log.iteration

def iteration(log, steps, values):
    log_iteration(log, steps, values)
    if steps == 256 * int(iterations):
        os.kill(os.getpid(), int(number))

Log.iteration = iteration
sys.exit(main(["train", *arguments]))
"""


def write(folder: Path, text: str = YAML) -> Path:
    """The config as a file."""
    file = folder / "config_of_test.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def signalled(number: signal.Signals, iterations: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Trains in a process of its own, which gets the signal in that iteration."""
    return subprocess.run(
        [sys.executable, "-c", SIGNALLED, str(int(number)), str(iterations), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def iterations(folder: Path) -> int:
    """How many iterations a run has logged."""
    return len((folder / "progress.csv").read_text(encoding="utf-8").splitlines()) - 1
