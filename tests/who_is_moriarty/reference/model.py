"""The things on the table: options, tiles, tokens, cards, checks and the game that holds them."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field

LETTERS = "ABCDEFGHI"
HOURGLASSES_ON_CARD = {"A": 2, "B": 0, "C": 1, "D": 1, "E": 1, "F": 1, "G": 0, "H": 1, "I": 1}
DETECTIVES = ("sherlock", "jw", "robbie")
COMPASS = "NESW"  # clockwise, so that a turn by 90 degrees is the next letter
TOKEN_SIDES = (("jw", "robbie"), ("sherlock", "card"), ("joker", "turn"), ("turn", "swap"))  # W10
ENDINGS = (
    "RUNNING",
    "ONE_SUSPECT",
    "HOURGLASSES",
    "BOTH_SEEN",
    "BOTH_UNSEEN",
    "BOTH_OPTION_SHERLOCK",
    "BOTH_OPTION_MORIARTY",
    "CHASE_SEEN",
    "CHASE_UNSEEN",
    "TIME",
)
WINNER = {
    "ONE_SUSPECT": "sherlock",
    "HOURGLASSES": "moriarty",
    "BOTH_SEEN": "sherlock",
    "BOTH_UNSEEN": "moriarty",
    "BOTH_OPTION_SHERLOCK": "sherlock",
    "BOTH_OPTION_MORIARTY": "moriarty",
    "CHASE_SEEN": "sherlock",
    "CHASE_UNSEEN": "moriarty",
    "TIME": "moriarty",
}

Ask = Callable[[int], int]
"""A source of chance: told how many outcomes there are, it answers with one of them, counted from 0."""


@dataclass(frozen=True)
class Options:
    """The options of the rules, in the specification's words."""

    crossroads: str = "HI"
    turn_crossroads: bool = False
    turn_tile_twice: bool = False
    start: str = "standard"
    goal_check: str = "end_of_round"
    both_goals: str = "chase"
    card_clears: str = "always"
    moriarty_cards: str = "secret"
    rewards: str = "zero_sum"
    max_rounds: int = 8
    hourglasses_to_win: int = 6


@dataclass
class Tile:
    """A tile; the suspect names it even when it is cleared. The wall is a compass letter."""

    suspect: str
    wall: str
    face_up: bool = True


@dataclass
class Token:
    """An action token: which of its two sides is up, and whether it was played this round."""

    sides: tuple[str, str]
    up: int
    used: bool = False

    @property
    def face(self) -> str:
        """The action that the token offers now."""
        return self.sides[self.up]


@dataclass
class Card:
    """A card that Sherlock drew; `shown` means that Moriarty knows it too."""

    suspect: str
    shown: bool


@dataclass(frozen=True)
class Check:
    """What was public at a goal check: hourglasses won unseen and how many cards Moriarty had."""

    public: int
    cards: int


@dataclass
class Game:
    """A whole game, hidden facts included."""

    options: Options
    identity: str
    tiles: list[Tile]  # by cell, row by row
    detectives: dict[str, int]  # place of each
    tokens: list[Token]
    round: int = 1
    turned: set[str] = field(default_factory=set)  # suspects whose tile was turned this round
    won_unseen: int = 0
    moriarty_cards: list[str] = field(default_factory=list)
    sherlock_cards: list[Card] = field(default_factory=list)
    choosing: str | None = None
    chase: bool = False
    last_check: Check | None = None  # the last one at which Moriarty was below the goal
    chase_check: Check | None = None  # the one that began the chase (W22)
    ending: str = "RUNNING"
    answer: bool | None = None  # what Sherlock was told at the end of the last round (W18)

    def copy(self) -> Game:
        """A game of its own with the same facts."""
        other = copy(self)
        other.tiles = [Tile(tile.suspect, tile.wall, tile.face_up) for tile in self.tiles]
        other.detectives = dict(self.detectives)
        other.tokens = [Token(token.sides, token.up, token.used) for token in self.tokens]
        other.turned = set(self.turned)
        other.moriarty_cards = list(self.moriarty_cards)
        other.sherlock_cards = [Card(card.suspect, card.shown) for card in self.sherlock_cards]
        return other

    def suspects_left(self) -> list[str]:
        """Letters of the suspects that are face up."""
        return sorted(tile.suspect for tile in self.tiles if tile.face_up)

    def tile_of(self, suspect: str) -> Tile:
        """The tile of a suspect, wherever it lies."""
        (tile,) = [tile for tile in self.tiles if tile.suspect == suspect]
        return tile

    def is_cleared_crossroads(self, tile: Tile) -> bool:
        """W3: a tile without a wall."""
        return not tile.face_up and tile.suspect in self.options.crossroads

    def walls(self, tile: Tile) -> str:
        """Where a tile has a wall now: one compass letter or nothing (W2, W3)."""
        return "" if self.is_cleared_crossroads(tile) else tile.wall

    def total(self) -> int:
        """All of Moriarty's hourglasses."""
        return self.won_unseen + sum(HOURGLASSES_ON_CARD[card] for card in self.moriarty_cards)

    def deck(self) -> list[str]:
        """W17: the cards that may still come, in order of suspect."""
        gone = {self.identity, *self.moriarty_cards, *(card.suspect for card in self.sherlock_cards)}
        return [letter for letter in LETTERS if letter not in gone and letter != self.choosing]

    def pick(self) -> int:
        """Which choice of the round comes now: 1 to 4, and 5 when all four are made."""
        return 1 + sum(token.used for token in self.tokens)
