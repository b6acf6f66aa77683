"""A position's text: there and back, what may be left out, and every refusal with its reason."""

from __future__ import annotations

import random
from typing import Any

import pytest

from reichenbach.envs.core.errors import BadOption, BadPosition
from reichenbach.envs.who_is_moriarty import notation, rules
from tests.who_is_moriarty.loading import fields, legal, load, play
from tests.who_is_moriarty.reference.invent import random_options, random_position
from tests.who_is_moriarty.reference.text import position, write

pytestmark = pytest.mark.plain

ISSUE = (
    "tiles=AW,bN,cN,dN,EN,fN,gN,h+,i+ detectives=0,0,0 round=5 pick=1 tokens=jw,card,joker,turn "
    "played=0,0,0,0 turned=- moriarty=E hourglasses=5 moriarty_cards=- sherlock_cards=- chase=no checks=-"
)


def test_the_text_stays_as_it_is() -> None:
    assert notation.format(notation.parse(ISSUE)) == ISSUE


def test_only_tiles_and_moriarty_are_needed() -> None:
    state = notation.parse("tiles=AN,BN,CN,DN,EN,FN,GN,HN,IN moriarty=E")
    assert notation.format(state) == (
        "tiles=AN,BN,CN,DN,EN,FN,GN,HN,IN detectives=11,3,7 round=1 pick=1 tokens=jw,sherlock,joker,turn "
        "played=0,0,0,0 turned=- moriarty=E hourglasses=0 moriarty_cards=- sherlock_cards=- chase=no checks=-"
    )


def test_order_and_spaces_do_not_matter() -> None:
    mixed = "  ".join(reversed(ISSUE.split()))
    assert notation.format(notation.parse(mixed)) == ISSUE


@pytest.mark.parametrize("seed", range(50))
def test_there_and_back(seed: int) -> None:
    """Random positions and options: what the reference writes is read and written again."""
    dice = random.Random(seed)
    game = random_position(dice, random_options(dice))
    state = notation.parse(write(game))
    text = notation.format(state)
    assert sorted(text.split()) == sorted(position(game))
    assert notation.parse(text).tobytes() == state.tobytes()


def test_cards_keep_their_order_and_what_they_do_not_explain_was_won_unseen() -> None:
    state = load("hourglasses=5 moriarty_cards=D,A round=6")
    assert fields(state)["moriarty_cards"] == "D,A"
    assert int(state["won_unseen"][0]) == 2
    assert fields(load("moriarty_cards=D,A"))["hourglasses"] == "3"


def test_options_in_the_text_and_by_name() -> None:
    by_name = load("", crossroads=("A",), goal_check="immediate", max_rounds=5, turn_tile_twice=True)
    in_text = load("crossroads=A goal_check=immediate max_rounds=5 turn_tile_twice=true")
    assert by_name.tobytes() == in_text.tobytes()
    assert notation.format(by_name).endswith("crossroads=A turn_tile_twice=true goal_check=immediate max_rounds=5")


def test_the_option_and_the_list_of_one_name() -> None:
    text = notation.format(load("moriarty_cards=B moriarty_cards=open"))
    assert "moriarty_cards=B " in text
    assert text.endswith("moriarty_cards=open")
    assert notation.format(load("moriarty_cards=open")) == notation.format(load("", moriarty_cards="open"))


def test_no_crossroads_at_all() -> None:
    state = load("crossroads=-", board="tiles=AN,BN,CN,DN,EN,FN,GN,hN,iW moriarty=E")
    assert notation.format(state).endswith("crossroads=-")


def test_a_card_not_yet_decided() -> None:
    state = load("tokens=jw,card,joker,turn choosing=C card_clears=optional")
    assert fields(state)["choosing"] == "C"
    assert legal(state) == ["clear", "keep"]
    assert "choosing" not in fields(play(state, "keep"))
    assert fields(state)["sherlock_cards"] == "C"


@pytest.mark.parametrize(("board", "cards", "shown"), [("c", "C", True), ("C", "C", False), ("c", "c", False)])
def test_which_cards_moriarty_knows(board: str, cards: str, shown: bool) -> None:
    tiles = f"tiles=AN,BN,{board}N,DN,EN,FN,GN,HN,IN moriarty=E"
    state = load(f"sherlock_cards={cards} card_clears=optional", board=tiles)
    assert bool(state["sherlock_shown"][0, 0]) is shown
    assert fields(state)["sherlock_cards"] == cards


@pytest.mark.parametrize("checks", ["-", "2:1", "3:2/4:2", "-/4:2"])
def test_checks(checks: str) -> None:
    state = load(f"checks={checks} chase=yes hourglasses=6 moriarty_cards=B,A", hourglasses_to_win=6)
    assert fields(state)["checks"] == checks


