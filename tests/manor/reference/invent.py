"""Options, positions and choices made up at random, so that what is rare in play comes often."""

from __future__ import annotations

import random
from typing import Any

from tests.manor.reference.commands import PASS, Action, legal
from tests.manor.reference.deal import contents_of, deal
from tests.manor.reference.house import House
from tests.manor.reference.model import ASSAIL, ITEMS, PAIRS, Game, Options, Pair


def random_options(dice: random.Random, table: str, house: House) -> Options:
    """Every option but the table drawn, of most the default about half of the time; the counts fit the house."""
    while True:
        options = Options(
            table=table,
            hungry_reach=dice.choice((1, 1, 2)),
            injury_slows=dice.random() < 0.7,
            stack_hunger=dice.random() < 0.3,
            sherlock_beats_watson=dice.random() < 0.4,
            irene_commands_target=dice.random() < 0.4,
            inventory=dice.choice(("public", "public", "private")),
            events=dice.random() < 0.8,
            exposure=dice.choice(("public", "public", "side", "overridden")),
            days=dice.choice((1, 1, 2, 3)),  # much of what is rare needs no long game
            leak_chance=dice.choice((25, dice.randint(0, 100))),
            dog_chance=dice.choice((50, dice.randint(0, 100))),
            **random_counts(dice, house.counts),
        )
        if contents_of(options, len(house.spots))["nothing"] >= 0:
            return options


def random_counts(dice: random.Random, usual: dict[str, int]) -> dict[str, Any]:
    """How many spots hold what, mostly as many as the map says."""
    ranges = {"food": (6, 8), "weapons": (0, 4), "medicine": (0, 3), "sprays": (0, 2), "fuse_boxes": (0, 2)}
    drawn = {name: dice.randint(low, high) for name, (low, high) in {**ranges, "passages": (0, 1)}.items()}
    return {name: usual[name] if dice.random() < 0.6 else drawn[name] for name in drawn}


def random_position(dice: random.Random, options: Options, house: House) -> Game:
    """The beginning of a turn as hardly any play leads to; its facts do not contradict each other."""
    game = deal(options, house, dice.randrange)
    game.turn = dice.randint(1, game.last_turn())
    game.final = dice.random() < 0.1
    few = dice.sample(house.areas, dice.randint(2, 6))
    for pawn in game.pawns.values():
        pawn.area = dice.choice(few)
        pawn.hunger = dice.choice((0, 0, 1, 2 if options.stack_hunger else 1))
        pawn.injured = pawn.hunger < 2 and dice.random() < 0.4
        pawn.fatigued, pawn.armed = dice.random() < 0.4, dice.random() < 0.4
        pawn.items = dice.choices(ITEMS, k=dice.randint(0, 2))
        for seat in game.seats:
            seat.known_items[pawn.letter] = [item for item in pawn.items if dice.random() < 0.5]
    game.pawns[game.villain].armed = dice.random() < 0.6
    _search_some(dice, game)
    _bring_danger(dice, game)
    _conclude_some(dice, game)
    return game


def _search_some(dice: random.Random, game: Game) -> None:
    """Spots were emptied, others seen and left; what was found in them is in the house."""
    for area, spot in game.spots.items():
        what = dice.random()
        spot.gone = what < 0.3
        if spot.gone and spot.content == "fuse box" and dice.random() < 0.7:
            game.fuse_boxes.add(area)
        if spot.gone and spot.content == "passage":
            game.passage_is = "open"
        if what > 0.85:
            for seat in game.seats:  # left with full hands
                seat.known.add(area)


def _bring_danger(dice: random.Random, game: Game) -> None:
    house = game.house
    game.dark = {wing for wing in house.wings if dice.random() < 0.2}
    game.gas = {area for area in house.areas if dice.random() < 0.1}
    if dice.random() < 0.3:
        game.leak, game.leak_turns = dice.choice(house.rooms).name, dice.randint(1, 2)
    if dice.random() < 0.3:
        game.dog, game.dog_turns = dice.choice(house.areas), dice.randint(1, 3)
    game.dog_came = game.dog is not None or dice.random() < 0.3


def _conclude_some(dice: random.Random, game: Game) -> None:
    """Charts and beliefs that hold the true pair, each within the one that knows less."""
    truth = (game.villain, game.target)
    if game.final:
        game.failed_assail = dice.random() < 0.5
    keep = dice.choice((1.0, 1.0, 0.7, 0.3))
    game.chart = _some(dice, set(PAIRS), keep, truth)
    if game.final:
        game.chart = {truth} if game.failed_assail else {pair for pair in game.chart if pair[0] == truth[0]}
    game.side_chart = set(game.chart)
    if game.options.exposure == "side":
        game.side_chart = _some(dice, game.chart, keep, truth)
    for seat in game.seats:
        if seat.side == "detectives":
            seat.belief = _some(dice, game.side_chart, keep, truth)


def _some(dice: random.Random, pairs: set[Pair], keep: float, truth: Pair) -> set[Pair]:
    return {pair for pair in sorted(pairs) if pair == truth or dice.random() < keep}


def random_action(dice: random.Random, game: Game) -> Action:
    """A legal action of the mover. Each kind of action is as likely as another; now and then it is the order that
    another has given, another order on the same pawn, one with another deed in the same area (which may look the same,
    M12), one that leads to villain or target, or an assail.
    """
    seat = game.seats[game.submitter]
    actions = legal(game, seat)
    given = [each for other in game.seats if other is not seat for each in other.orders.items()]
    near = {game.pawns[letter].area for letter in (game.villain, game.target)}
    commands = [action for action in actions if isinstance(action, tuple)]
    match dice.choice(("same", "pawn", "twin", "near", "assail", "any", "any", "any")):
        case "same":
            favoured = [command for command in commands if command in given]
        case "pawn":
            favoured = [command for command in commands if command[0] in dict(given)]
        case "twin":
            places = [(letter, order.area) for letter, order in given]
            favoured = [command for command in commands if (command[0], command[1].area) in places]
        case "near":
            favoured = [command for command in commands if command[1].area in near]
        case "assail":
            favoured = [command for command in commands if command[1] == ASSAIL]
        case _:
            favoured = []
    actions = list(favoured) or actions
    kind = dice.choice(sorted({_kind(action) for action in actions}))
    return dice.choice([action for action in actions if _kind(action) == kind])


def _kind(action: Action) -> str:
    if isinstance(action, tuple):
        return action[1].deed
    return PASS if action == PASS else "vote"
