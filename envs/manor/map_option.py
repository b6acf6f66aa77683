"""The option that says which map is played: one that comes along, or a user's own file."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from reichenbach.envs.core.errors import BadOption
from reichenbach.envs.core.options import Option
from reichenbach.envs.core.problems import nearest
from reichenbach.envs.manor.map_file import SHIPPED, load, parse, shipped
from reichenbach.envs.manor.map_types import Map

_KEYS = ("name", "sha256", "text")
_LABEL = re.compile(r"[A-Za-z][A-Za-z0-9_]*@[0-9a-f]{12}")
_LOADED: dict[int, Map] = {}  # users' maps that this process has seen, by their number in the state


class MapOption(Option):
    """The name of a map that comes along, or the path of a YAML file.

    The resolved value of a file is ``{"name", "sha256", "text"}``, so that what is saved with the options holds the
    whole map and does not change with the file. Its text is ``name@`` and the first 12 digits of the hash; it can be
    read where the map is loaded. Its number in the state comes from the hash.
    """

    def check(self, value: Any) -> Any:
        """The name, or the mapping of a user's map; raises BadMap, or BadOption where no map is meant."""
        if isinstance(value, Mapping):
            return _plain(self._of_mapping(cast("Mapping[str, Any]", value)))
        if isinstance(value, str | os.PathLike):
            return self.read(os.fspath(cast("str | os.PathLike[str]", value)))
        raise self._refusal(value)

    def read(self, text: str) -> Any:
        """The value of a name, of ``name@hash`` or of a path; raises BadMap, or BadOption where there is no map."""
        if text in SHIPPED:
            return text
        if _LABEL.fullmatch(text):
            return _plain(_of_label(text))
        try:
            found = load(text)
        except (OSError, ValueError) as error:
            if isinstance(error, BadOption):
                raise
            if re.fullmatch(r"\w+", text) and not Path(text).exists():  # a name rather than a path
                raise BadOption(
                    f"option map: there is no map {text!r}; {nearest(text, SHIPPED)}allowed are {self.allowed}"
                ) from None
            why = getattr(error, "strerror", None) or error
            raise BadOption(f"option map: {text!r} cannot be read: {why}; allowed are {self.allowed}") from None
        return _plain(_keep(found))

    def write(self, value: Any) -> str:
        """The name, with the hash for a user's map."""
        return value if isinstance(value, str) else house(value).label

    def encode(self, value: Any) -> int:
        """The place among the maps that come along, or a number of 31 bits that comes from the hash."""
        return SHIPPED.index(value) if isinstance(value, str) else _number(house(value))

    def decode(self, number: int) -> Any:
        """The value of a number in the state; raises BadOption where no map of that number is loaded."""
        return _plain(numbered(int(number)))

    def _of_mapping(self, value: Mapping[str, Any]) -> Map:
        if set(value) != set(_KEYS) or not all(isinstance(part, str) for part in value.values()):
            raise BadOption(f"option map: {value!r:.60} is not allowed; a mapping holds the texts {', '.join(_KEYS)}")
        name, digest, text = (value[key] for key in _KEYS)
        found = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if found != digest:
            raise BadOption(f"option map: {name!r:.60}: the hash of its text is {found[:12]}, not {digest[:12]!r}")
        house = parse(text, f"map {name[:24]}")
        if house.name != name:
            raise BadOption(f"option map: {name!r:.60}: its text names the map {house.name!r}")
        return _keep(house)


def house(value: Any) -> Map:
    """The map of a resolved value."""
    return shipped(value) if isinstance(value, str) else parse(value["text"], f"map {value['name']}")


def numbered(number: int) -> Map:
    """The map of a number in the state.

    Raises:
        BadOption: no map of that number is loaded in this process.
    """
    if 0 <= number < len(SHIPPED):
        return shipped(SHIPPED[number])
    if number not in _LOADED:
        raise BadOption(f"option map: no map of number {number} is loaded in this process; make it known by its file")
    return _LOADED[number]


def _plain(house: Map) -> Any:
    if house.name in SHIPPED and house.digest == shipped(house.name).digest:
        return house.name
    return dict(zip(_KEYS, (house.name, house.digest, house.text), strict=True))


def _number(house: Map) -> int:
    return int(house.digest[:8], 16) & 0x3FFFFFFF | 0x40000000  # never that of a map that comes along


def _keep(house: Map) -> Map:
    """Lets the process know the map by its number; raises BadOption where another has it already."""
    known = _LOADED.setdefault(_number(house), house)
    if known.digest != house.digest:
        raise BadOption(f"option map: {house.label} has the number of {known.label}; change a word in its file")
    return house


def _of_label(text: str) -> Map:
    for house in (*map(shipped, SHIPPED), *_LOADED.values()):
        if house.label == text:
            return house
    raise BadOption(f"option map: {text} is not loaded in this process; make it known by its file first: map=FILE")


MAP = MapOption(
    name="map",
    values=SHIPPED,
    texts=SHIPPED,
    default=SHIPPED[0],
    allowed=f"{', '.join(SHIPPED)}, or the path of a map's YAML file",
    field="map",
)
