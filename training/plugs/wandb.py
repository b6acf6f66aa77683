"""The curves of a run in Weights & Biases; offline, in the run's folder until ``wandb sync`` sends them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import wandb

from reichenbach.training.config import Config, Wandb


class WeightsAndBiases:
    """One run there; what is logged twice, before and after a run was resumed, stands at the same steps."""

    def __init__(self, run: Any) -> None:
        self._run = run
        run.define_metric("steps")
        run.define_metric("*", step_metric="steps")

    def add(self, steps: int, values: Mapping[str, float]) -> None:
        """A point on every curve."""
        self._run.log({"steps": steps, **values})

    def close(self) -> None:
        """Sends or writes what is still buffered."""
        self._run.finish()


def open_run(
    settings: Wandb, config: Config, folder: Path, known: Callable[[Callable[[], str]], str]
) -> WeightsAndBiases:
    """The run by the name under which it is known there, or a new one."""
    run = wandb.init(
        project=settings.project,
        mode=settings.mode,
        dir=folder,
        name=config.output,
        id=known(lambda: secrets.token_hex(4)),
        resume="allow",
        config=config.model_dump(mode="json", exclude={"trackers"}),
        settings=wandb.Settings(console="off", silent=True),
    )
    return WeightsAndBiases(run)
