"""Known answers of what pawns find and use: searches, food, medicine, fuse boxes, passages, private inventories."""

from __future__ import annotations

import pytest

from tests.manor.loading import act, field, fields, legal, load, order_of_action, pawn, turn

pytestmark = pytest.mark.plain

EVERYBODY = "sherlock/H1;watson/H1;moriarty/H1;irene/H1"


# ---------------------------------------------------------------- searches (M17)


@pytest.mark.parametrize("item", ["food", "medicine", "spray"])
def test_a_search_takes_what_is_there(item: str) -> None:
    state = turn(load(f"spots=H1:{item},S1:nothing"), sherlock="A>H1:search")
    assert act(state, "A") == f"H1:search:{item}"
    assert pawn(state, "A") == f"H1:{item}"
    assert (field(state, "spots"), field(state, "emptied")) == ("S1:nothing", f"H1:{item}")
    assert not any(order.endswith("H1:search") for order in legal(state, "sherlock"))


def test_a_weapon_is_carried_beside_two_items() -> None:
    state = turn(load("spots=H1:weapon", pawns="A:H1:food+spray"), sherlock="A>H1:search")
    assert pawn(state, "A") == "H1:armed+food+spray"


@pytest.mark.parametrize(("spot", "shown"), [("H1:fuse_box", "fuse"), ("H1:nothing", ""), ("S2:passage", "passage")])
def test_what_needs_no_free_hand(spot: str, shown: str) -> None:
    area = spot[:2]
    state = turn(load(f"spots={spot}", pawns=f"A:{area}:food+food+armed"), sherlock=f"A>{area}:search")
    assert act(state, "A") == f"{area}:search:{spot[3:]}"
    assert pawn(state, "A") == f"{area}:armed+food+food"
    assert field(state, "spots") == "-"
    assert not shown or shown in fields(state)


def test_full_hands_leave_what_they_find() -> None:
    """Nobody knew what is there; then all know, and only pawns with a free hand may be sent for it."""
    state = load("spots=H1:medicine", pawns="A:H1:food+food")
    assert all("A>H1:search" in legal(state, seat) for seat in ("sherlock", "moriarty", "irene"))
    turn(state, sherlock="A>H1:search")
    assert act(state, "A") == "H1:search:medicine:left"
    assert pawn(state, "A") == "H1:food+food"
    assert field(state, "spots") == "H1:medicine"
    assert field(state, "known") == EVERYBODY
    for seat in ("sherlock", "watson", "moriarty", "irene"):
        assert "A>H1:search" not in legal(state, seat)
        assert "B>H1:search" in legal(state, seat)


def test_nobody_needs_a_second_weapon() -> None:
    """Moriarty knows that it is one, Sherlock does not."""
    state = load("spots=H1:weapon", pawns="A:H1:armed")
    assert "A>H1:search" not in legal(state, "moriarty")
    assert "A>H1:search" not in legal(state, "irene")
    turn(state, sherlock="A>H1:search")
    assert act(state, "A") == "H1:search:weapon:left"
    assert field(state, "known") == "sherlock/H1;watson/H1"
    assert "A>H1:search" not in legal(state, "sherlock")


def test_a_food_spot_that_a_seat_knows() -> None:
    state = load("spots=H1:food known=sherlock/H1", pawns="A:H1:medicine+spray")
    assert ["A>H1:search" in legal(state, seat) for seat in ("sherlock", "watson", "moriarty")] == [False, True, False]


def test_the_second_search_of_a_spot_is_lost() -> None:
    state = turn(load("spots=H1:food"), sherlock="B>H1:search", moriarty="A>H1:search")
    assert (pawn(state, "A"), pawn(state, "B")) == ("H1:food", "H1:fatigued")
    assert act(state, "B") == "G3"


# ---------------------------------------------------------------- food and medicine (M18)


def test_who_may_be_ordered_to_use_what() -> None:
    state = load(pawns="A:H1:hungry+food B:G3:food C:L1:injured+medicine D:K1:medicine E:P1:hungry F:S1:spray")
    deeds = {order[0] + order.partition(":")[2] for order in legal(state, "sherlock") if ":" in order}
    assert deeds == {"Aeat", "Afeed", "Bfeed", "Cheal", "Cheal_other", "Dheal_other", "Fspray"}


def test_eating_and_healing() -> None:
    state = load(pawns="A:H1:hungry+food+food C:L1:injured+medicine")
    turn(state, sherlock="A>H1:eat,C>L2:heal")
    assert (pawn(state, "A"), pawn(state, "C")) == ("H1:food", "L2")
    assert (act(state, "A"), act(state, "C")) == ("H1:eat", "L1:heal")


def test_food_ends_double_hunger() -> None:
    state = turn(load("stack_hunger=true", pawns="A:H1:hungry+hungry+food"), sherlock="A>H1:eat")
    assert pawn(state, "A") == "H1"


