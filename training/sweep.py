"""Many runs of a config with other values for some keys: chosen by Optuna, ended early where they fall behind.

The folder of a sweep holds ``sweep.yaml`` (its config), ``study.db`` (Optuna's, SQLite), ``trials/0000``, ``0001`` and
so on (a run each), and ``best.yaml``. Several processes may work in one folder, each on the trial that it has claimed;
what a killed one leaves, another goes on with.
"""

from __future__ import annotations

from pathlib import Path

from reichenbach.envs import registry as games
from reichenbach.envs.core.face import Face
from reichenbach.training import folders, load, ppo, resume, study, tracking
from reichenbach.training.checkpoint import spec_of
from reichenbach.training.config import Config
from reichenbach.training.engines import LOCAL, Engine
from reichenbach.training.league import League
from reichenbach.training.loop import LATEST, RunError
from reichenbach.training.search import TRIALS, Search

CONFIG = ppo.OF_A_SWEEP
MAY_CHANGE = ("sweep.trials", "ray", "trackers")


def begin(config: Config, *, engine: Engine = LOCAL) -> bool:
    """Tries all trials in ``config.output``; False if it was stopped before the end.

    Raises:
        RunError: the config has no sweep, or the folder holds a sweep or a run already.
        BadAgent: an agent of the config cannot be made.
        OSError: the folder cannot be written to.
    """
    output = Path(config.output)
    if config.sweep is None:
        raise RunError("sweep: this key is needed; it says what to try: sweep: {space: {KEY: {low: ..., high: ...}}}")
    _refuse_old(output)
    _check(config)
    output.mkdir(parents=True, exist_ok=True)
    with folders.locked(output, wait=True), study.storage(output):
        _refuse_old(output)  # another process may have begun meanwhile
        made = study.opened(output, create=True)
        made.set_user_attr(study.ENGINE, engine.name)
        made.set_user_attr(study.BEGUN, config.model_dump(mode="json"))
        folders.write_text(output / CONFIG, load.text(config))
    return Search(output, config, config.sweep, made).go()


def _refuse_old(output: Path) -> None:
    for name in (CONFIG, study.FILE, TRIALS, LATEST):
        if folders.exists(output / name):
            held = f"output: {output} holds a sweep or a run already (there is {name} in it)"
            raise RunError(f"{held}; continue it with --resume, or set output=")


def _check(config: Config) -> None:
    """What all trials need is there; refused before anything is made."""
    tracking.need(config)
    face = Face.of(games.game(config.game), config.options)
    League(config, face, spec_of(config, face))


def go_on(folder: Path, config: Config | None) -> bool:
    """Continues the sweep in ``folder``, also beside other processes that work on it.

    ``config`` may change ``sweep.trials``, ``ray`` and ``trackers`` alone.

    Raises:
        RunError: there is no sweep, or it is damaged.
        ConfigError: the config differs in something else.
        OSError: the folder cannot be written to.
    """
    if not (folder / CONFIG).is_file() or not (folder / study.FILE).is_file():
        raise RunError(
            f"--resume {folder}: there is no {CONFIG} and {study.FILE} in it; the folder of a sweep is needed"
        )
    with folders.locked(folder, wait=True), study.storage(folder):
        found = study.opened(folder)
        begun = found.user_attrs[study.BEGUN]
        config = load.load(folder / CONFIG) if config is None else config
        resume.refuse_changes(
            load.from_values(begun, str(folder / study.FILE)), config, f"--resume {folder}", MAY_CHANGE
        )
        if config.sweep is None:
            raise RunError(f"--resume {folder}: there is no sweep in its {CONFIG}")
        tracking.need(config)
        folders.write_text(folder / CONFIG, load.text(config))
    return Search(folder, config, config.sweep, found).go()
