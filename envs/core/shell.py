"""What both PettingZoo environments of a game share: arguments, spaces, rendering, copies and saved states."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from reichenbach.envs.core import one
from reichenbach.envs.core.face import FLOAT32, INT8, RENDER_MODES, Face, Observation, box, chosen
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.record import States, duplicate


class Shell:
    """The part of an environment that does not depend on who submits when; a subclass names the ``game``.

    Copies, saved states and pickles are made of the state record's bytes, mid-game too.

    Args:
        render_mode: None, "ansi" (``render`` returns text) or "human" (it prints, and so does every step).
        render_view: the seat whose knowledge is drawn, or "all"; the first seat unless given.
        arguments: the game's rule options, and ``observe_<section>`` for its optional sections.

    Raises:
        BadOption: an argument of unknown name, or out of its range.
    """

    game: ClassVar[Game]
    _progress_names: ClassVar[tuple[str, ...]]
    metadata: dict[str, Any]
    agents: list[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "game" in cls.__dict__:
            cls.metadata = {
                "name": f"{cls.game.name}_v{cls.game.version}",
                "render_modes": list(RENDER_MODES),
                "is_parallelizable": True,
                "render_fps": 1,
            }

    def __init__(self, render_mode: str | None = None, render_view: str | None = None, **arguments: Any) -> None:
        face = Face.of(self.game, arguments)
        chosen(f"{self.game.name}: render_mode", render_mode, (None, *RENDER_MODES))
        chosen(f"{self.game.name}: render_view", render_view, (None, *face.seats, "all"))
        self._assume(face, {"render_mode": render_mode, "render_view": render_view or face.seats[0]})

    def _assume(self, face: Face, manner: Mapping[str, Any]) -> None:
        """Sets every attribute: ``manner`` holds what is no option of the game, and goes along in copies."""
        self.face, self._manner = face, dict(manner)
        self.render_mode: str | None = manner["render_mode"]
        self.render_view: str = manner["render_view"]
        self.possible_agents = list(face.seats)
        self.agents = []
        self._prints = self.render_mode == "human"
        self._seat_of = {seat: number for number, seat in enumerate(face.seats)}
        self._tables, self._sections = face.tables, face.sections
        self._size, self._n_actions = face.size, self.game.n_actions
        self._scratch = np.zeros(self._n_actions, INT8)
        self._states: States | None = None
        self._spaces: dict[str, spaces.Space[Any]] = {}

    def _dealt(self) -> States:
        if self._states is None:
            raise RuntimeError(f"{self.game.name}: no game has begun; call reset() first")
        return self._states

    # ------------------------------------------------------------ spaces
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The seat's observation space, the same object every time."""
        key = f"observation of {agent}"
        if key not in self._spaces:
            self._spaces[key] = self.face.observation_space(agent)
        return self._spaces[key]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The seat's action space, the same object every time."""
        key = f"action of {agent}"
        if key not in self._spaces:
            self._spaces[key] = self.face.action_space(agent)
        return self._spaces[key]

    @property
    def state_space(self) -> spaces.Space[Any]:
        """Space of ``state()``, the same object every time."""
        if "state" not in self._spaces:
            self._spaces["state"] = box(self.game.layout(0).size)
        return self._spaces["state"]

    def state(self) -> NDArray[np.float32]:
        """All that any seat knows, as the base observation of an all-seeing observer; never what chance will do."""
        out = np.empty(self.game.layout(0).size, FLOAT32)
        one.observe(self._dealt(), self._tables, self.face.everything, 0, out)
        return out

    def observe(self, agent: str) -> Observation:
        """A fresh observation and mask of the seat.

        Raises:
            KeyError: there is no such seat.
        """
        if agent not in self.possible_agents:
            self.face.number(agent)  # says which there are
        out = np.empty(self._size, FLOAT32)
        mask = np.empty(self._n_actions, INT8)
        one.view(self._dealt(), self._tables, self._seat_of[agent], self._sections, out, mask)
        return {"observation": out, "action_mask": mask}

    # ------------------------------------------------------------ rendering
    def render(self) -> str | None:
        """The position as ``render_view`` knows it: returned with "ansi", printed with "human"."""
        return self.face.show(self._dealt(), self.render_view, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    # ------------------------------------------------------------ copies and saved states
    def get_state(self) -> bytes:
        """The game in progress, hidden facts and generator included, as bytes for ``set_state``."""
        return self.face.pack(self._dealt(), self._progress())

    def set_state(self, saved: bytes) -> None:
        """Continues the game that ``get_state`` gave; no reset is needed before.

        Raises:
            ValueError: bytes that are no saved state, or one of another game, version, options or kind of
                environment; nothing has changed.
        """
        states, progress = self.face.unpack(saved, self._progress_names)
        self._states = states
        self._set_progress(progress)

    def clone(self) -> Self:
        """An independent copy of the game in progress, with spaces of its own."""
        twin = type(self).__new__(type(self))
        twin._assume(self.face, self._manner)
        if self._states is not None:
            twin._states = duplicate(self._states)
            twin._set_progress(self._progress())
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = self.clone()
        twin._spaces = copy.deepcopy(self._spaces, memo)  # their generators too
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {
            "arguments": self.face.arguments(),
            "manner": self._manner,
            "spaces": self._spaces,
            "saved": None if self._states is None else self.get_state(),
        }

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        self._assume(Face.of(self.game, pickled["arguments"]), pickled["manner"])
        self._spaces = pickled["spaces"]
        if pickled["saved"] is not None:
            self.set_state(pickled["saved"])

    def _progress(self) -> dict[str, Any]:
        """Facts beside the state record, JSON-able; the caller does not change them."""
        raise NotImplementedError

    def _set_progress(self, progress: Mapping[str, Any]) -> None:
        raise NotImplementedError
