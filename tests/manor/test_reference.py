"""The kernel against the reference: whole games under random options, compared after every move."""

from __future__ import annotations

import random

import pytest

from reichenbach.envs.manor.map_file import SHIPPED
from tests.manor.reference.invent import random_action, random_options, random_position
from tests.manor.reference.model import TABLES, Game, Options
from tests.manor.side_by_side import BELIEF, SideBySide, house_at
from tests.running import SLOW

pytestmark = pytest.mark.plain

GAMES = 30 if SLOW else 2000
PARTS = 10


def begin(number: int, dice: random.Random) -> SideBySide:
    """A numbered game: four in ten begin at a made-up position."""
    house_name, table = SHIPPED[number // PARTS % len(SHIPPED)], dice.choice(list(TABLES))
    house = house_at(house_name, table)
    options = random_options(dice, table, house)
    position = random_position(dice, options, house) if dice.random() < 0.4 else None
    return SideBySide(options, number, house_name, position)


def seats_to_look_at(dice: random.Random, game: Game, thorough: bool) -> list[int] | None:
    """All seats at the beginning of a turn; between two submissions any one of them, unless thorough."""
    if thorough or game.ending != "RUNNING" or (game.slot == 0 and game.submitter == 0):
        return None
    return [dice.randint(0, len(game.seats))]


def check_beliefs(game: Game) -> None:
    """§14: a belief holds the true pair and lies within the chart; nothing more is concluded when a game is over."""
    for seat in game.seats:
        assert (game.villain, game.target) in seat.belief, f"seat {seat.number} does not believe the truth"
        within = seat.belief <= game.side_chart or game.ending != "RUNNING"
        assert within, f"seat {seat.number} believes in pairs that are off the chart"


@pytest.mark.parametrize("part", range(PARTS))
def test_games(part: int) -> None:
    """Options, house and position are drawn; half of the games show the belief, one in twenty every view every time."""
    for number in range(part, GAMES, PARTS):
        dice = random.Random(number)
        table = begin(number, dice)
        game, played = table.game, []
        sections = dice.choice((0, BELIEF))
        thorough = dice.random() < 0.05
        try:
            table.compare(sections)
            while game.ending == "RUNNING":
                played.append(random_action(dice, game))
                table.play(played[-1])
                table.compare(sections, seats_to_look_at(dice, game, thorough))
                check_beliefs(game)
        except AssertionError as error:
            raise AssertionError(f"game {number}, {game.options}, after {played}: {error}") from error


@pytest.mark.parametrize("field", ["area", "known", "slot", "notice", "chart", "belief", "find_seen"])
def test_the_comparison_bites(field: str) -> None:
    """A differing fact is an error."""
    table = SideBySide(Options(), 1)
    table.compare()
    table.state[field][0] += 1
    with pytest.raises(AssertionError, match=field):
        table.compare()


def test_the_comparison_of_views_and_masks_bites() -> None:
    table = SideBySide(Options(), 1)
    table.game.pawns["A"].hunger = 1
    table.state["hunger"][0, 0] = 1
    table.compare(BELIEF)
    table.tables = table.tables.copy()
    table.tables["within"][0, 0, :, 1] = 0
    with pytest.raises(AssertionError, match="legal actions of seat 0 differ"):
        table.compare()
    table.tables["zone"] = 0
    table.tables["wing"] = 9
    with pytest.raises(AssertionError):
        table.compare()
