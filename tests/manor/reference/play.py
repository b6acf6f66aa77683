"""The course of the game: who submits, what a submission does, how turns follow each other (M8, M9, M21, M22)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.manor.reference.acting import act, order_of_action
from tests.manor.reference.commands import VOTE, Action
from tests.manor.reference.conflicts import order_at_random, settle
from tests.manor.reference.ending import count_votes, end_of_turn
from tests.manor.reference.model import ASSAIL, Ask, Game, pick
from tests.manor.reference.murder import murder_test


def mover(game: Game) -> int | None:
    """The number of the seat that submits next (M9: unseen, so the order of the seats means nothing)."""
    return game.submitter if game.ending == "RUNNING" else None


def active(game: Game, number: int) -> bool:
    """Has the seat still to submit in this slot?"""
    return game.ending == "RUNNING" and number >= game.submitter


def play(game: Game, action: Action, ask: Ask) -> None:
    """The mover submits; after the last submission of the turn, or of the final deduction, it is carried out."""
    note(game, action)
    game.submitter += 1
    if game.submitter < len(game.seats):
        return
    game.submitter = 0
    if game.voting:
        count_votes(game, ask)
        return
    game.slot += 1
    if game.slot == max(seat.quota for seat in game.seats):
        take_turn(game, ask)


def note(game: Game, action: Action) -> None:
    """M9, M30: a command, a vote, or no more commands in this turn."""
    seat = game.seats[game.submitter]
    if isinstance(action, tuple):
        letter, seat.orders[letter] = action
        seat.used += 1
    elif action.startswith(VOTE):
        seat.vote = action.removeprefix(VOTE)
    elif not game.voting:
        seat.passed = True


def take_turn(game: Game, ask: Ask) -> None:
    """M8: the action phase, the end of the turn, and the beginning of the next."""
    give_commands(game, ask)
    for _ in action_phase(game, ask):
        pass
    follows = end_of_turn(game, ask) if game.ending == "RUNNING" else "over"
    for seat in game.seats:
        seat.last_orders = dict(seat.orders)
    if follows == "vote":
        game.voting = True
        forget_commands(game)
    elif follows != "over":
        begin_turn(game, final=follows == "final", ask=ask)


def give_commands(game: Game, ask: Ask) -> None:
    """M15, §5: what was left unused is ordered, then every pawn knows what it obeys."""
    game.at_command, game.at_act, game.acts, game.sprayed = game.copy(), {}, {}, {}
    order_at_random(game, ask)
    settle(game, ask)


def action_phase(game: Game, ask: Ask, remember: bool = True) -> Iterator[str]:
    """M8, M16: the pawns act one after the other; the letter of each comes out after its murder test.

    The belief (§14) needs to `remember` how things stood before each act.
    """
    for letter in order_of_action(game):
        if remember:
            game.at_act[letter] = game.copy()
        act(game, letter, ask)
        murder_test(game, "ASSAIL" if game.obeyed.get(letter) == ASSAIL else "MURDER")  # M24, M25
        yield letter
        if game.ending != "RUNNING":
            return  # M29


def begin_turn(game: Game, final: bool, ask: Ask) -> None:
    """M8, M19, M28; a final turn is no part of a day."""
    game.dark, game.dark_next = game.dark_next, set()
    if game.passage_is == "found":
        game.passage_is = "open"
    game.final = final
    forget_commands(game)
    if not final:
        game.turn += 1
        if game.options.events:
            spring_leak(game, ask)
            let_dog_in(game, ask)


def forget_commands(game: Game) -> None:
    """M9: everybody has all commands again."""
    game.slot = 0
    for seat in game.seats:
        seat.orders, seat.used, seat.passed = {}, 0, False


def spring_leak(game: Game, ask: Ask) -> None:
    """M21: at the start of an afternoon."""
    if game.turn % 3 == 2 and ask(100) < game.options.leak_chance:
        game.leak, game.leak_turns = pick(game.house.rooms, ask).name, 2


def let_dog_in(game: Game, ask: Ask) -> None:
    """M22: at the start of day 2 or day 3, once."""
    if game.turn in (4, 7) and not game.dog_came and ask(100) < game.options.dog_chance:
        game.dog, game.dog_turns, game.dog_came = game.house.entrance, 3, True
