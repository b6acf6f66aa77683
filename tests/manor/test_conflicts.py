"""Known answers of the tables of conflicts: whose order a pawn follows, who is told what, what the chart loses."""

from __future__ import annotations

import pytest

from tests.manor.loading import (
    act,
    belief,
    chart,
    field,
    legal,
    load,
    not_targets,
    order_of_action,
    pawn,
    turn,
    where,
)

pytestmark = pytest.mark.plain

# F alone is left without an order where three seats order A; it stays: within 3 of S1 are L1 L2 L3 S1 S2 D2.
F_STAYS = (6, 3)
ALL = {v + t for v in "ABCDEF" for t in "ABCDEF" if v != t}


# ---------------------------------------------------------------- two seats


@pytest.mark.parametrize(
    ("lot", "area", "notices"), [(0, "H2", {"watson": "A:another"}), (1, "D1", {"sherlock": "A:another"})]
)
def test_two_detectives(lot: int, area: str, notices: dict[str, str]) -> None:
    state = turn(load(), sherlock="A>H2", watson="A>D1", draws=[(2, lot)])
    assert pawn(state, "A") == area
    assert field(state, "notices") == ";".join(f"{seat}/{text}" for seat, text in notices.items())
    assert chart(state) == ALL


def test_a_detective_and_moriarty() -> None:
    state = turn(load(), sherlock="A>H2", moriarty="A>D1")
    assert pawn(state, "A") == "D1"
    assert field(state, "notices") == "sherlock/A:moriarty"
    assert field(state, "exposed") == not_targets(state) == "A"
    assert chart(state) == {pair for pair in ALL if pair[1] != "A"}


def test_the_same_order_is_not_noticed() -> None:
    state = turn(load(), sherlock="A>H2", moriarty="A>H2")
    assert pawn(state, "A") == "H2"
    assert field(state, "notices") == field(state, "exposed") == "-"
    assert chart(state) == ALL


def test_the_same_area_with_another_deed_is_another_order() -> None:
    state = turn(load("spots=H1:nothing"), sherlock="A>H1:search", moriarty="A>H1")
    assert act(state, "A") == "H1"
    assert field(state, "notices") == "sherlock/A:moriarty"
    assert not_targets(state) == "A"
    assert field(state, "spots") == "H1:nothing"


@pytest.mark.parametrize(("lot", "area", "notices"), [(0, "H2", "-"), (1, "D1", "sherlock/A:another")])
def test_a_detective_and_irene(lot: int, area: str, notices: str) -> None:
    state = turn(load(), sherlock="A>H2", irene="A>D1", draws=[(2, lot)])
    assert pawn(state, "A") == area
    assert field(state, "notices") == notices
    assert chart(state) == ALL


def test_irene_on_the_target() -> None:
    """Only by the option; the detective hears no more than of an ally's order."""
    assert not any(order[0] == "F" for order in legal(load(), "irene"))
    state = load(irene_commands_target=True)
    assert "F>S2" in legal(state, "irene")
    assert not any(order[0] == "F" for order in legal(state, "moriarty"))
    turn(state, sherlock="F>L3", irene="F>S2", draws=[(2, 1)])
    assert pawn(state, "F") == "S2"
    assert field(state, "notices") == "sherlock/F:another"
    assert chart(state) == ALL


def test_moriarty_and_irene() -> None:
    state = turn(load(), moriarty="A>H2", irene="A>D1")
    assert pawn(state, "A") == "H2"
    assert field(state, "notices") == field(state, "exposed") == "-"
    assert chart(state) == ALL


def test_the_lot_is_drawn_even_between_orders_that_are_alike() -> None:
    state = turn(load(), sherlock="A>H2", watson="A>H2", draws=[(2, 1)])
    assert pawn(state, "A") == "H2"
    assert field(state, "notices") == "-"


# ---------------------------------------------------------------- three and more


def test_a_detective_moriarty_and_irene() -> None:
    state = turn(load(), sherlock="A>H2", moriarty="A>D1", irene="A>H1", draws=[F_STAYS])
    assert pawn(state, "A") == "D1"
    assert field(state, "notices") == "sherlock/A:moriarty"
    assert not_targets(state) == "A"


def test_irene_counts_for_nothing_beside_moriarty() -> None:
    state = turn(load(), sherlock="A>D1", moriarty="A>D1", irene="A>H1", draws=[F_STAYS])
    assert pawn(state, "A") == "D1"
    assert field(state, "notices") == "-"
    assert chart(state) == ALL
    state = turn(load(), sherlock="A>H1", moriarty="A>D1", irene="A>H1", draws=[F_STAYS])
    assert pawn(state, "A") == "D1"
    assert not_targets(state) == "A"


