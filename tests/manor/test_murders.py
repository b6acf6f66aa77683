"""Known answers of murders and assails (M24, M25, M29)."""

from __future__ import annotations

import pytest

from reichenbach.envs.manor import actions
from tests.manor.loading import (
    act,
    belief,
    chart,
    field,
    legal,
    load,
    number,
    order_of_action,
    pawn,
    play,
    result,
    turn,
    where,
)

pytestmark = pytest.mark.plain

MURDER, ASSAIL, FAILED = ("villains", "murder"), ("villains", "assail"), ("detectives", "assail_failed")


# ---------------------------------------------------------------- murder (M24)


def test_the_target_walks_in() -> None:
    """E waits at P1 with a weapon; F comes, last of all."""
    state = turn(load(pawns="E:P1:armed F:H3"), sherlock="F>P1")
    assert order_of_action(state) == "ABCDEF"
    assert result(state) == MURDER


def test_the_witness_walks_out() -> None:
    """After C's act nobody sees what E does; D, E and F do not act any more."""
    state = turn(load(pawns="C:P2 E:P1:armed F:P1"), moriarty="C>C2")
    assert order_of_action(state) == "ABC"
    assert result(state) == MURDER
    assert where(state) == "H1 G3 C2 K1 P1 P1"


def test_nobody_need_order_it_and_one_of_two_orders_is_enough() -> None:
    assert result(turn(load(pawns="E:P1:armed F:P1"))) == MURDER
    assert result(turn(load(pawns="E:P1 F:P1"))) is None, "without a weapon"


def test_passing_by_does_not_count() -> None:
    state = turn(load(pawns="E:P1:armed F:P2"), sherlock="E>C2")
    assert (pawn(state, "E"), result(state)) == ("C2:fatigued+armed", None)


@pytest.mark.parametrize(
    ("witness", "wins"),
    [
        ("C:P1", False),  # in the zone of P1 to P3
        ("C:P3", False),
        ("C:P3:hungry", False),
        ("C:P3:injured", False),
        ("C:P3:hungry+injured", True),
        ("C:P3:hungry+hungry", True),
        ("C:H3", True),  # behind a door
        ("C:C2", True),
    ],
)
def test_witnesses(witness: str, wins: bool) -> None:
    state = turn(load("stack_hunger=true", pawns=f"{witness} E:P1:armed F:P1"))
    assert result(state) == (MURDER if wins else None)


@pytest.mark.parametrize("words", ["P1 south lives", "P2 south dies", "P2 north lives"])
def test_witnesses_in_the_dark(words: str) -> None:
    witness, dark, fate = words.split()
    state = turn(load(f"dark={dark}", pawns=f"C:{witness} E:P1:armed F:P1"))
    assert result(state) == (MURDER if fate == "dies" else None)
    assert fate == "dies" or field(state, "dark") == "-"


def test_a_passage_is_no_window() -> None:
    state = turn(load("passage=S2-K2:open", pawns="C:S2 D:H1 E:K2:armed F:K2"))
    assert result(state) == MURDER


def test_the_villain_and_the_target_may_be_critical() -> None:
    state = turn(load(pawns="E:P1:armed+hungry+injured F:P1:hungry+injured"))
    assert result(state) == MURDER


def test_gas_takes_the_witness_away() -> None:
    state = turn(load("leak=parlour:1", pawns="C:P1:hungry E:P1:armed F:P2"), sherlock="F>P1")
    assert order_of_action(state) == "ABDEFC"
    assert result(state) == MURDER


def test_the_meal_takes_the_witness_away() -> None:
    """After the nightly answer, which is given."""
    state = turn(load("turn=3", pawns="C:P1:injured E:P1:armed F:P1"))
    assert order_of_action(state) == "ABDEFC"
    assert (field(state, "answers"), result(state)) == ("near", MURDER)
    state = turn(load("turn=3", pawns="C:P1:injured+food E:P1:armed F:P1"))
    assert result(state) is None


# ---------------------------------------------------------------- assail (M25)


