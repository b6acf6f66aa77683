"""Known answers of nightly answers, identification, the final deduction, and the clock that leads there (M26-M31)."""

from __future__ import annotations

import pytest

from reichenbach.envs.core import one
from reichenbach.envs.core.record import States
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.notation import names_of
from reichenbach.envs.manor.rules import tables_of
from tests.manor.loading import (
    Draw,
    belief,
    chart,
    field,
    fields,
    legal,
    load,
    number,
    pawn,
    play,
    result,
    turn,
    vote,
    where,
)

pytestmark = pytest.mark.plain

MURDER, IDENTIFIED = ("villains", "murder"), ("detectives", "identified")
ALL = {v + t for v in "ABCDEF" for t in "ABCDEF" if v != t}


# ---------------------------------------------------------------- nightly answers (M26)


@pytest.mark.parametrize(
    ("villain", "target", "answer"),
    [("H3", "P3", "near"), ("H2", "P3", "far"), ("L2", "D2", "near"), ("P1", "P1", "near"), ("S2", "K2", "far")],
)
def test_answers_by_the_shortest_way(villain: str, target: str, answer: str) -> None:
    state = turn(load("turn=6", pawns=f"E:{villain} F:{target}"))
    assert field(state, "answers") == f"none,{answer}"


def test_what_an_answer_rules_out() -> None:
    """All but F stand together: far leaves the pairs with F, both ways round."""
    together = "A:H1 B:H1 C:H1 D:H1 E:H1"
    state = turn(load("turn=3", pawns=f"{together} F:S1"))
    assert chart(state) == {pair for pair in ALL if "F" in pair}
    state = turn(load("turn=3 villain=A target=B", pawns=f"{together} F:S1"))
    assert chart(state) == {pair for pair in ALL if "F" not in pair}


@pytest.mark.parametrize("now", [1, 2, 4, 5, 7, 8, 10])
def test_no_answer_by_day(now: int) -> None:
    state = turn(load(f"turn={now}"))
    assert field(state, "answers") == "-"
    assert chart(state) == ALL


# ---------------------------------------------------------------- one villain left (M28)

TWO = "chart=E:F,A:B"  # B exposed leaves E alone


def exposed(state: States) -> States:
    """Plays a turn in which Moriarty's order on B overrides Sherlock's."""
    return turn(state, sherlock="B>G2", moriarty="B>G3")


def test_an_exposure_that_leaves_one_villain() -> None:
    state = exposed(load(f"{TWO} events=true leak=kitchen:2"))
    assert chart(state) == {"EF"}
    assert (field(state, "final"), field(state, "turn"), result(state)) == ("yes", "4", None)
    assert field(state, "leak") == "kitchen:1", "what is there goes on, nothing begins"
    assert result(turn(state)) == IDENTIFIED
    assert field(state, "leak") == "-"


def test_one_villain_with_several_targets_is_enough() -> None:
    state = exposed(load("chart=E:ACF,A:B"))
    assert (field(state, "final"), chart(state)) == ("yes", {"EA", "EC", "EF"})


def test_the_target_must_outlive_the_final_turn() -> None:
    state = exposed(load(TWO, pawns="E:P1:armed F:H3"))
    assert result(turn(state, sherlock="F>P1")) == MURDER


def test_a_final_turn_after_night_3_takes_the_place_of_turn_10() -> None:
    """The answer is given: E and F are far, A and B are not. Nobody eats any more."""
    state = turn(load(f"turn=9 {TWO}"))
    assert (field(state, "answers"), field(state, "final"), field(state, "turn")) == ("none,none,far", "yes", "9")
    assert where(state) == "H1 G3 L1 K1 P1 S1"
    assert not any("hungry" in pawn(state, letter) for letter in "ABCDEF")
    assert result(turn(state)) == IDENTIFIED


def test_no_final_turn_follows_turn_10() -> None:
    assert result(exposed(load(f"turn=10 {TWO}"))) == IDENTIFIED


def test_identified_by_the_chart_of_the_side() -> None:
    state = exposed(load("chart=E:F,A:B", exposure="side"))
    assert field(state, "final") == "yes"
    assert chart(state) == chart(state, "side_chart") == {"EF"}


def test_what_only_the_overridden_knows_identifies_nobody() -> None:
    state = exposed(load("chart=E:F,A:B", exposure="overridden"))
    assert field(state, "final") == "-"
    assert chart(state) == {"EF", "AB"}
    assert belief(state, "sherlock") == {"EF"}


# ---------------------------------------------------------------- the final deduction (M30, M31)