def test_only_those_who_differ_are_told() -> None:
    state = turn(load(), sherlock="A>D1", watson="A>H2", moriarty="A>D1", draws=[F_STAYS])
    assert pawn(state, "A") == "D1"
    assert field(state, "notices") == "watson/A:moriarty"
    assert not_targets(state) == "A"


@pytest.mark.parametrize(("lot", "area"), [(0, "H2"), (1, "D1"), (2, "H3")])
def test_three_detectives(lot: int, area: str) -> None:
    """The others stay by chance: D of L2 D1 D2 D3 K1 K2 K3 C1, E of H1 H2 H3 G2 P1 P2 P3 C2."""
    stays = [(8, 4), (8, 4), F_STAYS]
    orders = {"sherlock_0": "A>H2", "sherlock_1": "A>D1", "sherlock_2": "A>H3"}
    state = turn(load(table="4p"), draws=[(3, lot), *stays], **orders)
    assert pawn(state, "A") == area
    overridden = [seat for seat, order in orders.items() if order != f"A>{area}"]
    assert field(state, "notices") == ";".join(f"{seat}/A:another" for seat in overridden)
    assert chart(state) == ALL


def test_an_order_that_equals_the_obeyed_one_is_not_overridden() -> None:
    orders = {"sherlock_0": "A>H2", "sherlock_1": "A>D1", "sherlock_2": "A>H2"}
    state = turn(load(table="4p"), draws=[(3, 2), (8, 4), (8, 4), F_STAYS], **orders)
    assert pawn(state, "A") == "H2"
    assert field(state, "notices") == "sherlock_1/A:another"


def test_detectives_and_irene_draw_together() -> None:
    state = turn(load(), sherlock="A>H2", watson="A>D1", irene="A>H1", draws=[(3, 2), F_STAYS])
    assert pawn(state, "A") == "H1"
    assert field(state, "notices") == "sherlock/A:another;watson/A:another"
    assert chart(state) == ALL


def test_sherlock_before_watson() -> None:
    state = turn(load(sherlock_beats_watson=True), sherlock="A>H2", watson="A>D1")
    assert pawn(state, "A") == "H2"
    assert field(state, "notices") == "watson/A:another"
    state = load(sherlock_beats_watson=True)
    turn(state, sherlock="A>H2", watson="A>D1", irene="A>H1", draws=[(2, 1), F_STAYS])
    assert pawn(state, "A") == "H1"
    state = turn(load(sherlock_beats_watson=True), watson="A>D1", irene="A>H1", draws=[(2, 0)])
    assert pawn(state, "A") == "D1"


# ---------------------------------------------------------------- who learns of it


def test_what_an_exposure_tells() -> None:
    """The chart drops the target for all; the one who was overridden knows no more than that here."""
    state = turn(load(), sherlock="A>H2", moriarty="A>D1")
    for seat in ("sherlock", "watson"):
        assert not any(pair[1] == "A" for pair in belief(state, seat))
    assert belief(state, "moriarty") == belief(state, "irene") == {"EF"}


def test_exposures_of_the_side_alone() -> None:
    state = turn(load(exposure="side"), sherlock="A>H2", moriarty="A>D1")
    assert chart(state) == ALL
    assert chart(state, "side_chart") == {pair for pair in ALL if pair[1] != "A"}
    assert not any(pair[1] == "A" for pair in belief(state, "watson"))


def test_exposures_of_the_overridden_alone() -> None:
    state = turn(load(exposure="overridden"), sherlock="A>H2", moriarty="A>D1")
    assert chart(state) == chart(state, "side_chart") == ALL
    assert not any(pair[1] == "A" for pair in belief(state, "sherlock"))
    assert any(pair[1] == "A" for pair in belief(state, "watson"))


def test_orders_are_seen_by_the_villain_side_afterwards() -> None:
    state = turn(load(), moriarty="A>H2,B>G3", irene="C>L2", sherlock="D>K1,E>P1,F>S1")
    assert field(state, "last_orders") == "sherlock/D>K1,E>P1,F>S1;moriarty/A>H2,B>G3;irene/C>L2"
    assert field(state, "orders") == "-"


# ---------------------------------------------------------------- orders that Moriarty does not use, and no orders


