"""The Gymnasium environment of one seat of any game, the other seats being played by agents."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Self, SupportsIndex

import gymnasium
import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import one
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.core.face import (
    FLOAT32,
    ILLEGAL,
    ILLEGAL_ENDING,
    ILLEGAL_MOVES,
    ILLEGAL_REWARD,
    INT8,
    RENDER_MODES,
    Face,
    Observation,
    chosen,
    whole_number,
)
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.opponents import OpponentMixture, by_seat, seated
from reichenbach.envs.core.players import Players
from reichenbach.envs.core.record import States

Step = tuple[Observation, float, bool, bool, dict[str, Any]]


class SeatEnv(gymnasium.Env[Observation, int]):
    """One seat of a game; after every step that seat has something to choose, or the game is over.

    Where its move would be the no-op, because it is idle in the slot or nothing else is legal, that is played for it.

    The observation is a dict of ``observation`` and ``action_mask``; infos are empty until the end, and then name
    ``winner`` and ``ending``.

    Args:
        game: the game.
        seat: name of the seat that the caller plays.
        opponents: an agent, a function of a seed that makes one, or a weighted mixture, for every other seat; a side's
            name stands for those of its seats that are not named themselves.
        illegal_moves: "raise" (nothing changes) or "lose" (-1, and the game is over).
        render_mode: None, "ansi" (``render`` returns text) or "human" (it prints, and so does every step).
        render_view: the seat whose knowledge is drawn, or "all"; the caller's unless given.
        arguments: the game's rule options, and ``observe_<section>`` for its optional sections.

    Raises:
        BadOption: an argument of unknown name, or out of its range.
        ValueError: a seat without opponent, or an opponent for no seat.
    """

    def __init__(
        self,
        game: Game,
        seat: str,
        opponents: Mapping[str, OpponentMixture],
        *,
        illegal_moves: str = "raise",
        render_mode: str | None = None,
        render_view: str | None = None,
        **arguments: Any,
    ) -> None:
        self.face = Face.of(game, arguments)
        chosen(f"{game.name}: seat", seat, self.face.seats)
        chosen(f"{game.name}: illegal_moves", illegal_moves, ILLEGAL_MOVES)
        chosen(f"{game.name}: render_mode", render_mode, (None, *RENDER_MODES))
        chosen(f"{game.name}: render_view", render_view, (None, *self.face.seats, "all"))
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}
        self.opponents = by_seat(game, self.face.options, seat, opponents)
        self.seat, self.illegal_moves = seat, illegal_moves
        self.render_mode, self.render_view = render_mode, render_view or seat
        self.observation_space = self.face.observation_space(seat)
        self.action_space = self.face.action_space(seat)
        self._number = self.face.seats.index(seat)
        self._scratch: NDArray[np.int8] = np.zeros(game.n_actions, INT8)
        self._caller: NDArray[np.int64] = np.array([self._number], np.int64)
        self._players = self._new_players(None)
        self._states: States | None = None
        self._lost = False

    def _new_players(self, seed: int | None) -> Players:
        draws = np.random.SeedSequence(seed).generate_state(3)  # the first two words are the game's own key
        agents = seated(self.opponents, seed)
        return Players(self.face.game, self.face.options, agents, 1, int(draws[2]))

    def _dealt(self) -> States:
        if self._states is None:
            raise RuntimeError(f"{self.face.game.name}: no game has begun; call reset() first")
        return self._states

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a new game, and lets the others play until the caller has something to choose.

        Args:
            seed: seeds chance and the opponents that are made from a seed; None continues their generators.
            options: ``{"position": text}`` starts from that position.
        """
        super().reset(seed=seed)
        self._states = self.face.begin(self._states, seed, options)
        self._lost = False
        if seed is not None:
            self._players = self._new_players(seed)
        self._players.assign(np.zeros(1, np.int64), self._caller)
        self._others_move()
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._info()

    def step(self, action: SupportsIndex) -> Step:
        """Plays the caller's action and the others' answers.

        Raises:
            IllegalAction: the rules do not allow it now, or the game is over; nothing has changed.
        """
        states, number = self._dealt(), whole_number(action)
        if self._lost or one.mover(states, self.face.tables) < 0:
            raise IllegalAction("step: the game is over; call reset()")
        reply = one.step(states, self.face.tables, number, self._scratch)
        if reply != ILLEGAL:
            self._others_move()
        elif self.illegal_moves == "raise":
            raise IllegalAction(self.face.game.why_illegal(states, number, self._number))
        else:
            self._lost = True
        if self.render_mode == "human":
            self.render()
        ending, rewards = self.face.results(states)
        reward = ILLEGAL_REWARD if self._lost else rewards[self._number]
        return self._observe(), reward, self._lost or ending != 0, False, self._info()

    def _others_move(self) -> None:
        """Until the caller has something to choose or the game is over."""
        self._players.advance(self._dealt(), self.face.tables, self._caller)

    def _observe(self) -> Observation:
        out, mask = np.empty(self.face.size, FLOAT32), np.empty(self.face.game.n_actions, INT8)
        one.view(self._dealt(), self.face.tables, self._number, self.face.sections, out, mask)
        return {"observation": out, "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        if self._lost:
            return {"winner": None, "ending": ILLEGAL_ENDING}
        return self.face.info(self._dealt())

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as bool (actions,), under the name that MaskablePPO asks for."""
        one.legal(self._dealt(), self.face.tables, self._number, self._scratch)
        return self._scratch.astype(np.bool_)

    def render(self) -> str | None:
        """The position as ``render_view`` knows it: returned with "ansi", printed with "human"."""
        return self.face.show(self._dealt(), self.render_view, self.render_mode)

    def get_state(self) -> bytes:
        """The game in progress and what the opponents remember, as bytes for ``set_state``."""
        return self.face.pack(self._dealt(), {"lost": self._lost, "players": self._players.get_state()})

    def set_state(self, saved: bytes) -> None:
        """Continues the game that ``get_state`` gave, with the same opponents at the seats.

        Raises:
            ValueError: bytes that are no saved state, or one of another game, version, options, kind of environment
                or opponents; nothing has changed.
        """
        states, extra = self.face.unpack(saved, ("lost", "players"))
        before = self._players.get_state()
        try:
            self._players.set_state(extra["players"])
        except Exception as error:  # whatever an agent makes of a memory that is not its own
            self._players.set_state(before)
            raise ValueError("set_state: saved with other opponents at the seats") from error
        self._states, self._lost = states, extra["lost"]

    def clone(self) -> Self:
        """An independent copy of the game in progress, opponents included."""
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = copy.copy(self)
        memo[id(self)] = twin
        memo[id(self.face)] = self.face  # games and tables are constant
        memo[id(self.face.game)] = self.face.game
        for name, value in vars(self).items():
            setattr(twin, name, copy.deepcopy(value, memo))
        return twin
