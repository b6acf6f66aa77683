"""Learning from an agent before learning from play."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from reichenbach.agents.network import Network, masked
from reichenbach.training import imitation, load, ppo
from reichenbach.training.imitation import Shown
from reichenbach.training.log import Log
from reichenbach.training.run import LOGGED
from tests.training import runs
from tests.training.teachers import OWNED, TEXT, built, collected, teacher_of

ALIKE = ("policy.safetensors", *(f"resume/{name}.safetensors" for name in ("optimiser", "snapshots")))
ARRAYS = ("resume/state.games.npy", "resume/state.last_observation.npy", "resume/state.torch.npy")
TIMES = ("steps_per_second", "collect_share", "environment_share")


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


# ---------------------------------------------------------------- what is learnt


def likeness(network: Network, shown: Shown) -> tuple[float, float]:
    """Cross-entropy against the teacher's actions, and how often the likeliest action is his."""
    count = shown.actions.size
    actions = torch.from_numpy(shown.actions.reshape(count, 1))
    with torch.no_grad():
        logits, _ = network(torch.from_numpy(shown.observations.reshape(count, -1)))
    chances = masked(logits, torch.from_numpy(shown.masks.reshape(count, -1)))
    agrees = chances.argmax(1, keepdim=True) == actions
    return -chances.gather(1, actions).mean().item(), agrees.float().mean().item()


@pytest.mark.parametrize(("seat", "nearer", "more"), [("sherlock", 0.3, 0.08), ("moriarty", 1.0, 0.4)])
def test_the_teachers_actions_become_likelier(tmp_path: Path, seat: str, nearer: float, more: float) -> None:
    """On moves of games that the learner has not seen. Greedy draws lots as Sherlock: few can agree with it often."""
    overrides = [f"seat={seat}", "opponents=[{agent: random}]", "imitation.epochs=6"]
    unseen = collected(built(tmp_path, *overrides, "seed=9", "imitation.own=0.0"))
    run = built(tmp_path, *overrides)
    before, agreed = likeness(run.network, unseen)
    for _ in range(6):
        logged = run.iterate()
        assert math.isfinite(logged["imitation_loss"])
        assert math.isfinite(logged["value_loss"])
    after, agrees = likeness(run.network, unseen)
    assert after < before - nearer
    assert agrees > agreed + more


def test_values_come_nearer_to_what_moves_came_to(tmp_path: Path) -> None:
    run = built(tmp_path)
    shown, wanted = collected(run), teacher_of(run).wanted
    logged = [imitation.learn(run.model, run.network, shown, wanted, 0.003) for _ in range(8)]
    assert logged[-1]["value_loss"] < logged[0]["value_loss"]
    assert logged[-1]["imitation_loss"] < logged[0]["imitation_loss"]


@pytest.mark.parametrize(
    ("gamma", "expected"),
    [
        (1.0, [[2, 0.5, 1], [2, -1, 0], [8, -1, 0], [8, -1, -1]]),
        (0.5, [[1, 0.5, 1], [2, -0.125, 0], [2, -0.25, 0], [4, -0.5, -1]]),
        (0.0, [[0, 0.5, 1], [2, 0, 0], [0, 0, 0], [0, 0, -1]]),
    ],
)
def test_returns(gamma: float, expected: list[list[float]]) -> None:
    """Rewards to the end of each game, discounted; the value of the last position stands for a game that goes on."""
    shown = Shown(steps=4, games=3, size=1, actions=1)
    shown.rewards[:] = [[0.0, 0.5, 1.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, -1.0]]
    shown.done[:] = [[False, True, True], [True, False, True], [False, False, True], [False, False, True]]
    returns = shown.returns(np.array([8, -1, 5], np.float32), gamma)
    assert returns.dtype == np.float32
    assert returns.tolist() == expected


# ---------------------------------------------------------------- a run with both phases


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing interrupts."""
    folder = tmp_path_factory.mktemp("whole")
    assert ppo.begin(load.load(runs.write(folder, TEXT), [f"output={folder / 'run'}"]))
    return folder / "run"


def test_play_follows_the_imitation(whole: Path) -> None:
    """Steps are counted on, in whole iterations, and every row of the table has every column."""
    found = [{name: float(value) for name, value in row.items()} for row in rows(whole / "progress.csv")]
    assert [row["steps"] for row in found] == [256 * (i + 1) for i in range(16)]
    both = {"learning_rate", "value_loss"}
    for i, row in enumerate(found):
        imitated = i < 6
        for name in ("imitation_loss", *LOGGED):
            assert math.isfinite(row[name]) == (name in both or (name == "imitation_loss") == imitated), (i, name)
        assert row["learning_rate"] == pytest.approx(0.003 if imitated else 0.01 - 0.009 * i / 16, rel=1e-5)
        assert 0 < row["environment_share"] < row["collect_share"] < 1
    assert found[5]["imitation_loss"] < found[0]["imitation_loss"]


def test_the_columns_are_those_of_both_phases(tmp_path: Path, whole: Path) -> None:
    assert ppo.begin(load.load(runs.write(tmp_path), [f"output={tmp_path / 'run'}", "total_steps=256"]))
    alone = list(rows(tmp_path / "run" / "progress.csv")[0])
    assert set(rows(whole / "progress.csv")[0]) == {*alone, "imitation_loss"}


def test_imitation_may_be_all_of_a_run(tmp_path: Path, whole: Path) -> None:
    """A total that is no larger leaves nothing for play; with a larger one it goes on as if it had always been that."""
    folder = tmp_path / "run"
    assert ppo.begin(load.load(runs.write(tmp_path, TEXT), [f"output={folder}", "total_steps=768"]))
    assert [math.isfinite(float(row["imitation_loss"])) for row in rows(folder / "progress.csv")] == [True] * 3
    assert ppo.go_on(folder, load.load(folder / "config.yaml", ["total_steps=4096"]))
    same(whole, folder)


def same(one: Path, other: Path) -> None:
    for name in (*ALIKE, *ARRAYS):
        assert (one / "latest" / name).read_bytes() == (other / "latest" / name).read_bytes(), name
    tables = [
        [{name: text for name, text in row.items() if name not in TIMES} for row in rows(run / "progress.csv")]
        for run in (one, other)
    ]
    assert tables[0] == tables[1]


class Crash(Exception):
    """What ends a run in a test."""


@pytest.mark.parametrize(("agent", "last"), [("greedy", 4), ("greedy", 8), ("greedy", 11), (f"{OWNED}:counts", 4)])
def test_a_run_that_crashed_is_continued_exactly(
    tmp_path: Path, whole: Path, agent: str, last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a checkpoint within the imitation, from the one at its end, and from one after it."""
    file, change = runs.write(tmp_path, TEXT), [f"imitation.agent={agent}"]
    if agent != "greedy":
        whole = tmp_path / "whole"
        assert ppo.begin(load.load(file, [*change, f"output={whole}"]))
    iteration = Log.iteration

    def crashing(log: Log, steps: int, values: Any) -> None:
        iteration(log, steps, values)
        if steps == 256 * last:
            raise Crash

    monkeypatch.setattr(Log, "iteration", crashing)
    with pytest.raises(Crash):
        ppo.begin(load.load(file, [*change, f"output={tmp_path / 'run'}"]))
    monkeypatch.undo()
    np.random.seed(99)  # noqa: NPY002  the learner's generators, left as another process has them
    torch.manual_seed(99)
    assert ppo.go_on(tmp_path / "run", None)
    same(whole, tmp_path / "run")
