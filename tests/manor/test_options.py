"""The options of The Manor: the map above all, the counts, and the house and seats that they choose."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reichenbach.agents import stored
from reichenbach.agents.setup import BadAgent, Setup
from reichenbach.envs.core import options as core
from reichenbach.envs.core.errors import BadMap, BadOption
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.options import OptionValues
from reichenbach.envs.manor import house, map_file, map_option
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.map_file import SHIPPED, shipped
from reichenbach.envs.manor.options import OPTIONS, house_of, seats, tables
from reichenbach.envs.manor.seats import SEATS, TABLE_NAMES
from reichenbach.envs.manor.state import CONTENTS, IRENE, MORIARTY, NONE, SHERLOCK, STATE, WATSON
from reichenbach.envs.manor.tables import MAX_PASSAGES, MAX_STARTS

GULL = Path(__file__).parent / "cases" / "gull.yaml"
MAP = core.find(OPTIONS, "map")


def resolve(**given: Any) -> OptionValues:
    return core.resolve(OPTIONS, given)


# ---------------------------------------------------------------- all options


def test_options_stand_in_the_order_of_the_state() -> None:
    names = STATE.names
    assert names is not None
    assert tuple(option.field for option in OPTIONS) == names[names.index("table") :]


def test_defaults() -> None:
    """§15, and the counts of the map."""
    values = resolve()
    assert {option.name: option.write(values[option.name]) for option in OPTIONS} == {
        **{"table": "2p", "map": SHIPPED[0], "hungry_reach": "1", "injury_slows": "true", "stack_hunger": "false"},
        **{"sherlock_beats_watson": "false", "irene_commands_target": "false", "inventory": "public"},
        **{"events": "true", "exposure": "public", "days": "3", "leak_chance": "25", "dog_chance": "50"},
        **dict.fromkeys(("food", "weapons", "medicine", "sprays", "fuse_boxes", "passages"), "map"),
    }
    assert core.changed(OPTIONS, values) == {}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"map": SHIPPED[2], "table": "4p_roles", "exposure": "overridden", "inventory": "private", "days": 1},
        {"map": GULL, "food": 0, "passages": 0, "weapons": 20, "leak_chance": 100, "dog_chance": 0},
        {"injury_slows": False, "events": False, "stack_hunger": True, "hungry_reach": 2},
    ],
)
def test_options_go_through_state_text_and_json(given: dict[str, Any]) -> None:
    values = resolve(**given)
    states = np.zeros(2, STATE)
    core.write(OPTIONS, values, states)
    assert core.read(OPTIONS, states[:1]) == values
    assert {option.name: option.read(option.write(values[option.name])) for option in OPTIONS} == values
    assert resolve(**json.loads(json.dumps(values))) == values


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"table": "5p"}, "option table: '5p' is not allowed; allowed are 2p, 3p, 4p, 4p_roles"),
        ({"days": 4}, "option days: 4 is not allowed; allowed are 1 to 3"),
        ({"injury_slows": 1}, "option injury_slows: 1 is not allowed; allowed are false, true"),
        ({"food": 21}, "option food: 21 is not allowed; allowed are map, 0 to 20"),
        ({"passages": 2}, "option passages: 2 is not allowed; allowed are map, 0 to 1"),
        ({"fuse_box": 2}, "option fuse_box: there is none; did you mean fuse_boxes? allowed are table, map,"),
    ],
)
def test_options_that_are_none(given: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption) as error:
        resolve(**given)
    assert str(error.value).startswith(message)


# ---------------------------------------------------------------- the map


def test_a_users_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a path, from the working directory; the value holds the file, and so outlives it."""
    file = tmp_path / "my.yaml"
    file.write_text(GULL.read_text().replace("name: gull", "name: mine"))
    monkeypatch.chdir(tmp_path)
    value = MAP.check("my.yaml")
    assert value == MAP.check(file) == MAP.read("./my.yaml")
    assert value == {"name": "mine", "sha256": map_file.load(file).digest, "text": file.read_text()}
    file.unlink()
    assert MAP.check(value) == value
    assert MAP.write(value) == f"mine@{value['sha256'][:12]}"
    assert MAP.read(MAP.write(value)) == value
    states = GAME.new(resolve(map=value))
    assert 2**30 <= states["map"][0] < 2**31
    assert house_of(states).name == "mine"


