"""The options of the rules (§15), their numbers in the state, and the house and seats that they choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reichenbach.envs.core.errors import BadOption
from reichenbach.envs.core.options import Option, choice, flag, number
from reichenbach.envs.core.record import States, Tables
from reichenbach.envs.manor import map_option
from reichenbach.envs.manor.house import build
from reichenbach.envs.manor.map_types import Map, Settings
from reichenbach.envs.manor.seats import SEATS, TABLE_NAMES, detectives
from reichenbach.envs.manor.tables import MAX_SPOTS

# Numbers that the rules compare with: places in the lists below.
INVENTORY_PRIVATE = 1
EXPOSURE_PUBLIC, EXPOSURE_SIDE, EXPOSURE_OVERRIDDEN = 0, 1, 2

BY_MAP = "map"  # as many as the map says for the table


def _count(name: str, most: int, field: str = "") -> Option:
    """How many spots hold something; ``map`` is -1 in the state."""
    values = (BY_MAP, *range(most + 1))
    return Option(name, values, tuple(map(str, values)), BY_MAP, f"map, 0 to {most}", field or name, -1)


OPTIONS: tuple[Option, ...] = (
    choice("table", TABLE_NAMES),  # M2
    map_option.MAP,  # M5
    number("hungry_reach", 1, 1, 2),  # M11
    flag("injury_slows", default=True),  # M11
    flag("stack_hunger"),  # M23
    flag("sherlock_beats_watson"),  # §5
    flag("irene_commands_target"),  # M3
    choice("inventory", ("public", "private")),  # M20
    flag("events", default=True),  # M21, M22
    choice("exposure", ("public", "side", "overridden")),  # M27, M28
    number("days", 3, 1, 3),  # M8
    _count("food", MAX_SPOTS),  # M6
    _count("weapons", MAX_SPOTS),
    _count("medicine", MAX_SPOTS),
    _count("sprays", MAX_SPOTS),
    _count("fuse_boxes", MAX_SPOTS, "fuse_box_count"),
    _count("passages", 1, "passage_count"),
    number("leak_chance", 25, 0, 100),  # M21, per cent
    number("dog_chance", 50, 0, 100),  # M22, per cent
)
_COUNTS = ("food", "weapons", "medicine", "sprays", "fuse_boxes", "passages")


def seats(values: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the seats in their order (M2); options that are not given have their default."""
    return tuple(seat.name for seat in SEATS[values.get("table", TABLE_NAMES[0])])


def tables(values: Mapping[str, Any]) -> Tables:
    """The house and the seats of resolved options, as the read-only record of tables.py.

    Raises:
        BadOption: the counts do not fit the map or the table.
    """
    house = map_option.house(values["map"])
    return build(house, values["table"], settings(values))


def house_of(states: States) -> Map:
    """The map of an array of one; raises BadOption where it is not loaded in this process."""
    return map_option.numbered(int(states["map"][0]))


def settings(values: Mapping[str, Any]) -> Settings:
    """How many spots hold what, and how far apart pawns start: the map's numbers, where the options say no others.

    Raises:
        BadOption: they do not fit the map or the table.
    """
    house, table = map_option.house(values["map"]), values["table"]
    asked = replace(house.at(table), **{name: values[name] for name in _COUNTS if values[name] != BY_MAP})
    least = 2 * detectives(table)
    if asked.food < least:
        raise BadOption(f"option food: {asked.food} at table {table}; at least {least}, two for each detective (M3)")
    if asked.passages > len(house.passages):
        raise BadOption(
            f"option passages: {asked.passages}, but map {house.name} has no possible passage; allowed is 0"
        )
    counts = {name: int(getattr(asked, name)) for name in _COUNTS}
    if sum(counts.values()) > len(house.spots):
        told = ", ".join(f"{name}={count}" for name, count in counts.items())
        raise BadOption(
            f"option {', '.join(_COUNTS)}: {told} need {sum(counts.values())} spots; "
            f"map {house.name} has {len(house.spots)} (M6)"
        )
    return asked
