"""The training loop: iterate, judge from time to time, save, and stop cleanly when asked to."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from reichenbach.agents import registry
from reichenbach.agents.policy import Policy
from reichenbach.agents.stored import BOTH
from reichenbach.envs.core.seat import Agent
from reichenbach.training import checkpoint, folders, tracking
from reichenbach.training.config import SELF
from reichenbach.training.engines import Engine, Learning
from reichenbach.training.evaluate import agent_seed, judge
from reichenbach.training.log import Log, Progress
from reichenbach.training.run import Diverged

BEST, LATEST = "best", "latest"

OnEvaluation = Callable[[int, float], None]  # told the steps and the mean win rate


class RunError(ValueError):
    """A run that cannot be begun or continued; says why and what to do."""


class RanAway(RunError):
    """The learning diverged: nothing can be done with this run."""


@dataclass
class Stop:
    """Whether the run was asked to stop."""

    asked: bool = False


@dataclass
class Standing:
    """What the loop remembers between iterations and across a resume."""

    best: float = -1.0  # mean win rate of the best checkpoint
    evaluation: list[dict[str, Any]] = field(default_factory=list)  # the last one
    parent: str | None = None

    def judged(self) -> str:
        """The last evaluation in a few words."""
        return "".join(f"  {e['opponent']} {100 * e['win_rate']:.1f} %" for e in self.evaluation)


class Training:
    """A run, the engine that trains it, and the folder that it leaves."""

    def __init__(
        self, engine: Engine, run: Learning, output: Path, standing: Standing, on_evaluation: OnEvaluation | None = None
    ) -> None:
        self.engine, self.run, self.output = engine, run, output
        self.standing, self.on_evaluation = standing, on_evaluation

    def go(self, label: str, *, new: bool = False) -> bool:
        """Trains to the end, or until asked to stop; whether it came to the end. A new run is saved at once.

        Raises:
            RanAway: the learning diverged.
            ConnectionError: a tracker cannot be reached.
        """
        run, config = self.run, self.run.config
        log = Log(self.output, run.steps, tracking.opened(config, self.output, run.steps))
        progress = Progress(label or config.seat, config.total_steps, run.steps)
        progress.judged = self.standing.judged()
        try:
            with stoppable() as stop:
                if new:
                    self.save()  # so that a run killed early can be continued too
                while run.steps < config.total_steps and not stop.asked:
                    before = run.steps
                    values = run.iterate()
                    done = run.steps >= config.total_steps
                    log.iteration(run.steps, values)
                    due = done or run.steps // config.evaluation.every > before // config.evaluation.every
                    if due:
                        self._evaluate(log)
                        progress.judged = self.standing.judged()
                    if done or stop.asked or run.iteration % config.save_every == 0:
                        self.save()
                    progress.show(run.steps, values["win_rate"], always=due)
        except Diverged as error:
            advice = "latest and best are from before it; begin anew, with a smaller learning rate say"
            raise RanAway(f"{self.output}: the learning has run away {error}; {advice}") from error
        finally:
            progress.end()
            log.close()
        return run.steps >= config.total_steps

    def save(self) -> None:
        """The latest checkpoint, with all that continuing the run needs."""
        with folders.replacing(self.output / LATEST) as folder:
            self.engine.save(folder, self.run, {"best": self.standing.best, "evaluation": self.standing.evaluation})
            checkpoint.write(folder, self.run.network, self._manifest())

    def _evaluate(self, log: Log) -> None:
        """Frozen: the networks are not trained, and every generator used is the evaluation's own."""
        run, standing = self.run, self.standing
        standing.evaluation = [
            {"seat": seat, "opponent": text, **_against(run, seat, text)}
            for seat in (run.face.seats if run.config.seat == BOTH else (run.config.seat,))
            for text in run.config.evaluation.opponents
        ]
        log.evaluated(run.steps, {f"{e['seat']} against {e['opponent']}": e["win_rate"] for e in standing.evaluation})
        score = mean_win_rate(standing.evaluation)
        if score > standing.best:
            standing.best = score
            with folders.replacing(self.output / BEST) as folder:
                checkpoint.write(folder, run.network, self._manifest())
        if self.on_evaluation:
            self.on_evaluation(run.steps, score)

    def _manifest(self) -> dict[str, Any]:
        run, standing = self.run, self.standing
        said = checkpoint.manifest(
            run.config, run.face, steps=run.steps, parent=standing.parent, evaluation=standing.evaluation
        )
        return {**said, "engine": self.engine.name}


def mean_win_rate(evaluation: Sequence[Mapping[str, Any]]) -> float:
    """By which checkpoints, and trials of a sweep, are compared: the mean over seats and opponents."""
    return float(np.mean([entry["win_rate"] for entry in evaluation]))


def _against(run: Learning, seat: str, opponent: str) -> dict[str, Any]:
    """The learner on the seat and the first of its allies beside it, against the opponent."""
    face, wanted = run.face, run.config.evaluation
    sides = dict(zip(face.seats, face.game.sides(face.options), strict=True))
    ally = run.config.ally_mixture[0].agent
    names = {name: SELF if name == seat else ally if sides[name] == sides[seat] else opponent for name in face.seats}
    seed = int(np.random.SeedSequence([run.config.seed, 2, run.steps]).generate_state(1)[0])
    agents: dict[str, Agent] = {}
    for i, (name, text) in enumerate(names.items()):
        own = agent_seed(seed, i)
        agents[name] = (
            Policy(run.network, face.sections, wanted.mode, own)
            if text == SELF
            else registry.make(text, game=face.game, options=face.options, seat=name, seed=own)
        )
    found = judge(face.game, face.options, agents, names, games=wanted.games, seed=seed)["seats"][seat]
    return {key: found[key] for key in ("wins", "win_rate", "interval")} | {"games": wanted.games, "mode": wanted.mode}


_listening: list[Stop] = []  # of a run, and of the sweep that it is a trial of


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Ctrl-C and kill end the run after the iteration in progress; a second one ends it at once."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # signals are the main thread's
        return

    def ask(number: int, frame: FrameType | None) -> None:
        if stop.asked:
            raise KeyboardInterrupt
        for each in _listening:
            each.asked = True

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    _listening.append(stop)
    try:
        yield stop
    finally:
        _listening.pop()
        for number, handler in before.items():
            signal.signal(number, handler)