def test_maps_that_come_along(tmp_path: Path) -> None:
    for number, name in enumerate(SHIPPED):
        states = GAME.new(resolve(map=name))
        assert states["map"][0] == number
        assert house_of(states) == shipped(name)
        (tmp_path / "copy.yaml").write_text(shipped(name).text)
        assert MAP.check(tmp_path / "copy.yaml") == name, "an unchanged copy is the map itself"
        assert MAP.read(shipped(name).label) == name
    (tmp_path / "copy.yaml").write_text(shipped(SHIPPED[0]).text + "# changed\n")
    assert MAP.check(tmp_path / "copy.yaml")["name"] == SHIPPED[0]


def test_a_copied_face_has_the_same_house() -> None:
    face = Face.of(GAME, {"map": GULL, "observe_belief": True})
    for twin in (copy.deepcopy(face), pickle.loads(pickle.dumps(face))):
        assert twin.options == face.options
        assert twin.tables is face.tables
        assert not twin.tables.flags.writeable


IN_ANOTHER_PROCESS = """
import json, sys
from reichenbach.envs.core.errors import BadOption
from reichenbach.envs.manor.options import OPTIONS
given, text, number = json.load(sys.stdin)
try:
    OPTIONS[1].read(text)
except BadOption as error:
    print(error)
try:
    OPTIONS[1].decode(number)
except BadOption as error:
    print(error)
value = OPTIONS[1].check(given)
print(value == given == OPTIONS[1].read(text) == OPTIONS[1].decode(number))
"""


def test_a_stored_map_is_known_in_another_process() -> None:
    value = MAP.check(GULL)
    given = json.dumps([value, MAP.write(value), MAP.encode(value)])
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS]
    said = subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout.splitlines()
    assert said == [
        f"option map: {MAP.write(value)} is not loaded in this process; make it known by its file first: map=FILE",
        f"option map: no map of number {MAP.encode(value)} is loaded in this process; make it known by its file",
        "True",
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("gul", "option map: there is no map 'gul'; allowed are ottermarch, wrenlatch, skerrowby, or the path of a"),
        ("ottermarsh", "option map: there is no map 'ottermarsh'; did you mean ottermarch? allowed are ottermarch,"),
        ("nowhere/x.yaml", "option map: 'nowhere/x.yaml' cannot be read: No such file or directory; allowed are"),
        ("a\0b.yaml", "option map: 'a\\x00b.yaml' cannot be read: embedded null byte; allowed are ottermarch,"),
        ("/", "option map: '/' cannot be read: Is a directory; allowed are ottermarch,"),
        ("gull@000000000000", "option map: gull@000000000000 is not loaded in this process; make it known by its file"),
        (3, "option map: 3 is not allowed; allowed are ottermarch, wrenlatch, skerrowby, or the path of"),
        ({"name": "x"}, "option map: {'name': 'x'} is not allowed; a mapping holds the texts name, sha256, text"),
        ({"name": "x", "sha256": "0", "text": 3}, "option map: {'name': 'x', "),
    ],
)
def test_maps_that_are_none(value: Any, message: str) -> None:
    with pytest.raises(BadOption) as error:
        MAP.check(value)
    assert str(error.value).startswith(message)


def test_a_number_of_no_map() -> None:
    with pytest.raises(BadOption, match="option map: no map of number 3 is loaded in this process; make it known"):
        MAP.decode(3)


