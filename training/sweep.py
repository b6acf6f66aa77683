"""Many runs of a config with other values for some keys: chosen by Optuna, ended early where they fall behind.

The folder of a sweep holds ``sweep.yaml`` (its config), ``study.db`` (Optuna's, SQLite), ``trials/0000``, ``0001`` and
so on (a run each), and ``best.yaml``. Several processes may work in one folder, each on the trial that it has claimed;
what a killed one leaves, another goes on with.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from optuna.trial import FrozenTrial, Trial, TrialState

from reichenbach.agents.stored import locate, manifest
from reichenbach.envs.core.problems import first_line
from reichenbach.training import engines, folders, load, ppo, report, resume
from reichenbach.training.command import command
from reichenbach.training.config import Axis, Config, ConfigError, Sweep
from reichenbach.training.engines import LOCAL, Engine
from reichenbach.training.loop import LATEST, RanAway, RunError, mean_win_rate

CONFIG, STUDY, TRIALS, CLAIMS, BEST = "sweep.yaml", "study.db", "trials", "claims", "best.yaml"
MAY_CHANGE = ("sweep.trials", "ray", "trackers")
WHY, ENGINE = "why", "engine"  # what is noted in the study: why a trial ended early, by what all are trained


def begin(config: Config, *, engine: Engine = LOCAL) -> bool:
    """Tries all trials in ``config.output``; False if it was stopped before the end.

    Raises:
        RunError: the config has no sweep, or the folder holds a sweep or a run already.
        OSError: the folder cannot be written to.
    """
    output = Path(config.output)
    if config.sweep is None:
        raise RunError("sweep: this key is needed; it says what to try: sweep: {space: {KEY: {low: ..., high: ...}}}")
    _refuse_old(output)
    output.mkdir(parents=True, exist_ok=True)
    with folders.locked(output, wait=True):
        _refuse_old(output)  # another process may have begun meanwhile
        _study(output).set_user_attr(ENGINE, engine.name)
        folders.write_text(output / CONFIG, load.text(config))
    return Search(output, config, config.sweep).go()


def _refuse_old(output: Path) -> None:
    if (output / CONFIG).exists() or folders.exists(output / LATEST):
        raise RunError(f"output: {output} holds a sweep or a run already; continue it with --resume, or set output=")


def go_on(folder: Path, config: Config | None) -> bool:
    """Continues the sweep in ``folder``, also beside other processes that work on it.

    ``config`` may change ``sweep.trials``, ``ray`` and ``trackers`` alone.

    Raises:
        RunError: there is no sweep.
        ConfigError: the config differs in something else.
        OSError: the folder cannot be written to.
    """
    if not (folder / CONFIG).is_file() or not (folder / STUDY).is_file():
        raise RunError(f"--resume {folder}: there is no {CONFIG} and {STUDY} in it; the folder of a sweep is needed")
    with folders.locked(folder, wait=True):
        before = load.load(folder / CONFIG)
        config = before if config is None else config
        resume.refuse_changes(before, config, f"--resume {folder}", MAY_CHANGE)
        if config.sweep is None:
            raise RunError(f"--resume {folder}: its {CONFIG} is damaged: there is no sweep in it")
        folders.write_text(folder / CONFIG, load.text(config))
    return Search(folder, config, config.sweep).go()


def _study(folder: Path) -> optuna.Study:
    """The study in the folder, new or as it was left."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    file = folder / STUDY

    def connect() -> sqlite3.Connection:  # by its path: in an address some letters mean something
        return sqlite3.connect(file, timeout=60, check_same_thread=False)

    try:
        storage = optuna.storages.RDBStorage("sqlite:///", engine_kwargs={"creator": connect})
        return optuna.create_study(storage=storage, study_name="sweep", direction="maximize", load_if_exists=True)
    except Exception as error:  # of many kinds, SQLite's, SQLAlchemy's and Optuna's
        raise RunError(f"{file}: damaged: {first_line(error)}") from error


class Impossible(ValueError):
    """Values that are right one by one, but make no run together."""


