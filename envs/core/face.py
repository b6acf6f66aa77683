"""What every face of a game shares: reading its arguments, its spaces, its infos and its saved states."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any, TypedDict, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from reichenbach.envs.core import batch, chance, one
from reichenbach.envs.core import options as rule_options
from reichenbach.envs.core.errors import BadOption, IllegalAction
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.record import States, Tables, duplicate

FORMAT = 2  # of saved states
_CHECKSUM = 4  # bytes at their end

FLOAT32 = np.dtype(np.float32)
INT8 = np.dtype(np.int8)
_FIRST: NDArray[np.int64] = np.zeros(1, np.int64)  # rows of a batch of one

RENDER_MODES = ("ansi", "human")
ILLEGAL_MOVES = ("raise", "lose")
ILLEGAL_ENDING = "illegal_move"  # the ending that infos name when illegal_moves="lose" ended the game
ILLEGAL_REWARD = -1.0
ILLEGAL = -2  # what `one.step` answers to an illegal action


class Observation(TypedDict):
    """What a seat is given: ``observation`` float32 (size,), every value in [0, 1]; ``action_mask`` int8 (actions,)."""

    observation: NDArray[np.float32]
    action_mask: NDArray[np.int8]


@dataclass(frozen=True)
class Face:
    """A game under chosen options, seen with chosen optional sections."""

    game: Game
    options: Mapping[str, Any]  # resolved: every rule option and its value
    sections: int  # a bit for each optional section
    seats: tuple[str, ...]
    tables: Tables
    blank: States  # array of one under these options, undealt
    size: int  # of an observation

    @staticmethod
    def of(game: Game, arguments: Mapping[str, Any]) -> Face:
        """Reads rule options and ``observe_<section>`` switches.

        Raises:
            BadOption: an argument of unknown name, or out of its range.
        """
        switches = {f"observe_{section}" for section in game.optional_sections}
        wanted = {name: value for name, value in arguments.items() if name in switches}
        options = game.resolve({name: value for name, value in arguments.items() if name not in switches})
        sections = game.sections(**wanted)
        return Face(
            game=game,
            options=options,
            sections=sections,
            seats=game.seats(options),
            tables=game.tables(options),
            blank=game.new(options),
            size=game.layout(sections).size,
        )

    @property
    def everything(self) -> int:
        """The observer that sees all: one past the last seat."""
        return len(self.seats)

    def __reduce__(self) -> tuple[Any, ...]:
        # Copies are made anew: tables that lost their read-only flag would be another type to compiled code.
        return Face.of, (self.game, self.arguments())

    def arguments(self) -> dict[str, Any]:
        """Arguments from which ``of`` makes this face again."""
        switches = {
            f"observe_{name}": bool(self.sections >> bit & 1) for bit, name in enumerate(self.game.optional_sections)
        }
        return {**self.options, **switches}

    def observation_space(self, seat: str) -> spaces.Space[Any]:
        """Space of the seat's `Observation`.

        Raises:
            KeyError: there is no such seat.
        """
        self.number(seat)
        return spaces.Dict(
            {
                "observation": box(self.size),
                "action_mask": spaces.Box(0, 1, (self.game.n_actions,), np.int8),
            }
        )

    def action_space(self, seat: str) -> spaces.Space[Any]:
        """Space of the seat's actions.

        Raises:
            KeyError: there is no such seat.
        """
        self.number(seat)
        return choices(self.game.n_actions)

    def number(self, seat: str) -> int:
        """The number of the seat of that name.

        Raises:
            KeyError: there is none; names those there are.
        """
        if seat not in self.seats:
            raise KeyError(f"{self.game.name}: there is no seat {seat!r}; there are: {', '.join(self.seats)}")
        return self.seats.index(seat)

    def action_text(self, action: int) -> str:
        """An action as text in the words of these options, as "Agatha to S1, search"."""
        return self.game.action_text(action, self.options)

    def action_from_text(self, text: str) -> int:
        """The action of a text; raises ValueError with the nearest where there is none."""
        return self.game.action_from_text(text, self.options)

    def render(self, states: States, view: str) -> str:
        """The position as text, as the seat ``view`` knows it; "all" knows everything."""
        return self.game.render(states, self.everything if view == "all" else self.seats.index(view))

    def show(self, states: States, view: str, mode: str | None) -> str | None:
        """What ``render`` of an environment does: the text with "ansi", printed with "human", nothing with None."""
        if mode is None:
            return None
        text = self.render(states, view)
        if mode == "ansi":
            return text
        print(text)
        return None

    def begin(self, states: States | None, seed: int | None, options: Mapping[str, Any] | None) -> States:
        """The first position of a new game, as an array of one: ``states`` itself, unless a text is given.

        Args:
            states: the game before it, whose generator chain an unseeded game continues; None at the first.
            seed: seeds chance by ``SeedSequence(seed)``; None continues the chain, or takes entropy at the first.
            options: ``{"position": text}`` starts from that position; other keys are not ours and are ignored.

        Raises:
            BadPosition: the text is no position, or one under other rule options.
            ValueError: a seed that is none, or options that are no mapping.
        """
        seed = seed_number(seed)
        text: str | None = reset_options(options).get("position")
        if text is None:
            following = duplicate(self.blank) if states is None else states
        else:  # a text that is refused must not change the game before it
            following = duplicate(self.blank if states is None else states)
        if seed is None and states is not None:
            batch.deal_next(following, self.tables, _FIRST)
        else:
            chance.seed(following, [seed])
            one.deal(following, self.tables)
        return following if text is None else self._position(text, following, seed)

    def _position(self, text: str, dealt: States, seed: int | None) -> States:
        """The position of a text; raises BadPosition."""
        states = self.game.parse(text, **self.options)
        # A seed in the call outranks one in the text, which outranks the chain.
        if seed is not None or not any(word.startswith("seed=") for word in text.split()):
            states["chance_key"] = dealt["chance_key"]
            states["chance_counter"] = 0
        return states

    def results(self, states: States) -> tuple[int, list[float]]:
        """The ending code of an array of one, 0 while the game runs, and every seat's reward."""
        endings: NDArray[np.int64] = np.empty(1, np.int64)
        rewards: NDArray[np.float64] = np.empty((1, len(self.seats)))
        batch.results(states, self.tables, _FIRST, endings, rewards)
        return int(endings[0]), rewards[0].tolist()

    def ended(self, ending: int) -> dict[str, Any]:
        """The info that every seat is given at the end: ``winner`` (a name, None for a draw) and ``ending``."""
        return {"winner": self.game.winner(ending), "ending": self.game.endings(ending).name.lower()}

    def info(self, states: States) -> dict[str, Any]:
        """What a seat is told beside its observation: nothing until the end."""
        ending = one.outcome(states, self.tables)
        return self.ended(ending) if ending else {}

    def pack(self, states: States, extra: Mapping[str, Any]) -> bytes:
        """A saved state: one line of JSON that says what it is, the state record's bytes, a checksum of both."""
        head = {**self._identity, "extra": extra}
        whole = json.dumps(head).encode() + b"\n" + states.tobytes()
        return whole + _checksum(whole)

    def unpack(self, saved: bytes, expected_extra: Iterable[str]) -> tuple[States, dict[str, Any]]:
        """The state record and the extra facts that ``pack`` was given, which must be those of these names.

        Raises:
            ValueError: the bytes are no saved state, a damaged one, or one of another game, version, options or face.
        """
        try:
            line, _, rest = saved.partition(b"\n")
            head = json.loads(line)
            extra = head.pop("extra")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise ValueError("set_state: these bytes are no saved state of an environment") from None
        for name, expected in self._identity.items():
            if head.get(name) != expected:
                saved_with, here = rule_options.brief(head.get(name)), rule_options.brief(expected)
                raise ValueError(f"set_state: saved with {name} {saved_with!r}, this environment has {here!r}")
        # Compiled code trusts the numbers in a record: one wrong bit could have it write anywhere.
        record = rest[:-_CHECKSUM]
        if len(record) != self.blank.dtype.itemsize or _checksum(saved[:-_CHECKSUM]) != rest[-_CHECKSUM:]:
            raise ValueError("set_state: these bytes are damaged: they are not all there, or not as they were saved")
        if set(extra) != set(expected_extra):
            raise ValueError("set_state: saved by an environment of another kind (turns, simultaneous or one seat)")
        return np.frombuffer(record, self.blank.dtype).copy(), extra

    @cached_property
    def _identity(self) -> dict[str, Any]:
        options = json.loads(json.dumps(dict(self.options), default=list))
        return {
            "format": FORMAT,
            "game": self.game.name,
            "rules": self.game.rules_version,
            "record": hashlib.sha256(repr(self.blank.dtype.descr).encode()).hexdigest()[:16],
            "options": options,
        }


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(_CHECKSUM, "big")


