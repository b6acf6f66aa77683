"""Sweeps: what is tried and scored, trials that end early, and what is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import yaml
from optuna.trial import TrialState

from reichenbach.agents.stored import manifest
from reichenbach.training import cli, load, ppo, study, sweep
from reichenbach.training.config import ConfigError
from reichenbach.training.loop import RanAway, RunError
from tests.training import runs
from tests.training.sweeps import SMALL, settings, trials, write


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep that nothing interrupts."""
    folder = tmp_path_factory.mktemp("whole")
    assert sweep.begin(settings(folder))
    return folder / "sweep"


def test_every_trial_is_a_run_by_its_values(whole: Path) -> None:
    for trial in trials(whole):
        said = manifest(whole / "trials" / f"{trial.number:04d}" / "latest")["config"]
        assert said["ppo"]["learning_rate"] == {"start": trial.params["ppo.learning_rate.start"], "end": 0.001}
        assert said["ppo"]["epochs"] == trial.params["ppo.epochs"]
        assert said["network"]["hidden"] == yaml.safe_load(trial.params["network.hidden"])
        assert said["sweep"] is None
    values = [trial.params for trial in trials(whole)]
    assert len({tuple(value.values()) for value in values}) == len(values) == 4
    assert all(1e-4 <= value["ppo.learning_rate.start"] <= 0.1 and value["ppo.epochs"] in (1, 2, 3) for value in values)


def test_the_score_is_the_last_evaluation(whole: Path) -> None:
    ended = [trial for trial in trials(whole) if trial.state == TrialState.COMPLETE]
    assert ended
    for trial in ended:
        said = manifest(whole / "trials" / f"{trial.number:04d}" / "latest")
        rates = [entry["win_rate"] for entry in said["evaluation"]]
        assert said["steps"] == 768
        assert trial.value == pytest.approx(sum(rates) / len(rates))


