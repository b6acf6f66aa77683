"""What a detective cannot rule out (§14): against an enumeration of all commands on a small map."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.manor.reference.deal import deal
from tests.manor.reference.ending import end_of_turn
from tests.manor.reference.house import House
from tests.manor.reference.invent import random_action, random_options
from tests.manor.reference.model import CONTENTS, ITEMS, LETTERS, PAIRS, Game, Options, Pair
from tests.manor.reference.play import action_phase, give_commands, note
from tests.manor.reference.worlds import Worlds
from tests.manor.side_by_side import SideBySide, house_at
from tests.running import SLOW
from tests.who_is_moriarty.reference.chance import Told

pytestmark = pytest.mark.plain

NUTSHELL = str(Path(__file__).parent / "cases" / "nutshell.yaml")
VIEWERS = (("2p", 0), ("3p", 1), ("4p", 0), ("4p_roles", 0), ("4p_roles", 1))
TURNS = 1 if SLOW else 5  # for each of them


def small_options(dice: random.Random, table: str, house: House) -> Options:
    """Options under which a turn has not too many commands; nothing is drawn for the turn that follows."""
    # With private inventories every pawn may be told to do everything (M20).
    inventory = dice.choice(("public", "private")) if table == "2p" else "public"
    counts: dict[str, Any] = dict(house.counts)
    return replace(
        random_options(dice, table, house), **counts, hungry_reach=1, events=False, days=3, inventory=inventory
    )


def small_position(dice: random.Random, options: Options, house: House) -> Game:
    """Most pawns are hungry and so go one area at most; a few spots are left. On the chart stand some pairs."""
    game = deal(options, house, dice.randrange)
    game.turn = dice.randint(1, 9)
    for pawn in game.pawns.values():
        pawn.area = dice.choice(house.areas)
        pawn.hunger, pawn.injured = int(dice.random() < 0.94), dice.random() < 0.3
        pawn.fatigued, pawn.armed = dice.random() < 0.3, dice.random() < 0.3
        pawn.items = dice.choices(ITEMS, k=dice.choice((0, 0, 1, 2, 2)))
        for seat in game.seats:
            seat.known_items[pawn.letter] = [item for item in pawn.items if dice.random() < 0.5]
    furnish(dice, game)
    pairs = some_pairs(dice, (game.villain, game.target))
    game.chart, game.side_chart = set(pairs), set(pairs)
    for seat in game.seats:
        if seat.side == "detectives":
            seat.belief = set(pairs)
    return game


def furnish(dice: random.Random, game: Game) -> None:
    """Other contents than food, few spots left, one of them seen by all (M17), a fuse box found."""
    told = set().union(*(seat.known for seat in game.seats if seat.side == "detectives"))
    for area, spot in game.spots.items():
        if area not in told:
            spot.content = dice.choice([content for content in CONTENTS if content != "passage"])
        spot.gone = dice.random() < 0.6
    food_or_weapon = {area for area, spot in game.spots.items() if spot.content in ("food", "weapon")}
    seen_by_all = {area for area in game.spots if dice.random() < 0.15}
    for seat in game.seats:
        seat.known = seen_by_all | (food_or_weapon if seat.side == "villains" else seat.known)
    gone = [area for area, spot in game.spots.items() if spot.gone]
    game.fuse_boxes = set(gone[:1]) if dice.random() < 0.3 else set()


def some_pairs(dice: random.Random, truth: Pair) -> set[Pair]:
    """For most targets one villain, and the true pair: commands tell about the target alone."""
    targets = [target for target in LETTERS if dice.random() < 0.8]
    return {truth} | {dice.choice([pair for pair in PAIRS if pair[1] == target]) for target in targets}


class Turn:
    """One turn in the nutshell, by kernel and reference, and once more step by step to its end.

    Attributes:
        follows: what follows it, "over" included.
        seen: the reference's game at the turn's end.
    """

    def __init__(self, dice: random.Random, table: str, viewer: int) -> None:
        house = house_at(NUTSHELL, table)
        options = small_options(dice, table, house)
        self.position = small_position(dice, options, house)
        self.table = SideBySide(options, dice.randrange(1000), NUTSHELL, self.position)
        if (table, viewer) == ("4p_roles", 1):  # three commands of an ally are too many to go through
            self.position.seats[0].quota = 2
            self.table.tables = self.table.tables.copy()
            self.table.tables["quota"][0, 0] = self.table.tables["slots"][0] = 2
        self.before = self.position.copy()
        self.play(dice)

    def play(self, dice: random.Random) -> None:
        game = self.table.game
        submissions = len(game.seats) * max(seat.quota for seat in game.seats)
        for _ in range(submissions - 1):
            self.table.play(random_action(dice, game))
        last = random_action(dice, game)
        self.seen = game.copy()
        note(self.seen, last)
        self.table.play(last)
        told = Told(self.table.outcomes())
        give_commands(self.seen, told)
        for _ in action_phase(self.seen, told):
            pass
        self.follows = end_of_turn(self.seen, told) if self.seen.ending == "RUNNING" else "over"

    def says_something(self) -> bool:
        """Not one that ends the game, nor one that reveals the pair by an assail (M25)."""
        return self.follows != "over" and not self.seen.failed_assail


@pytest.mark.parametrize(("table", "viewer"), VIEWERS)
@pytest.mark.parametrize("number", range(TURNS))
def test_against_all_commands(table: str, viewer: int, number: int) -> None:
    """Kernel and reference leave exactly the pairs for which some commands and outcomes look like the turn."""
    dice = random.Random(f"{table} {viewer} {number}")
    turn = Turn(dice, table, viewer)
    while not turn.says_something():
        turn = Turn(dice, table, viewer)
    turn.table.compare()
    expected = Worlds(turn.before, turn.seen, viewer, turn.follows).belief()
    assert turn.table.game.seats[viewer].belief == expected
