"""Options of a game's rules: their names, ranges and texts, and their place in the state."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, product
from typing import Any, cast

import numpy as np

from reichenbach.envs.core.errors import BadOption
from reichenbach.envs.core.record import States

OptionValues = dict[str, Any]


@dataclass(frozen=True)
class Option:
    """One option: all its values with their texts; the state's ``field`` holds the value's place in the list.

    ``first`` is the number of the first value in the state; ``allowed`` says the values in an error's words.
    """

    name: str
    values: tuple[Any, ...]
    texts: tuple[str, ...]
    default: Any
    allowed: str
    field: str
    first: int = 0

    def check(self, value: Any) -> Any:
        """The value in its plain form; raises BadOption where it is none of the option's. A set may be a text."""
        plain: Any = value
        if isinstance(value, np.generic | np.ndarray):
            plain = value = cast("Any", value.tolist())
        if isinstance(value, str) and isinstance(self.default, tuple):
            return self.read(value)
        if isinstance(value, list | tuple | set | frozenset):
            plain = tuple(sorted(cast("Iterable[Any]", value), key=str))
        for allowed in self.values:
            if type(allowed) is type(plain) and allowed == plain:
                return allowed
        raise self._refusal(value)

    def read(self, text: str) -> Any:
        """The value of a text; raises BadOption. Letters of a set may stand in any order."""
        in_order = ",".join(sorted(text.split(",")))
        if in_order not in self.texts:
            raise self._refusal(text)
        return self.values[self.texts.index(in_order)]

    def write(self, value: Any) -> str:
        """The text of a value."""
        return self.texts[self.values.index(value)]

    def encode(self, value: Any) -> int:
        """The number of a value in the state."""
        return self.first + self.values.index(value)

    def decode(self, number: int) -> Any:
        """The value of a number in the state."""
        return self.values[int(number) - self.first]

    def _refusal(self, value: Any) -> BadOption:
        return BadOption(f"option {self.name}: {value!r} is not allowed; allowed are {self.allowed}")


def flag(name: str, *, default: bool = False) -> Option:
    """False or true."""
    return Option(name, (False, True), ("false", "true"), default, "false, true", name)


def choice(name: str, words: tuple[str, ...], field: str = "") -> Option:
    """One of several words, the first being the default."""
    return Option(name, words, words, words[0], ", ".join(words), field or name)


def number(name: str, default: int, low: int, high: int) -> Option:
    """A whole number in a range."""
    values = tuple(range(low, high + 1))
    return Option(name, values, tuple(map(str, values)), default, f"{low} to {high}", name, low)


def subset(name: str, letters: str, default: tuple[str, ...]) -> Option:
    """Any set of letters, one bit each in the state. Its text divides them by commas, ``-`` is empty."""
    bits = product((False, True), repeat=len(letters))  # counts in binary, the last letter quickest
    values = tuple(tuple(compress(letters, reversed(row))) for row in bits)
    texts = tuple(",".join(value) or "-" for value in values)
    return Option(name, values, texts, default, f"sets of the letters {letters}, as {texts[3]}", name)


def find(options: Iterable[Option], name: str) -> Option:
    """The option of that name.

    Raises:
        BadOption: there is none; names the nearest and all.
    """
    by_name = {option.name: option for option in options}
    if name not in by_name:
        near = difflib.get_close_matches(name, by_name, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise BadOption(f"option {name}: there is none; {hint}allowed are {', '.join(by_name)}")
    return by_name[name]


def resolve(options: Sequence[Option], given: Mapping[str, Any]) -> OptionValues:
    """All options by name: the given values, checked, and the defaults of the others.

    Raises:
        BadOption: an unknown name or a value out of range.
    """
    values = {option.name: option.default for option in options}
    for name, value in given.items():
        values[name] = find(options, name).check(value)
    return values


def write(options: Sequence[Option], values: Mapping[str, Any], states: States) -> None:
    """Puts resolved values into the fields of every state."""
    for option in options:
        states[option.field] = option.encode(values[option.name])


def read(options: Sequence[Option], states: States) -> OptionValues:
    """All options of an array of one."""
    return {option.name: option.decode(states[option.field][0]) for option in options}


def brief(value: Any) -> Any:
    """A value, or values by name, as a message shows them: a whole file, kept as a mapping, gives way to name@hash."""
    if not isinstance(value, Mapping):
        return value
    parts = cast("Mapping[str, Any]", value)
    if "sha256" in parts:
        return f"{parts.get('name')}@{str(parts['sha256'])[:12]}"
    return {name: brief(part) for name, part in parts.items()}


def changed(options: Sequence[Option], values: Mapping[str, Any]) -> dict[str, str]:
    """The texts of the values that are not default."""
    return {
        option.name: option.write(values[option.name]) for option in options if values[option.name] != option.default
    }
