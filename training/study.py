"""The study of a sweep: Optuna's record of its trials, in the sweep's folder."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import optuna
from optuna.study import StudyDirection
from sqlalchemy.exc import OperationalError

from reichenbach.envs.core.problems import first_line
from reichenbach.training.config import ConfigError
from reichenbach.training.loop import RunError

FILE = "study.db"
WHY, ENGINE, BEGUN = "why", "engine", "config"  # notes: why a trial ended early; the engine and config of all trials


def opened(folder: Path, *, create: bool = False) -> optuna.Study:
    """The study in the folder as it was left, or a new one."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def connect() -> sqlite3.Connection:  # by its path: in an address some letters mean something
        return sqlite3.connect(folder / FILE, timeout=60, check_same_thread=False)

    storage = optuna.storages.RDBStorage("sqlite:///", engine_kwargs={"creator": connect})
    if create:
        return optuna.create_study(storage=storage, study_name="sweep", direction="maximize")
    study = optuna.load_study(storage=storage, study_name="sweep")
    if study.direction != StudyDirection.MAXIMIZE or not {ENGINE, BEGUN} <= set(study.user_attrs):
        raise ValueError("it is not as a sweep makes it")
    return study


@contextmanager
def storage(folder: Path) -> Iterator[None]:
    """Reading and writing the study; raises OSError where SQLite cannot, RunError where it is no study of a sweep."""
    try:
        yield
    except (OSError, RunError, ConfigError, ImportError):
        raise
    except Exception as error:  # of many kinds, SQLite's, SQLAlchemy's and Optuna's
        said = f"{folder / FILE}: {first_line(error.__cause__ or error)}"
        if isinstance(error.__cause__ or error, OperationalError):
            raise OSError(said) from error
        raise RunError(f"{said}: damaged") from error
