"""Greedy's choices on positions that can be worked out by hand, and its strength."""

from __future__ import annotations

import numpy as np
import pytest

from reichenbach.agents.greedy import make as make_greedy
from reichenbach.agents.setup import BadAgent, Setup
from reichenbach.agents.who_is_moriarty import greedy
from reichenbach.agents.who_is_moriarty.greedy import HOURGLASS, GreedyMoriarty, GreedySherlock
from reichenbach.envs import registry
from reichenbach.envs.core import one
from reichenbach.envs.core.seat import Views
from reichenbach.envs.who_is_moriarty.layout import AFTER
from reichenbach.training.evaluate import evaluate

GAME = registry.game("who_is_moriarty")
TABLES = GAME.tables(GAME.resolve({}))
# Walls N everywhere, A to I from cell 0 to 8: from a place above nobody is seen, from the sides and from below all are.
NORTH = "tiles=AN,BN,CN,DN,EN,FN,GN,HN,IN "


def look(position: str, seat: int) -> Views:
    states = GAME.parse(position)
    observation = np.empty((1, greedy.LAYOUT.size), np.float32)
    mask = np.empty((1, GAME.n_actions), np.int8)
    one.view(states, TABLES, seat, AFTER, observation[0], mask[0])
    return Views(seat, observation, mask, np.zeros(1, np.int64), np.ones(1, np.bool_))


def text(action: int) -> str:
    return GAME.action_text(action)


def values(position: str, seat: int) -> dict[str, float]:
    views = look(position, seat)
    worth = greedy.expected_left(views.observation) if seat == 0 else greedy.own_side(views.observation)
    legal = np.flatnonzero(views.action_mask[0]).tolist()
    return {text(action): float(worth[0, action]) for action in legal}


def test_sherlock_counts_what_is_left_in_the_mean() -> None:
    # All stand above column 0 and see nobody: 9 left for sure. One walks to place 3: he sees row 0, C, B and A.
    left = values(NORTH + "detectives=0,0,2 moriarty=E round=1 pick=1 tokens=robbie,sherlock,joker,turn", 0)
    assert left["move robbie by 1"] == pytest.approx((3 * 3 + 6 * 6) / 9)
    assert left["move sherlock by 1"] == pytest.approx(9)
    # Turned by 90, the wall of A stands E: it is seen from above, and the wall on its far side (S) is open: A, then
    # D's wall N stops the look.
    assert left["turn tile 0 by 90"] == pytest.approx((1 + 8 * 8) / 9)


def test_sherlock_takes_the_fewest() -> None:
    views = look(NORTH + "detectives=0,0,2 moriarty=E round=1 pick=1 tokens=robbie,sherlock,joker,turn", 0)
    chosen = {text(int(GreedySherlock(seed).act(views)[0])) for seed in range(20)}
    # 3 of 9 are seen by walking to place 3 or 4; equal choices are drawn among
    assert chosen == {"move robbie by 1", "move robbie by 2", "joker robbie"}


def test_a_card_takes_one_suspect_with_its_chance() -> None:
    # Nobody in sight; a card hits one of the 8 others that are all in hands unknown: 8 left instead of 9, surely.
    left = values(NORTH + "detectives=0,0,0 moriarty=E round=1 pick=1 tokens=jw,card,joker,turn", 0)
    assert left["draw card"] == pytest.approx(8)
    # With A and B cleared and no card drawn, 6 of 8 cards hit.
    cleared = "tiles=aN,bN,CN,DN,EN,FN,GN,HN,IN "
    left = values(cleared + "detectives=0,0,0 moriarty=E round=1 pick=1 tokens=jw,card,joker,turn", 0)
    assert left["draw card"] == pytest.approx(7 - 6 / 8)


def test_moriarty_counts_his_side_and_hourglasses() -> None:
    position = NORTH + "detectives=0,0,2 moriarty=C round=2 pick=1 tokens=robbie,card,joker,turn"
    worth = values(position, 1)
    # Unseen with all nine, and an hourglass for it; seen with C, B and A.
    assert worth["joker nobody"] == pytest.approx(9 + HOURGLASS)
    assert worth["move robbie by 1"] == pytest.approx(3)
    # His own card C holds 1 of the 8 hourglasses: 7 on the 8 cards of the deck.
    assert worth["draw card"] == pytest.approx(9 + HOURGLASS + HOURGLASS * 7 / 8)
    assert text(int(GreedyMoriarty().act(look(position, 1))[0])) == "draw card"


def test_moriarty_takes_the_first_of_equals() -> None:
    position = NORTH + "detectives=0,0,0 moriarty=C round=2 pick=1 tokens=robbie,sherlock,joker,turn"
    assert text(int(GreedyMoriarty().act(look(position, 1))[0])) == "move sherlock by 1"


def test_his_cards_are_out_of_the_deck() -> None:
    position = NORTH + "detectives=0,0,2 moriarty=C round=3 pick=2 tokens=robbie,card,joker,turn played=1,0,0,0 "
    # A holds 2 hourglasses, B none: 8 - 1 - 2 = 5 of the 6 left in the deck
    worth = values(position + "moriarty_cards=A,B hourglasses=2", 1)
    assert worth["draw card"] - worth["joker nobody"] == pytest.approx(HOURGLASS * 5 / 6)


@pytest.mark.parametrize(
    ("sherlock", "moriarty", "wins"),
    [
        ("random", "random", 0.772),
        ("greedy", "random", 0.958),
        ("random", "greedy", 0.293),
        ("greedy", "greedy", 0.598),
    ],
)
def test_strength_is_as_in_an_independent_model(sherlock: str, moriarty: str, wins: float) -> None:
    found = evaluate(GAME, {}, {"sherlock": sherlock, "moriarty": moriarty}, games=4000, seed=1)
    # Three standard errors, and 1.5 points because that model breaks ties in ways of its own.
    assert found["seats"]["sherlock"]["win_rate"] == pytest.approx(wins, abs=0.015 + 3 * 0.0079)


def test_a_game_without_greedy_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reichenbach.agents.greedy.GREEDY", {})
    with pytest.raises(BadAgent, match="who_is_moriarty has none"):
        make_greedy("", Setup(GAME, GAME.resolve({}), "sherlock", 1))