def test_after_turn_10_the_detectives_name_the_villain() -> None:
    state = turn(load("turn=10 events=true"))
    assert (field(state, "voting"), field(state, "turn"), field(state, "answers")) == ("yes", "10", "-")
    assert not any("hungry" in pawn(state, letter) for letter in "ABCDEF")
    names = {f"name {name}" for name in ("Agatha", "Berkeley", "Catherine", "Dorothy", "Ellery", "Freeman")}
    assert legal(state, "sherlock") == legal(state, "watson") == names
    assert legal(state, "moriarty") == legal(state, "irene") == {"pass"}


@pytest.mark.parametrize(
    ("table", "votes", "draws", "ending"),
    [
        ("2p", "E", [], "named"),
        ("2p", "F", [], "wrong_name"),
        ("4p_roles", "EE", [], "named"),
        ("4p_roles", "AE", [(2, 1)], "named"),
        ("4p_roles", "EA", [(2, 0)], "wrong_name"),
        ("3p", "FE", [(2, 0)], "named"),
        ("4p", "AEE", [], "named"),
        ("4p", "AAE", [], "wrong_name"),
        ("4p", "CEA", [(3, 2)], "named"),
        ("4p", "CEA", [(3, 1)], "wrong_name"),
    ],
)
def test_plurality_and_ties(table: str, votes: str, draws: list[Draw], ending: str) -> None:
    """The draw is among the pawns of the tie, in the order of the alphabet."""
    state = vote(load("turn=10 voting=yes", table=table), *votes, draws=draws)
    assert result(state) == ("detectives" if ending == "named" else "nobody", ending)


def test_votes_are_given_unseen() -> None:
    state = load("turn=10 voting=yes")
    play(state, actions.VOTE)
    assert (field(state, "votes"), field(state, "submitter")) == ("sherlock/A", "watson")
    assert legal(state, "sherlock") == {"pass"}


@pytest.mark.parametrize(("days", "last"), [(1, 4), (2, 7), (3, 10)])
def test_the_number_of_days(days: int, last: int) -> None:
    state = load("turn=1", days=days)
    for now in range(1, last + 1):
        assert (field(state, "turn"), field(state, "voting"), result(state)) == (str(now), "-", None)
        turn(state)
    assert field(state, "voting") == "yes"
    answers = [answer for answer in field(state, "answers").split(",") if answer != "none"]
    assert len(answers) == days
    assert result(vote(state, "A", "A")) == ("nobody", "wrong_name")


@pytest.mark.parametrize(
    ("ending", "rewards"),
    [("murder", [-1, -1, 1, 1]), ("assail_failed", [1, 1, -1, -1]), ("wrong_name", [0, 0, 0, 0])],
)
def test_rewards(ending: str, rewards: list[float]) -> None:
    if ending == "murder":
        state = load(pawns="E:P1:armed F:P1")
    elif ending == "assail_failed":
        state = load("final=yes failed_assail=yes chart=E:F")
    else:
        state = load("turn=10")
    tables = tables_of(state)
    assert [one.reward(state, tables, seat) for seat in range(4)] == [0, 0, 0, 0]
    turn(state)
    if ending == "wrong_name":
        vote(state, "A", "A")
    assert result(state) is not None
    assert [one.reward(state, tables, seat) for seat in range(4)] == rewards
    assert one.mover(state, tables) == -1
    assert all(legal(state, seat) == {"pass"} for seat in names_of(state).seats)


# ---------------------------------------------------------------- slots (M2, M9)


@pytest.mark.parametrize(("table", "slots"), [("2p", 3), ("3p", 2), ("4p", 2), ("4p_roles", 3)])
def test_every_seat_submits_in_every_slot(table: str, slots: int) -> None:
    state = load(table=table)
    seats, order = names_of(state).seats, []
    while field(state, "turn") == "4":
        order.append(seats[one.mover(state, tables_of(state))])
        play(state, actions.PASS)
    assert order == list(seats) * slots


def test_what_a_seat_may_submit() -> None:
    """A seat that has passed, given all, or submitted in this slot may only pass; no pawn is ordered twice."""
    state = load()
    play(state, number(state, "A>H2"))
    assert legal(state, "sherlock") == {"pass"}, "it has submitted in this slot"
    assert len(legal(state, "moriarty")) > 1, "it has not"
    for order in ("B>G3", "pass", "C>L1"):
        play(state, number(state, order))
    assert not any(order[0] == "A" for order in legal(state, "sherlock"))
    assert any(order[0] == "B" for order in legal(state, "sherlock"))
    assert legal(state, "watson") == legal(state, "irene") == {"pass"}, "they have given all"
    assert legal(state, "moriarty") == {"pass"}, "he has passed"
    assert (fields(state)["slot"], fields(state)["orders"]) == ("2", "sherlock/A>H2;watson/B>G3;irene/C>L1")
