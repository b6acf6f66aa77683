"""The training loop: iterate, judge from time to time, save, and stop cleanly when asked to."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from reichenbach.agents import registry
from reichenbach.agents.policy import Policy
from reichenbach.agents.setup import BadAgent
from reichenbach.agents.stored import BOTH, locate, manifest, plain
from reichenbach.envs.core.seat import Agent
from reichenbach.training import checkpoint, folders, load, resume
from reichenbach.training.config import SELF, Config
from reichenbach.training.evaluate import agent_seed, judge
from reichenbach.training.log import Log, Progress
from reichenbach.training.run import Diverged, Run

CONFIG = "config.yaml"
BEST, LATEST = "best", "latest"


class RunError(ValueError):
    """A run that cannot be begun or continued; says why and what to do."""


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


def begin(config: Config, *, label: str = "") -> bool:
    """Trains from the beginning in ``config.output``; False if it was stopped before the end.

    Raises:
        RunError: the folder holds a run already, or its learning ran away.
        OSError: the folder cannot be written to, or another process trains in it.
    """
    output = Path(config.output)
    _refuse_old(output)
    run, standing = Run(config), Standing()  # where an agent cannot be made, no folder is left behind
    output.mkdir(parents=True, exist_ok=True)
    with folders.locked(output):
        _refuse_old(output)  # another process may have begun meanwhile
        folders.write_text(output / CONFIG, load.text(config))
        _save(run, output, standing)  # so that a run killed early can be continued too
        return _train(run, output, standing, label)


def _refuse_old(output: Path) -> None:
    if folders.exists(output / LATEST):
        raise RunError(f"output: {output} holds a run already; continue it with --resume {output}, or set output=")


def go_on(folder: Path, config: Config | None, *, label: str = "") -> bool:
    """Continues the run in ``folder`` from its latest checkpoint; ``config`` may change the total alone.

    Raises:
        RunError: there is nothing to continue from, it is damaged, or the learning ran away.
        ConfigError: the config differs in something else.
        OSError: the folder cannot be written to, or another process trains in it.
    """
    if not folders.exists(folder / LATEST):
        raise RunError(f"--resume {folder}: there is no {LATEST}/{resume.FOLDER} in it; the folder of a run is needed")
    with folders.locked(folder):
        return _go_on(folder, config, label)


def _go_on(folder: Path, config: Config | None, label: str) -> bool:
    folders.settle(folder / LATEST)
    if not (folder / LATEST / resume.FOLDER).is_dir():
        raise RunError(f"--resume {folder}: there is no {LATEST}/{resume.FOLDER} in it; the folder of a run is needed")
    data = manifest(locate(folder / LATEST))
    if not isinstance(data.get("config"), dict):
        raise RunError(f"--resume {folder}: the latest checkpoint is damaged: its manifest has no config")
    before = load.from_values(data["config"], str(folder / LATEST / "manifest.json"))
    config = before if config is None else config
    resume.refuse_changes(before, config, f"--resume {folder}")
    run = Run(config)
    resume.refuse_other_rules(data["options"], plain(run.face.options), f"--resume {folder}")
    try:
        extra = resume.restore(folder / LATEST, data, run)
    except BadAgent as error:
        raise RunError(f"--resume {folder}: {error}") from error
    except Exception as error:  # whatever the readers of the files, torch and the agents make of wrong content
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise RunError(f"--resume {folder}: the latest checkpoint is damaged: {reason}") from error
    folders.write_text(folder / CONFIG, load.text(config))  # its total may be another now
    parent = f"{folder / LATEST} at step {run.steps}"
    return _train(run, folder, Standing(extra["best"], extra["evaluation"], parent), label)


def _train(run: Run, output: Path, standing: Standing, label: str) -> bool:
    config = run.config
    log = Log(output, run.steps)
    progress = Progress(label or config.seat, config.total_steps, run.steps)
    progress.judged = _judged(standing)
    try:
        with stoppable() as stop:
            while run.steps < config.total_steps and not stop.asked:
                before = run.steps
                values = run.iterate()
                done = run.steps >= config.total_steps
                log.iteration(run.steps, values)
                due = done or run.steps // config.evaluation.every > before // config.evaluation.every
                if due:
                    _evaluate(run, output, standing, log)
                    progress.judged = _judged(standing)
                if done or stop.asked or run.iteration % config.save_every == 0:
                    _save(run, output, standing)
                progress.show(run.steps, values["win_rate"], always=due)
    except Diverged as error:
        advice = "latest and best are from before it; begin anew, with a smaller learning rate say"
        raise RunError(f"{output}: the learning has run away {error}; {advice}") from error
    finally:
        progress.end()
        log.close()
    return run.steps >= config.total_steps


def _evaluate(run: Run, output: Path, standing: Standing, log: Log) -> None:
    """Frozen: the networks are not trained, and every generator used is the evaluation's own."""
    standing.evaluation = [
        {"seat": seat, "opponent": text, **_against(run, seat, text)}
        for seat in (run.face.seats if run.config.seat == BOTH else (run.config.seat,))
        for text in run.config.evaluation.opponents
    ]
    log.evaluated(run.steps, {f"{e['seat']} against {e['opponent']}": e["win_rate"] for e in standing.evaluation})
    score = float(np.mean([entry["win_rate"] for entry in standing.evaluation]))
    if score > standing.best:
        standing.best = score
        with folders.replacing(output / BEST) as folder:
            checkpoint.write(folder, run.network, _manifest(run, standing))


def _against(run: Run, seat: str, opponent: str) -> dict[str, Any]:
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


def _save(run: Run, output: Path, standing: Standing) -> None:
    with folders.replacing(output / LATEST) as folder:
        resume.save(folder, run, {"best": standing.best, "evaluation": standing.evaluation})
        checkpoint.write(folder, run.network, _manifest(run, standing))


def _manifest(run: Run, standing: Standing) -> dict[str, Any]:
    return checkpoint.manifest(
        run.config, run.face, steps=run.steps, parent=standing.parent, evaluation=standing.evaluation
    )


def _judged(standing: Standing) -> str:
    return "".join(f"  {e['opponent']} {100 * e['win_rate']:.1f} %" for e in standing.evaluation)


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
        stop.asked = True

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
