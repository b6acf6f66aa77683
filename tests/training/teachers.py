"""Teachers for the tests of imitation, and a run that learns from one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.seat import Views
from reichenbach.training import imitation, load
from reichenbach.training.imitation import Shown, Teacher
from reichenbach.training.run import Run
from tests.training import runs

OWNED = "tests.training.teachers"
STEPS = 1_500  # in iterations of 256: six of them
TEXT = f"{runs.YAML}imitation: {{agent: greedy, steps: {STEPS}, epochs: 2, batch_size: 64, learning_rate: 0.003}}\n"


class Counts:
    """Plays by how many moves it has made in the game, and notes what it was shown."""

    def __init__(self, seat: str, seed: int) -> None:
        self.sections, self.seat, self.seed = 0, seat, seed
        self.moves: NDArray[np.int64] = np.zeros(64, np.int64)
        self.shown: list[Views] = []

    def act(self, views: Views) -> NDArray[np.int64]:
        self.shown.append(views)
        self.moves[views.game] = np.where(views.first, 0, self.moves[views.game] + 1)
        wanted = 1 + self.moves[views.game] % views.action_mask.sum(axis=1)
        nth: NDArray[np.int64] = np.argmax(np.cumsum(views.action_mask, axis=1) == wanted[:, None], axis=1)
        return nth

    def get_state(self) -> dict[str, Any]:
        return {"moves": self.moves.tolist()}

    def set_state(self, state: dict[str, Any]) -> None:
        self.moves[:] = state["moves"]


class Answers(Counts):
    """Gives one answer, whatever it is shown."""

    answer: Any = None

    def act(self, views: Views) -> NDArray[np.int64]:
        answer: NDArray[np.int64] = self.answer(len(views.game))
        return answer


def counts(*, seat: str, seed: int, **_: object) -> Counts:
    return Counts(seat, seed)


def answers(*, seat: str, seed: int, **_: object) -> Answers:
    return Answers(seat, seed)


def all_sections(*, seat: str, seed: int, **_: object) -> Counts:
    agent = Counts(seat, seed)
    agent.sections = 4
    return agent


def built(tmp_path: Path, *overrides: str) -> Run:
    return Run(load.load(runs.write(tmp_path, TEXT), overrides))


def teacher_of(run: Run) -> Teacher:
    assert run.teacher is not None
    return run.teacher


def collected(run: Run) -> Shown:
    return imitation.collect(run.model, run.network, run.env, teacher_of(run))
