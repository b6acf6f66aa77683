"""Options and positions made up at random, also such as no play leads to."""

from __future__ import annotations

import random

from tests.who_is_moriarty.reference.model import (
    COMPASS,
    DETECTIVES,
    HOURGLASSES_ON_CARD,
    LETTERS,
    TOKEN_SIDES,
    Card,
    Check,
    Game,
    Options,
    Tile,
    Token,
)
from tests.who_is_moriarty.reference.play import mover


def sample(dice: random.Random, letters: str, at_most: int) -> str:
    """Some letters, up to a number of them, in random order."""
    return "".join(dice.sample(letters, dice.randint(0, min(at_most, len(letters)))))


def random_options(dice: random.Random) -> Options:
    """Every option drawn, its default about half of the time."""
    default = dice.random() < 0.5
    return Options(
        crossroads="HI" if default else "".join(sorted(sample(dice, LETTERS, 9))),
        turn_crossroads=dice.random() < 0.3,
        turn_tile_twice=dice.random() < 0.3,
        start=dice.choice(("standard", "random")),
        goal_check=dice.choice(("end_of_round", "immediate")),
        both_goals=dice.choice(("chase", "chase", "sherlock", "moriarty")),
        card_clears=dice.choice(("always", "optional")),
        moriarty_cards=dice.choice(("secret", "secret", "open")),
        rewards=dice.choice(("zero_sum", "zp")),
        max_rounds=8 if dice.random() < 0.5 else dice.randint(1, 8),
        hourglasses_to_win=6 if dice.random() < 0.4 else dice.randint(1, 12),
    )


def random_position(dice: random.Random, options: Options) -> Game:
    """A position with every fact drawn so that the facts do not contradict each other."""
    identity = dice.choice(LETTERS)
    others = "".join(letter for letter in LETTERS if letter != identity)
    moriartys = sample(dice, others, 2)
    sherlocks = sample(dice, "".join(letter for letter in others if letter not in moriartys), 2)
    chase = dice.random() < 0.15
    cleared = others if chase else sample(dice, others, 8)
    if options.card_clears == "always":
        cleared += sherlocks
    tiles = [Tile(letter, dice.choice(COMPASS), letter not in cleared) for letter in dice.sample(LETTERS, 9)]
    game = Game(
        options=options,
        identity=identity,
        tiles=tiles,
        detectives={name: dice.randrange(12) for name in DETECTIVES},
        tokens=[Token(sides, dice.randrange(2)) for sides in TOKEN_SIDES],
        round=dice.randint(1, options.max_rounds),
        turned=set(sample(dice, LETTERS, 9)) if dice.random() < 0.3 else set(),
        won_unseen=dice.randint(0, 6),
        moriarty_cards=list(moriartys),
        sherlock_cards=[_drawn(dice, options, letter, letter in cleared) for letter in sherlocks],
        chase=chase,
    )
    for token in dice.sample(game.tokens, dice.randint(0, 3)):
        token.used = True
    _begin_choosing(dice, game)
    _remember_checks(dice, game)
    return game


def _drawn(dice: random.Random, options: Options, letter: str, cleared: bool) -> Card:
    kept = options.card_clears == "optional" and (not cleared or dice.random() < 0.5)
    return Card(letter, shown=not kept)


def _begin_choosing(dice: random.Random, game: Game) -> None:
    """Now and then Sherlock has just drawn a card that he may clear or keep."""
    offered = any(token.face == "card" and not token.used for token in game.tokens)
    drawn = len(game.moriarty_cards) + len(game.sherlock_cards)
    possible = game.options.card_clears == "optional" and mover(game) == "sherlock" and offered and drawn < 4
    if possible and dice.random() < 0.5:
        game.choosing = dice.choice(game.deck())


def _remember_checks(dice: random.Random, game: Game) -> None:
    """Checks that agree with the cards; half of the time nothing is concluded from the past."""
    if dice.random() < 0.5:
        return
    below: list[Check] = []
    reached: list[Check] = []
    for public in range(game.won_unseen + 1):
        for cards in range(len(game.moriarty_cards) + 1):
            total = public + sum(HOURGLASSES_ON_CARD[card] for card in game.moriarty_cards[:cards])
            (below if total < game.options.hourglasses_to_win else reached).append(Check(public, cards))
    game.last_check = dice.choice(below) if below else None
    if game.chase and reached:
        game.chase_check = dice.choice(reached)