@pytest.mark.parametrize("words", ["feed food hungry", "heal_other medicine injured"])
def test_helping_another(words: str) -> None:
    """One in the area is helped; of two one is drawn; where nobody needs it the item stays, the move is made."""
    deed, item, ailment = words.split()
    state = load(pawns=f"A:H1:{item}+{ailment} B:H2:{ailment} C:H3:{ailment}")
    turn(state, sherlock=f"A>H2:{deed}")
    assert (pawn(state, "A"), pawn(state, "B"), pawn(state, "C")) == (f"H2:{ailment}", "H2", f"H3:{ailment}")
    assert act(state, "A") == f"H1:{deed}:B"
    state = load(pawns=f"A:H1:{item} B:H2:{ailment} C:H2:{ailment}")
    turn(state, sherlock=f"A>H2:{deed}", draws=[(2, 1)])
    assert (pawn(state, "A"), pawn(state, "B"), pawn(state, "C")) == ("H2", f"H2:{ailment}", "H2")
    assert act(state, "A") == f"H1:{deed}:C", "all see who was helped"
    state = load(pawns=f"A:H1:{item}+{ailment} B:H2")
    turn(state, sherlock=f"A>H2:{deed}")
    assert (pawn(state, "A"), act(state, "A")) == (f"H2:{ailment}+{item}", "H1")


# ---------------------------------------------------------------- fuse boxes and passages (M19)


def test_a_fuse_box_is_used_on_a_later_turn_and_darkens_the_next() -> None:
    state = load("spots=G1:fuse_box")
    assert "B>G1:fuse" not in legal(state, "moriarty")
    turn(state, sherlock="B>G1:search")
    assert (field(state, "fuse"), field(state, "dark")) == ("G1", "-")
    assert all("B>G1:fuse" in legal(state, seat) for seat in ("sherlock", "moriarty", "irene"))
    turn(state, sherlock="B>G1:fuse,C>G1:fuse")
    assert (act(state, "B"), act(state, "C")) == ("G1:fuse", "L1"), "it works once"
    assert (field(state, "fuse"), field(state, "dark")) == ("-", "north")
    assert field(turn(state), "dark") == "-"


def test_a_passage_is_a_way_from_the_next_turn_on() -> None:
    """Found in the night turn it does not yet shorten the way from K1 to S2, from 6 areas to 2."""
    state = load("turn=3 spots=S2:passage", pawns="A:S1 E:K1 F:S2")
    assert "F>K2" not in legal(state, "sherlock")
    turn(state, sherlock="A>S2:search")
    assert field(state, "answers") == "far"
    assert field(state, "passage") == "S2-K2:open"
    for seat in ("sherlock", "moriarty"):
        assert "A>K2" in legal(state, seat)
    assert pawn(turn(state, sherlock="F>K2"), "F") == "K2:hungry"


def test_the_answer_goes_through_an_open_passage() -> None:
    state = turn(load("turn=6 passage=S2-K2:open", pawns="E:K1 F:S2"))
    assert field(state, "answers") == "none,near"


# ---------------------------------------------------------------- private inventories (M20)


def test_a_private_find_is_seen_by_those_who_were_obeyed() -> None:
    state = load("spots=H1:food", inventory="private")
    turn(state, sherlock="A>H1:search", watson="A>H1:search", draws=[(2, 0)])
    assert field(state, "finds_seen") == "A:sherlock+watson"
    assert field(state, "known_items") == "sherlock/A:food;watson/A:food"
    assert pawn(state, "A") == "H1:food"


@pytest.mark.parametrize("content", ["weapon", "fuse_box", "passage"])
def test_public_finds(content: str) -> None:
    state = turn(load(f"spots=S2:{content}", inventory="private", pawns="A:S2"), sherlock="A>S2:search")
    assert state["find_seen"][0, 0] == 0b1111


@pytest.mark.parametrize(("content", "known"), [("medicine", "sherlock/H1"), ("weapon", "sherlock/H1;watson/H1")])
def test_what_was_left_is_known_to_those_who_were_obeyed(content: str, known: str) -> None:
    state = load(f"spots=H1:{content}", inventory="private", pawns="A:H1:food+food+armed")
    for seat in ("sherlock", "moriarty"):
        assert "A>H1:search" in legal(state, seat), "full hands forbid nothing"
    assert field(turn(state, sherlock="A>H1:search"), "known") == known


def test_all_see_that_an_item_is_used() -> None:
    known = "known_items=sherlock/A:food+food;moriarty/A:food"
    state = turn(load(known, inventory="private", pawns="A:H1:hungry+food+food"), watson="A>H1:eat")
    assert pawn(state, "A") == "H1:food"
    assert field(state, "known_items") == "sherlock/A:food"


def test_private_orders_are_lost_without_the_item() -> None:
    state = load(inventory="private", pawns="A:H1:hungry B:G3:injured")
    deeds = {order[0] + order.partition(":")[2] for order in legal(state, "sherlock") if ":" in order}
    always = {letter + deed for letter in "ABCDEF" for deed in ("feed", "heal_other", "spray")}
    assert deeds == always | {"Aeat", "Bheal"}
    turn(state, sherlock="A>H2:eat,B>G2:heal,C>L2:spray")
    assert [act(state, letter) for letter in "ABC"] == ["H1", "G3", "L1"]
    assert [pawn(state, letter) for letter in "ABC"] == ["H2:hungry", "G2:injured", "L2"]


def test_nobody_sees_what_a_pawn_finds_by_chance() -> None:
    state = load("spots=S1:food", table="2p", inventory="private")
    turn(state, sherlock="C>L1,D>K1,E>P1", moriarty="A>H1,B>G3", draws=[(6, 3), (2, 1)])
    assert order_of_action(state) == "ABCDEF"
    assert field(state, "finds_seen") == field(state, "known_items") == "-"
    assert pawn(state, "F") == "S1:food"
