"""Where the curves of a run go: TensorBoard always, Weights & Biases and MLflow where the config asks for them."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel
from torch.utils.tensorboard import SummaryWriter

from reichenbach.envs.core.problems import first_line
from reichenbach.training import folders
from reichenbach.training.config import Config

TRACKED = "trackers.json"  # by which name each tracker knows the run, for going on with it


class Tracker(Protocol):
    """Takes points of curves."""

    def add(self, steps: int, values: Mapping[str, float]) -> None:
        """A point on every curve, by name: ``train/...`` and ``evaluation/...``."""
        ...

    def close(self) -> None:
        """Sends or writes what is still buffered."""
        ...


class TensorBoard:
    """Event files in the run's folder; points after step ``keep_to`` of an earlier try are dropped."""

    def __init__(self, folder: Path, keep_to: int) -> None:
        self._writer = SummaryWriter(str(folder / "tensorboard"), purge_step=keep_to + 1)

    def add(self, steps: int, values: Mapping[str, float]) -> None:
        """A point on every curve."""
        for name, value in values.items():
            self._writer.add_scalar(name, value, steps)

    def close(self) -> None:
        """Writes what is still buffered."""
        self._writer.close()


def need(config: Config) -> None:
    """Sees that the trackers of the config are installed.

    Raises:
        ModuleNotFoundError: one is not.
    """
    for name in _asked(config):
        importlib.import_module(name)


def opened(config: Config, folder: Path, keep_to: int) -> list[Tracker]:
    """All trackers of a run; a run that goes on is the same run to them.

    Raises:
        ConnectionError: one cannot be reached, or refuses; says which and why.
    """
    trackers: list[Tracker] = [TensorBoard(folder, keep_to)]
    for name, settings in _asked(config).items():
        plug: Any = importlib.import_module(f"reichenbach.training.plugs.{name}")
        known = partial(_known, folder / TRACKED, name, settings.model_dump(mode="json"))
        try:
            trackers.append(plug.open_run(settings, config, folder, known))
        except Exception as error:  # each has its own kinds
            for tracker in trackers:
                tracker.close()
            raise ConnectionError(f"trackers.{name}: {first_line(error)}") from error
    return trackers


def _asked(config: Config) -> dict[str, BaseModel]:
    """The settings of the trackers that the config names."""
    both = {"wandb": config.trackers.wandb, "mlflow": config.trackers.mlflow}
    return {name: settings for name, settings in both.items() if settings is not None}


def _known(file: Path, tracker: str, settings: Mapping[str, Any], begin: Callable[[], str]) -> str:
    """By which name the tracker knows the run: as noted in the file under these settings, else a new one."""
    try:
        noted = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        noted = None
    noted = noted if isinstance(noted, dict) else {}  # damaged: it is a new run there
    entry = noted.get(tracker)
    if not isinstance(entry, dict) or entry.get("settings") != settings or "run" not in entry:
        entry = {"run": begin(), "settings": settings}
        folders.write_text(file, json.dumps({**noted, tracker: entry}, indent=2))
    return str(entry["run"])
