"""What trains a run: this process alone, or RLlib on Ray; the training loop (loop.py) is the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from reichenbach.agents.network import Network
from reichenbach.envs.core.face import Face
from reichenbach.training import resume
from reichenbach.training.config import Config
from reichenbach.training.run import Run

NAMES = ("local", "ray")


class Learning(Protocol):
    """A run as the training loop sees it."""

    config: Config
    face: Face
    iteration: int

    @property
    def network(self) -> Network:
        """The learner's network."""
        ...

    @property
    def steps(self) -> int:
        """Learner steps done."""
        ...

    def iterate(self) -> dict[str, float]:
        """Plays, learns from it, and gives what is to be logged; raises Diverged."""
        ...

    def close(self) -> None:
        """Gives back what it holds of the machine."""
        ...


@dataclass(frozen=True)
class Engine:
    """How runs are made, saved into a checkpoint's folder, and brought back to where one was saved."""

    name: str
    build: Callable[[Config], Any]
    save: Callable[[Path, Any, dict[str, Any]], None]
    restore: Callable[[Path, Mapping[str, Any], Any], dict[str, Any]]


LOCAL = Engine("local", Run, resume.save, resume.restore)


def find(name: str) -> Engine:
    """The engine of that name.

    Raises:
        ValueError: there is none; names those there are.
        ModuleNotFoundError: Ray is not installed.
    """
    if name not in NAMES:
        raise ValueError(f"engine: {name!r}; allowed are {', '.join(NAMES)}")
    if name == "local":
        return LOCAL
    from reichenbach.training.distributed import run, saving

    return Engine("ray", run.RayRun, saving.save, saving.restore)
