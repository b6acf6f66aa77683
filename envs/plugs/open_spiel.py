"""Both games for OpenSpiel: seats move one after another, and every draw of chance is a node of its own.

``import reichenbach.envs.plugs.open_spiel`` registers ``reichenbach_who_is_moriarty`` and ``reichenbach_manor``;
rule options and ``observe_<section>`` are parameters: ``pyspiel.load_game("reichenbach_manor", {"table": "3p"})``.
An information state is all that the seat has seen and done, as a digest; only positions of the game itself have one
in common. Commands of one slot are given one after another, as in the AEC environment, and are not seen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from reichenbach.envs import registry
from reichenbach.envs.core import chance, one
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.record import duplicate
from reichenbach.envs.plugs.spiel_facts import arguments, game_info, game_type

_DEAL = -1  # instead of an action, while a game is dealt


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game under chosen options.

    Attributes:
        rules: the game, its options and what of a position does not change; copies of states share it.
    """

    def __init__(self, game: Game, params: Mapping[str, Any] | None = None) -> None:
        self.rules = Rules(Face.of(game, arguments(game, params or {})))
        super().__init__(game_type(self.rules.face), game_info(self.rules.face), dict(params or {}))

    def new_initial_state(self) -> SpielState:
        """The node before the first draw of the deal."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """At most so many draws in a deal and in each step as a script holds."""
        return chance.CAPACITY * (1 + self.rules.face.game.longest(self.rules.face.options))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """What ``observation_tensor`` and the like are made with; a seat's own observation, or all that it has seen."""
        if params:
            raise ValueError(f"observer: parameters {params!r} are not allowed; there are none")
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return SpielObserver(self.rules, recalls=recalls)


class Rules:
    """What all states of a game share, so that copying a state does not copy it."""

    def __init__(self, face: Face) -> None:
        self.face = face
        self.layout = face.game.layout(face.sections)
        self.mask: NDArray[np.int8] = np.empty(face.game.n_actions, np.int8)

    def __deepcopy__(self, memo: dict[int, Any]) -> Rules:
        return self

    def observe(self, states: Any, seat: int) -> NDArray[np.float32]:
        """What the seat sees, float32 (size,)."""
        out: NDArray[np.float32] = np.empty(self.face.size, np.float32)
        one.observe(states, self.face.tables, seat, self.face.sections, out)
        return out


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position, perhaps with a deal or a step under way whose draws are asked for one by one."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.states = duplicate(game.rules.face.blank)
        self.action = _DEAL  # what is under way
        self.drawn: list[int] = []  # its draws so far
        self.outcomes = 0  # of the draw that it waits for; 0: it is done
        self.seen = [b""] * len(game.rules.face.seats)  # digests of all that each seat has seen and done
        self._go_on()

    @property
    def is_dealt(self) -> bool:
        """Whether there is a position yet."""
        return self.action != _DEAL

    def _go_on(self) -> None:
        """Plays what is under way with the draws so far: it asks for another, or is done."""
        tables, trial = self.rules.face.tables, duplicate(self.states)
        chance.set_script(trial, self.drawn)
        if self.action == _DEAL:
            one.deal(trial, tables)
        else:
            one.step(trial, tables, self.action, self.rules.mask)
        drawn = chance.recorded(trial)
        self.outcomes = drawn[len(self.drawn)][0] if len(drawn) > len(self.drawn) else 0
        if not self.outcomes:
            chance.set_script(trial, ())
            trial["record_length"], trial["record"], trial["chance_counter"] = 0, 0, 0
            self.states, self.drawn, self.action = trial, [], 0
            self._remember()

    def _remember(self) -> None:
        for seat, before in enumerate(self.seen):
            self.seen[seat] = _digest(before, self.rules.observe(self.states, seat).tobytes())

    # ------------------------------------------------------------ what OpenSpiel asks
    def current_player(self) -> int:
        """The seat that moves, chance, or nobody any more."""
        if self.outcomes:
            return int(pyspiel.PlayerId.CHANCE)
        mover = one.mover(self.states, self.rules.face.tables)
        return int(pyspiel.PlayerId.TERMINAL) if mover < 0 else mover

    def _legal_actions(self, player: int) -> list[int]:
        one.legal(self.states, self.rules.face.tables, player, self.rules.mask)
        legal: list[int] = np.flatnonzero(self.rules.mask).tolist()
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the draw, all equally likely."""
        return [(outcome, 1 / self.outcomes) for outcome in range(self.outcomes)]

    def _apply_action(self, action: int) -> None:
        if self.outcomes:
            self.drawn.append(action)
        else:
            seat = self.current_player()
            self.seen[seat] = _digest(self.seen[seat], action.to_bytes(4, "little"))
            self.action = action
        self._go_on()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"outcome {action}"
        return self.rules.face.action_text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.current_player() == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Every seat's reward for the whole game, zeros while it runs."""
        seats = len(self.rules.face.seats)
        return self.rules.face.results(self.states)[1] if self.is_terminal() else [0.0] * seats

    def __str__(self) -> str:
        return self.rules.face.game.format(self.states) if self.is_dealt else "not dealt"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A position that the seat cannot tell from this one, drawn by its belief, all else that is hidden by lot.

        Args:
            player: the seat.
            sampler: uniform numbers from 0 up to 1.
        """
        face = self.rules.face
        settings = np.concatenate(list(face.game.alternatives(self.states, player)))
        weights = np.cumsum(face.game.weights(settings, player))
        row = int(np.searchsorted(weights, sampler() * weights[-1], side="right"))
        other: SpielState = self.clone()
        other.states = duplicate(settings[min(row, len(settings) - 1)][None])
        for seat in range(len(self.seen)):
            if seat != player:  # what the others have seen is not known; from now on they remember anew
                other.seen[seat] = _digest(b"", self.rules.observe(other.states, seat).tobytes())
        return other


class SpielObserver:
    """Observations of a seat: its sections by name, and text."""

    def __init__(self, rules: Rules, *, recalls: bool) -> None:
        self._rules, self._recalls = rules, recalls
        self.tensor: NDArray[np.float32] | None = None if recalls else np.zeros(rules.face.size, np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        if self.tensor is not None:
            names = [section.name for section in rules.layout.sections]
            self.dict = {name: self.tensor[rules.layout.slice(name)] for name in names}

    def set_from(self, state: SpielState, player: int) -> None:
        """Writes what the seat sees over ``tensor``; zeros before the deal."""
        if self.tensor is not None:
            self.tensor[:] = self._rules.observe(state.states, player) if state.is_dealt else 0

    def string_from(self, state: SpielState, player: int) -> str:
        """The board as the seat sees it, or the digest of all that it has seen and done."""
        if self._recalls:
            return f"{self._rules.face.seats[player]} {state.seen[player].hex()}"
        return self._rules.face.game.render(state.states, player) if state.is_dealt else "not dealt"


def _digest(before: bytes, more: bytes) -> bytes:
    return hashlib.blake2b(before + more, digest_size=16).digest()


# Classes, which OpenSpiel keeps to the end of the process: it crashes there on a function.
class WhoIsMoriartySpiel(SpielGame):
    """Who Is Moriarty."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        super().__init__(registry.game("who_is_moriarty"), params)


class ManorSpiel(SpielGame):
    """The Manor."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        super().__init__(registry.game("manor"), params)


for _name, _class in {"who_is_moriarty": WhoIsMoriartySpiel, "manor": ManorSpiel}.items():
    pyspiel.register_game(game_type(Face.of(registry.game(_name), {})), _class)
