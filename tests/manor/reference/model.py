"""The things in the game: options, pawns, spots, players, orders, acts, and the game that holds them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from tests.manor.reference.house import House

LETTERS = "ABCDEF"  # M1
PAIRS = [(villain, target) for villain in LETTERS for target in LETTERS if villain != target]  # M1, in their order
ITEMS = ("food", "medicine", "spray")  # what a pawn carries (M17)
CONTENTS = (*ITEMS, "weapon", "fuse box", "passage", "nothing")  # M6
DEEDS = ("nothing", "search", "eat", "feed", "heal", "heal other", "spray", "fuse")  # M9
ROLES = ("sherlock", "watson", "moriarty", "irene")
TABLES = {  # M2: role and commands of every seat
    "2p": (("sherlock", 3), ("moriarty", 2)),
    "3p": (("sherlock", 2), ("sherlock", 2), ("moriarty", 2)),
    "4p": (("sherlock", 1), ("sherlock", 1), ("sherlock", 1), ("moriarty", 2)),
    "4p_roles": (("sherlock", 3), ("watson", 1), ("moriarty", 2), ("irene", 1)),
}
ENDINGS = ("RUNNING", "MURDER", "ASSAIL", "ASSAIL_FAILED", "IDENTIFIED", "NAMED", "WRONG_NAME")
WINNER = {  # M28-M31
    "MURDER": "villains",
    "ASSAIL": "villains",
    "ASSAIL_FAILED": "detectives",
    "IDENTIFIED": "detectives",
    "NAMED": "detectives",
    "WRONG_NAME": None,
}

Pair = tuple[str, str]
Ask = Callable[[int], int]
"""A source of chance: told how many outcomes there are, it answers with one of them, counted from 0."""

Thing = TypeVar("Thing")


def copied(thing: Thing) -> Thing:
    """Another with the same attributes; what they are, both share. Faster than `copy.copy`, and done often."""
    other: Thing = object.__new__(type(thing))
    other.__dict__.update(thing.__dict__)
    return other


def pick(things: Sequence[Thing], ask: Ask) -> Thing:
    """One of the things by chance; a single one needs no chance."""
    return things[0] if len(things) == 1 else things[ask(len(things))]


@dataclass(frozen=True)
class Options:
    """The options of the rules (§15), in the specification's words."""

    table: str = "2p"
    hungry_reach: int = 1
    injury_slows: bool = True
    stack_hunger: bool = False
    sherlock_beats_watson: bool = False
    irene_commands_target: bool = False
    inventory: str = "public"
    events: bool = True
    exposure: str = "public"
    days: int = 3
    food: int = 7
    weapons: int = 2
    medicine: int = 3
    sprays: int = 2
    fuse_boxes: int = 1
    passages: int = 1
    leak_chance: int = 25
    dog_chance: int = 50


class Order(NamedTuple):
    """A destination and what to do there (M9)."""

    area: str
    deed: str


ASSAIL = Order("", "assail")  # M25: names neither


@dataclass
class Pawn:
    """A pawn in the house."""

    letter: str
    area: str
    hunger: int = 0  # 2 with stack_hunger alone (M23)
    injured: bool = False
    fatigued: bool = False
    armed: bool = False
    items: list[str] = field(default_factory=list)

    def ailments(self) -> int:
        """M23: nothing is beyond two."""
        return min(self.hunger + self.injured, 2)

    def critical(self) -> bool:
        """M23."""
        return self.ailments() == 2


@dataclass
class Spot:
    """A point of interest (M6)."""

    content: str
    gone: bool = False


@dataclass
class Seat:
    """A player, with what is its own affair."""

    number: int
    role: str
    quota: int
    orders: dict[str, Order] = field(default_factory=dict)  # by pawn
    used: int = 0
    passed: bool = False
    vote: str | None = None
    last_orders: dict[str, Order] = field(default_factory=dict)
    notices: dict[str, str] = field(default_factory=dict)  # by pawn: "moriarty" or "another" (M13)
    known: set[str] = field(default_factory=set)  # areas whose spot's content it knows (M3, M17)
    known_items: dict[str, list[str]] = field(default_factory=lambda: {letter: [] for letter in LETTERS})  # M20
    belief: set[Pair] = field(default_factory=lambda: set(PAIRS))  # §14

    @property
    def side(self) -> str:
        """M2."""
        return "detectives" if self.role in ("sherlock", "watson") else "villains"


@dataclass
class Act:
    """What all see of a pawn's act (§13); what it found, those in `find_seen`."""

    place: int
    came_from: str
    area: str
    did: str
    helped: str | None = None
    forced: bool = False
    found: str | None = None
    left: bool = False
    find_seen: set[int] = field(default_factory=set)