# Within 3 of H1: H1 H2 H3 G1 G2 G3 L2 D1 D2 D3 P1; of G3: H1 H2 H3 G1 G2 G3 L1 B1 B2.
TO_H2, TO_D1, B_STAYS = (11, 1), (11, 7), (9, 5)


def test_unused_orders_of_moriarty_are_exposed() -> None:
    """A of five is drawn and sent to H2, then B of four to stay; Sherlock had meant A for D1."""
    state = load()
    others = {"sherlock": "A>D1,D>K1,E>P1", "watson": "F>S1", "irene": "C>L1"}
    turn(state, rest="pass", draws=[(5, 0), TO_H2, (4, 0), B_STAYS], **others)
    assert where(state) == "H2 G3 L1 K1 P1 S1"
    assert field(state, "notices") == "sherlock/A:moriarty"
    assert not_targets(state) == "A"
    assert "moriarty/A>H2,B>G3" in field(state, "last_orders").split(";")


def test_an_unused_order_may_agree_by_chance() -> None:
    state = load()
    others = {"sherlock": "A>D1,D>K1,E>P1", "watson": "F>S1", "irene": "C>L1", "moriarty": "B>G3"}
    turn(state, rest="pass", draws=[(4, 0), TO_D1], **others)
    assert pawn(state, "A") == "D1"
    assert field(state, "notices") == "-"
    assert chart(state) == ALL


def test_an_unused_order_may_search() -> None:
    """At a spot the deed is drawn too; the order is settled before anybody acts."""
    state = load("spots=H1:nothing,D1:food")
    others = {"sherlock": "A>D1:search,D>K1,E>P1", "watson": "F>S1", "irene": "C>L1", "moriarty": "B>G3"}
    turn(state, rest="pass", draws=[(4, 0), TO_D1, (2, 1)], **others)
    assert field(state, "notices") == "-"
    assert pawn(state, "A") == "D1:food"


def test_unused_orders_respect_fatigue() -> None:
    """Chance never makes a tired pawn run: within 2 of H1 are H1 H2 H3 G2 D1 D2."""
    state = load(pawns="A:H1:fatigued")
    others = {"sherlock": "D>K1,E>P1,F>S1", "watson": "C>L1", "moriarty": "B>G3"}
    turn(state, rest="pass", draws=[(4, 0), (6, 2)], **others)
    assert pawn(state, "A") == "H3"
    assert not_targets(state) == ""


@pytest.mark.parametrize(("search", "deed"), [(0, "S1"), (1, "S1:search:food")])
def test_a_pawn_that_nobody_orders(search: int, deed: str) -> None:
    state = load("spots=S1:food", table="2p")
    turn(state, sherlock="C>L1,D>K1,E>P1", moriarty="A>H1,B>G3", draws=[F_STAYS, (2, search)])
    assert act(state, "F") == deed


def test_a_move_by_chance_tires_too_and_keeps_to_the_limit() -> None:
    """F to L1, three areas off and without a spot; then, tired, within 2 of L1: G1 G2 L1 L2 L3 D2."""
    state = load("spots=S1:food", table="2p")
    others = {"sherlock": "C>L1,D>K1,E>P1", "moriarty": "A>H1,B>G3"}
    turn(state, draws=[(6, 0)], **others)
    assert pawn(state, "F") == "L1:fatigued"
    turn(state, draws=[(6, 2)], **others)
    assert pawn(state, "F") == "L1"


def test_a_search_by_chance_with_full_hands() -> None:
    state = load("spots=S1:medicine", pawns="F:S1:food+food", table="2p")
    turn(state, sherlock="C>L1,D>K1,E>P1", moriarty="A>H1,B>G3", draws=[F_STAYS, (2, 1)])
    assert act(state, "F") == "S1:search:medicine:left"
    assert field(state, "spots") == "S1:medicine"


# ---------------------------------------------------------------- order of action


def test_ailments_come_after_health() -> None:
    state = load(pawns="A:H1:hungry+injured C:L1:injured E:P1:hungry")
    assert order_of_action(turn(state)) == "BDFCEA"


def test_the_order_is_fixed_before_anybody_acts() -> None:
    """B heals A, which acts after F all the same."""
    state = load(pawns="A:H1:injured B:H1:medicine")
    turn(state, moriarty="B>H1:heal_other")
    assert pawn(state, "A") == pawn(state, "B") == "H1"
    assert order_of_action(state) == "BCDEFA"
