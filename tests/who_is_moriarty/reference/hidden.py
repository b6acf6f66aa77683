"""Sherlock's exact belief by listing everything that may be hidden from him (specification §8)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

from tests.who_is_moriarty.reference.model import HOURGLASSES_ON_CARD, LETTERS, Check, Game

Chances = list[Fraction]


def total_at(check: Check, cards: tuple[str, ...]) -> int:
    """Moriarty's hourglasses at a check, had he drawn these cards in this order."""
    return check.public + sum(HOURGLASSES_ON_CARD[card] for card in cards[: check.cards])


def fits(game: Game, cards: tuple[str, ...]) -> bool:
    """Do Moriarty's cards, in this order, agree with every goal check passed and with what lies open?"""
    goal = game.options.hourglasses_to_win
    if game.last_check is not None and total_at(game.last_check, cards) >= goal:
        return False
    if game.chase_check is not None and total_at(game.chase_check, cards) < goal:
        return False
    return game.options.moriarty_cards == "secret" or list(cards) == game.moriarty_cards


def possibilities(game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    """All pairs of an identity and Moriarty's cards in order that Sherlock cannot rule out."""
    sherlocks = {card.suspect for card in game.sherlock_cards} | {game.choosing}
    for identity in game.suspects_left():
        if identity in sherlocks:
            continue
        others = [letter for letter in LETTERS if letter != identity and letter not in sherlocks]
        for cards in permutations(others, len(game.moriarty_cards)):
            if fits(game, cards):
                yield identity, cards


def belief(game: Game, seat: str) -> tuple[Chances, Chances]:
    """The chance of every identity (9) and of every total of hourglasses (0-13, more counted as 13)."""
    found = [(game.identity, tuple(game.moriarty_cards))]
    if seat == "sherlock":
        found = list(possibilities(game))
    identity, total = [0] * 9, [0] * 14
    for letter, cards in found:
        identity[LETTERS.index(letter)] += 1
        hourglasses = game.won_unseen + sum(HOURGLASSES_ON_CARD[card] for card in cards)
        total[min(hourglasses, 13)] += 1
    return [Fraction(count, len(found)) for count in identity], [Fraction(count, len(found)) for count in total]