def choices(n: int) -> spaces.Discrete:
    """Space of n actions."""
    return spaces.Discrete(n)


def box(size: int) -> spaces.Box:
    """Space of observations without their masks, float32 (size,)."""
    return spaces.Box(0.0, 1.0, (size,), np.float32)


def chosen(where: str, value: str | None, allowed: tuple[str | None, ...]) -> None:
    """Refuses a value that is not among the allowed ones.

    Raises:
        BadOption: with ``where`` it stood, what it was and what is allowed.
    """
    known = value is None or isinstance(value, str)  # pyright: ignore[reportUnnecessaryIsInstance]
    if not known or value not in allowed:
        raise BadOption(f"{where}: {value!r} is not allowed; allowed are: {', '.join(map(repr, allowed))}")


def whole_number(action: object, where: str = "") -> int:
    """The action as an integer that compiled code takes; ``where`` begins the error.

    Raises:
        IllegalAction: it is no integer (None, which only a seat that is out may give, or a fraction).
    """
    try:
        number = index(action)  # type: ignore[arg-type]  # what it refuses is what is asked
    except TypeError:
        raise IllegalAction(f"{where}action {action!r}: an integer is needed") from None
    return min(max(number, -(2**63)), 2**63 - 1)


def seed_number(seed: object) -> int | None:
    """The seed of a reset as a Python integer, or None.

    Raises:
        ValueError: it is neither None nor an integer from 0 on.
    """
    if seed is None:
        return None
    try:
        number = index(seed)  # type: ignore[arg-type]  # what it refuses is what is asked
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"reset: seed {seed!r} is not allowed; a whole number from 0 on, or None, is needed")
    return number


def reset_options(options: object) -> Mapping[str, Any]:
    """The options of a reset, an empty mapping for None.

    Raises:
        ValueError: they are no mapping.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise ValueError(f"reset: options {options!r} are not allowed; a mapping, or None, is needed")
    return cast("Mapping[str, Any]", options)