def test_trials_below_the_median_end_early(whole: Path) -> None:
    """The median of those that came before, at the same evaluation; the first of all is never ended."""
    found = trials(whole)
    assert found[0].state == TrialState.COMPLETE
    for trial in found[1:]:
        for stage, score in trial.intermediate_values.items():
            before = sorted(
                other.intermediate_values[stage]
                for other in found[: trial.number]
                if stage in other.intermediate_values and other.state in (TrialState.COMPLETE, TrialState.PRUNED)
            )
            middle = (before[(len(before) - 1) // 2] + before[len(before) // 2]) / 2
            best_so_far = max(value for at, value in trial.intermediate_values.items() if at <= stage)
            ended = trial.state == TrialState.PRUNED and stage == max(trial.intermediate_values)
            assert ended == (best_so_far < middle), (trial.number, stage, score)


def test_the_best_config_trains_unchanged(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """To the same policy as the trial's."""
    best = max((t for t in trials(whole) if t.state == TrialState.COMPLETE), key=lambda trial: trial.value or 0)
    assert cli.main(["train", str(whole / "best.yaml")]) == 0
    again = manifest(whole / "best" / "latest")
    first = manifest(whole / "trials" / f"{best.number:04d}" / "latest")
    assert again["files"]["policy.safetensors"] == first["files"]["policy.safetensors"]


def test_what_cannot_be_is_a_trial_that_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By itself every value can be, but not all of them together."""
    space = (
        "sweep: {trials: 3, sampler: random, space: {ppo.n_steps: {choices: [1]}, ppo.batch_size: {choices: [64]}}}\n"
    )
    with pytest.raises(ConfigError, match="batch_size"):
        load.load(write(tmp_path, space), SMALL)
    space = "sweep: {trials: 6, space: {ppo.n_steps: {low: 2, high: 8}, ppo.batch_size: {choices: [64, 256]}}}\n"
    config = load.load(write(tmp_path, space), [*SMALL, f"output={tmp_path / 'sweep'}"])
    assert sweep.begin(config)
    shown = capsys.readouterr().out
    assert "batch_size: 256 is more than n_envs * n_steps" in shown
    assert "the best policy is policy:" in shown


def test_a_trial_that_ran_away_has_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_away(*_: object, **__: object) -> bool:
        raise RanAway("the loss is nan")

    monkeypatch.setattr(ppo, "begin", run_away)
    assert sweep.begin(settings(tmp_path, "sweep.trials=2"))
    shown = capsys.readouterr().out
    assert shown.count("the learning has run away") == 2
    assert not (tmp_path / "sweep" / "best.yaml").exists()


@pytest.mark.parametrize(
    ("space", "message"),
    [
        ("{}", "sweep.space: {} is not allowed; it must have at least 1 item"),
        ("{game: {choices: [manor]}}", "sweep.space.game: this is the same for all trials, as are game, seat"),
        ("{evaluation.games: {low: 1, high: 9}}", "sweep.space.evaluation.games: this is the same for all trials"),
        (
            "{options.max_rounds: {low: 1, high: 8}}",
            "of options, observe_... alone may vary: all trials play the same game",
        ),
        ("{ppo.epoch: {low: 1, high: 3}}", "sweep.space.ppo.epoch: there is no such key; did you mean epochs?"),
        ("{ppo.epochs: {low: 0, high: 3}}", "sweep.space.ppo.epochs: 0 is not allowed; it must be greater than 0"),
        ("{ppo.epochs: {low: 1, high: 2.5}}", "2.5 is not allowed"),
        ("{ppo.epochs: {low: 3, high: 1}}", "low: 3 is more than high: 1"),
        ("{ppo.gamma: {low: 0.0, high: 1.0, log: true}}", "a logarithm needs more than 0"),
        ("{ppo.gamma: {low: 0.5}}", "choices are needed, or low and high"),
        ("{ppo.gamma: {choices: [0.5], high: 1}}", "choices stand alone"),
        ("{ppo.gamma: {low: a, high: 1}}", "sweep.space.ppo.gamma.low: 'a' is not allowed; it must be a number"),
        ("{ppo.gamma: {lo: 1, high: 1}}", "sweep.space.ppo.gamma.lo: there is no such key; did you mean low?"),
        ("{ppo.gamma: {choices: []}}", "at least 1 item"),
        ("{ppo.n_steps: {low: 1, high: 99999999999999999}}", "whole numbers to 9007199254740992 are allowed"),
        (
            "{ppo.entropy: {choices: [0.1]}, ppo.entropy.start: {choices: [0.1]}}",
            "ppo.entropy: ppo.entropy.start is a part of it, or the same",
        ),
        ("{ppo.gamma: [0.9, 0.99]}", "[0.9, 0.99] is not allowed; it must be a mapping of choices, low, high, log"),
        ("{opponents.9.weight: {low: 1, high: 2}}", "there is no place 9 to set"),
        ("{opponents.0.agent: {choices: [greedyy]}}", "agent greedyy: there is none of that name"),
    ],
)
def test_mistakes_in_the_space_are_named(space: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as found:
        load.load(write(tmp_path, f"sweep:\n  space: {space}\n"))
    assert message in str(found.value)
    assert str(found.value).count("\n") == 0
    line = runs.YAML.count("\n") + 2
    assert f"config_of_test.yaml:{line}: " in str(found.value)


def test_what_is_refused(tmp_path: Path, whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RunError, match="sweep: this key is needed"):
        sweep.begin(load.load(runs.write(tmp_path), [f"output={tmp_path / 'x'}"]))
    assert not (tmp_path / "x").exists()
    config = str(write(tmp_path))
    assert cli.main(["sweep", config, f"output={whole}"]) == 2
    assert (
        "holds a sweep or a run already (there is sweep.yaml in it); continue it with --resume"
        in capsys.readouterr().err
    )
    assert cli.main(["sweep", "--resume", str(tmp_path)]) == 2
    assert "the folder of a sweep is needed" in capsys.readouterr().err
    assert cli.main(["sweep", "--resume", str(whole), "seed=9"]) == 2
    assert "seed: 9 now, 5 when the run began; only sweep.trials, " in capsys.readouterr().err
    assert cli.main(["sweep"]) == 2
    assert "sweep: a config is needed, or --resume DIR" in capsys.readouterr().err


def test_nothing_is_made_of_what_cannot_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    command = ["sweep", str(write(tmp_path)), f"output={tmp_path / 'sweep'}"]
    assert cli.main([*command, "trackers.wandb={}"]) == 2
    assert cli.main([*command, 'opponents=[{agent: "tests.agents.owned:broken"}]']) == 2
    assert "factory failed: RuntimeError" in capsys.readouterr().err
    assert not (tmp_path / "sweep").exists()


def test_a_single_run_takes_no_notice_of_it(tmp_path: Path) -> None:
    assert ppo.begin(settings(tmp_path, "total_steps=256", "sweep.trials=1"))
    assert not (tmp_path / "sweep" / study.FILE).exists()
