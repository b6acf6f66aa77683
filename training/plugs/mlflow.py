"""The curves of a run in MLflow, on a server or in a local store."""

from __future__ import annotations

import logging
import posixpath
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mlflow import MlflowClient
from mlflow.entities import Metric, Param

from reichenbach.training.config import Config, Mlflow

NOT_IN_NAMES = re.compile(r"[^\w\-. :/]")  # as in policy:runs/mine?mode=sample
AT_ONCE, LONGEST = 100, 500  # parameters in one call, characters of one


class MLflow:
    """One run there; what is logged twice, before and after a run was resumed, stands at the same steps."""

    def __init__(self, client: Any, run: str) -> None:
        self._client, self._run = client, run

    def add(self, steps: int, values: Mapping[str, float]) -> None:
        """A point on every curve."""
        now = int(1000 * time.time())
        points = [Metric(_name(name), value, now, steps) for name, value in values.items()]
        self._client.log_batch(self._run, metrics=points)

    def close(self) -> None:
        """Says that the run has ended."""
        self._client.set_terminated(self._run)


def open_run(settings: Mlflow, config: Config, folder: Path, known: Callable[[Callable[[], str]], str]) -> MLflow:
    """The run by the name under which it is known there, or a new one, with the config as its parameters."""
    for name in ("alembic", "mlflow.store.db.utils"):
        logging.getLogger(name).setLevel(logging.WARNING)
    client = MlflowClient(tracking_uri=settings.uri)

    def begin() -> str:
        found = client.get_experiment_by_name(settings.experiment)
        experiment = found.experiment_id if found else client.create_experiment(settings.experiment)
        run = client.create_run(experiment, run_name=config.output)
        said = [
            Param(key, text[:LONGEST]) for key, text in _flat("", config.model_dump(mode="json", exclude={"trackers"}))
        ]
        for begun in range(0, len(said), AT_ONCE):
            client.log_batch(run.info.run_id, params=said[begun : begun + AT_ONCE])
        return str(run.info.run_id)

    run = known(begin)
    client.update_run(run, status="RUNNING")
    return MLflow(client, run)


def _name(name: str) -> str:
    """A name that MLflow takes: of some letters, and a path without detours."""
    return posixpath.normpath(NOT_IN_NAMES.sub("_", name))


def _flat(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """Keys as on the command line, such as ``ppo.learning_rate.start``, with their values as text."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{path}.{key}" if path else str(key), inner)
    else:
        yield path, str(value)
