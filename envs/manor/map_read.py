"""The parts of a map file, each by itself: names, types and numbers. What is wrong is noted in the document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import Any, cast

from reichenbach.envs.core.problems import dotted, nearest
from reichenbach.envs.core.yaml_text import Document, Path
from reichenbach.envs.manor.actions import MAX_AREAS
from reichenbach.envs.manor.map_types import Edge, Settings, Zone
from reichenbach.envs.manor.seats import TABLE_NAMES
from reichenbach.envs.manor.tables import MAX_PASSAGES, MAX_SPOTS, MAX_WINGS, MAX_ZONES

NEEDED = ("name", "title", "zones", "doors", "entrance", "spots")
OPTIONAL = ("open", "passages", "tables")
KINDS = ("corridor", "room")
ALL = "all"  # what a map asks for at every table that says nothing else
RANGES = {setting.name: (0, MAX_SPOTS) for setting in fields(Settings)} | {
    "passages": (0, 1),
    "least_distance": (1, MAX_AREAS - 1),
}

_AREA = re.compile(r"[A-Za-z][A-Za-z0-9]{0,3}")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,23}")
_LINE = re.compile(r"[ -~]{1,100}")


@dataclass
class Draft:
    """A map as far as it could be read."""

    document: Document
    name: str = ""
    title: str = ""
    zones: list[Zone] = field(default_factory=list[Zone])
    areas: list[str] = field(default_factory=list[str])
    zone_of: list[int] = field(default_factory=list[int])
    wings: list[str] = field(default_factory=list[str])
    edges: dict[str, list[Edge]] = field(default_factory=dict[str, list[Edge]])  # by open, doors, passages
    seen: dict[Edge, Path] = field(default_factory=dict[Edge, Path])  # where each edge stands
    entrance: int = 0
    spots: list[int] = field(default_factory=list[int])
    given: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])  # by table, or ALL

    def faulty(self) -> set[str]:
        """The keys at the top in which something is wrong."""
        return {re.split(r"[.\[]", problem.key)[0] for problem in self.document.problems}


def read(document: Document) -> Draft:
    """All parts of the map."""
    draft = Draft(document)
    _keys(draft, (), document.values, NEEDED, OPTIONAL)
    draft.name = _text(draft, ("name",), document.values.get("name", "x"), _WORD)
    draft.title = _text(draft, ("title",), document.values.get("title", "x"), _LINE)
    _zones(draft)
    for kind in ("open", "doors", "passages"):
        draft.edges[kind] = _edges(draft, kind)
    if len(draft.edges["passages"]) > MAX_PASSAGES:
        count = len(draft.edges["passages"])
        document.wrong(("passages",), f"{count} possible passages, at most {MAX_PASSAGES} are allowed")
    if "entrance" in document.values:
        draft.entrance = _area(draft, ("entrance",), document.values["entrance"]) or 0
    _spots(draft)
    _tables(draft)
    return draft


# ---------------------------------------------------------------- values of any part


def _keys(draft: Draft, path: Path, values: Iterable[str], needed: Iterable[str], optional: Iterable[str] = ()) -> None:
    allowed = [*needed, *optional]
    for key in values:
        if key not in allowed:
            message = f"there is no such key; {nearest(key, allowed)}allowed are {', '.join(allowed)}"
            draft.document.wrong((*path, key), message)
    for key in needed:
        if key not in values:
            draft.document.wrong((*path, key), "this key is needed")


def _text(draft: Draft, path: Path, value: Any, form: re.Pattern[str]) -> str:
    """The value if it has the form, an empty text if not."""
    if isinstance(value, str) and form.fullmatch(value):
        return value
    wanted = {
        _AREA: "the name of an area is a letter and up to 3 letters and digits",
        _WORD: "it must be a letter and up to 23 letters, digits and _",
        _LINE: "it must be one line of at most 100 ASCII letters, digits and signs",
    }[form]
    quotes = "" if isinstance(value, str) else " (in quotes where YAML reads something else than text)"
    draft.document.wrong(path, f"{value!r:.60} is not allowed; {wanted}{quotes}")
    return ""


def _list(draft: Draft, path: Path, value: Any) -> Sequence[Any]:
    if isinstance(value, list):
        return cast("Sequence[Any]", value)
    draft.document.wrong(path, f"{value!r:.60} is not allowed; it must be a list, [] for an empty one")
    return []


def _mapping(draft: Draft, path: Path, value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return cast("dict[str, Any]", value)
    draft.document.wrong(path, f"{value!r:.60} is not allowed; it must be a mapping of keys to values")
    return {}


def _area(draft: Draft, path: Path, value: Any) -> int | None:
    """The number of the area of that name."""
    if not isinstance(value, str):
        draft.document.wrong(path, f"{value!r:.60} is not allowed; it must be the name of an area")
    elif value in draft.areas:
        return draft.areas.index(value)
    elif draft.areas:  # else the zones could not be read, which is noted
        hint = nearest(value, draft.areas)
        draft.document.wrong(path, f"there is no area {value!r:.60}; {hint}allowed are {', '.join(draft.areas)}")
    return None


# ---------------------------------------------------------------- zones


def _zones(draft: Draft) -> None:
    if "zones" not in draft.document.values:
        return
    for name, value in _mapping(draft, ("zones",), draft.document.values["zones"]).items():
        _zone(draft, name, value)
    for count, most, what in (
        (len(draft.areas), MAX_AREAS, "areas"),
        (len(draft.zones), MAX_ZONES, "zones"),
        (len(draft.wings), MAX_WINGS, "wings"),
    ):
        if count > most:
            draft.document.wrong(("zones",), f"{count} {what}, at most {most} are allowed")
    if draft.zones and not any(zone.is_room for zone in draft.zones):
        draft.document.wrong(("zones",), "none of them is a room; a gas leak needs one (M21)")


def _zone(draft: Draft, name: str, value: Any) -> None:
    path: Path = ("zones", name)
    _text(draft, path, name, _WORD)
    parts = _mapping(draft, path, value)
    if isinstance(value, dict):
        _keys(draft, path, parts, ("kind", "wing", "areas"))
    kind = parts.get("kind", KINDS[0])
    if kind not in KINDS:
        draft.document.wrong((*path, "kind"), f"{kind!r:.60} is not allowed; allowed are {', '.join(KINDS)}")
    wing = _text(draft, (*path, "wing"), parts["wing"], _WORD) if "wing" in parts else ""
    if wing and wing not in draft.wings:
        draft.wings.append(wing)
    if parts.get("areas") == []:
        draft.document.wrong((*path, "areas"), "a zone has at least one area")
    first = len(draft.areas)
    for i, area in enumerate(_list(draft, (*path, "areas"), parts.get("areas", []))):
        _new_area(draft, (*path, "areas", i), area, name)
    numbers = tuple(range(first, len(draft.areas)))
    draft.zones.append(Zone(name, kind == "room", draft.wings.index(wing) if wing else 0, numbers))


def _new_area(draft: Draft, path: Path, value: Any, zone: str) -> None:
    area = _text(draft, path, value, _AREA)
    if area in draft.areas:
        names = [*(earlier.name for earlier in draft.zones), zone]
        first = names[draft.zone_of[draft.areas.index(area)]]
        draft.document.wrong(path, f"area {area} stands twice, first in zone {first}")
    elif area:
        draft.areas.append(area)
        draft.zone_of.append(len(draft.zones))


# ---------------------------------------------------------------- edges, spots, tables


def _edges(draft: Draft, kind: str) -> list[Edge]:
    found: list[Edge] = []
    for i, value in enumerate(_list(draft, (kind,), draft.document.values.get(kind, []))):
        names = [part.strip() for part in value.split("-")] if isinstance(value, str) else []
        if len(names) < 2 or (kind == "passages" and len(names) > 2):
            wanted = "two areas, as A1-B1" if kind == "passages" else "a chain of areas, as A1-A2-A3"
            draft.document.wrong((kind, i), f"{value!r:.60} is not allowed; it must be {wanted}")
            continue
        areas = [_area(draft, (kind, i), name) for name in names]
        for one, other in pairwise(areas):
            if one is not None and other is not None and _is_new(draft, (kind, i), one, other):
                found.append((one, other))
    return found


def _is_new(draft: Draft, path: Path, one: int, other: int) -> bool:
    """Notes what is wrong with an edge; true if nothing is."""
    kind = path[0]
    edge = (min(one, other), max(one, other))
    text = f"{draft.areas[one]}-{draft.areas[other]}"
    zones = [draft.zones[draft.zone_of[area]].name for area in (one, other)]
    message = ""
    if one == other:
        message = f"{text} joins an area to itself"
    elif edge in draft.seen:
        first = draft.seen[edge]
        where = f"{dotted(first)}, line {draft.document.line(first)}"
        twice = f"{text} stands twice, first in {where}"
        joined = f"{text} are neighbours already ({where}); a passage joins areas that are not"
        message = joined if kind == "passages" and first[0] != kind else twice
    elif kind == "open" and zones[0] != zones[1]:
        message = f"{text} joins two zones, {zones[0]} and {zones[1]}; between zones there are doors only"
    elif kind == "doors" and zones[0] == zones[1]:
        message = f"{text} lies in one zone, {zones[0]}; within a zone edges are open"
    draft.seen.setdefault(edge, path)
    if message:
        draft.document.wrong(path, message)
    return not message


def _spots(draft: Draft) -> None:
    for i, value in enumerate(_list(draft, ("spots",), draft.document.values.get("spots", []))):
        area = _area(draft, ("spots", i), value)
        if area in draft.spots:
            draft.document.wrong(("spots", i), f"area {value} stands twice; an area has at most one spot")
        elif area is not None:
            draft.spots.append(area)
    if len(draft.spots) > MAX_SPOTS:
        draft.document.wrong(("spots",), f"{len(draft.spots)} spots, at most {MAX_SPOTS} are allowed")


def _tables(draft: Draft) -> None:
    tables = _mapping(draft, ("tables",), draft.document.values.get("tables", {}))
    _keys(draft, ("tables",), tables, (), (ALL, *TABLE_NAMES))
    for table, value in tables.items():
        path: Path = ("tables", table)
        if table not in (ALL, *TABLE_NAMES):
            continue
        settings = _mapping(draft, path, value)
        _keys(draft, path, settings, (), RANGES)
        draft.given[table] = {}
        for name, number in settings.items():
            if name not in RANGES:
                continue
            low, high = RANGES[name]
            if type(number) is int and low <= number <= high:
                draft.given[table][name] = number
            else:
                draft.document.wrong((*path, name), f"{number!r:.60} is not allowed; allowed are {low} to {high}")
