"""Every mistake in a map is named with file, line and key, and all of them at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from reichenbach.envs.core.errors import BadMap, BadOption
from reichenbach.envs.manor import map_file
from reichenbach.envs.manor.actions import MAX_AREAS
from reichenbach.envs.manor.map_file import load, parse
from reichenbach.envs.manor.tables import MAX_PASSAGES, MAX_WINGS, MAX_ZONES

GULL = (Path(__file__).parent / "cases" / "gull.yaml").read_text(encoding="utf-8")


def problems(text: str) -> list[str]:
    """``line: key: message`` of everything that is wrong."""
    with pytest.raises(BadMap) as error:
        parse(text, "house.yaml")
    found = [str(problem) for problem in error.value.problems]
    assert str(error.value).splitlines() == found
    assert isinstance(error.value, BadOption)
    assert all(line.startswith("house.yaml:") for line in found)
    return [line.removeprefix("house.yaml:") for line in found]


def changed(*changes: tuple[str, str]) -> str:
    """The map of the positions, with parts of its text replaced."""
    text = GULL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


MANY = ", ".join(f"X{i}" for i in range(MAX_AREAS))
TENFOLD = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join(['*' + old] * 10)}]\n" for old, new in zip("abcdef", "bcdefg", strict=True)
)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "name: gull",
            "nane: gull",
            "2: nane: there is no such key; did you mean name? allowed are name, title, zones,",
        ),
        ("name: gull\n", "", "2: name: this key is needed"),
        ("name: gull", "name: a gull", "2: name: 'a gull' is not allowed; it must be a letter and up to 23 letters,"),
        (
            "name: gull",
            "name: 7",
            "2: name: 7 is not allowed; it must be a letter and up to 23 letters, digits and _ (in",
        ),
        ("title: A small house for tests", "title: [a]", "3: title: ['a'] is not allowed; it must be one line of"),
        ("title: A small house for tests", 'title: "a\\nb"', "3: title: 'a\\nb' is not allowed; it must be one line"),
        (
            "hall: {kind: corridor",
            "hall: {knd: corridor",
            "5: zones.hall.knd: there is no such key; did you mean kind?",
        ),
        ("hall: {kind: corridor", "hall: {knd: corridor", "5: zones.hall.kind: this key is needed"),
        ("hall: {kind: corridor", "hall: {kind: corridr", "5: zones.hall.kind: 'corridr' is not allowed; allowed are"),
        ("hall: {kind", "the hall: {kind", "5: zones.the hall: 'the hall' is not allowed; it must be a letter and"),
        ("wing: south", "wing: [south]", "5: zones.hall.wing: ['south'] is not allowed; it must be a letter and up"),
        (
            "areas: [S1, S2]",
            "areas: S1",
            "8: zones.study.areas: 'S1' is not allowed; it must be a list, [] for an empty",
        ),
        ("areas: [S1, S2]", "areas: []", "8: zones.study.areas: a zone has at least one area"),
        (
            "areas: [S1, S2]",
            "areas: [S1, S2, on]",
            "8: zones.study.areas[2]: True is not allowed; the name of an area is",
        ),
        (
            "areas: [S1, S2]",
            "areas: [S1, S2, S-3]",
            "8: zones.study.areas[2]: 'S-3' is not allowed; the name of an area",
        ),
        (
            "areas: [S1, S2]",
            "areas: [S1, S2, Study]",
            "8: zones.study.areas[2]: 'Study' is not allowed; the name of an",
        ),
        ("areas: [S1, S2]", "areas: [S1, S2, 1e3]", "8: zones.study.areas[2]: YAML reads 1e3 as text; write 1000.0"),
        ("areas: [S1, S2]", "areas: [S1, S2, H2]", "8: zones.study.areas[2]: area H2 stands twice, first in zone hall"),
        (
            "areas: [S1, S2]",
            "areas: [S1, S2, S1]",
            "8: zones.study.areas[2]: area S1 stands twice, first in zone study",
        ),
        ("areas: [S1, S2]}", f"areas: [S1, S2, {MANY}]}}", "4: zones: 50 areas, at most 26 are allowed"),
        ("zones:", "zones: []\nzone:", "4: zones: [] is not allowed; it must be a mapping of keys to values"),
        ("  study: {", "  study: 3\n  studio: {", "8: zones.study: 3 is not allowed; it must be a mapping of keys to"),
        ("  study: {", "  hall: {", "8: zones.hall: this key stands twice, first in line 5"),
        ("open: [H1-H2-H3", "open: [H1-H2-H9", "14: open[0]: there is no area 'H9'; did you mean "),
        ("open: [H1-H2-H3", "open: [H1-H2-H3-H3", "14: open[0]: H3-H3 joins an area to itself"),
        ("open: [H1-H2-H3", "open: [H1-H2-H3-D1", "14: open[0]: H3-D1 joins two zones, hall and dining; between zones"),
        ("open: [H1-H2-H3", "open: [H1-H2", "5: zones.hall: its open edges do not join H3 to H1; they must join all"),
        ("open: [H1-H2-H3", "open: [H1, H1-H2-H3", "14: open[0]: 'H1' is not allowed; it must be a chain of areas, as"),
        ("doors: [H1-D1", "doors: [1", "15: doors[0]: 1 is not allowed; it must be a chain of areas, as A1-A2-A3"),
        ("doors: [H1-D1", "doors: [H1--D1", "15: doors[0]: there is no area ''; allowed are H1, H2, H3,"),
        ("doors: [H1-D1", "doors: [H1-H3", "15: doors[0]: H1-H3 lies in one zone, hall; within a zone edges are open"),
        ("H2-G2", "H2-G2, G2-H2", "15: doors[2]: G2-H2 stands twice, first in doors[1], line 15"),
        ("H2-G2", "H2-G2, H2-H1", "15: doors[2]: H2-H1 stands twice, first in open[0], line 14"),
        ("G3-B1, ", "", "15: doors: no way without a passage leads from H1 to B1, B2; a house is connected"),
        ("entrance: H2", "entrance: [H2", "18: this is no YAML: expected ',' or ']', but got ':'"),
        ("passages: [S2-K2", "passages: [S2-K2-H1", "16: passages[0]: 'S2-K2-H1' is not allowed; it must be two areas"),
        ("passages: [S2-K2", "passages: [S2-H2", "16: passages[0]: H2 has no spot; a passage is found at a spot at"),
        ("passages: [S2-K2", "passages: [H1-D1", "16: passages[0]: H1-D1 are neighbours already (doors[0], line 15);"),
        ("passages: [S2-K2", "passages: [C2-B2", "16: passages[1]: B2-C2 stands twice, first in passages[0], line 16"),
        (
            "passages: [S2-K2",
            "passages: [S2-K2, S2-K3, S2-P1, S2-P2, S2-P3, S2-C1",
            f"16: passages: 7 possible passages, at most {MAX_PASSAGES} are allowed",
        ),
        ("entrance: H2\n", "", "2: entrance: this key is needed"),
        ("entrance: H2", "entrance: H4", "17: entrance: there is no area 'H4'; did you mean "),
        ("entrance: H2", "entrance: [H1, H2]", "17: entrance: ['H1', 'H2'] is not allowed; it must be the name of an"),
        ("spots: [H1", "spots: [H1, H1", "18: spots[1]: area H1 stands twice; an area has at most one spot"),
        ("spots: [H1", "spots: [H1, H0", "18: spots[1]: there is no area 'H0'; did you mean "),
        ("spots: [H1", "spots: [H1, H2, G2, G3", "18: spots: 21 spots, at most 20 are allowed"),
        ("spots: [H1, H3, G1, ", "spots: [", "18: spots: 15 spots, but at table 2p, 3p, 4p, 4p_roles 16 must hold"),
    ],
)
def test_one_mistake(old: str, new: str, expected: str) -> None:
    assert any(problem.startswith(expected) for problem in problems(changed((old, new))))


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        ("[]", "tables: [] is not allowed; it must be a mapping of keys to values"),
        ("{5p: {}}", "tables.5p: there is no such key; did you mean 4p? allowed are all, 2p, 3p, 4p, 4p_roles"),
        ("{2p: 3}", "tables.2p: 3 is not allowed; it must be a mapping of keys to values"),
        ("{2p: {fod: 3}}", "tables.2p.fod: there is no such key; did you mean food? allowed are food, weapons,"),
        ("{2p: {food: true}}", "tables.2p.food: True is not allowed; allowed are 0 to 20"),
        ("{2p: {food: 21}}", "tables.2p.food: 21 is not allowed; allowed are 0 to 20"),
        ("{2p: {passages: 2}}", "tables.2p.passages: 2 is not allowed; allowed are 0 to 1"),
        ("{2p: {least_distance: 0}}", "tables.2p.least_distance: 0 is not allowed; allowed are 1 to 25"),
        ("{4p: {food: 5}}", "tables.4p.food: 5 at table 4p, at least 6 are needed: two for each detective (M3)"),
        ("{all: {food: 3}}", "tables.all.food: 3 at table 3p, at least 4 are needed: two for each detective (M3)"),
        ("{4p: {food: 9, weapons: 9}}", "spots: 18 spots, but at table 4p 25 must hold something (M6)"),
        (
            "{3p: {least_distance: 6}}",
            "tables.3p.least_distance: there are no six areas of six zones, any two at least 6 apart",
        ),
    ],
)
def test_mistakes_in_what_tables_ask_for(tables: str, expected: str) -> None:
    found = problems(f"{GULL}tables: {tables}\n")
    assert any(problem.split(": ", 1)[1].startswith(expected) for problem in found)
    assert any(problem.startswith("19: ") or "spots: " in problem for problem in found)


def test_a_passage_is_asked_for_where_none_is_possible() -> None:
    text = changed(("passages: [S2-K2, B2-C2]\n", "tables: {3p: {passages: 1}}\n"))
    assert problems(text) == ["16: tables.3p.passages: 1 at table 3p, but no possible passage is named in passages"]


def test_a_misspelt_passage_is_said_once() -> None:
    text = changed(("passages: [S2-K2, B2-C2]", "tables: {all: {passages: 1}}\npassages: [S2-Q9]"))
    (problem,) = problems(text)
    assert problem.startswith("17: passages[0]: there is no area 'Q9'")


def test_too_many_zones_and_wings() -> None:
    more = "".join(f"  more{i}: {{kind: room, wing: w{i}, areas: [Z{i}]}}\n" for i in range(3))
    assert {
        f"4: zones: 12 zones, at most {MAX_ZONES} are allowed",
        f"4: zones: 5 wings, at most {MAX_WINGS} are allowed",
        "4: zones: 27 areas, at most 26 are allowed",
    } <= set(problems(changed(("open:", f"{more}open:"))))


def test_too_few_zones() -> None:
    zones = "".join(f"  z{i}: {{kind: room, wing: w, areas: [A{i}, B{i}, C{i}, D{i}]}}\n" for i in range(5))
    areas = [f"{letter}{i}" for i in range(5) for letter in "ABCD"]
    text = f"""\
