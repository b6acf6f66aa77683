"""Mistakes that other implementations made (specification §11), each a test that bears its name."""

from __future__ import annotations

import numpy as np
import pytest

from reichenbach.envs.core import chance
from reichenbach.envs.who_is_moriarty import rules
from reichenbach.envs.who_is_moriarty.belief import belief
from reichenbach.envs.who_is_moriarty.layout import layout
from tests.who_is_moriarty.loading import fields, left, legal, letters, load, play

pytestmark = pytest.mark.plain

A_OR_E = "tiles=AW,bN,cN,dN,EN,fN,gN,h+,i+ moriarty=E detectives=0,0,0"
"""Two suspects left; A alone is in sight."""


def test_round_8_with_one_suspect_left_given_to_moriarty() -> None:
    state = load("round=8 hourglasses=4", board=A_OR_E)
    rules.end_round(state)
    assert left(state) == "E"
    assert (fields(state)["winner"], fields(state)["ending"]) == ("sherlock", "one_suspect")


def test_no_chase() -> None:
    state = load("round=5 hourglasses=5", board=A_OR_E)
    rules.end_round(state)
    assert fields(state)["chase"] == "yes"
    assert rules.outcome(state) == 0
    state["round_number"] = 6
    rules.end_round(state)  # unseen again: the chase goes on
    assert rules.outcome(state) == 0
    state["detective"][0, 0] = 10
    rules.end_round(state)  # from place 10 he is seen beyond a cleared tile
    assert rules.sight(state) == 0b10000
    assert fields(state)["ending"] == "chase_seen"


@pytest.mark.parametrize(("last", "ending"), [(7, None), (8, "chase_unseen")])
def test_a_chase_that_does_not_end_with_the_rounds(last: int, ending: str | None) -> None:
    state = load(f"round={last} hourglasses=6 chase=yes", board=A_OR_E.replace("AW", "aW"))
    rules.end_round(state)
    assert fields(state).get("ending") == ending
    assert fields(state)["hourglasses"] == "7"


@pytest.mark.parametrize("first", "AI")
def test_visibility_recomputed_after_clearing(first: str) -> None:
    """The crossroads in sight is cleared and opens a line to E and F; whichever letter is looked at first."""
    other = "I" if first == "A" else "A"
    board = f"tiles={other}N,BN,CN,{first}E,EN,FN,GN,HN,DN moriarty=E detectives=10,10,10"
    state = load("round=2", board=board, crossroads=(first,))
    rules.end_round(state)
    after = fields(state)
    assert left(state) == "ABCDEFGHI".replace(first, ""), "the line that opens clears nobody this round"
    assert after["hourglasses"] == "1"
    assert letters(rules.sight(state)) == "EF", "but it is open from now on"


@pytest.mark.parametrize(("crossroads", "seen"), [(("H", "I"), 0b100000), (("I",), 0), ((), 0)])
def test_crossroads_ignored(crossroads: tuple[str, ...], seen: int) -> None:
    """H is cleared and stands before F: as a crossroads it is open, otherwise its wall hides F."""
    tile = "h+" if crossroads == ("H", "I") else "hE"
    board = f"tiles=AN,BN,CN,{tile},FN,EN,GN,DN,IN moriarty=E detectives=10,10,10"
    state = load("", board=board.replace("EN", "EW"), crossroads=crossroads)
    assert rules.sight(state) == seen


def test_a_crossroads_counts_from_its_clearing_on() -> None:
    board = "tiles=AN,BN,CN,HE,FN,EW,GN,DN,IN moriarty=E detectives=10,10,10"
    state = load("tokens=jw,card,joker,turn", board=board)
    assert rules.sight(state) == 0b10000000
    chance.set_script(state, [6])  # the deck is A B C D F G H I
    play(state, "draw card")
    assert fields(state)["sherlock_cards"] == "H"
    assert fields(state)["tiles"].split(",")[3] == "h+"
    assert rules.sight(state) == 0b100000


