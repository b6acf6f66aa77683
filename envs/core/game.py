"""One description of a game: everything that an adapter, an agent or a trainer asks of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import options
from reichenbach.envs.core.errors import BadOption
from reichenbach.envs.core.layout import Layout
from reichenbach.envs.core.options import Option, OptionValues
from reichenbach.envs.core.record import States, Tables


def _each_its_own(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Stands for the game's own ``seats``, which takes its place."""
    raise NotImplementedError


def _all_alike(settings: States, seat: int) -> NDArray[np.float64]:
    return np.ones(len(settings))


def _no_facts(states: States) -> dict[str, NDArray[Any]]:
    return {}


@dataclass(frozen=True)
class Game:
    """A game's names, numbers and functions; its compiled rules are registered in ``verbs`` under ``dtype``.

    Attributes:
        name: as in ``who_is_moriarty``; ``version`` is that of the environment, ``rules_version`` that of the rules.
        dtype: of a state record.
        n_actions: actions are ``range(n_actions)``; ``no_op`` is the idle seat's.
        endings: codes of how a game ends, 0 while it runs.
        options: of the rules; ``seats`` and ``tables`` follow from resolved options.
        optional_sections: names of the optional observation sections; bit i of ``sections`` is the i-th.
        layout: of an observation with these optional sections.
        winner: the side that an ending is a win for, None for a draw.
        parse, format: a position as text.
        action_text, action_from_text: an action as text, in both directions; under resolved options, if such are given
            beside it, in their words (the names of a map's areas), else in words that hold under all of them.
        why_illegal: why a seat may not play an action now, of a state, the action and the seat's number (-1 of a
            game that is over); names the seat and says nothing that is hidden from it.
        render: the board as text, seen by a seat or (one past the last seat) by everyone.
        alternatives: every setting of the hidden facts that fits the seat's view, in new arrays of one or several.
        weights: how likely each of those settings (N,) is to the seat, in proportion; all alike unless given.
        longest: how many submissions a game has at most, under resolved options.
        rounds: rounds begun, by game, for states of shape (N,).
        sides: which side each seat is of, in seat order, under resolved options; the seats of a side share its reward.
            Unless given, every seat is a side of its own that has its name.
        strata: how many outcomes the first draw of a deal has, if evaluation shall deal these equally often, else 1.
        grid: three numbers whose product the first actions are, in order, if the section ``after`` has a row for each
            of the first two together; () where it has a row for each action.
        facts: by which evaluation breaks results down: for states of shape (N,) whose games are over, names, each with
            a whole number or text for every game.
    """

    name: str
    version: int
    rules_version: str
    dtype: np.dtype[np.void]
    n_actions: int
    no_op: int
    endings: type[IntEnum]
    options: tuple[Option, ...]
    seats: Callable[[Mapping[str, Any]], tuple[str, ...]]
    tables: Callable[[Mapping[str, Any]], Tables]
    optional_sections: tuple[str, ...]
    layout: Callable[[int], Layout]
    winner: Callable[[int], str | None]
    parse: Callable[..., States]
    format: Callable[[States], str]
    action_text: Callable[..., str]
    action_from_text: Callable[..., int]
    why_illegal: Callable[[States, int, int], str]
    render: Callable[[States, int], str]
    alternatives: Callable[[States, int], Iterator[States]]
    rounds: Callable[[States], NDArray[np.int32]]
    longest: Callable[[Mapping[str, Any]], int]
    weights: Callable[[States, int], NDArray[np.float64]] = _all_alike
    sides: Callable[[Mapping[str, Any]], tuple[str, ...]] = _each_its_own
    strata: int = 1
    grid: tuple[int, ...] = ()
    facts: Callable[[States], Mapping[str, NDArray[Any]]] = _no_facts

    def __post_init__(self) -> None:
        if self.sides is _each_its_own:
            object.__setattr__(self, "sides", self.seats)

    def resolve(self, given: Mapping[str, Any]) -> OptionValues:
        """All options of the rules, checked; raises BadOption."""
        return options.resolve(self.options, given)

    def new(self, values: Mapping[str, Any], n: int = 1) -> States:
        """States of shape (n,) that carry the resolved options, neither seeded nor dealt."""
        states: States = np.zeros(n, self.dtype)
        options.write(self.options, values, states)
        return states

    def sections(self, **observe: Any) -> int:
        """The bitmask of optional sections, as ``sections(observe_after=True)``.

        Raises:
            BadOption: a name other than ``observe_<section>``, or no bool.
        """
        names = {f"observe_{name}": bit for bit, name in enumerate(self.optional_sections)}
        bits = 0
        for name, wanted in observe.items():
            if name not in names or not isinstance(wanted, bool | np.bool_):
                raise BadOption(
                    f"option {name}: {wanted!r} is not allowed; allowed are true and false of {', '.join(names)}"
                )
            bits |= (1 if wanted else 0) << names[name]
        return bits