name: few
title: Five rooms
zones:
{zones}open: [{", ".join(f"A{i}-B{i}-C{i}-D{i}" for i in range(5))}]
doors: [{", ".join(f"D{i}-A{i + 1}" for i in range(4))}]
entrance: A0
spots: [{", ".join(areas)}]
"""
    assert problems(text) == ["3: zones: 5 zones, at least 6 are needed: each pawn starts in another (M7)"]
    assert "none of them is a room" in problems(text.replace("room", "corridor"))[0]


def test_too_many_ways_to_start() -> None:
    """More than one draw can tell apart."""
    zones = "".join(f"  z{i}: {{kind: room, wing: w, areas: [A{i}, B{i}]}}\n" for i in range(10))
    text = f"""\
name: many
title: A long row
zones:
{zones}open: [{", ".join(f"A{i}-B{i}" for i in range(10))}]
doors: [{", ".join(f"B{i}-A{i + 1}" for i in range(9))}]
entrance: A0
spots: [{", ".join(f"A{i}, B{i}" for i in range(9))}]
tables: {{2p: {{least_distance: 1}}}}
"""
    found = len(parse(text.replace("least_distance: 1", "least_distance: 2"), "house.yaml").areas)
    assert found == 20
    long = text.replace("areas: [A0, B0]", "areas: [A0, B0, E0, F0, G0, I0, J0]").replace(
        "A0-B0", "A0-B0-E0-F0-G0-I0-J0"
    )
    assert problems(long) == [
        "18: tables.2p.least_distance: with 1 there are more than 32767 ways to choose areas to start in; ask for more"
    ]


def test_every_mistake_at_once() -> None:
    text = changed(
        ("title: A small house for tests\n", "titel: x\n"),
        ("wing: north, areas: [L1", "wing: 1, areas: [L1"),
        ("doors: [H1-D1", "doors: [H1-D9"),
        ("entrance: H2", "entrance: H7"),
        ("spots: [H1", "spots: [H1, H1"),
    )
    assert [problem.split(": ")[:2] for problem in problems(text)] == [
        ["2", "title"],
        ["3", "titel"],
        ["7", "zones.library.wing"],
        ["15", "doors[0]"],
        ["17", "entrance"],
        ["18", "spots[1]"],
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1: name: this key is needed"),
        ("- a", "1: a map is a mapping of keys to values"),
        ("name: [a", "1: this is no YAML: expected ',' or ']', but got '<stream end>'"),
        (TENFOLD, ": there are more than 10000 values"),
    ],
)
def test_texts_that_are_no_map(text: str, expected: str) -> None:
    assert any(expected in problem for problem in problems(text))


def test_files_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "house.yaml"
    file.write_bytes(b"name: gull\ntitle: \xff\n")
    with pytest.raises(BadMap, match=r"house\.yaml:2: this is no UTF-8 text: invalid start byte"):
        load(file)
    with pytest.raises(OSError, match="nowhere"):
        load(tmp_path / "nowhere.yaml")
    assert map_file.FOLDER.is_dir()
