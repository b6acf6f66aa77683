"""From a map and a table to the read-only record that the rules look things up in (tables.py)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from reichenbach.envs.core.record import Tables
from reichenbach.envs.manor import graph
from reichenbach.envs.manor.actions import MAX_AREAS
from reichenbach.envs.manor.map_types import Map, Settings
from reichenbach.envs.manor.seats import SEATS
from reichenbach.envs.manor.state import IRENE, MORIARTY, NONE, SHERLOCK, WATSON
from reichenbach.envs.manor.tables import MAX_PASSAGES, MAX_STARTS, TABLES_DTYPE


@lru_cache(maxsize=64)
def build(house: Map, table: str, settings: Settings) -> Tables:
    """The record, an array of one that cannot be written; the same array for the same arguments.

    The contents must fit into the spots (options.py sees to it).
    """
    tables = np.zeros(1, TABLES_DTYPE)
    _rooms(tables, house)
    _ways(tables, house)
    _spots(tables, house, settings)
    _starts(tables, house, settings.least_distance)
    _seats(tables, table)
    tables.flags.writeable = False
    return tables


def _rooms(tables: Tables, house: Map) -> None:
    n_areas = len(house.areas)
    tables["n_areas"] = n_areas
    tables["zone"][0, :n_areas] = house.zone_of
    tables["wing"][0, :n_areas] = [house.zones[zone].wing for zone in house.zone_of]
    tables["zone_areas"][0, : len(house.zones)] = [_bits(zone.areas) for zone in house.zones]
    rooms = [number for number, zone in enumerate(house.zones) if zone.is_room]
    tables["n_rooms"] = len(rooms)
    tables["room"][0, : len(rooms)] = rooms
    tables["entrance"] = house.entrance


def _ways(tables: Tables, house: Map) -> None:
    """Distances without a passage and with each (M19). Areas and passages that the map lacks are far from all."""
    n_areas, edges = len(house.areas), [*house.open, *house.doors]
    distance = np.full((1 + MAX_PASSAGES, MAX_AREAS, MAX_AREAS), graph.FAR)
    for usable, more in enumerate([[], *([passage] for passage in house.passages)]):
        distance[usable, :n_areas, :n_areas] = graph.distances(n_areas, [*edges, *more])
    tables["distance"][0] = distance
    bit = 1 << np.arange(MAX_AREAS)
    for steps in range(4):
        tables["within"][0, :, :, steps] = ((distance <= steps) * bit).sum(axis=2)


def _spots(tables: Tables, house: Map, settings: Settings) -> None:
    spots = list(house.spots)
    tables["n_spots"] = len(spots)
    tables["spot_area"][0, : len(spots)] = spots
    tables["spot"] = NONE
    tables["spot"][0, spots] = range(len(spots))
    tables["n_passages"] = len(house.passages)
    for number, ends in enumerate(house.passages):
        tables["passage_spot"][0, number] = [spots.index(area) for area in ends]
    # in the order of state.py
    counts = (
        *(settings.food, settings.medicine, settings.sprays),
        *(settings.weapons, settings.fuse_boxes, settings.passages),
    )
    tables["counts"] = [*counts, len(spots) - sum(counts)]


def _starts(tables: Tables, house: Map, least: int) -> None:
    starts = _starts_of(house, least)
    tables["n_starts"] = len(starts)
    tables["starts"][0, : len(starts)] = starts


@lru_cache(maxsize=64)
def _starts_of(house: Map, least: int) -> list[int]:
    """What takes longest, once for all options of a map."""
    distance = graph.distances(len(house.areas), [*house.open, *house.doors])
    return graph.starts(distance, house.zone_of, least, MAX_STARTS)


def _seats(tables: Tables, table: str) -> None:
    seats = SEATS[table]
    roles = [seat.role for seat in seats]
    tables["n_seats"] = len(seats)
    tables["role"] = NONE
    tables["role"][0, : len(seats)] = roles
    tables["quota"][0, : len(seats)] = [seat.quota for seat in seats]
    tables["slots"] = max(seat.quota for seat in seats)
    tables["detectives"] = _bits(place for place, role in enumerate(roles) if role in (SHERLOCK, WATSON))
    tables["moriarty"] = roles.index(MORIARTY)
    tables["irene"] = roles.index(IRENE) if IRENE in roles else NONE


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)
