"""Known answers of what pawns suffer: hunger and the meal, limits, fatigue, gas, dog, and when events begin."""

from __future__ import annotations

import pytest

from reichenbach.envs.core.record import States
from tests.manor.loading import Draw, act, field, legal, load, not_targets, pawn, turn, where

pytestmark = pytest.mark.plain


def reached(letter: str, seat: str, state: States) -> set[str]:
    """Where a seat may send the pawn of that letter without a deed."""
    return {text[2:] for text in legal(state, seat) if text.startswith(f"{letter}>") and ":" not in text}


# ---------------------------------------------------------------- the meal (M23)


def test_the_meal() -> None:
    """Food is eaten even by who is not hungry; who has none gets hungry once; who is critical suffers no more."""
    marks = "A:H1:food+food B:G3:hungry+food C:L1:hungry D:K1:injured E:P1:hungry+injured"
    state = turn(load("turn=3", pawns=marks))
    after = {letter: pawn(state, letter) for letter in "ABCDEF"}
    assert after["A"] == "H1:food"
    assert after["B"] == "G3"
    assert after["C"] == "L1:hungry"
    assert after["D"] == "K1:hungry+injured"
    assert after["E"] == "P1:hungry+injured"
    assert after["F"] == "S1:hungry"


def test_hunger_that_stacks() -> None:
    state = turn(load("turn=3 stack_hunger=true", pawns="A:H1:hungry B:G3:hungry+hungry C:L1:hungry+injured"))
    assert [pawn(state, letter) for letter in "ABCD"] == [
        "H1:hungry+hungry",
        "G3:hungry+hungry",
        "L1:hungry+injured",
        "K1:hungry",
    ]
    assert reached("A", "moriarty", state) == {"H1", "H2", "D1"}, "hungry twice is critical"


@pytest.mark.parametrize("number", [1, 2, 4, 5, 7, 8, 10])
def test_nobody_eats_by_day(number: int) -> None:
    state = turn(load(f"turn={number}", pawns="A:H1:food"))
    assert pawn(state, "A") == "H1:food"
    assert pawn(state, "B") == "G3"


# ---------------------------------------------------------------- how far pawns go (M10, M11)

FROM_H1 = ({"H1"}, {"H2", "D1"}, {"H3", "G2", "D2"}, {"P1", "G1", "G3", "L2", "D3"})  # 0, 1, 2 and 3 areas off


@pytest.mark.parametrize(
    ("marks", "options", "limit", "forced"),
    [
        ("", "", 3, 3),
        (":fatigued", "", 2, 3),
        (":hungry", "", 1, 1),
        (":hungry", "hungry_reach=2", 2, 2),
        (":injured", "", 2, 2),
        (":injured", "injury_slows=false", 3, 3),
        (":injured+fatigued", "injury_slows=false", 2, 3),
        (":hungry+injured", "hungry_reach=2 injury_slows=false", 1, 1),
        (":hungry+hungry", "hungry_reach=2 stack_hunger=true", 1, 1),
    ],
)
def test_limits(marks: str, options: str, limit: int, forced: int) -> None:
    state = load(options, pawns=f"A:H1{marks}")
    for seat, steps in {"sherlock": limit, "watson": limit, "irene": limit, "moriarty": forced}.items():
        assert reached("A", seat, state) == set().union(*FROM_H1[: steps + 1])


def test_fatigue_comes_from_three_areas_and_goes_with_fewer() -> None:
    state = turn(load("turn=3"), sherlock="A>P1")
    assert pawn(state, "A") == "P1:hungry+fatigued", "night changes nothing"
    assert pawn(turn(state), "A") == "P1:hungry"


@pytest.mark.parametrize("exposure", ["public", "side", "overridden"])
def test_a_forced_move_is_public(exposure: str) -> None:
    state = turn(load(exposure=exposure, pawns="B:G3:fatigued"), moriarty="B>L1")
    assert act(state, "B") == "G3:forced"
    assert pawn(state, "B") == "L1:fatigued"
    assert not_targets(state) == "B"


def test_pawns_do_not_block() -> None:
    state = turn(load(pawns="A:H1 B:H2 C:H2 D:H2"), sherlock="A>H3")
    assert where(state) == "H3 H2 H2 H2 P1 S1"


# ---------------------------------------------------------------- gas and dog (M18, M21-M23)


def test_a_leak_injures_those_in_its_room_at_the_end_of_two_turns() -> None:
    state = turn(load("leak=library:2", pawns="A:G1 F:L3"))
    assert [pawn(state, letter) for letter in "ACF"] == ["G1", "L1:injured", "L3:injured"]
    assert field(state, "leak") == "library:1"
    turn(state, sherlock="A>L1")
    assert [pawn(state, letter) for letter in "ACF"] == ["L1:injured", "L1:injured", "L3:injured"]
    assert field(state, "leak") == "-"
    assert pawn(turn(state, sherlock="D>L2"), "D") == "L2:hungry+fatigued", "of night, not of gas"


