"""Beginning a run of PPO, and going on with one; loop.py trains it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reichenbach.agents.setup import BadAgent
from reichenbach.agents.stored import locate, manifest, plain
from reichenbach.envs.core.problems import first_line
from reichenbach.training import engines, folders, load, resume, tracking
from reichenbach.training.config import Config
from reichenbach.training.engines import LOCAL, Engine, Learning
from reichenbach.training.loop import LATEST, OnEvaluation, RunError, Standing, Training

CONFIG, OF_A_SWEEP = "config.yaml", "sweep.yaml"


def begin(
    config: Config, *, label: str = "", engine: Engine = LOCAL, on_evaluation: OnEvaluation | None = None
) -> bool:
    """Trains from the beginning in ``config.output``; False if it was stopped before the end.

    ``on_evaluation`` is told the steps and the mean win rate at every evaluation; what it raises ends the run.

    Raises:
        RunError: the folder holds a run already, or its learning ran away.
        OSError: the folder cannot be written to, or another process trains in it.
    """
    output = Path(config.output)
    _refuse_old(output)
    tracking.need(config)
    run = engine.build(config)  # where an agent cannot be made, no folder is left behind
    try:
        output.mkdir(parents=True, exist_ok=True)
        with folders.locked(output):
            _refuse_old(output)  # another process may have begun meanwhile
            folders.write_text(output / CONFIG, load.text(config))
            return Training(engine, run, output, Standing(), on_evaluation).go(label, new=True)
    finally:
        run.close()


def _refuse_old(output: Path) -> None:
    for file, kind in ((LATEST, "run"), (OF_A_SWEEP, "sweep")):
        if folders.exists(output / file):
            raise RunError(
                f"output: {output} holds a {kind} already; continue it with --resume {output}, or set output="
            )


def go_on(folder: Path, config: Config | None, *, label: str = "", on_evaluation: OnEvaluation | None = None) -> bool:
    """Continues the run in ``folder`` from its latest checkpoint, by the engine that began it.

    ``config`` may change ``total_steps``, ``ray`` and ``trackers`` alone; ``on_evaluation`` is as of ``begin``.

    Raises:
        RunError: there is nothing to continue from, it is damaged, or the learning ran away.
        ConfigError: the config differs in something else.
        OSError: the folder cannot be written to, or another process trains in it.
    """
    if (folder / OF_A_SWEEP).is_file():
        raise RunError(f"--resume {folder}: this is the folder of a sweep: sweep --resume, or one of its trials")
    if not folders.exists(folder / LATEST):
        raise RunError(f"--resume {folder}: there is no {LATEST}/{resume.FOLDER} in it; the folder of a run is needed")
    with folders.locked(folder):
        return _go_on(folder, config, label, on_evaluation)


def _go_on(folder: Path, config: Config | None, label: str, on_evaluation: OnEvaluation | None) -> bool:
    folders.settle(folder / LATEST)
    if not (folder / LATEST / resume.FOLDER).is_dir():
        raise RunError(f"--resume {folder}: there is no {LATEST}/{resume.FOLDER} in it; the folder of a run is needed")
    data = manifest(locate(folder / LATEST))
    if not isinstance(data.get("config"), dict):
        raise RunError(f"--resume {folder}: the latest checkpoint is damaged: its manifest has no config")
    before = load.from_values(data["config"], str(folder / LATEST / "manifest.json"))
    config = before if config is None else config
    resume.refuse_changes(before, config, f"--resume {folder}")
    tracking.need(config)
    engine = engines.find(data.get("engine", LOCAL.name))
    run = engine.build(config)
    try:
        standing = _restored(engine, run, folder, data)
        folders.write_text(folder / CONFIG, load.text(config))  # its total may be another now
        return Training(engine, run, folder, standing, on_evaluation).go(label)
    finally:
        run.close()


def _restored(engine: Engine, run: Learning, folder: Path, data: dict[str, Any]) -> Standing:
    """Brings a new run to where the folder's latest checkpoint was saved, and says where the run stands."""
    resume.refuse_other_rules(data["options"], plain(run.face.options), f"--resume {folder}")
    try:
        extra = engine.restore(folder / LATEST, data, run)
    except BadAgent as error:
        raise RunError(f"--resume {folder}: {error}") from error
    except Exception as error:  # whatever the readers of the files, torch and the agents make of wrong content
        reason = f"{type(error).__name__}: {first_line(error)}"
        raise RunError(f"--resume {folder}: the latest checkpoint is damaged: {reason}") from error
    return Standing(extra["best"], extra["evaluation"], f"{folder / LATEST} at step {run.steps}")
