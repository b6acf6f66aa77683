"""The games that the environment tests run over: every game of the registry, at each of its tables."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reichenbach.envs import registry
from reichenbach.envs.core.aec import TurnEnv
from reichenbach.envs.core.face import Observation
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.parallel import SlotEnv


@dataclass(frozen=True, eq=False)
class Case:
    """A game under some options of its rules."""

    game: Game
    options: Mapping[str, Any]

    def __str__(self) -> str:
        return "-".join((self.game.name, *map(str, self.options.values())))

    @cached_property
    def faces(self) -> Any:
        """The module with the game's environments."""
        entry = next(entry for entry in registry.ENTRIES if entry.name == self.game.name)
        return importlib.import_module(entry.faces)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats' names."""
        return self.game.seats(self.game.resolve(self.options))

    @property
    def sides(self) -> dict[str, str]:
        """The side of each seat."""
        return dict(zip(self.seats, self.game.sides(self.game.resolve(self.options)), strict=True))

    @property
    def sections(self) -> dict[str, bool]:
        """The arguments that switch on all optional sections."""
        return {f"observe_{name}": True for name in self.game.optional_sections}

    @property
    def name(self) -> str:
        """The environment's name."""
        return f"{self.game.name}_v{self.game.version}"

    def raw_env(self, **arguments: Any) -> TurnEnv:
        """The AEC environment itself, for tests that look inside."""
        env = self.faces.raw_env(**{**self.options, **arguments})
        assert isinstance(env, TurnEnv)
        return env

    def env(self, **arguments: Any) -> Any:
        """The AEC environment under PettingZoo's checks."""
        return self.faces.env(**{**self.options, **arguments})

    def losing_env(self, **arguments: Any) -> Any:
        """The AEC environment in which an illegal move loses, without PettingZoo's checks."""
        return self.faces.raw_env(illegal_moves="lose", **{**self.options, **arguments})

    def parallel_env(self, **arguments: Any) -> SlotEnv:
        """The Parallel environment."""
        env = self.faces.parallel_env(**{**self.options, **arguments})
        assert isinstance(env, SlotEnv)
        return env

    def position(self, seed: int = 1, moves: int = 5) -> str:
        """The text of a position in the middle of a game."""
        env = self.raw_env()
        env.reset(seed=seed)
        for _ in range(moves):
            env.step(legal(env.observe(env.agent_selection))[0])
        return self.game.format(env._dealt())


def legal(view: Observation | None) -> list[int]:
    """The legal actions of a view."""
    assert view is not None
    return [int(action) for action in np.flatnonzero(view["action_mask"])]


def illegal(view: Observation | None) -> list[int]:
    """The actions that a view's mask leaves out."""
    assert view is not None
    return [int(action) for action in np.flatnonzero(view["action_mask"] == 0)]


def section(case: Case, values: NDArray[np.float32], name: str) -> NDArray[np.float32]:
    """One section of a base observation."""
    part: NDArray[np.float32] = values[case.game.layout(0).slice(name)]
    return part


def _cases() -> Iterator[Case]:
    for name in registry.GAMES:
        game = registry.game(name)
        tables = [value for option in game.options if option.name == "table" for value in option.values]
        yield from [Case(game, {"table": table}) for table in tables] or [Case(game, {})]


CASES = tuple(_cases())
GAMES = tuple({case.game.name: case for case in CASES}.values())  # each game once, at its last and largest table

at_every_table = pytest.mark.parametrize("case", CASES, ids=str)
of_every_game = pytest.mark.parametrize("case", GAMES, ids=str)
