"""A map as it stands in its file, read and checked: the house, and what it asks for at each table."""

from __future__ import annotations

from dataclasses import dataclass

from reichenbach.envs.manor.seats import TABLE_NAMES

Edge = tuple[int, int]


@dataclass(frozen=True)
class Zone:
    """A room or a corridor (M4): within it everybody sees everybody."""

    name: str
    is_room: bool
    wing: int
    areas: tuple[int, ...]


@dataclass(frozen=True)
class Settings:
    """What a map asks for at one table; the defaults are those of the rules."""

    food: int = 7  # M6
    weapons: int = 2
    medicine: int = 3
    sprays: int = 2
    fuse_boxes: int = 1
    passages: int = 1
    least_distance: int = 3  # between any two pawns at the start (M7)


@dataclass(frozen=True)
class Map:
    """A house. Areas, zones and wings are numbered in the order in which the file names them, spots by their areas.

    Attributes:
        name: a word; title: one line.
        areas: their names; ``zone_of``: the zone of each.
        open, doors, passages: pairs of areas; of the passages at most one is there in a game (M6).
        entrance: the area where the dog comes in (M22).
        spots: the areas that have one, in their order.
        settings: by table, in the order of ``TABLE_NAMES``.
        text: the whole file; ``digest``: its sha256 as 64 hexadecimal digits.
    """

    name: str
    title: str
    areas: tuple[str, ...]
    zones: tuple[Zone, ...]
    zone_of: tuple[int, ...]
    wings: tuple[str, ...]
    open: tuple[Edge, ...]
    doors: tuple[Edge, ...]
    passages: tuple[Edge, ...]
    entrance: int
    spots: tuple[int, ...]
    settings: tuple[Settings, ...]
    text: str
    digest: str

    def at(self, table: str) -> Settings:
        """What the map asks for at the table of that name."""
        return self.settings[TABLE_NAMES.index(table)]

    @property
    def label(self) -> str:
        """Name and first digits of the hash, as ``gull@0123456789ab``: tells two versions of a map apart."""
        return f"{self.name}@{self.digest[:12]}"
