"""A sweep small enough for a test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from optuna.trial import FrozenTrial

from reichenbach.training import load, study
from reichenbach.training.config import Config
from tests.training import runs

SPACE = """\
sweep:
  trials: 4
  prune: {trials: 1, evaluation: 1}
  space:
    ppo.learning_rate.start: {low: 1.0e-4, high: 0.1, log: true}
    ppo.epochs: {low: 1, high: 3}
    network.hidden: {choices: [[8], [16, 8]]}
"""
SMALL = ("total_steps=768", "evaluation.every=256", "save_every=1")


def write(folder: Path, space: str = SPACE) -> Path:
    return runs.write(folder, runs.YAML + space)


def settings(folder: Path, *overrides: str) -> Config:
    return load.load(write(folder), [*SMALL, f"output={folder / 'sweep'}", *overrides])


def trials(folder: Path) -> list[FrozenTrial]:
    return study.opened(folder).get_trials()


def found(folder: Path) -> list[Any]:
    """What came of every trial."""
    return [(trial.params, trial.value, trial.intermediate_values, trial.state) for trial in trials(folder)]
