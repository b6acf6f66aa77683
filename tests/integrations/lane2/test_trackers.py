"""Curves in Weights & Biases and MLflow, without a network, also of runs that are stopped and go on."""

from __future__ import annotations

import csv
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mlflow import MlflowClient
from wandb.proto.wandb_internal_pb2 import Record

from reichenbach.training import load, ppo
from tests.training import runs

# MLflow's own, of SQLAlchemy
pytestmark = pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy")

BLOCK, WHOLE, LAST = 32_768, 1, 4
SMALL = ("total_steps=512", "evaluation.every=512")


def train(folder: Path, *overrides: str) -> Path:
    """A run of two iterations, and two more when it goes on."""
    place = folder / "run"
    assert ppo.begin(load.load(runs.write(folder), [*SMALL, f"output={place}", *overrides]))
    time.sleep(1.1)  # W&B names folders by the second
    assert ppo.go_on(place, load.load(place / "config.yaml", ["total_steps=1024"]))
    return place


def logged(folder: Path) -> list[dict[str, str]]:
    with (folder / "progress.csv").open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def records(folder: Path) -> list[Any]:
    """What waits to be sent, run after run."""
    files = sorted(folder.glob("wandb/offline-run-*/run-*.wandb"), key=lambda file: file.stat().st_mtime_ns)
    return [record for file in files for record in _records(file.read_bytes())]


def _records(content: bytes) -> Iterator[Any]:
    """A log as LevelDB writes it, of blocks of 32 KiB, the first after 7 bytes that say whose it is."""
    place, parts = 7, b""
    while place + 7 <= len(content):
        if BLOCK - place % BLOCK < 7:  # no room was left for the head of another part
            place += BLOCK - place % BLOCK
        _, length, kind = struct.unpack_from("<IHB", content, place)
        parts += content[place + 7 : place + 7 + length]
        place += 7 + length
        if kind in (WHOLE, LAST):
            record = Record()
            record.ParseFromString(parts)
            parts = b""
            yield record


def test_weights_and_biases_offline(tmp_path: Path) -> None:
    place = train(tmp_path, "trackers.wandb={mode: offline, project: baker street}")
    found = records(place)
    said = [record.run for record in found if record.HasField("run")]
    assert {run.project for run in said} == {"baker street"}
    assert {run.display_name for run in said} == {str(place)}
    assert len({run.run_id for run in said}) == 1, "the run that goes on is the same run"
    points: dict[str, list[tuple[float, float]]] = {}
    for record in found:
        if record.HasField("history"):
            values = {item.key or item.nested_key[0]: float(item.value_json) for item in record.history.item}
            for name in values:
                points.setdefault(name, []).append((values["steps"], values[name]))
    steps, rates = zip(*points["train/win_rate"], strict=True)
    assert list(steps) == [float(row["steps"]) for row in logged(place)]
    assert list(rates) == pytest.approx([float(row["win_rate"]) for row in logged(place)], rel=1e-4)
    assert [steps for steps, _ in points["evaluation/sherlock against random"]] == [512, 1024]


def test_mlflow_in_a_local_store(tmp_path: Path) -> None:
    uri = f"sqlite:///{tmp_path / 'mlflow.db'}"
    place = train(tmp_path, f"trackers.mlflow={{uri: '{uri}', experiment: baker street}}")
    client = MlflowClient(tracking_uri=uri)
    experiment = client.get_experiment_by_name("baker street")
    assert experiment is not None
    (run,) = client.search_runs([experiment.experiment_id])
    assert run.info.status == "FINISHED"
    assert run.info.run_name == str(place)
    assert run.data.params["ppo.learning_rate.start"] == "0.01"
    found = sorted(client.get_metric_history(run.info.run_id, "train/win_rate"), key=lambda point: point.step)
    assert [point.step for point in found] == [int(row["steps"]) for row in logged(place)]
    rates = [float(row["win_rate"]) for row in logged(place)]
    assert [point.value for point in found] == pytest.approx(rates, rel=1e-4)
    found = client.get_metric_history(run.info.run_id, "evaluation/sherlock against random")
    assert sorted(point.step for point in found) == [512, 1024]


def test_names_that_mlflow_does_not_take(tmp_path: Path) -> None:
    uri = f"sqlite:///{tmp_path / 'mlflow.db'}"
    policy = train(tmp_path)
    config = [*SMALL, f"output={tmp_path / 'second'}", f"trackers.mlflow.uri={uri}"]
    settings = load.load(runs.write(tmp_path), [*config, f"evaluation.opponents=['policy:{policy}?mode=sample']"])
    assert ppo.begin(settings)
    client = MlflowClient(tracking_uri=uri)
    (run,) = client.search_runs([experiment.experiment_id for experiment in client.search_experiments()])
    assert any("mode_sample" in name for name in run.data.metrics)


def test_a_server_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before training; the run can begin without it."""
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    place = tmp_path / "run"
    settings = load.load(runs.write(tmp_path), [*SMALL, f"output={place}", "trackers.mlflow.uri=http://127.0.0.1:9"])
    with pytest.raises(ConnectionError, match=r"trackers\.mlflow: "):
        ppo.begin(settings)
    assert ppo.begin(load.load(place / "config.yaml", ["trackers.mlflow=null"]))
