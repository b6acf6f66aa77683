"""A run that was stopped or killed and continued is, to the last bit, the run that was not."""

from __future__ import annotations

import csv
import json
import os
import signal
import time
from pathlib import Path

import pytest

from reichenbach.training import load, ppo
from reichenbach.training.problems import ConfigError
from tests.training import runs

WEIGHTS = ("policy.safetensors", "resume/optimiser.safetensors", "resume/snapshots.safetensors")
ARRAYS = ("resume/state.games.npy", "resume/state.last_observation.npy", "resume/state.torch.npy")
TIMES = ("steps_per_second", "collect_share", "environment_share")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing interrupts."""
    folder = tmp_path_factory.mktemp("whole")
    config = load.load(runs.write(folder), [f"output={folder / 'run'}"])
    assert ppo.begin(config)
    return folder / "run"


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as stream:
        return [{k: v for k, v in row.items() if k not in TIMES} for row in csv.DictReader(stream)]


def same(one: Path, other: Path) -> None:
    for name in (*WEIGHTS, *ARRAYS):
        assert (one / "latest" / name).read_bytes() == (other / "latest" / name).read_bytes(), name
    assert rows(one / "progress.csv") == rows(other / "progress.csv")
    assert rows(one / "evaluation.csv") == rows(other / "evaluation.csv")
    assert (one / "best" / WEIGHTS[0]).read_bytes() == (other / "best" / WEIGHTS[0]).read_bytes()


@pytest.mark.parametrize("iteration", [2, 5, 9])
def test_killed_and_continued(whole: Path, tmp_path: Path, iteration: int) -> None:
    folder = tmp_path / "run"
    process = runs.start(runs.write(tmp_path), f"output={folder}")
    while runs.iterations(folder) < iteration + 1 and process.poll() is None:
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert iteration < runs.iterations(folder) < runs.ITERATIONS
    assert ppo.go_on(folder, None)
    same(whole, folder)


def test_asked_to_stop_and_continued(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = runs.start(runs.write(tmp_path), f"output={folder}")
    while runs.iterations(folder) < 4 and process.poll() is None:
        time.sleep(0.002)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate()
    assert process.returncode == 1
    assert f"continue with: reichenbach train --resume {folder}" in errors
    stopped = runs.iterations(folder)
    steps = json.loads((folder / "latest" / "manifest.json").read_text(encoding="utf-8"))["steps"]
    assert steps == stopped * 256 < 4_096
    assert ppo.go_on(folder, None)
    same(whole, folder)


def test_the_total_may_change(whole: Path, tmp_path: Path) -> None:
    config = load.load(runs.write(tmp_path), [f"output={tmp_path / 'run'}", "total_steps=512"])
    assert ppo.begin(config)
    assert ppo.go_on(tmp_path / "run", load.load(tmp_path / "run" / "config.yaml", ["total_steps=1024"]))
    data = json.loads((tmp_path / "run" / "latest" / "manifest.json").read_text(encoding="utf-8"))
    assert data["steps"] == 1024
    assert data["parent"].endswith("latest at step 512")
    assert data["config"]["total_steps"] == 1024


def test_nothing_else_may_change(whole: Path) -> None:
    overrides = ["ppo.gamma=0.5", "seed=6", "opponents.0.weight=3"]
    with pytest.raises(ConfigError) as error:
        ppo.go_on(whole, load.load(whole / "config.yaml", overrides))
    assert {problem.key for problem in error.value.problems} == {"ppo.gamma", "seed", "opponents"}
    assert "0.5 now, 1.0 when the run began; only total_steps may change on resume" in str(error.value)


def test_a_run_is_not_begun_twice(whole: Path) -> None:
    with pytest.raises(ppo.RunError, match="holds a run already; continue it with --resume"):
        ppo.begin(load.load(whole / "config.yaml"))


def test_nothing_to_continue(tmp_path: Path) -> None:
    with pytest.raises(ppo.RunError, match="there is no latest/resume in it"):
        ppo.go_on(tmp_path, None)


def test_a_damaged_checkpoint_is_refused(whole: Path, tmp_path: Path) -> None:
    config = load.load(runs.write(tmp_path), [f"output={tmp_path / 'run'}", "total_steps=512"])
    assert ppo.begin(config)
    file = tmp_path / "run" / "latest" / "resume" / "state.games.npy"
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(ppo.RunError, match="the latest checkpoint is damaged"):
        ppo.go_on(tmp_path / "run", None)
