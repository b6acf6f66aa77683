"""The house: zones, areas, edges and spots, with distances walked anew over the graph (M4-M7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

FAR = 99  # no way leads there
COUNTS = {"food": 7, "weapons": 2, "medicine": 3, "sprays": 2, "fuse_boxes": 1, "passages": 1}  # M6


@dataclass(frozen=True)
class Zone:
    """A room or a corridor; everybody in it sees everybody (M4)."""

    name: str
    kind: str
    wing: str
    areas: tuple[str, ...]


@dataclass
class House:
    """A map. Zones, areas and passages are numbered in the order in which they stand here, spots as their areas."""

    name: str
    zones: list[Zone]
    edges: list[tuple[str, str]]  # open edges and doors: both may be walked (M4)
    passages: list[tuple[str, str]]  # the possible ones, each between two spots (M6)
    entrance: str  # the dog's (M22)
    spots: list[str]  # areas
    apart: int = 3  # least distance of two starts (M7)
    counts: dict[str, int] = field(default_factory=dict)  # how many spots hold what, as the options name it (M6)
    # what was found out once
    _distances: dict[int | None, dict[str, dict[str, int]]] = field(default_factory=dict)
    _within: dict[tuple[str, int, int | None], list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.areas = [area for zone in self.zones for area in zone.areas]
        self.number = {area: number for number, area in enumerate(self.areas)}
        self.zone_of = {area: zone for zone in self.zones for area in zone.areas}
        self.wings = list(dict.fromkeys(zone.wing for zone in self.zones))
        self.rooms = [zone for zone in self.zones if zone.kind == "room"]

    def neighbours(self, area: str, passage: int | None) -> list[str]:
        """Areas one step away, over the passage too if one is usable (M19)."""
        edges = self.edges + ([] if passage is None else [self.passages[passage]])
        return [b for a, b in edges if a == area] + [a for a, b in edges if b == area]

    def distance(self, start: str, goal: str, passage: int | None = None) -> int:
        """Fewest steps from one area to another (M10), found by walking the graph breadth first."""
        known = self._distances.setdefault(passage, {})
        if start not in known:
            known[start] = self._walk(start, passage)
        return known[start].get(goal, FAR)

    def _walk(self, start: str, passage: int | None) -> dict[str, int]:
        steps = {start: 0}
        queue = [start]
        for area in queue:  # grows while we walk
            for near in self.neighbours(area, passage):
                if near not in steps:
                    steps[near] = steps[area] + 1
                    queue.append(near)
        return steps

    def within(self, start: str, steps: int, passage: int | None = None) -> list[str]:
        """Areas that are at most so many steps away, in map order."""
        key = start, steps, passage
        if key not in self._within:
            self._within[key] = [area for area in self.areas if self.distance(start, area, passage) <= steps]
        return self._within[key]

    def starts(self) -> list[tuple[str, ...]]:
        """M7: all sets of six areas in six zones, any two far enough apart, in order of the areas' numbers."""
        if not hasattr(self, "_starts"):
            self._starts = self._more((), self.areas)
        return self._starts

    def _more(self, chosen: tuple[str, ...], rest: Sequence[str]) -> list[tuple[str, ...]]:
        if len(chosen) == 6:
            return [chosen]
        found: list[tuple[str, ...]] = []
        for i, area in enumerate(rest):
            fits = [
                other
                for other in rest[i + 1 :]
                if self.distance(area, other) >= self.apart and self.zone_of[area] is not self.zone_of[other]
            ]
            found += self._more((*chosen, area), fits)
        return found


def edges_of(chain: str) -> list[tuple[str, str]]:
    """The edges of a chain of areas, as "H1-H2-H3"."""
    return list(pairwise(chain.split("-")))


def read_house(text: Mapping[str, Any], table: str) -> House:
    """The house of a map's file, read as YAML, as it is at one table."""
    zones = [Zone(name, zone["kind"], zone["wing"], tuple(zone["areas"])) for name, zone in text["zones"].items()]
    edges = [edge for chain in (*text.get("open", []), *text["doors"]) for edge in edges_of(chain)]
    passages = [edges_of(passage)[0] for passage in text.get("passages", [])]
    order = [area for zone in zones for area in zone.areas]
    settings = text.get("tables", {})
    counts = {**COUNTS, **settings.get("all", {}), **settings.get(table, {})}
    apart = counts.pop("least_distance", 3)
    spots = sorted(text["spots"], key=order.index)
    return House(text["name"], zones, edges, passages, text["entrance"], spots, apart, counts)