def test_moriartys_card_made_public() -> None:
    """Whatever card he draws, Sherlock's view is the same to the byte; Moriarty's is not."""
    views: dict[int, set[bytes]] = {0: set(), 1: set()}
    for card in range(8):
        state = load("tokens=jw,card,joker,turn played=1,0,0,0")
        chance.set_script(state, [card])
        play(state, "draw card")
        for seat, found in views.items():
            view = np.zeros(layout(3).size, np.float32)
            rules.observe(state, seat, view, 3)
            found.add(view.tobytes())
    assert len(views[0]) == 1
    assert len(views[1]) == 8


@pytest.mark.parametrize("hourglasses", [6, 7, 8, 13])
def test_six_hourglasses_tested_for_equality(hourglasses: int) -> None:
    state = load(f"round=3 hourglasses={hourglasses} detectives=11,3,7")
    rules.end_round(state)
    assert fields(state)["ending"] == "hourglasses"


def test_eight_hourglasses_at_one_check() -> None:
    """Five before, a card with two and a round unseen: 8 at a check at which 6 would do."""
    board = "tiles=AW,BN,CE,DN,EN,FN,GN,HS,IN moriarty=E detectives=11,3,7"
    state = load("round=2 hourglasses=5 tokens=jw,card,joker,turn played=1,0,1,1", board=board)
    chance.set_script(state, [0])
    play(state, "draw card")
    after = fields(state)
    assert (after["hourglasses"], after["moriarty_cards"], after["ending"]) == ("8", "A", "hourglasses")


def test_a_tile_turned_twice_in_a_round() -> None:
    state = load("tokens=jw,card,turn,turn round=1")
    play(state, "turn tile 4 by 90")
    assert not [text for text in legal(state) if text.startswith("turn tile 4")]
    with pytest.raises(ValueError, match=r"turn tile 4 by 90.*turned this round"):
        play(state, "turn tile 4 by 90")


def test_a_turned_tile_may_not_be_turned_where_it_was_swapped_to() -> None:
    state = load("tokens=jw,card,turn,swap round=1 turned=E played=1,1,0,0")
    play(state, "swap tiles 4 and 8")
    assert not [text for text in legal(state) if text.startswith("turn tile 8")]
    assert [text for text in legal(state) if text.startswith("turn tile 4")]


def test_a_turned_tile_may_be_turned_in_the_next_round() -> None:
    state = load("tokens=jw,card,joker,turn played=1,1,1,0 detectives=3,3,3")
    play(state, "turn tile 4 by 90", "move robbie by 1", "move sherlock by 1")
    assert fields(state)["turned"] == "-"
    assert "turn tile 4 by 90" in legal(state)


def test_sherlock_passes_on_the_joker() -> None:
    state = load("tokens=jw,card,joker,turn")
    assert "joker nobody" not in legal(state)
    with pytest.raises(ValueError, match="joker nobody"):
        play(state, "joker nobody")


def test_moriartys_own_tile_cleared_through_a_fresh_deck() -> None:
    """The seven cards that may come are neither his own nor one that is drawn already."""
    drawn = set()
    for card in range(6):
        state = load("tokens=jw,card,joker,turn sherlock_cards=B moriarty_cards=I round=3", board=CLEARED_B)
        chance.set_script(state, [card])
        play(state, "draw card")
        drawn.add(fields(state)["sherlock_cards"])
        assert chance.recorded(state) == [(6, card)]
        assert "E" in left(state)
    assert drawn == {f"B,{letter}" for letter in "ACDFGH"}


CLEARED_B = "tiles=AN,bN,CN,DN,EN,FN,GN,HN,IN moriarty=E"


def test_a_search_for_sherlock_peeks_at_the_identity() -> None:
    """All that Sherlock may search with is the same whoever Moriarty is: view, legal actions and belief."""
    views = set()
    for identity in "ABCDEFGHI":
        state = load("round=3", board=f"tiles=AN,BN,CN,DN,EN,FN,GN,HN,IN moriarty={identity}")
        view = np.zeros(layout(3).size, np.float32)
        rules.observe(state, 0, view, 3)
        mask = np.zeros(77, np.int8)
        rules.legal(state, mask)
        guess = belief(state, 0)
        views.add((view.tobytes(), mask.tobytes(), guess.identity.tobytes(), guess.hourglasses.tobytes()))
    assert len(views) == 1