class Search:
    """A sweep under way in a folder."""

    def __init__(self, folder: Path, config: Config, sweep: Sweep) -> None:
        self.folder, self.config, self.sweep = folder, config, sweep
        self.study = _study(folder)
        self.study.pruner = optuna.pruners.NopPruner()
        if sweep.prune is not None:
            wait = {"n_startup_trials": sweep.prune.trials, "n_warmup_steps": sweep.prune.evaluation}
            self.study.pruner = optuna.pruners.MedianPruner(**wait)

    def go(self) -> bool:
        """Tries trial after trial; whether all that are its own came to an end."""
        while True:
            with ExitStack() as claim:
                trial = self._next(claim)
                if trial is None:
                    break
                if not self._try(trial):
                    return False
        self._write_best()  # a process may have been killed before it did
        print(self._summary())
        return True

    def _next(self, claim: ExitStack) -> Trial | None:
        """A trial that a process left under way, else a new one, else none: all that were asked for have begun."""
        with folders.locked(self.folder, wait=True):
            trials = self.study.get_trials(deepcopy=False)
            for left in trials:
                if left.state == TrialState.RUNNING and self._claimed(left.number, claim):
                    return Trial(self.study, left._trial_id)
            if len(trials) >= self.sweep.trials:
                return None
            trial = self.study.ask()
            self._claimed(trial.number, claim)
            return trial

    def _claimed(self, number: int, claim: ExitStack) -> bool:
        """Claims a trial for this process; whether no other works on it, nor has ended it meanwhile."""
        file = self.folder / CLAIMS / f"{number:04d}"
        file.parent.mkdir(exist_ok=True)
        file.touch()
        try:
            claim.enter_context(folders.locked(file))
        except folders.InUse:
            return False
        return self.study.get_trials(deepcopy=False)[number].state == TrialState.RUNNING

    def _values(self, trial: Trial) -> dict[str, Any]:
        """What the trial tries, by key; settled by the seed, its number and the trials before it."""
        seed = int(np.random.SeedSequence([self.config.seed, 3, trial.number]).generate_state(1)[0])
        samplers = {"tpe": optuna.samplers.TPESampler, "random": optuna.samplers.RandomSampler}
        self.study.sampler = samplers[self.sweep.sampler](seed=seed)
        return {key: _suggest(trial, key, axis) for key, axis in self.sweep.space.items()}

    def _try(self, trial: Trial) -> bool:
        """Trains the trial to its end and tells the study; False if it was stopped before."""
        folder = self._place(trial.number)
        try:
            if not self._train(trial, folder):
                return False
        except optuna.TrialPruned:
            why = "behind the median"
        except RanAway:
            why = "the learning has run away"
        except Impossible as error:
            why = str(error)
        else:
            self.study.tell(trial, mean_win_rate(manifest(locate(folder / LATEST))["evaluation"]))
            self._write_best()
            return True
        trial.set_user_attr(WHY, why)
        self.study.tell(trial, state=TrialState.PRUNED)
        return True

    def _train(self, trial: Trial, folder: Path) -> bool:
        """Begins the trial's run, or goes on with it; whether it came to its end."""
        label, values = f"trial {trial.number}", self._values(trial)
        print(f"{label}: {', '.join(f'{key}={_text(value)}' for key, value in values.items())}", flush=True)
        known = self.study.get_trials(deepcopy=False)[trial.number].intermediate_values  # of a run that goes on

        def report_to_study(steps: int, win_rate: float) -> None:
            stage = steps // self.config.evaluation.every
            if steps < total:  # the last one is the trial's score, which is told
                if stage not in known:
                    trial.report(win_rate, stage)
                if trial.should_prune():
                    raise optuna.TrialPruned

        try:
            config = self._config(values, folder)
            total = config.total_steps
            if not folders.exists(folder / LATEST):
                engine = engines.find(self.study.user_attrs[ENGINE])
                return ppo.begin(config, label=label, engine=engine, on_evaluation=report_to_study)
        except ConfigError as error:
            raise Impossible("; ".join(f"{problem.key}: {problem.message}" for problem in error.problems)) from error
        return ppo.go_on(folder, None, label=label, on_evaluation=report_to_study)

    def _place(self, number: int) -> Path:
        return self.folder / TRIALS / f"{number:04d}"

    def _config(self, values: Mapping[str, Any], output: Path) -> Config:
        return load.overridden(self.config, {"sweep": None, "output": str(output), **values})

    def _write_best(self) -> None:
        with folders.locked(self.folder, wait=True):
            if best := self._best():
                config = self._config(self._found(best), self.folder / "best")
                folders.write_text(self.folder / BEST, load.text(config))

    def _best(self) -> FrozenTrial | None:
        """The trial that won most, if one came to its end."""
        ended = self.study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        return max(ended, key=_win_rate, default=None)

    def _found(self, trial: FrozenTrial) -> dict[str, Any]:
        """What a trial tried, by key."""
        return {
            key: value if self.sweep.space[key].choices is None else json.loads(value)
            for key, value in trial.params.items()
        }

    def _summary(self) -> str:
        """A table of all trials, the best first, and what to do with the best."""
        trials = sorted(self.study.get_trials(deepcopy=False), key=_win_rate, reverse=True)
        rows = [["trial", "win rate", *self.sweep.space, "ended"]]
        for trial in trials:
            found, score = self._found(trial), "" if _win_rate(trial) < 0 else report.percent(_win_rate(trial))
            ended = trial.user_attrs.get(WHY, "under way" if trial.state == TrialState.RUNNING else "")
            rows.append([str(trial.number), score, *(_text(found.get(key, "")) for key in self.sweep.space), ended])
        lines = [report.table(rows)]
        if best := self._best():
            again = f"{command()} train {self.folder / BEST}"
            lines.append(f"the best policy is policy:{self._place(best.number)}; once more: {again}")
        return "\n".join(lines)


def _suggest(trial: Trial, key: str, axis: Axis) -> Any:
    if axis.choices is not None:  # as text: Optuna keeps no lists and mappings
        return json.loads(trial.suggest_categorical(key, [json.dumps(choice) for choice in axis.choices]))
    if isinstance(axis.low, int) and isinstance(axis.high, int):
        return trial.suggest_int(key, axis.low, axis.high, log=axis.log)
    return trial.suggest_float(key, axis.low, axis.high, log=axis.log)


def _win_rate(trial: FrozenTrial) -> float:
    """At the trial's end, less than 0 where it came to none."""
    return trial.value if trial.state == TrialState.COMPLETE and trial.value is not None else -1.0


def _text(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else value if isinstance(value, str) else json.dumps(value)