def test_who_has_left_the_room_is_not_injured() -> None:
    state = turn(load("leak=library:2"), sherlock="C>G1")
    assert pawn(state, "C") == "G1"


def test_no_second_ailment_of_a_kind_and_nothing_beyond_critical() -> None:
    pawns = "A:L1:hungry B:L2:injured C:L3:hungry+injured D:L1:hungry+hungry"
    state = turn(load("leak=library:2 stack_hunger=true", pawns=pawns))
    assert [pawn(state, letter) for letter in "ABCD"] == [
        "L1:hungry+injured",
        "L2:injured",
        "L3:hungry+injured",
        "L1:hungry+hungry",
    ]


def test_a_spray_spares_its_user_for_this_turn() -> None:
    state = turn(load(pawns="A:H1:spray B:H2 C:H3"), sherlock="A>H2:spray")
    assert [pawn(state, letter) for letter in "ABC"] == ["H2", "H2:injured", "H3"]
    assert field(state, "gas") == "H2"
    turn(state)
    assert [pawn(state, letter) for letter in "ABC"] == ["H2:injured", "H2:injured", "H3"]
    assert field(state, "gas") == "-"
    turn(state, sherlock="C>H2")
    assert pawn(state, "C") == "H2:hungry", "of night, not of gas"


def test_two_sprays_in_one_area_spare_nobody() -> None:
    state = turn(load(pawns="A:H1:spray B:H1:spray"), sherlock="A>H1:spray,B>H1:spray")
    assert [pawn(state, letter) for letter in "AB"] == ["H1:injured", "H1:injured"]


def test_the_dog_bites_the_nearest() -> None:
    state = turn(load("dog=H2:3"))
    assert (pawn(state, "A"), field(state, "dog")) == ("H1:injured", "H1:2")
    turn(state)
    assert (pawn(state, "A"), field(state, "dog")) == ("H1:injured", "H1:1")
    turn(state)
    assert field(state, "dog") == "left"


def test_the_dog_bites_one_of_its_area() -> None:
    state = turn(load("dog=H2:3", pawns="B:H1 F:H1"), draws=[(3, 1)])
    assert [pawn(state, letter) for letter in "ABF"] == ["H1", "H1:injured", "H1"]
    state = turn(load("dog=H2:3", pawns="A:H1:injured B:H1"), draws=[(2, 0)])
    assert [pawn(state, letter) for letter in "AB"] == ["H1:injured", "H1"], "in vain"


def test_the_dog_goes_to_the_first_letter_of_several() -> None:
    state = turn(load("dog=H2:3", pawns="A:S1 B:H3 C:H1"))
    assert field(state, "dog") == "H3:2"
    assert pawn(state, "B") == "H3:injured"


def test_the_dog_goes_two_areas_after_all_have_acted() -> None:
    """B at L1 is nearest with 3 areas; the dog gets to G1 and bites nobody."""
    away = "A:D3 B:L2 C:L3 D:K1 E:P3 F:S1"
    state = turn(load("dog=H2:3", pawns=away), sherlock="B>L1")
    assert field(state, "dog") == "G1:2"
    assert not any("injured" in pawn(state, letter) for letter in "ABCDEF")


def test_a_critical_pawn_is_not_bitten_further() -> None:
    state = turn(load("dog=H2:3", pawns="A:H1:hungry+injured"))
    assert pawn(state, "A") == "H1:hungry+injured"


@pytest.mark.parametrize(
    ("number", "draws", "leak", "dog"),
    [
        (1, [(100, 24), (7, 3)], "kitchen:2", "-"),
        (4, [(100, 25)], "-", "-"),
        (7, [(100, 0), (7, 6)], "bedroom:2", "-"),
        (3, [(100, 49)], "-", "H2:3"),
        (3, [(100, 50)], "-", "-"),
        (6, [(100, 0)], "-", "H2:3"),
        (2, [], "-", "-"),
        (5, [], "-", "-"),
        (9, [], "-", "-"),
    ],
)
def test_when_leaks_and_dogs_begin(number: int, draws: list[Draw], leak: str, dog: str) -> None:
    """Leaks when an afternoon begins, in one of seven rooms; the dog when day 2 or 3 does, at the entrance."""
    state = turn(load(f"turn={number} events=true"), draws=draws)
    assert (field(state, "leak"), field(state, "dog")) == (leak, dog)


def test_the_dog_comes_once_and_chances_are_options() -> None:
    turn(load("turn=6 events=true dog=left"), draws=[])
    state = turn(load("turn=4 events=true leak_chance=0"), draws=[(100, 0)])
    assert field(state, "leak") == "-"
    state = turn(load("turn=3 events=true dog_chance=100"), draws=[(100, 99)])
    assert field(state, "dog") == "H2:3"
