"""Sweeps that are stopped, killed, continued, shared, damaged."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from optuna.trial import TrialState

from reichenbach.training import cli, load, ppo, search, study, sweep
from reichenbach.training.config import ConfigError
from reichenbach.training.loop import RunError
from tests.training.sweeps import SMALL, found, settings, trials, write

# `reichenbach sweep` that is asked to stop when it has done something for the third time, or for the first.
STOPPED = """
import os, sys
from reichenbach.training import cli, loop, search
owner, _, name = "{point}".rpartition(".")
owner = eval(owner)
did, times = getattr(owner, name), []

def do(*arguments):
    did(*arguments)
    times.append(1)
    if len(times) == (3 if name == "_evaluate" else 1):
        os.kill(os.getpid(), {number})

setattr(owner, name, do)
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep that nothing interrupts."""
    folder = tmp_path_factory.mktemp("whole")
    assert sweep.begin(settings(folder))
    return folder / "sweep"


def test_more_trials_later_are_those_of_a_longer_sweep(tmp_path: Path, whole: Path) -> None:
    assert sweep.begin(settings(tmp_path, "sweep.trials=2"))
    place = tmp_path / "sweep"
    assert len(trials(place)) == 2
    assert cli.main(["sweep", "--resume", str(place), "sweep.trials=4"]) == 0
    assert [(t.params, t.value, t.state) for t in trials(place)] == [
        (t.params, t.value, t.state) for t in trials(whole)
    ]


def test_a_killed_sweep_goes_on(tmp_path: Path, whole: Path) -> None:
    """In the trial that it was in, from its latest checkpoint; it finds what a sweep finds that nothing interrupts."""
    place = tmp_path / "sweep"
    command = [sys.executable, "-m", "reichenbach", "sweep", str(write(tmp_path)), *SMALL, f"output={place}"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"}) as process:
        progress = place / "trials" / "0001" / "progress.csv"
        while not progress.is_file() or progress.read_text(encoding="utf-8").count("\n") < 2:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    left = trials(place)
    assert len(left) < 4 or left[-1].state == TrialState.RUNNING
    assert sweep.go_on(place, None)
    assert [(t.params, t.value, t.intermediate_values) for t in trials(place)] == [
        (t.params, t.value, t.intermediate_values) for t in trials(whole)
    ]


def test_two_at_once_share_the_trials(tmp_path: Path) -> None:
    place = tmp_path / "sweep"
    first = [
        sys.executable,
        "-m",
        "reichenbach",
        "sweep",
        str(write(tmp_path)),
        *SMALL,
        f"output={place}",
        "sweep.trials=16",
    ]
    second = [sys.executable, "-m", "reichenbach", "sweep", "--resume", str(place)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(first, stdout=subprocess.PIPE, text=True, env=environment) as one:
        while not (place / sweep.CONFIG).is_file():
            assert one.poll() is None
            time.sleep(0.01)
        other = subprocess.run(second, capture_output=True, text=True, check=False, env=environment)
        said, _ = one.communicate()
    assert (one.returncode, other.returncode) == (0, 0), other.stderr
    tried = [set(re.findall(r"^trial (\d+): ", text, re.MULTILINE)) for text in (said, other.stdout)]
    assert all(tried)
    assert sorted(map(int, [*tried[0], *tried[1]])) == list(range(16)), "each trial is one process's"
    found = trials(place)
    assert [trial.number for trial in found] == list(range(16))
    assert {trial.state for trial in found} <= {TrialState.COMPLETE, TrialState.PRUNED}
    assert (place / "best.yaml").is_file()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("point", ["loop.Training._evaluate", "search.Search._write_best"])
def test_a_stop_is_heard_wherever_it_comes(point: str, number: signal.Signals, tmp_path: Path, whole: Path) -> None:
    """In the last evaluation of a trial, and between two."""
    place = tmp_path / "sweep"
    code = STOPPED.format(point=point, number=int(number))
    command = [sys.executable, "-c", code, "sweep", str(write(tmp_path)), *SMALL, f"output={place}"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert f"continue with: {sys.executable}" in ended.stderr or "sweep --resume" in ended.stderr
    assert len(trials(place)) == 1
    assert sweep.go_on(place, None)
    assert found(place) == found(whole)


def test_a_trial_whose_values_were_half_drawn_draws_the_same(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between two keys; and the order of the keys means nothing."""
    config = settings(tmp_path)
    place = tmp_path / "sweep"
    suggested = search._suggest
    drawn = 0

    def once(*arguments: Any) -> Any:
        nonlocal drawn
        drawn += 1
        if drawn == 2:
            raise KeyboardInterrupt
        return suggested(*arguments)

    monkeypatch.setattr(search, "_suggest", once)
    with pytest.raises(KeyboardInterrupt):
        sweep.begin(config)
    monkeypatch.undo()
    assert [len(trial.params) for trial in trials(place)] == [1]
    backwards = (place / sweep.CONFIG).read_text(encoding="utf-8")
    space = yaml.safe_load(backwards)
    space["sweep"]["space"] = dict(reversed(space["sweep"]["space"].items()))
    (place / sweep.CONFIG).write_text(yaml.safe_dump(space, sort_keys=False), encoding="utf-8")
    assert sweep.go_on(place, None)
    assert found(place) == found(whole)


def test_other_runs_are_not_taken_for_trials(tmp_path: Path) -> None:
    config = settings(tmp_path, "sweep.trials=1")
    place = tmp_path / "sweep"
    (place / "trials").mkdir(parents=True)
    with pytest.raises(RunError, match="there is trials in it"):
        sweep.begin(config)
    (place / "trials").rmdir()
    assert sweep.begin(config)
    assert ppo.begin(settings(tmp_path, f"output={place / 'trials' / '0001'}", "seed=77"))
    with pytest.raises(ConfigError, match="seed: 5 now, 77 when the run began"):
        sweep.go_on(place, load.load(place / sweep.CONFIG, ["sweep.trials=2"]))
    with pytest.raises(RunError, match="holds a sweep already"):
        ppo.begin(settings(tmp_path))
    with pytest.raises(RunError, match="this is the folder of a sweep"):
        ppo.go_on(place, None)


def test_a_config_that_was_edited_is_refused(tmp_path: Path, whole: Path) -> None:
    shutil.copytree(whole, tmp_path / "sweep")
    file = tmp_path / "sweep" / sweep.CONFIG
    text = file.read_text(encoding="utf-8")
    for old, new, key in (("seed: 5", "seed: 6", "seed"), ("high: 3", "high: 4", "sweep.space.ppo.epochs.high")):
        file.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(ConfigError, match=f"study.db: {key}|--resume .*: {key}: "):
            sweep.go_on(tmp_path / "sweep", None)


@pytest.mark.parametrize("kind", ["empty", "no database"])
def test_a_damaged_study_is_named(kind: str, tmp_path: Path, whole: Path) -> None:
    (tmp_path / sweep.CONFIG).write_bytes((whole / sweep.CONFIG).read_bytes())
    (tmp_path / study.FILE).write_text("" if kind == "empty" else kind, encoding="utf-8")
    with pytest.raises(RunError, match=r"study\.db: .*: damaged"):
        sweep.go_on(tmp_path, None)