def test_a_stored_map_that_was_changed_is_refused() -> None:
    value = MAP.check(GULL)
    with pytest.raises(
        BadOption, match=r"option map: 'gull': the hash of its text is [0-9a-f]{12}, not 'f092f07a98c7'"
    ):
        MAP.check({**value, "text": value["text"] + " "})
    with pytest.raises(BadOption, match="option map: 'gul': its text names the map 'gull'"):
        MAP.check({**value, "name": "gul"})
    with pytest.raises(BadOption, match="the hash of its text"):
        MAP.check({**value, "text": "\udc80"})


def test_a_bad_file_is_refused_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "my.yaml"
    file.write_text(GULL.read_text().replace("entrance: H2", "entrance: H9").replace("H1-D1", "H1-D9"))
    with pytest.raises(BadMap) as error:
        MAP.check(file)
    assert [str(problem).removeprefix(f"{file}:")[:13] for problem in error.value.problems] == [
        "15: doors[0]:",
        "17: entrance:",
    ]


def test_two_maps_of_one_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    value = MAP.check(GULL)
    number = MAP.encode(value)
    monkeypatch.setitem(map_option._LOADED, number, shipped(SHIPPED[0]))
    with pytest.raises(BadOption, match=r"gull@[0-9a-f]+ has the number of ottermarch@[0-9a-f]+; change a word"):
        MAP.check(value)


def test_a_checkpoint_of_another_map_is_refused_in_short() -> None:
    value = MAP.check(GULL)
    plain = stored.plain(resolve(map=GULL))
    setup = Setup(GAME, resolve(), "sherlock", 0)
    with pytest.raises(BadAgent) as error:
        stored.check({"game": "manor", "rules_version": GAME.rules_version, "options": plain}, setup, "x")
    assert str(error.value) == f"x: options.map: the checkpoint has '{MAP.write(value)}', here it is 'ottermarch'"


# ---------------------------------------------------------------- counts


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"food": 1}, "option food: 1 at table 2p; at least 2, two for each detective (M3)"),
        ({"table": "4p", "food": 5}, "option food: 5 at table 4p; at least 6, two for each detective (M3)"),
        ({"table": "4p_roles", "food": 3}, "option food: 3 at table 4p_roles; at least 4, two for each detective (M3)"),
        (
            {"weapons": 5},
            "option food, weapons, medicine, sprays, fuse_boxes, passages: food=7, weapons=5, medicine=3, sprays=2, "
            "fuse_boxes=1, passages=1 need 19 spots; map ottermarch has 18 (M6)",
        ),
    ],
)
def test_counts_that_do_not_fit(given: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption) as error:
        tables(resolve(**given))
    assert str(error.value) == message


