"""The kernel against the reference: whole games under random options, all compared after every move."""

from __future__ import annotations

import random

import pytest

from tests.running import SLOW
from tests.who_is_moriarty.reference.chance import Told
from tests.who_is_moriarty.reference.invent import random_options, random_position
from tests.who_is_moriarty.reference.model import Options
from tests.who_is_moriarty.reference.watch import observe
from tests.who_is_moriarty.side_by_side import AFTER, BELIEF, SideBySide, random_action

pytestmark = pytest.mark.plain

GAMES = 50 if SLOW else 2000
PARTS = 10


@pytest.mark.parametrize("part", range(PARTS))
def test_games(part: int) -> None:
    """A quarter of the games begin at a made-up position, three in eight show optional sections."""
    for number in range(part, GAMES, PARTS):
        dice = random.Random(number)
        options = random_options(dice)
        loaded = random_position(dice, options) if number % 4 == 3 else None
        sections = (BELIEF | AFTER, 0, 0, BELIEF, 0, 0, AFTER, 0)[number // 4 % 8]
        table = SideBySide(options, number, loaded)
        played: list[str] = []
        try:
            table.compare(sections)
            while table.game.ending == "RUNNING":
                played.append(random_action(dice, table.legal()))
                table.play(played[-1])
                table.compare(sections)
        except AssertionError as error:
            raise AssertionError(f"game {number}, {options}, after {played}: {error}") from error


@pytest.mark.parametrize("seed", range(20 if SLOW else 100))
def test_positions(seed: int) -> None:
    """Made-up positions with every section, and each legal action of one of them."""
    dice = random.Random(10_000 + seed)
    options = random_options(dice)
    loaded = random_position(dice, options)
    SideBySide(options, seed, loaded.copy()).compare(BELIEF | AFTER)
    for text in SideBySide(options, seed, loaded.copy()).legal():
        table = SideBySide(options, seed, loaded.copy())
        table.play(text)
        table.compare()


def test_the_comparison_bites() -> None:
    """Another number of outcomes, a draw too many or too few, and a differing fact are all errors."""
    told = Told([(8, 3)])
    with pytest.raises(AssertionError, match="one of 7, the kernel one of 8"):
        told(7)
    assert told(8) == 3
    told.finish()
    with pytest.raises(AssertionError, match="drew only"):
        told(8)
    with pytest.raises(AssertionError, match="asked for 0"):
        Told([(8, 3)]).finish()
    table = SideBySide(Options(), 1)
    table.compare()
    table.state["moriarty"] = (table.state["moriarty"] + 1) % 9
    with pytest.raises(AssertionError):
        table.compare()


def test_sections_have_the_lengths_that_were_agreed() -> None:
    table = SideBySide(random_options(random.Random(2)), 2)
    lengths = [len(numbers) for numbers in observe(table.game, "sherlock", True, True).values()]
    base = [2, 2, 8, 4, 81, 9, 36, 9, 36, 12, 14, 9, 2, 1, 6, 9, 9, 9, 9, 9, 14]
    assert lengths == [*base, 23, 231]
