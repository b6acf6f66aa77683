"""The loop: what a run leaves, its schedules, and that judging it changes nothing."""

from __future__ import annotations

import csv
import json
import platform
import signal
import threading
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch
import yaml
from numpy.typing import NDArray

from reichenbach.agents import stored
from reichenbach.training import checkpoint, load, loop, ppo
from reichenbach.training.learner import MaskedPolicy
from reichenbach.training.run import Run
from tests.training import runs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("ppo")
    assert ppo.begin(load.load(runs.write(place), [f"output={place / 'run'}", "total_steps=2048"]))
    return place / "run"


def progress(folder: Path) -> list[dict[str, float]]:
    with (folder / "progress.csv").open(newline="", encoding="utf-8") as stream:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(stream)]


def test_what_a_run_leaves(folder: Path) -> None:
    assert {file.name for file in folder.iterdir()} == {
        *("best", "latest", "config.yaml", "evaluation.csv", "progress.csv", "tensorboard"),
    }
    data = json.loads((folder / "best" / "manifest.json").read_text(encoding="utf-8"))
    assert set(data) >= {*stored.NEEDED, "seed", "parent", "evaluation", "config", "versions"}
    assert data["config"] == yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    assert data["versions"]["torch"] == torch.__version__.partition("+")[0] or "+" in data["versions"]["torch"]
    assert [entry["seat"] for entry in data["evaluation"]] == ["sherlock", "moriarty"]
    for entry in data["evaluation"]:
        assert entry["interval"][0] <= entry["win_rate"] <= entry["interval"][1]
    files = {file.name for file in folder.rglob("*") if file.is_file()}
    assert not [name for name in files if name.endswith((".pkl", ".pt", ".zip"))]


def test_schedules_follow_the_total(folder: Path) -> None:
    rows = progress(folder)
    assert [row["steps"] for row in rows] == [256.0 * (i + 1) for i in range(8)]
    for i, row in enumerate(rows):
        assert row["learning_rate"] == pytest.approx(0.01 - 0.009 * i / 8, rel=1e-5)
        assert row["entropy_weight"] == pytest.approx(0.02 - 0.01 * i / 8, rel=1e-5)
    assert all(0 < row["environment_share"] < row["collect_share"] < 1 for row in rows)


def test_judging_changes_nothing(tmp_path: Path, folder: Path) -> None:
    overrides = [f"output={tmp_path / 'run'}", "total_steps=2048", "evaluation.every=300", "evaluation.games=3"]
    assert ppo.begin(load.load(runs.write(tmp_path), overrides))
    weights = [(place / "latest" / "policy.safetensors").read_bytes() for place in (folder, tmp_path / "run")]
    assert weights[0] == weights[1]


def test_it_runs_in_a_thread(tmp_path: Path) -> None:
    config = load.load(runs.write(tmp_path), [f"output={tmp_path / 'run'}", "total_steps=256"])
    ended: list[bool] = []
    thread = threading.Thread(target=lambda: ended.append(ppo.begin(config)))
    thread.start()
    thread.join()
    assert ended == [True]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_asks_and_the_second_stops(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with loop.stoppable() as stop:
        signal.raise_signal(number)
        assert stop.asked
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
    assert signal.getsignal(number) is before


def test_versions_of_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PACKAGES", ("numpy", "no-such-package"))
    assert checkpoint.versions() == {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "no-such-package": "not installed",
    }


def test_both_seats_are_learnt_by_halves(tmp_path: Path) -> None:
    run = Run(load.load(runs.write(tmp_path)))
    assert np.bincount(run.lockstep.seat).tolist() == [16, 16]


def policy(tmp_path: Path) -> tuple[MaskedPolicy, torch.Tensor, NDArray[Any]]:
    run = Run(load.load(runs.write(tmp_path)))
    return cast("MaskedPolicy", run.model.policy), torch.from_numpy(run.lockstep.observation), run.lockstep.action_mask


def test_the_policy_agrees_with_the_library(tmp_path: Path) -> None:
    """Log-probabilities and entropies against the library's own masked distribution."""
    found, observations, masks = policy(tmp_path)
    actions, values, logs = found(observations, action_masks=masks)
    logits, _ = found.network(observations)
    distribution = found.action_dist.proba_distribution(action_logits=logits)
    distribution.apply_masking(masks)
    again, logs_again, entropy = found.evaluate_actions(observations, actions, torch.from_numpy(masks).float())
    assert masks[np.arange(len(actions)), actions.numpy()].all()
    assert torch.allclose(logs, distribution.log_prob(actions), atol=1e-5)
    assert torch.allclose(logs, logs_again)
    assert torch.allclose(entropy, cast("torch.Tensor", distribution.entropy()), atol=1e-5)
    assert torch.equal(values.squeeze(1), again)
    assert torch.equal(values, found.predict_values(observations))
    likeliest, _ = found.predict(observations.numpy(), deterministic=True, action_masks=masks)
    assert likeliest.tolist() == distribution.mode().tolist()
