"""The end of a turn (M24), the final deduction (M30) and what an ending is worth."""

from __future__ import annotations

from collections.abc import Callable

from tests.manor.reference.belief import after_turn
from tests.manor.reference.model import LETTERS, WINNER, Ask, Game, Pawn, Seat, pick
from tests.manor.reference.murder import murder_test


def end_of_turn(game: Game, ask: Ask, conclude: Callable[[Game], None] = after_turn) -> str:
    """All from the gas to the identification, and the meal.

    Args:
        game: the game after the action phase.
        ask: chance.
        conclude: what the players make of the turn (§14).

    Returns:
        "over", "final" or "next" for the turn that follows, "vote" for the final deduction.
    """
    release_gas(game)
    let_dog_run(game, ask)
    murder_test(game)
    if game.ending != "RUNNING":
        return "over"
    drop_exposed(game)
    if any(act.did == "assail" for act in game.acts.values()):
        return fail_assail(game)
    if game.final:  # M28
        game.ending = "ASSAIL_FAILED" if game.failed_assail else "IDENTIFIED"
        return "over"
    if game.turn % 3 == 0:
        answer(game)
    conclude(game)
    if identified(game):
        if game.turn == game.last_turn():
            game.ending = "IDENTIFIED"
            return "over"
        return "final"
    if game.turn == game.last_turn():
        return "vote"
    if game.turn % 3 == 0:
        eat_supper(game)
        murder_test(game)
    return "next" if game.ending == "RUNNING" else "over"


def injure(pawn: Pawn) -> None:
    """M23: no ailment twice, nothing beyond critical."""
    if not pawn.critical():
        pawn.injured = True


def in_gas(game: Game, pawn: Pawn) -> bool:
    """M18, M21: the leak, the sprays of the last turn, and those of others in this turn."""
    leaks = game.leak is not None and game.house.zone_of[pawn.area].name == game.leak
    others = [area for letter, area in game.sprayed.items() if letter != pawn.letter]
    return leaks or pawn.area in game.gas or pawn.area in others


def release_gas(game: Game) -> None:
    """M18, M21: injures, then grows a turn older."""
    for pawn in [pawn for pawn in game.pawns.values() if in_gas(game, pawn)]:
        injure(pawn)
    game.gas = set(game.sprayed.values())
    if game.leak is not None:
        game.leak_turns -= 1
        if game.leak_turns == 0:
            game.leak = None


def let_dog_run(game: Game, ask: Ask) -> None:
    """M22: toward the nearest pawn, the first in the alphabet of several; then it bites."""
    if game.dog is None:
        return
    start = game.dog
    goal = min(game.pawns.values(), key=lambda pawn: (game.distance(start, pawn.area), pawn.letter)).area
    game.dog = min(game.within(start, 2), key=lambda area: (game.distance(area, goal), game.distance(start, area)))
    there = [pawn for pawn in game.pawns.values() if pawn.area == game.dog]
    if there:
        injure(pick(there, ask))
    game.dog_turns -= 1
    if game.dog_turns == 0:
        game.dog = None


def drop_exposed(game: Game) -> None:
    """M27: pawns that Moriarty was seen to command are not the target, by option exposure seen by whom."""
    forced = {letter for letter, act in game.acts.items() if act.forced}
    to_all = forced | (game.exposed if game.options.exposure == "public" else set())
    to_side = forced | (game.exposed if game.options.exposure in ("public", "side") else set())
    game.chart = {pair for pair in game.chart if pair[1] not in to_all}
    game.side_chart = {pair for pair in game.side_chart if pair[1] not in to_side}


def fail_assail(game: Game) -> str:
    """M25, M28: the assail has shown villain and target to all."""
    truth = {(game.villain, game.target)}
    game.failed_assail, game.chart, game.side_chart = True, set(truth), set(truth)
    for seat in game.seats:
        seat.belief = set(truth)
    if game.final or game.turn == game.last_turn():
        game.ending = "ASSAIL_FAILED"
        return "over"
    return "final"


def answer(game: Game) -> None:
    """M26: are villain and target within 3 areas of each other? Both charts keep the pairs that give this answer."""
    game.answers[game.turn // 3 - 1] = game.near((game.villain, game.target))
    game.chart = {pair for pair in game.chart if game.answers_as_heard(pair)}
    game.side_chart = {pair for pair in game.side_chart if game.answers_as_heard(pair)}


def identified(game: Game) -> bool:
    """M28: the detective side's chart leaves one villain; that reveals him to all (M27)."""
    if len({villain for villain, _ in game.side_chart}) > 1:
        return False
    game.chart = {pair for pair in game.chart if pair[0] == game.villain}
    return True


def eat_supper(game: Game) -> None:
    """M18, M23: food is eaten by itself; who has none gets hungry."""
    for pawn in game.pawns.values():
        if "food" in pawn.items:
            pawn.items.remove("food")
            pawn.hunger = 0
            for seat in game.seats:
                if "food" in seat.known_items[pawn.letter]:
                    seat.known_items[pawn.letter].remove("food")
        elif pawn.hunger == 0 and not pawn.critical():
            pawn.hunger = 1
        elif pawn.hunger == 1 and game.options.stack_hunger and not pawn.critical():
            pawn.hunger = 2


def count_votes(game: Game, ask: Ask) -> None:
    """M30, M31: the most votes name the villain; of several pawns with as many chance decides."""
    votes = [seat.vote for seat in game.seats if seat.side == "detectives"]
    most = max(votes.count(letter) for letter in LETTERS)
    named = pick([letter for letter in LETTERS if votes.count(letter) == most], ask)
    game.ending = "NAMED" if named == game.villain else "WRONG_NAME"


def reward(game: Game, seat: Seat) -> float:
    """+1 for the winning side, -1 for the other."""
    winner = WINNER.get(game.ending)
    if winner is None:
        return 0.0
    return 1.0 if winner == seat.side else -1.0