def test_a_passage_where_none_is_possible(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text(GULL.read_text().replace("passages: [S2-K2, B2-C2]\n", ""))
    assert tables(resolve(map=tmp_path / "my.yaml"))["counts"][0].tolist() == [7, 3, 2, 2, 1, 0, 3]
    with pytest.raises(BadOption, match="option passages: 1, but map gull has no possible passage; allowed is 0"):
        tables(resolve(map=tmp_path / "my.yaml", passages=1))


def test_counts_stand_in_the_order_of_the_contents() -> None:
    given = {"food": 8, "weapons": 3, "medicine": 1, "sprays": 0, "fuse_boxes": 2, "passages": 0}
    counts = tables(resolve(**given))["counts"][0].tolist()
    assert dict(zip(CONTENTS, counts, strict=True)) == {
        **{"food": 8, "weapon": 3, "medicine": 1, "spray": 0, "fuse box": 2, "passage": 0, "nothing": 4}
    }


# ---------------------------------------------------------------- seats and house


def test_seats() -> None:
    """M2, row by row."""
    assert seats({}) == seats({"table": "2p"}) == ("sherlock", "moriarty")
    assert seats({"table": "3p"}) == ("sherlock_0", "sherlock_1", "moriarty")
    assert seats({"table": "4p"}) == ("sherlock_0", "sherlock_1", "sherlock_2", "moriarty")
    assert seats({"table": "4p_roles"}) == ("sherlock", "watson", "moriarty", "irene")
    expected = {
        "2p": ([SHERLOCK, MORIARTY, NONE, NONE], [3, 2, 0, 0], 3, 0b1, 1, NONE),
        "3p": ([SHERLOCK, SHERLOCK, MORIARTY, NONE], [2, 2, 2, 0], 2, 0b11, 2, NONE),
        "4p": ([SHERLOCK, SHERLOCK, SHERLOCK, MORIARTY], [1, 1, 1, 2], 2, 0b111, 3, NONE),
        "4p_roles": ([SHERLOCK, WATSON, MORIARTY, IRENE], [3, 1, 2, 1], 3, 0b11, 2, 3),
    }
    for table in TABLE_NAMES:
        one = tables(resolve(table=table))[0]
        assert one.n_seats == len(SEATS[table]) == len(seats({"table": table}))
        roles, quotas, slots, detectives, moriarty, irene = expected[table]
        assert (one.role.tolist(), one.quota.tolist()) == (roles, quotas)
        assert (one.slots, one.detectives, one.moriarty, one.irene) == (slots, detectives, moriarty, irene)


@pytest.mark.parametrize("name", [*SHIPPED, GULL])
def test_the_record_of_a_house(name: Any) -> None:
    """Every field against the map, distances against powers of the matrix of edges."""
    values = resolve(map=name)
    one, plan = tables(values)[0], house_of(GAME.new(values))
    n = len(plan.areas)
    assert (one.n_areas, one.n_spots, one.n_passages) == (n, len(plan.spots), len(plan.passages))
    assert one.entrance == plan.entrance
    for number, zone in enumerate(plan.zones):
        assert {area for area in range(26) if one.zone_areas[number] >> area & 1} == set(zone.areas)
        assert {(int(one.zone[area]), int(one.wing[area])) for area in zone.areas} == {(number, zone.wing)}
    assert one.room[: one.n_rooms].tolist() == [i for i, zone in enumerate(plan.zones) if zone.is_room]
    for usable in range(1 + len(plan.passages)):
        edges = np.eye(n, dtype=int)
        for first, second in (*plan.open, *plan.doors, *plan.passages[usable - 1 : usable][: min(usable, 1)]):
            edges[first, second] = edges[second, first] = 1
        ways = np.eye(n, dtype=int)
        for steps in range(n):
            reached = one.distance[usable, :n, :n] <= steps
            assert (reached == (ways > 0)).all()
            if steps < 4:
                assert one.within[usable, :n, steps].tolist() == [
                    sum(1 << int(a) for a in np.flatnonzero(r)) for r in ways
                ]
            ways = np.minimum(ways @ edges, 1)
    assert (one.distance[:, n:] == 99).all()
    assert (one.distance[len(plan.passages) + 1 :] == 99).all()
    assert not one.within[:, n:].any()
    for spot, area in enumerate(plan.spots):
        assert (one.spot_area[spot], one.spot[area]) == (area, spot)
    assert (one.spot == NONE).sum() == 26 - len(plan.spots)
    ends = one.spot_area[one.passage_spot[: one.n_passages]]
    assert [tuple(pair) for pair in ends.tolist()] == list(plan.passages)
    assert (one.passage_spot[one.n_passages :] == 0).all()
    assert 0 < one.n_starts <= MAX_STARTS
    assert all(int(start).bit_count() == 6 for start in one.starts[: one.n_starts])
    assert not one.starts[one.n_starts :].any()
    assert one.distance.shape[0] == 1 + MAX_PASSAGES


def test_a_record_is_made_once_and_quickly() -> None:
    values = resolve(map=SHIPPED[2], food=6)
    started = time.process_time()
    one = tables(values)
    assert time.process_time() - started < 0.5  # a tenth of it on an idle machine
    assert tables(values) is one
    assert tables(resolve(map=SHIPPED[2], food=6, days=1)) is one
    assert tables(resolve(map=SHIPPED[2], food=5)) is not one
    with pytest.raises(ValueError, match="read-only"):
        one["n_areas"] = 3
    assert house.build.cache_info().maxsize is not None
