"""Options of a game's rules: their names, ranges and texts, and their place in the state."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reichenbach.envs.core.errors import BadOption
from reichenbach.envs.core.record import States

OptionValues = dict[str, Any]


class Option(Protocol):
    """One option: ``check`` brings a given value to its plain form, ``encode`` to the number in the state."""

    @property
    def name(self) -> str: ...
    @property
    def field(self) -> str: ...
    @property
    def default(self) -> Any: ...
    @property
    def allowed(self) -> str: ...
    def check(self, value: Any) -> Any: ...
    def read(self, text: str) -> Any: ...
    def write(self, value: Any) -> str: ...
    def encode(self, value: Any) -> int: ...
    def decode(self, number: int) -> Any: ...


def _refuse(option: Option, value: Any) -> BadOption:
    return BadOption(f"option {option.name}: {value!r} is not allowed; allowed are {option.allowed}")


@dataclass(frozen=True)
class Flag:
    """False or true."""

    name: str
    default: bool = False
    allowed: str = "false, true"

    @property
    def field(self) -> str:
        return self.name

    def check(self, value: Any) -> bool:
        if value not in (False, True) or isinstance(value, float):
            raise _refuse(self, value)
        return bool(value)

    def read(self, text: str) -> bool:
        if text not in ("false", "true"):
            raise _refuse(self, text)
        return text == "true"

    def write(self, value: Any) -> str:
        return "true" if value else "false"

    def encode(self, value: Any) -> int:
        return int(value)

    def decode(self, number: int) -> bool:
        return bool(number)


@dataclass(frozen=True)
class Choice:
    """One of several words, the first being the default; the state holds its place in the list."""

    name: str
    values: tuple[str, ...]
    state_field: str = ""

    @property
    def field(self) -> str:
        return self.state_field or self.name

    @property
    def default(self) -> str:
        return self.values[0]

    @property
    def allowed(self) -> str:
        return ", ".join(self.values)

    def check(self, value: Any) -> str:
        if not isinstance(value, str) or value not in self.values:
            raise _refuse(self, value)
        return value

    def read(self, text: str) -> str:
        return self.check(text)

    def write(self, value: Any) -> str:
        return str(value)

    def encode(self, value: Any) -> int:
        return self.values.index(value)

    def decode(self, number: int) -> str:
        return self.values[int(number)]


@dataclass(frozen=True)
class Number:
    """A whole number in a range."""

    name: str
    default: int
    low: int
    high: int

    @property
    def field(self) -> str:
        return self.name

    @property
    def allowed(self) -> str:
        return f"{self.low} to {self.high}"

    def check(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            raise _refuse(self, value)
        return value

    def read(self, text: str) -> int:
        try:
            return self.check(int(text))
        except ValueError:
            raise _refuse(self, text) from None

    def write(self, value: Any) -> str:
        return str(value)

    def encode(self, value: Any) -> int:
        return int(value)

    def decode(self, number: int) -> int:
        return int(number)


@dataclass(frozen=True)
class Subset:
    """Any set of letters; the state holds one bit for each. Its text divides them by commas, ``-`` is empty."""

    name: str
    letters: str
    default: tuple[str, ...]

    @property
    def field(self) -> str:
        return self.name

    @property
    def allowed(self) -> str:
        return f"sets of the letters {self.letters}"

    def check(self, value: Any) -> tuple[str, ...]:
        try:
            letters = tuple(value)
        except TypeError:
            raise _refuse(self, value) from None
        if len(set(letters)) != len(letters) or not set(letters) <= set(self.letters):
            raise _refuse(self, value)
        return tuple(sorted(letters))

    def read(self, text: str) -> tuple[str, ...]:
        return () if text == "-" else self.check(text.split(","))

    def write(self, value: Any) -> str:
        return ",".join(value) or "-"

    def encode(self, value: Any) -> int:
        return sum(1 << self.letters.index(letter) for letter in value)

    def decode(self, number: int) -> tuple[str, ...]:
        return tuple(letter for bit, letter in enumerate(self.letters) if (int(number) >> bit) & 1)


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


def changed(options: Sequence[Option], values: Mapping[str, Any]) -> dict[str, str]:
    """The texts of the values that are not default."""
    return {
        option.name: option.write(values[option.name]) for option in options if values[option.name] != option.default
    }
