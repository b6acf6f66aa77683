"""A position as text: parts ``name=value``, some of them options of the rules, the others fields of the game.

What every game's notation shares; which fields there are, and what they mean, is each game's own.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reichenbach.envs.core import chance, options
from reichenbach.envs.core.digits import whole
from reichenbach.envs.core.errors import BadPosition
from reichenbach.envs.core.options import Option
from reichenbach.envs.core.record import States

EMPTY = "-"  # the list of nothing
_MANY = 12  # an error lists no more allowed words than this
_SEED = "seed"


@dataclass(frozen=True)
class Notation:
    """What the texts of a game are made of: options, and fields, of which some are needed and some have a default."""

    dtype: np.dtype[np.void]
    options: tuple[Option, ...]
    needed: tuple[str, ...]
    defaults: Mapping[str, str]
    others: tuple[str, ...]
    always: tuple[str, ...] = ()  # options that are written even where they are default, before everything else

    def begin(self, text: str, option_values: Mapping[str, Any]) -> tuple[States, dict[str, str]]:
        """An array of one that has its options and its key and is zeros otherwise, and every field that is to be read.

        Args:
            text: ``seed=`` in it sets the key, otherwise it is that of seed 0.
            option_values: options that are given by name; the text may give them as well.

        Raises:
            BadPosition: the text is not made of these parts; says which, what was wrong and what is allowed.
            BadOption: an option of unknown name or out of range.
        """
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise BadPosition(f"position, {text!r}: expected a text")
        fields, text_options = self._split(text)
        values = {name: options.find(self.options, name).check(value) for name, value in option_values.items()}
        for name, value in values.items():
            if text_options.get(name, value) != value:
                said, wanted = options.brief(text_options[name]), options.brief(value)
                raise BadPosition(f"position, {name}: the text says {said!r}, the argument {wanted!r}")
        for name in self.needed:
            if name not in fields:
                raise refusal(name, "is missing", f"{', '.join(self.needed)} are needed")
        state: States = np.zeros(1, self.dtype)
        options.write(self.options, options.resolve(self.options, {**values, **text_options}), state)
        chance.seed(state, [number(_SEED, fields.pop(_SEED, "0"), 0, 2**128)])
        return state, {**self.defaults, **fields}

    def _split(self, text: str) -> tuple[dict[str, str], dict[str, Any]]:
        """The text's fields, and its options with their values read."""
        by_name = {option.name: option for option in self.options}
        known = (*self.needed, *self.defaults, *self.others, _SEED)
        fields: dict[str, str] = {}
        found: dict[str, Any] = {}
        for part in text.split():
            name, equals, value = part.partition("=")
            if not equals:
                raise BadPosition(f"position, {part!r}: expected name=value")
            # an option and a field may share a name; the value tells them apart
            is_option = name in by_name and (name not in known or value in by_name[name].texts)
            if name in (found if is_option else fields):
                raise BadPosition(f"position, {name}: is given twice")
            if is_option:
                found[name] = by_name[name].read(value)
            elif name in known:
                fields[name] = value
            elif name in ("winner", "ending"):
                raise refusal(name, "the game is over", "only games under way can be read")
            else:
                raise refusal(name, "there is no such field", f"allowed are {', '.join((*known, *by_name))}")
        return fields, found

    def write(self, state: States, fields: Mapping[str, str], over: Mapping[str, str]) -> str:
        """The text of an array of one; ``over``: winner and ending of a game that is over, else nothing."""
        values = options.read(self.options, state)
        first = {name: options.find(self.options, name).write(values[name]) for name in self.always}
        changed = options.changed(self.options, values)
        last = {name: text for name, text in changed.items() if name not in first}
        parts = (*first.items(), *fields.items(), *last.items(), *over.items())  # names may be shared
        return " ".join(f"{name}={text}" for name, text in parts)


# ---------------------------------------------------------------- single values and lists


def refusal(field: str, wrong: str, allowed: str) -> BadPosition:
    """The error of a field: what was wrong, and what is allowed."""
    return BadPosition(f"position, {field}: {wrong}; {allowed}")


def number(field: str, text: str, low: int, high: int) -> int:
    """A whole number in a range; raises BadPosition."""
    found = whole(text)
    if found is None or not low <= found <= high:
        raise refusal(field, f"{text!r} is out of range", f"allowed are {low} to {high}")
    return found


def word(field: str, text: str, allowed: Sequence[str]) -> int:
    """The place of a word among the allowed ones; raises BadPosition with the nearest of many."""
    if text in allowed:
        return allowed.index(text)
    if len(allowed) <= _MANY:
        raise refusal(field, f"{text!r} is not allowed", f"allowed are {', '.join(allowed)}")
    near = difflib.get_close_matches(text, allowed, 1, 0.0)[0]
    raise refusal(field, f"{text!r} is not allowed", f"did you mean {near}? Allowed are {', '.join(allowed)}")


def one_letter(field: str, text: str, letters: str, what: str) -> int:
    """The place of a letter among some, which are letters of ``what``; raises BadPosition."""
    if len(text) != 1 or text not in letters:
        raise refusal(field, f"{text!r} is no {what}", f"allowed are {letters[0]} to {letters[-1]}")
    return letters.index(text)


def entries(field: str, text: str, length: int | None = None) -> list[str]:
    """The entries of a list, ``-`` is the empty one; raises BadPosition where one is empty or their number wrong."""
    found = [] if text == EMPTY else text.split(",")
    if length is not None and len(found) != length:
        raise refusal(field, f"has {len(found)} entries", f"expected {length}, divided by commas")
    if not all(found):
        raise refusal(field, f"{text!r} has an empty entry", f"expected entries divided by commas, or {EMPTY} for none")
    return found
