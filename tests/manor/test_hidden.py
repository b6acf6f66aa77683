"""Settings of the hidden facts: each fits the seat's view, and everything that is hidden differs in some of them."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from reichenbach.envs.core import chance, one
from reichenbach.envs.core.record import States
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.hidden import DRAWS
from reichenbach.envs.manor.notation import names_of
from reichenbach.envs.manor.pairs import PAIRS
from reichenbach.envs.manor.rules import tables_of
from reichenbach.envs.manor.state import STATE
from tests.manor.loading import load, turn, vote

# One position after a turn and in the middle of the next, with something hidden of every kind.
LATER = (
    "slot=3 submitter=moriarty spots=H1:food,H3:food,L2:weapon,L3:fuse_box,S1:medicine,S2:nothing,D1:spray,K2:passage,"
    "K3:medicine,P1:food,P2:food,P3:weapon,C2:medicine,B1:nothing,B2:spray "
    "emptied=G1:food known=sherlock/H1,H3,S1;watson/P1,P2,S1;"
    "moriarty/H1,H3,L2,P1,P2,P3,G1,S1;irene/H1,H3,L2,P1,P2,P3,G1,S1 "
    "orders=sherlock/A>H2,B>G2;watson/C>L1;moriarty/A>H1,B>H3:search;irene/D>K1 "
    "last_orders=moriarty/B>G3,E>P1;irene/A>H1 acts=B:G2:search:food,C:L1,E:P2 "
    "notices=sherlock/A:another;watson/B:moriarty exposed=B chart=E:F,A:F,B:A pawns=A:H1,B:G3:food,C:L1,D:K1,E:P1,F:S1"
)
PAST = {"exposed", "notice", "last_order", "belief", "known", "order", "used", "passed"}


def settings(state: States, seat: int) -> States:
    """All alternatives in one array."""
    return np.concatenate(list(GAME.alternatives(state, seat)))


def varied(state: States, seat: int) -> set[str]:
    """The fields in which some setting differs from the truth."""
    many = settings(state, seat)
    return {name for name in STATE.names or () if (many[name] != state[name]).any()}


def seat_of(state: States, name: str) -> int:
    return names_of(state).seats.index(name)


def test_so_many_settings_for_every_pair_that_is_believed() -> None:
    state = load(LATER)
    for seat, name in enumerate(names_of(state).seats):
        (many,) = GAME.alternatives(state, seat)
        pairs = list(zip(many["villain"].tolist(), many["target"].tolist(), strict=True))
        belief = int(state["belief"][0, seat])
        assert pairs == [PAIRS[bit] for bit in range(30) if belief >> bit & 1 for _ in range(DRAWS)], name
        assert many.tobytes() == settings(state, seat).tobytes(), "the same every time"


SPOTS, PAIR, ITEMS = {"content", "passage"}, {"villain", "target"}, {"items", "known_items", "found", "find_seen"}


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "options", "more"),
    [
        ("sherlock", {}, SPOTS | PAIR),
        ("moriarty", {}, SPOTS),
        ("sherlock", {"exposure": "side"}, SPOTS | PAIR),
        ("irene", {"exposure": "side"}, SPOTS | {"side_chart"}),
        ("watson", {"exposure": "overridden"}, SPOTS | PAIR),
        ("watson", {"inventory": "private"}, SPOTS | PAIR | ITEMS),
    ],
)
def test_everything_hidden_differs_in_some_setting(name: str, options: dict[str, Any], more: set[str]) -> None:
    state = load(LATER, **options)
    assert varied(state, seat_of(state, name)) == PAST | more


@pytest.mark.plain
def test_votes_are_hidden() -> None:
    state = load("turn=10 voting=yes submitter=moriarty votes=sherlock/A;watson/B")
    assert "vote" in varied(state, 0)
    votes = settings(state, 0)["vote"]
    assert set(votes[:, 0]) == {0}
    assert set(votes[:, 1]) == set(range(6))
    assert "vote" in varied(vote(load("turn=10 voting=yes"), "A", "E", draws=[(2, 0)]), 2)


def test_what_the_seat_knows_stays() -> None:
    state = load(LATER)
    for seat in range(4):
        many, known = settings(state, seat), int(state["known"][0, seat])
        spots = [spot for spot in range(20) if (known | int(state["gone"][0])) >> spot & 1]
        assert (many["content"][:, spots] == state["content"][0, spots]).all()
        for name in ("order", "last_order", "notice", "known", "belief", "used", "passed"):
            assert (many[name][:, seat] == state[name][0, seat]).all()
        assert all(Counter(row) == Counter(state["content"][0].tolist()) for row in many["content"].tolist())
    many = settings(state, 2)
    assert (many["last_order"][:, 3] == state["last_order"][0, 3]).all(), "the villain side sees each other's orders"
    assert (many["order"][:, 3] != state["order"][0, 3]).any()


@pytest.mark.parametrize(
    "options",
    [
        {"table": "4p_roles"},
        {"table": "2p", "inventory": "private"},
        {"table": "3p", "exposure": "overridden"},
        {"table": "4p_roles", "exposure": "side", "inventory": "private", "irene_commands_target": True},
    ],
    ids=str,
)
def test_settings_of_whole_games(options: dict[str, Any]) -> None:
    """Every setting is a position that can be read, with legal orders, and looks as the truth does to the seat."""
    dice = random.Random(1)
    mask = np.empty(actions.N_ACTIONS, np.int8)
    state = GAME.new(GAME.resolve(options))
    chance.seed(state, [3])
    tables = tables_of(state)
    one.deal(state, tables)
    while one.mover(state, tables) >= 0:
        one.legal(state, tables, one.mover(state, tables), mask)
        one.step(state, tables, dice.choice(np.flatnonzero(mask).tolist()), mask)
        if dice.random() < 0.08:
            for seat in range(len(names_of(state).seats)):
                many, truth = settings(state, seat), GAME.render(state, seat)
                for i in dice.sample(range(len(many)), 3):
                    setting = many[i : i + 1]
                    assert GAME.render(setting, seat) == truth
                    if not state["ending"][0]:
                        assert GAME.format(GAME.parse(GAME.format(setting))) == GAME.format(setting)


@pytest.mark.plain
def test_before_the_first_turn_there_is_no_past() -> None:
    state = load("turn=1", table="2p")
    assert not varied(state, 0) & {"notice", "last_order", "acted"}
    assert "last_order" in varied(turn(state, draws=[(6, 3)]), 0)


@pytest.mark.plain
def test_after_the_end_all_stays_as_it_was() -> None:
    """The orders of the last turn are still those of this one, whatever they were; the allies' are seen by then."""
    state = turn(load(pawns="E:P1:armed F:P1"))
    assert state["ending"][0]
    many = settings(state, 2)
    assert (many["order"] == many["last_order"]).all()
    assert (many["order"][:, :2] != state["order"][0, :2]).any()
    assert (many["order"][:, 2:] == state["order"][0, 2:]).all()
