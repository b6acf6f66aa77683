"""The options of The Manor, and the house and seats that they choose."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reichenbach.envs.core import options as core
from reichenbach.envs.core.errors import BadOption
from reichenbach.envs.core.options import OptionValues
from reichenbach.envs.manor import house
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.map_file import SHIPPED
from reichenbach.envs.manor.options import OPTIONS, house_of, seats, tables
from reichenbach.envs.manor.seats import SEATS, TABLE_NAMES
from reichenbach.envs.manor.state import CONTENTS, IRENE, MORIARTY, NONE, SHERLOCK, STATE, WATSON
from reichenbach.envs.manor.tables import MAX_PASSAGES, MAX_STARTS

GULL = Path(__file__).parent / "cases" / "gull.yaml"


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
