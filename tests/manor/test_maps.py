"""Maps: what is read from a file, those that come along and their pictures, and where pawns may start."""

from __future__ import annotations

import hashlib
import json
import re
import time
from itertools import combinations
from pathlib import Path

import pytest

from reichenbach.envs.manor import graph
from reichenbach.envs.manor.actions import MAX_AREAS
from reichenbach.envs.manor.map_file import SHIPPED, load, parse, shipped
from reichenbach.envs.manor.map_types import Settings
from reichenbach.envs.manor.tables import MAX_SPOTS, MAX_WINGS, MAX_ZONES
from tests.manor import maps_page

CASES = Path(__file__).parent / "cases"
GULL = (CASES / "gull.yaml").read_text(encoding="utf-8")


# ---------------------------------------------------------------- what is read


def test_the_map_of_the_positions() -> None:
    house = load(CASES / "gull.yaml")
    facts = json.loads((CASES / "turns.json").read_text(encoding="utf-8"))["map"]
    assert house.name == facts["name"]
    assert house.label == f"gull@{hashlib.sha256(GULL.encode()).hexdigest()[:12]}"
    for zone, (name, (kind, wing, chains)) in zip(house.zones, facts["zones"].items(), strict=True):
        assert (zone.name, zone.is_room, house.wings[zone.wing]) == (name, kind == "room", wing)
        assert "-".join(house.areas[area] for area in zone.areas) == "-".join(chains)
        assert all(house.zones[house.zone_of[area]] == zone for area in zone.areas)
    for edges, given in ((house.doors, facts["doors"]), (house.passages, facts["passages"])):
        assert [f"{house.areas[one]}-{house.areas[other]}" for one, other in edges] == given
    assert house.areas[house.entrance] == facts["entrance"]
    assert [house.areas[area] for area in house.spots] == sorted(facts["spots"], key=house.areas.index)
    assert house.settings == (Settings(),) * 4
    assert house.text == GULL


def test_what_a_map_asks_for_at_a_table() -> None:
    house = parse(f"{GULL}tables: {{all: {{food: 8, sprays: 1}}, 4p: {{food: 9, least_distance: 2}}}}\n", "house.yaml")
    assert house.at("2p") == Settings(food=8, sprays=1)
    assert house.at("4p") == Settings(food=9, sprays=1, least_distance=2)


def test_a_house_without_passages() -> None:
    """Then no spot hides one, though nobody says so."""
    house = parse(GULL.replace("passages: [S2-K2, B2-C2]\n", ""), "house.yaml")
    assert house.passages == ()
    assert house.at("2p") == Settings(passages=0)


def test_line_ends_are_kept(tmp_path: Path) -> None:
    (tmp_path / "house.yaml").write_bytes(GULL.replace("\n", "\r\n").encode())
    house = load(tmp_path / "house.yaml")
    assert house.digest == hashlib.sha256((tmp_path / "house.yaml").read_bytes()).hexdigest()
    assert house.doors == load(CASES / "gull.yaml").doors


# ---------------------------------------------------------------- the maps that come along


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_maps(name: str) -> None:
    house = shipped(name)
    assert house.name == name
    assert 20 <= len(house.areas) <= MAX_AREAS
    assert 8 <= len(house.zones) <= MAX_ZONES
    assert 2 <= len(house.wings) <= MAX_WINGS
    assert 2 <= len(house.passages) <= 4
    assert 18 <= len(house.spots) <= MAX_SPOTS
    assert all(len(zone.areas) in (2, 3) for zone in house.zones)
    assert house.settings == (Settings(weapons=1),) * 4
    distance = graph.distances(len(house.areas), [*house.open, *house.doors])
    assert len(graph.starts(distance, house.zone_of, 3, 1000)) >= 100


def test_the_maps_differ_in_kind() -> None:
    far = [max(map(max, graph.distances(len(h.areas), [*h.open, *h.doors]))) for h in map(shipped, SHIPPED)]
    middle, compact, long = far
    assert compact < middle < long


def test_the_page_is_up_to_date() -> None:
    text = maps_page.PAGE.read_text(encoding="utf-8")
    assert maps_page.with_lists(text) == text, "make tables"


@pytest.mark.parametrize("name", SHIPPED)
def test_pictures_show_every_area_and_edge(name: str) -> None:
    house, page = shipped(name), maps_page.PAGE.read_text(encoding="utf-8")
    text = page.partition(f"<!-- {name} -->")[2].partition(f"<!-- end of {name} -->")[0]
    picture = text.split("```")[1]
    assert sorted(re.findall(r"[A-Z]\d", picture)) == sorted(house.areas)
    assert picture.count("=") + picture.count("] [") == len(house.doors)
    assert picture.count("*") == len(house.spots)
    assert picture.count("@") == 1
    for letter, ends in zip("abcdef", house.passages, strict=False):
        assert picture.count(letter) == len(ends)
    for line, edges in (("open", house.open), ("doors", house.doors)):
        listed = re.findall(rf"^- {line}: (.*)$", text, re.MULTILINE)[0].split(", ")
        assert listed == [f"{house.areas[one]}-{house.areas[other]}" for one, other in edges]


def test_a_door_that_cannot_be_drawn_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = maps_page.GRIDS["wrenlatch"].replace("D2", "xx").replace("L1", "D2").replace("xx", "L1")
    monkeypatch.setitem(maps_page.GRIDS, "wrenlatch", moved)
    with pytest.raises(ValueError, match="wrenlatch: the open edges are not those"):
        maps_page.Picture(shipped("wrenlatch")).text()


# ---------------------------------------------------------------- starts


def test_starts_are_all_sets_in_order() -> None:
    """M7, against every set of six areas."""
    house = shipped(SHIPPED[1])
    distance = graph.distances(len(house.areas), [*house.open, *house.doors])
    expected = [
        sum(1 << area for area in areas)
        for areas in combinations(range(len(house.areas)), 6)
        if len({house.zone_of[area] for area in areas}) == 6
        and all(distance[one][other] >= 3 for one, other in combinations(areas, 2))
    ]
    assert graph.starts(distance, house.zone_of, 3, 1000) == expected
    assert graph.starts(distance, house.zone_of, 3, 10) == expected[:10]


def test_distances() -> None:
    assert graph.distances(4, [(0, 1), (2, 1)]) == [[0, 1, 2, 99], [1, 0, 1, 99], [2, 1, 0, 99], [99, 99, 99, 0]]


def test_reading_is_quick() -> None:
    started = time.process_time()
    parse(GULL + "# read anew\n", "house.yaml")
    assert time.process_time() - started < 0.5