def test_the_seed_sets_deck_and_tosses() -> None:
    def played(seed: int) -> str:
        state = load(f"tokens=jw,card,joker,turn detectives=3,3,3 seed={seed}")
        play(state, "draw card", "move jw by 1", "joker nobody", "turn tile 0 by 90")
        play(state, *[legal(state)[0] for _ in range(1)])
        return notation.format(state)

    assert played(1) == played(1)
    assert len({played(seed) for seed in range(12)}) > 3


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("tiles=AW,bN,cN,dN,EN,fN,gN,h+", "tiles.*8 entries.*9"),
        ("tiles=AW,AN,cN,dN,EN,fN,gN,h+,i+", "suspect A stands twice"),
        ("tiles=AW,bN,cN,dN,EN,fN,gN,h+,jN", "J.*no suspect"),
        ("tiles=AW,bQ,cN,dN,EN,fN,gN,h+,i+", "bQ.*N, E, S, W"),
        ("tiles=AW,bN,cN,dN,EN,fN,gN,H+,i+", "face up"),
        ("tiles=AW,b+,cN,dN,EN,fN,gN,h+,i+", "no crossroads"),
        ("tiles=AW,bN,cN,dN,EN,fN,gN,hN,i+", "a wall on h, a cleared crossroads"),
        ("tiles=AW,bN,cN,dN,eN,fN,gN,h+,i+", "tile of E is cleared"),
        ("moriarty_cards=B,B", "B is in moriarty_cards too"),
        ("moriarty_cards=B sherlock_cards=B", "B is in"),
        ("moriarty_cards=E", "E is the identity"),
        ("sherlock_cards=E", "E is the identity"),
        ("choosing=E card_clears=optional", "E is the identity"),
        ("sherlock_cards=c choosing=C card_clears=optional", "C is in sherlock_cards too"),
        ("moriarty_cards=A,C,D hourglasses=3", "hourglasses.*fewer"),
        ("tokens=card,jw,joker,turn", "tokens, token 1.*jw, robbie"),
        ("tokens=jw,card,joker,joker", "tokens, token 4.*turn, swap"),
        ("tokens=jw,card,joker", "tokens.*3 entries"),
        ("pick=2", "pick: 2 with 0 tokens played; expected 1"),
        ("played=1,0,0,0 pick=1", "pick: 1 with 1 tokens played; expected 2"),
        ("played=1,1,1,1 pick=5", "pick.*1 to 4"),
        ("played=2,0,0,0", "played.*0, 1"),
        ("detectives=0,0,12", "detectives.*0 to 11"),
        ("detectives=0,0", "detectives.*2 entries"),
        ("round=0", "round.*1 to 8"),
        ("round=9", "round.*1 to 8"),
        ("round=5 max_rounds=4", "round.*1 to 4"),
        ("hourglasses=99", "hourglasses.*out of range"),
        ("hourglasses=-1", "hourglasses"),
        ("hourglasses=five", "hourglasses"),
        ("moriarty=J", "J.*no suspect"),
        ("moriarty_cards=J", "J.*no suspect"),
        ("turned=A,A", "turned.*A stands twice"),
        ("turned=AB", "turned"),
        ("chase=maybe", "chase.*no, yes"),
        ("checks=one", "checks"),
        ("checks=6:0", "checks"),
        ("checks=5:1", "checks"),
        ("choosing=C", "card_clears=optional"),
        ("choosing=C card_clears=optional tokens=jw,sherlock,joker,turn", "choosing.*card"),
        ("choosing=C card_clears=optional round=4", "choosing.*Sherlock"),
        ("sherlock_cards=c", "card_clears=optional"),
        ("sherlock_cards=B,C,D moriarty_cards=F,G", "4 cards"),
        ("seed=-1", "seed"),
        ("rounds=5", "rounds.*there is no such field"),
        ("round", "name=value"),
        ("round=5 round=5", "round.*twice"),
    ],
)
def test_refusals(change: str, reason: str) -> None:
    names = {part.partition("=")[0] for part in change.split()}
    rest = [part for part in ISSUE.split() if part.partition("=")[0] not in names]
    if "played" in names and "pick" not in names:
        rest.remove("pick=1")
    with pytest.raises(BadPosition, match=reason):
        notation.parse(" ".join([*rest, change]))


@pytest.mark.parametrize("missing", ["tiles", "moriarty"])
def test_what_is_needed(missing: str) -> None:
    rest = [part for part in ISSUE.split() if not part.startswith(f"{missing}=")]
    with pytest.raises(BadPosition, match=f"{missing}: is missing"):
        notation.parse(" ".join(rest))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("max_rounds=9", "max_rounds.*1 to 8"),
        ("hourglasses_to_win=0", "hourglasses_to_win.*1 to 12"),
        ("both_goals=draw", "both_goals.*chase, sherlock, moriarty"),
        ("turn_tile_twice=perhaps", "turn_tile_twice.*false, true"),
        ("crossroads=X", "crossroads"),
    ],
)
def test_refused_options(change: str, reason: str) -> None:
    with pytest.raises(BadOption, match=reason):
        load(change)


def test_options_that_contradict_each_other() -> None:
    with pytest.raises(BadPosition, match="max_rounds"):
        load("max_rounds=5", max_rounds=6)
    with pytest.raises(BadOption, match="max_round"):
        load("", max_round=6)


def test_options_by_name_are_compared_by_value() -> None:
    assert notation.format(load("crossroads=I,H", crossroads=["I", "H"])) == notation.format(load(""))


@pytest.mark.parametrize("text", [None, 5, b"tiles=", ISSUE.replace("AW", "\u0131W"), ISSUE.replace("bN", "\uff22N")])
def test_what_is_no_plain_text(text: Any) -> None:
    with pytest.raises(BadPosition, match="expected a text of ASCII letters"):
        notation.parse(text)


def test_numbers_of_any_length_are_out_of_range() -> None:
    for field in ("seed", "hourglasses", "round"):
        with pytest.raises(BadPosition, match=f"{field}: .*allowed are"):
            load(f"{field}={'1' * 5000}")


def test_a_finished_game_says_how_it_ended() -> None:
    state = load("round=8 hourglasses=4", board="tiles=AW,bN,cN,dN,EN,fN,gN,h+,i+ moriarty=E detectives=0,0,0")
    rules.end_round(state)
    assert "winner=sherlock ending=one_suspect" in notation.format(state)
    with pytest.raises(BadPosition, match="winner: the game is over"):
        notation.parse(notation.format(state))
