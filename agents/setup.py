"""What an agent is built for, and what is raised when that cannot be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reichenbach.envs.core.game import Game


class BadAgent(ValueError):
    """An agent's text that names nothing, or an agent that does not fit the game; says what is allowed."""


@dataclass(frozen=True)
class Setup:
    """The game, the resolved options of its rules, the seat to play, and a seed of the agent's own."""

    game: Game
    options: Mapping[str, Any]
    seat: str
    seed: int