@dataclass
class Game:
    """A whole game, hidden facts included."""

    options: Options
    house: House
    villain: str
    target: str
    pawns: dict[str, Pawn]
    spots: dict[str, Spot]  # by area
    seats: list[Seat]
    fuse_boxes: set[str] = field(default_factory=set)  # areas of those found and not operated (M19)
    passage: int | None = None  # which of the possible ones there is
    passage_is: str = "hidden"  # hidden, found, open (M19)
    dark: set[str] = field(default_factory=set)  # wings
    dark_next: set[str] = field(default_factory=set)
    leak: str | None = None  # name of the zone (M21)
    leak_turns: int = 0
    gas: set[str] = field(default_factory=set)  # areas sprayed in the last turn (M18)
    sprayed: dict[str, str] = field(default_factory=dict)  # by pawn: where it sprayed in the last action phase
    dog: str | None = None  # area (M22)
    dog_turns: int = 0
    dog_came: bool = False
    turn: int = 1
    final: bool = False
    voting: bool = False
    slot: int = 0
    submitter: int = 0
    obeyed: dict[str, Order] = field(default_factory=dict)  # by pawn that was commanded, whether it got to act or not
    acts: dict[str, Act] = field(default_factory=dict)  # of the last action phase, in the order of acting
    exposed: set[str] = field(default_factory=set)
    answers: list[bool | None] = field(default_factory=lambda: [None, None, None])  # M26
    chart: set[Pair] = field(default_factory=lambda: set(PAIRS))  # M27
    side_chart: set[Pair] = field(default_factory=lambda: set(PAIRS))
    failed_assail: bool = False
    ending: str = "RUNNING"
    # What the belief looks back at (§14): the game when commands were given, and when each pawn began to act.
    at_command: Game | None = None
    at_act: dict[str, Game] = field(default_factory=dict)

    def copy(self) -> Game:
        """A game of its own with the same facts, but for those that the belief looks back at."""
        other = copied(self)
        other.pawns = {letter: copied(pawn) for letter, pawn in self.pawns.items()}
        for pawn in other.pawns.values():
            pawn.items = list(pawn.items)
        other.spots = {area: copied(spot) for area, spot in self.spots.items()}
        other.seats = [_copy_seat(seat) for seat in self.seats]
        for name in ("fuse_boxes", "dark", "dark_next", "gas", "exposed", "chart", "side_chart"):
            setattr(other, name, set(getattr(self, name)))
        other.sprayed, other.answers, other.obeyed = dict(self.sprayed), list(self.answers), dict(self.obeyed)
        other.acts = {letter: copied(act) for letter, act in self.acts.items()}
        other.at_command, other.at_act = None, {}
        return other

    @property
    def moriarty(self) -> Seat:
        """Every table has one."""
        return next(seat for seat in self.seats if seat.role == "moriarty")

    def distance(self, one: str, other: str) -> int:
        """Over edges usable now (M10)."""
        return self.house.distance(one, other, self.usable_passage())

    def within(self, area: str, steps: int) -> list[str]:
        """Areas at most so many steps away, in map order."""
        return self.house.within(area, steps, self.usable_passage())

    def usable_passage(self) -> int | None:
        """M19."""
        return self.passage if self.passage_is == "open" else None

    def last_turn(self) -> int:
        """M8: the morning after the last day."""
        return 3 * self.options.days + 1

    def near(self, pair: Pair) -> bool:
        """M26: would this villain and this target be within three areas?"""
        villain, target = pair
        return self.distance(self.pawns[villain].area, self.pawns[target].area) <= 3

    def answers_as_heard(self, pair: Pair) -> bool:
        """Does the pair give this night's answer? Every pair does in a turn that brings none."""
        return self.turn % 3 != 0 or self.near(pair) == self.answers[self.turn // 3 - 1]

    def spot_left(self, area: str) -> bool:
        """Has the area a spot that nobody has emptied?"""
        return area in self.spots and not self.spots[area].gone

    def private(self) -> bool:
        """Option inventory=private (M20)."""
        return self.options.inventory == "private"


def _copy_seat(seat: Seat) -> Seat:
    other = copied(seat)
    other.orders, other.last_orders = dict(seat.orders), dict(seat.last_orders)
    other.notices, other.known, other.belief = dict(seat.notices), set(seat.known), set(seat.belief)
    other.known_items = {letter: list(items) for letter, items in seat.known_items.items()}
    return other
