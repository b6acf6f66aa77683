"""A config small enough to train in a test, and how to start it as a process of its own."""

from __future__ import annotations

import os
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
ITERATIONS = 16


def write(folder: Path, text: str = YAML) -> Path:
    """The config as a file."""
    file = folder / "config_of_test.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    """``reichenbach train`` with these arguments, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "reichenbach", "train", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def iterations(folder: Path) -> int:
    """How many iterations a run has logged."""
    file = folder / "progress.csv"
    return max(len(file.read_text(encoding="utf-8").splitlines()) - 1, 0) if file.is_file() else 0