@pytest.mark.parametrize(
    ("pawns", "possible"),
    [
        ("E:H3:armed F:P3", True),  # 3 areas
        ("E:H3:armed+fatigued F:P3", True),
        ("E:H3 F:P3", False),
        ("E:H2:armed F:P3", False),
        ("E:H3:armed+injured F:P2", True),
        ("E:H3:armed+injured F:P3", False),
        ("E:H3:armed+hungry F:P2", False),
    ],
)
def test_who_may_assail(pawns: str, possible: bool) -> None:
    state = load(pawns=pawns)
    assert ("assail" in legal(state, "moriarty")) == possible
    assert not any("assail" in legal(state, seat) for seat in ("sherlock", "watson", "irene"))


def test_assail_is_one_of_his_orders_and_that_on_the_villain() -> None:
    state = load(pawns="E:H3:armed F:P3", table="2p")
    for order in ("A>H1", "assail"):
        play(state, number(state, order))
    after = legal(play(state, actions.PASS), "moriarty")
    assert "A>H2" in after
    assert not any(order == "assail" or order[0] == "E" for order in after)
    state = load(pawns="E:H3:armed F:P3", table="2p")
    for order in ("A>H1", "E>H3"):
        play(state, number(state, order))
    assert "assail" not in legal(play(state, actions.PASS), "moriarty")


def test_an_assail_that_succeeds() -> None:
    state = turn(load(pawns="E:H3:armed F:P2"), moriarty="assail")
    assert order_of_action(state) == "ABCDFE"
    assert act(state, "E") == "H3:assail"
    assert result(state) == ASSAIL
    assert field(state, "forced") == "-"


def test_an_assail_differs_from_every_order() -> None:
    state = turn(load(pawns="E:H3:armed F:P2"), moriarty="assail", sherlock="E>P2")
    assert field(state, "notices") == "sherlock/E:moriarty"
    assert field(state, "exposed") == "E"


def test_an_assail_that_fails() -> None:
    """C sees it: all know the pair, and a final turn follows in which nobody eats and no answer is given."""
    state = turn(load("turn=3 events=true", pawns="C:P1 E:H3:armed+fatigued F:P3"), moriarty="assail")
    assert result(state) is None
    assert (pawn(state, "E"), act(state, "E")) == ("P3:fatigued+armed", "H3:assail"), "it is no forced move"
    assert (field(state, "final"), field(state, "failed_assail"), field(state, "turn")) == ("yes", "yes", "3")
    assert chart(state) == belief(state, "sherlock") == belief(state, "watson") == {"EF"}
    assert field(state, "answers") == "-"
    assert pawn(state, "A") == "H1"
    assert result(turn(state)) == FAILED
    assert (field(state, "answers"), pawn(state, "A")) == ("-", "H1")


def test_the_target_runs_away() -> None:
    """At C2 it is 4 areas off: the villain gets to P3."""
    state = turn(load(pawns="E:H3:armed F:P2"), moriarty="assail", sherlock="F>C2")
    assert (pawn(state, "E"), pawn(state, "F")) == ("P3:fatigued+armed", "C2")
    assert field(state, "final") == "yes"


def test_of_two_areas_that_are_equally_near_the_first() -> None:
    """From H2 both L1 and D2 are 3 areas off and next to L2; the library comes first on the map."""
    state = turn(load(pawns="C:L3 E:H2:armed F:L1"), moriarty="assail", sherlock="F>L2")
    assert pawn(state, "E") == "L1:fatigued+armed"


def test_the_last_two_turns_of_an_assail() -> None:
    final = "final=yes failed_assail=yes chart=E:F"
    assert result(turn(load(final, pawns="E:P1:armed F:P2"), moriarty="assail")) == ASSAIL
    assert result(turn(load(final, pawns="C:P3 E:P1:armed F:P2"), moriarty="assail")) == FAILED
    assert result(turn(load("final=yes chart=E:F", pawns="C:P3 E:P1:armed F:P2"), moriarty="assail")) == FAILED
    assert result(turn(load("turn=10", pawns="C:P3 E:P1:armed F:P2"), moriarty="assail")) == FAILED
    assert result(turn(load(final, pawns="E:P1:armed F:P2"), sherlock="F>P1")) == MURDER
