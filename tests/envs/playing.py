"""Ways to play that the environment tests share."""

from __future__ import annotations

import zlib
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.aec import TurnEnv
from reichenbach.envs.core.face import Observation
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.parallel import SlotEnv
from reichenbach.envs.core.seat import Views
from reichenbach.envs.core.shell import Shell

Seen = tuple[bytes, bytes, int]  # observation, mask and the action that was chosen


def choose(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> int:
    """A legal action that depends on what is seen alone, so that every face plays the same game."""
    legal = np.flatnonzero(mask)
    return int(legal[zlib.crc32(observation.tobytes()) % len(legal)])


def choice(view: Observation | None) -> int:
    """`choose` of a view."""
    assert view is not None
    return choose(view["observation"], view["action_mask"])


def seen(observation: NDArray[np.float32], mask: NDArray[np.int8], action: int) -> Seen:
    """What was seen and done at one move."""
    return observation.tobytes(), mask.tobytes(), action


class Chooser:
    """An agent that plays by `choose`, and writes down every move by slot; it begins a list for each game."""

    sections = 0

    def __init__(self) -> None:
        self.games: dict[int, list[list[Seen]]] = {}

    def act(self, views: Views) -> NDArray[np.int64]:
        """As `choose`, row by row."""
        actions = [choose(row, mask) for row, mask in zip(views.observation, views.action_mask, strict=True)]
        for k, action in enumerate(actions):
            games = self.games.setdefault(int(views.game[k]), [])
            if views.first[k] or not games:
                games.append([])
            games[-1].append(seen(views.observation[k], views.action_mask[k], action))
        return np.array(actions, np.int64)

    def get_state(self) -> dict[str, Any]:
        """It remembers nothing."""
        return {}

    def set_state(self, state: dict[str, Any]) -> None:
        """It remembers nothing."""


def play_on(env: TurnEnv, moves: int | None = None) -> list[Seen]:
    """Plays so many moves of the game under way, or to its end, by `choose`."""
    log: list[Seen] = []
    while (moves is None or len(log) < moves) and not env.terminations[env.agent_selection]:
        observation = env.observe(env.agent_selection)
        action = choice(observation)
        log.append(seen(observation["observation"], observation["action_mask"], action))
        env.step(action)
    return log


class LegalActions(gymnasium.spaces.Discrete):
    """An action space whose samples are legal: PettingZoo's tests sample some actions without the mask."""

    def __init__(self, n: int, observe: Any) -> None:
        super().__init__(n)
        self._observe = observe

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A legal action, with or without the mask."""
        return super().sample(self._observe()["action_mask"] if mask is None else mask)


class _Legal(Shell):
    """An environment with `LegalActions`."""

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same object every time, as it must be."""
        if "legal " + agent not in self._spaces:
            self._spaces["legal " + agent] = LegalActions(self.game.n_actions, lambda: self.observe(agent))
        return self._spaces["legal " + agent]


def legal_turns(of: Game) -> type[TurnEnv]:
    """A game in turns, with `LegalActions`."""

    class LegalTurns(_Legal, TurnEnv):
        game = of

    return LegalTurns


def legal_slots(of: Game) -> type[SlotEnv]:
    """A game in slots, with `LegalActions`."""

    class LegalSlots(_Legal, SlotEnv):
        game = of

    return LegalSlots
