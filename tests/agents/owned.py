"""Agents of a user's own, as the registry finds them by ``tests.agents.owned:factory``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.game import Game
from reichenbach.envs.core.seat import Views

NOT_A_FUNCTION = 3


class First:
    """The first legal action."""

    sections = 0

    def act(self, views: Views) -> NDArray[np.int64]:
        first: NDArray[np.int64] = np.argmax(views.action_mask, axis=1)
        return first

    def get_state(self) -> dict[str, Any]:
        return {}

    def set_state(self, state: dict[str, Any]) -> None:
        pass


class Idle(First):
    """The last action always, which is the no-op."""

    def act(self, views: Views) -> NDArray[np.int64]:
        return np.full(len(views.action_mask), views.action_mask.shape[1] - 1)


def first(**_: object) -> First:
    return First()


def idle(**_: object) -> Idle:
    return Idle()


def factory(*, game: Game, options: Mapping[str, Any], seat: str, seed: int) -> First:
    assert game.name == "who_is_moriarty"
    assert options["max_rounds"] == 8
    assert seat in ("sherlock", "moriarty")
    return First()


def no_agent(**_: object) -> object:
    return object()


def broken(**_: object) -> object:
    raise RuntimeError("not written yet")
