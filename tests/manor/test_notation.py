"""A position's text: there and back, what may be left out, and every refusal with its reason."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from reichenbach.envs.core import chance, one
from reichenbach.envs.core.errors import BadPosition
from reichenbach.envs.core.record import States, duplicate
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.rules import tables_of
from tests.manor.loading import GULL, STANDING, field, fields, load, turn

pytestmark = pytest.mark.plain

LEAST = f"villain=E target=F pawns={STANDING}"
FULL = (
    "table=4p_roles map=gull@MAP villain=E target=F turn=4 slot=2 submitter=moriarty "
    "pawns=A:H1:hungry+injured,B:G3:fatigued,C:L1:armed+food+food,D:K1,E:P1,F:S1 "
    "spots=H1:food,L2:weapon,S2:passage emptied=D1:medicine known=sherlock/H1;watson/L2 fuse=G1 passage=S2-K2:hidden "
    "dark=north dark_next=south leak=kitchen:2 gas=H1,H2 dog=H2:3 "
    "orders=sherlock/B>G3,C>L2:search;watson/A>H2;moriarty/D>K1;irene/C>L1 last_orders=moriarty/B>G3,E>P1;irene/A>H1 "
    "acts=B:G2,E:H3:forced,A:H2:search:medicine:left notices=sherlock/A:moriarty,B:another exposed=A "
    "answers=far chart=A:BC,E:BCDF beliefs=watson/E:F events=false"
)


def test_the_text_stays_as_it_is() -> None:
    label = field(load(), "map")
    text = FULL.replace("gull@MAP", label)
    assert GAME.format(GAME.parse(text)) == text


def test_only_villain_target_and_pawns_are_needed() -> None:
    state = GAME.parse(LEAST, map=GULL)
    assert fields(state) == {
        "table": "2p",
        "map": field(load(), "map"),
        "villain": "E",
        "target": "F",
        "turn": "1",
        "pawns": STANDING,
        # 7 food, 3 medicine, 2 sprays, 2 weapons, a fuse box, a passage at the first end, nothing in two
        "spots": "H1:food,H3:food,G1:food,L2:food,L3:food,S1:food,S2:passage,D1:food,D3:medicine,K2:medicine,"
        "K3:medicine,P1:spray,P2:spray,P3:weapon,C1:weapon,C2:fuse_box,B1:nothing,B2:nothing",
        "passage": "S2-K2:hidden",
    }


def test_what_is_carried_is_not_dealt_again() -> None:
    state = GAME.parse(LEAST.replace("A:H1", "A:H1:armed+food") + " emptied=H1:food,H3:weapon fuse=G1", map=GULL)
    left = [entry.partition(":")[2] for entry in field(state, "spots").split(",")]
    assert {what: left.count(what) for what in set(left)} == {
        "food": 6,
        "medicine": 3,
        "spray": 2,
        "weapon": 1,
        "passage": 1,
        "nothing": 2,
    }


def test_order_and_spaces_do_not_matter() -> None:
    text = GAME.format(load("slot=2 orders=sherlock/A>H1;watson/C>L1;moriarty/B>G3;irene/A>H1"))
    assert GAME.format(GAME.parse("  ".join(reversed(text.split())))) == text


def test_beliefs_follow_from_the_chart() -> None:
    state = load("chart=E:F,A:BC", exposure="side")
    assert state["belief"][0].tolist() == [state["chart"][0], state["chart"][0], 1 << 24, 1 << 24]
    assert state["side_chart"][0] == state["chart"][0]
    state = load("chart=E:F,A:BC side_chart=E:F,A:B", exposure="side")
    assert state["belief"][0, 0] == state["side_chart"][0]


def test_the_villain_side_knows_food_and_weapons() -> None:
    state = load("spots=H1:food,H3:weapon,G1:medicine")
    assert state["known"][0].tolist() == [0, 0, 0b011, 0b011]
    assert field(state, "known") == "-"


def test_options_in_the_text_and_by_name() -> None:
    in_text = load("hungry_reach=2 inventory=private weapons=3")
    assert load("", hungry_reach=2, inventory="private", weapons=3).tobytes() == in_text.tobytes()
    assert GAME.format(in_text).endswith("hungry_reach=2 inventory=private events=false weapons=3")


# ---------------------------------------------------------------- there and back

RULES: tuple[dict[str, Any], ...] = (
    {},
    {"table": "3p", "inventory": "private"},
    {"table": "4p", "exposure": "side"},
    {"table": "4p_roles", "exposure": "overridden", "stack_hunger": True, "inventory": "private"},
    {"table": "4p_roles", "days": 1, "weapons": 3, "map": GULL},
)


def as_text_keeps(state: States) -> bytes:
    """The state without chance and what only the end of a turn needs."""
    kept = duplicate(state)
    for name in ("chance_key", "chance_counter", "script", "script_length", "script_used", "record", "record_length"):
        kept[name] = 0
    kept["obeyed"] = -1
    return kept.tobytes()


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_there_and_back(rules: dict[str, Any]) -> None:
    """Positions of whole games that chance plays, most of them with passes, searches and fights for orders."""
    dice = random.Random(0)
    mask = np.empty(actions.N_ACTIONS, np.int8)
    for seed in range(3):
        state = GAME.new(GAME.resolve(rules))
        chance.seed(state, [seed])
        tables = tables_of(state)
        one.deal(state, tables)
        while one.mover(state, tables) >= 0:
            if dice.random() < 0.4:
                text = GAME.format(state)
                again = GAME.parse(text)
                assert as_text_keeps(again) == as_text_keeps(state), text
                assert GAME.format(again) == text
            one.legal(state, tables, one.mover(state, tables), mask)
            allowed = np.flatnonzero(mask).tolist()
            deeds = [action for action in allowed if action < actions.ASSAIL and action % actions.N_DEEDS]
            one.step(state, tables, dice.choice(deeds if deeds and dice.random() < 0.6 else allowed), mask)
        assert " winner=" in GAME.format(state)


def test_the_seed_sets_what_comes() -> None:
    def played(seed: int) -> str:
        state = load(f"seed={seed}", table="2p")
        tables = tables_of(state)
        for _ in range(6):
            one.step(state, tables, actions.PASS, np.empty(actions.N_ACTIONS, np.int8))
        return GAME.format(state)

    assert played(1) == played(1)
    assert len({played(seed) for seed in range(5)}) == 5


def test_a_finished_game_says_how_it_ended() -> None:
    text = GAME.format(turn(load(pawns="E:P1:armed F:P1")))
    assert text.endswith("winner=villains ending=murder")
    with pytest.raises(BadPosition, match="winner: the game is over"):
        GAME.parse(text)
    text = GAME.format(turn(load("final=yes failed_assail=yes chart=E:F")))
    assert text.endswith("winner=detectives ending=assail_failed")
