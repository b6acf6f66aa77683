"""Whole-game enumeration: every hidden course of events that gives the public facts of the game played.

Each world is a game replayed from the deal with another identity or other cards of Moriarty's; it is dropped
as soon as one public fact differs. Nothing is known here of checks or of a formula for the belief.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.who_is_moriarty.reference.chance import Told
from tests.who_is_moriarty.reference.hidden import Chances
from tests.who_is_moriarty.reference.model import LETTERS, Game
from tests.who_is_moriarty.reference.play import legal, mover, play


def public_facts(game: Game) -> tuple[Any, ...]:
    """What Sherlock knows of a game (specification §8)."""
    open_cards = tuple(game.moriarty_cards) if game.options.moriarty_cards == "open" else None
    return (
        [(tile.suspect, tile.face_up, game.walls(tile)) for tile in game.tiles],
        game.turned,
        game.detectives,
        game.tokens,
        (game.round, mover(game), game.answer, game.chase, game.ending),
        (game.won_unseen, len(game.moriarty_cards), open_cards),
        (game.sherlock_cards, game.choosing),
    )


def _ways_to_draw(world: Game, game: Game, drawn: str) -> list[int]:
    """Which card of a world's deck comes: any for Moriarty, the one that Sherlock did draw for him."""
    deck = world.deck()
    if mover(game) == "moriarty":
        return list(range(len(deck)))
    return [deck.index(drawn)] if drawn in deck else []


class Worlds:
    """The worlds that fit a game so far, each with its probability."""

    def __init__(self, game: Game) -> None:
        self.game = game.copy()
        self.alive: list[tuple[Game, Fraction]] = []
        for identity in LETTERS:
            world = game.copy()
            world.identity = identity
            self.alive.append((world, Fraction(1, 9)))

    def play(self, action: str, outcomes: list[tuple[int, int]]) -> None:
        """The action was played, and chance fell so; worlds that look different then are dropped."""
        before, drawn = self.game.copy(), ""
        play(self.game, action, Told(outcomes))
        tosses = outcomes[-4:] if len(outcomes) >= 4 else []
        if action == "draw card":
            deck = before.deck()
            drawn = deck[0] if len(deck) == 1 else deck[outcomes[0][1]]
        facts = public_facts(self.game)
        survivors: list[tuple[Game, Fraction]] = []
        for world, weight in self.alive:
            if action not in legal(world, str(mover(before))):
                continue
            for then, share in self._futures(world, before, action, drawn, tosses):
                if public_facts(then) == facts:
                    survivors.append((then, weight * share))
        self.alive = survivors

    @staticmethod
    def _futures(
        world: Game, before: Game, action: str, drawn: str, tosses: list[tuple[int, int]]
    ) -> list[tuple[Game, Fraction]]:
        if action != "draw card":
            then = world.copy()
            play(then, action, _lenient(tosses))
            return [(then, Fraction(1))]
        futures = []
        deck = len(world.deck())
        for card in _ways_to_draw(world, before, drawn):
            then = world.copy()
            play(then, action, _lenient(([(deck, card)] if deck > 1 else []) + tosses))
            futures.append((then, Fraction(1, deck)))
        return futures

    def belief(self) -> tuple[Chances, Chances]:
        """The chance of every identity and of every total of hourglasses among the worlds alive."""
        identity, total = [Fraction(0)] * 9, [Fraction(0)] * 14
        whole = sum(weight for _, weight in self.alive)
        for world, weight in self.alive:
            identity[LETTERS.index(world.identity)] += weight / whole
            total[min(world.total(), 13)] += weight / whole
        return identity, total


def _lenient(outcomes: list[tuple[int, int]]) -> Told:
    """The outcomes of one action. A world in which the game ends does not ask for the tosses; one in which it
    goes on where it did end is given some, and dropped.
    """
    return Told([*outcomes, *[(2, 0)] * 4])
