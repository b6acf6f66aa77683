"""The trials of a sweep: which values each tries, its run, and what came of it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from optuna.trial import FrozenTrial, Trial, TrialState

from reichenbach.agents.stored import locate, manifest
from reichenbach.envs.core.problems import first_line
from reichenbach.training import engines, folders, load, ppo, report, study
from reichenbach.training.command import command
from reichenbach.training.config import Axis, Config, ConfigError, Sweep
from reichenbach.training.loop import LATEST, RanAway, mean_win_rate, stoppable

TRIALS, CLAIMS, BEST = "trials", "claims", "best.yaml"


class Impossible(ValueError):
    """Values that are right one by one, but make no run together."""


class Search:
    """A sweep under way in a folder."""

    def __init__(self, folder: Path, config: Config, sweep: Sweep, found: optuna.Study) -> None:
        self.folder, self.config, self.sweep, self.study = folder, config, sweep, found
        self.study.pruner = optuna.pruners.NopPruner()
        if sweep.prune is not None:
            wait = {"n_startup_trials": sweep.prune.trials, "n_warmup_steps": sweep.prune.evaluation}
            self.study.pruner = optuna.pruners.MedianPruner(**wait)

    def go(self) -> bool:
        """Tries trial after trial; whether all that are its own came to an end."""
        with stoppable() as stop:
            while not stop.asked:
                with ExitStack() as claim:
                    with study.storage(self.folder):
                        trial = self._next(claim)
                    if trial is None:
                        break
                    if not self._try(trial):
                        return False
            if stop.asked:
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
        """What the trial tries, by key. Settled by the seed, the trial's number and those before it, key by key: one
        that was killed between two keys, or is given them in another order, goes on as if it had not been."""
        values = {}
        for key in sorted(self.sweep.space):
            words = [self.config.seed, 3, trial.number, *key.encode()]
            seed = int(np.random.SeedSequence(words).generate_state(1)[0])
            self.study.sampler = optuna.samplers.RandomSampler(seed=seed)
            if self.sweep.sampler == "tpe":
                self.study.sampler = optuna.samplers.TPESampler(seed=seed, multivariate=False)
            values[key] = _suggest(trial, key, self.sweep.space[key])
        return values

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
        trial.set_user_attr(study.WHY, why)
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

        begun = folders.exists(folder / LATEST)
        try:
            output = Path(manifest(locate(folder / LATEST))["config"]["output"]) if begun else folder
            config = self._config(values, output)  # a sweep's folder may have been moved
            total = config.total_steps
            if not begun:
                engine = engines.find(self.study.user_attrs[study.ENGINE])
                return ppo.begin(config, label=label, engine=engine, on_evaluation=report_to_study)
        except ConfigError as error:
            raise Impossible("; ".join(f"{problem.key}: {problem.message}" for problem in error.problems)) from error
        except MemoryError as error:
            raise Impossible(f"there is not enough memory: {first_line(error)}") from error
        return ppo.go_on(folder, config, label=label, on_evaluation=report_to_study)

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
            ended = trial.user_attrs.get(study.WHY, "under way" if trial.state == TrialState.RUNNING else "")
            rows.append([str(trial.number), score, *(_text(found.get(key, "")) for key in self.sweep.space), ended])
        lines = [report.table(rows)]
        if best := self._best():
            policy, again = f"policy:{self._place(best.number)}", shlex.quote(str(self.folder / BEST))
            lines.append(f"the best policy is {policy}; once more: {command()} train {again}")
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
