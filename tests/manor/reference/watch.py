"""What a seat sees, as numbers, in the order that the observation's sections stand."""

from __future__ import annotations

from collections.abc import Iterable

from tests.manor.reference.commands import limit
from tests.manor.reference.model import (
    CONTENTS,
    DEEDS,
    ITEMS,
    LETTERS,
    PAIRS,
    ROLES,
    TABLES,
    Act,
    Game,
    Order,
    Pair,
    Seat,
)
from tests.marking import Numbers, marks

Sections = dict[str, Numbers]
MAX_AREAS = 26
DONE = (*DEEDS, "assail")


def at(game: Game, marked: Iterable[str | None]) -> Numbers:
    """Areas, padded to the largest map, with a one for those that are marked."""
    numbers = [0.0] * MAX_AREAS
    for area in marked:
        if area in game.house.number:
            numbers[game.house.number[area]] = 1.0
    return numbers


def padded(numbers: Numbers, each: int = 1) -> Numbers:
    """Numbers by area, with zeros for areas that the map lacks."""
    return numbers + [0.0] * (MAX_AREAS * each - len(numbers))


def observe(game: Game, seat: Seat | None, with_belief: bool = False) -> Sections:
    """Every section, in order, for a seat or, without one, for the observer who sees all."""
    sections = {
        **clock(game, seat),
        **people(game, seat),
        **house(game, seat),
        **deduction(game, seat),
        **own_affairs(game, seat),
        "secret": secret(game) if seat is None or seat.side == "villains" else [0.0] * 64,
    }
    if with_belief:
        sections["belief"] = belief({(game.villain, game.target)} if seat is None else seat.belief)
    return sections


def clock(game: Game, seat: Seat | None) -> Sections:
    """Who observes, and when."""
    commanding = game.ending == "RUNNING" and not game.voting
    seats = range(len(game.seats))
    left = 0 if seat is None or seat.passed or not commanding else seat.quota - seat.used
    return {
        "role": marks(ROLES, list(ROLES) if seat is None else seat.role),
        "place": marks(range(4), list(seats) if seat is None else seat.number),
        "table": marks(list(TABLES), game.options.table),
        "turn": marks(range(1, 11), game.turn),
        "phase": [*marks(range(3), game.slot if commanding else None), float(game.final), float(game.voting)],
        "commands_left": [left / 3],
    }


def people(game: Game, seat: Seat | None) -> Sections:
    """Where the pawns are and how they are."""
    facts: Numbers = []
    for letter, pawn in game.pawns.items():
        may_go = limit(game, pawn, by_moriarty=seat is not None and seat.role == "moriarty")
        items = pawn.items if seat is None or not game.private() else seat.known_items[letter]
        facts += [pawn.hunger > 0, pawn.hunger == 2, pawn.injured, pawn.critical(), pawn.fatigued, pawn.armed]
        facts += [may_go / 3] + [items.count(item) / 2 for item in ITEMS]
    return {
        "areas": [mark for pawn in game.pawns.values() for mark in at(game, [pawn.area])],
        "pawns": [float(fact) for fact in facts],
    }


def house(game: Game, seat: Seat | None) -> Sections:
    """Spots, what was found in the house, what is dangerous in it, and the last action phase."""
    spots: Numbers = []
    for area in game.house.areas:
        left = game.spot_left(area)
        known = left and (seat is None or area in seat.known)
        spots += [float(left), *marks(CONTENTS, game.spots[area].content if known else None)]
    found = game.passage is not None and game.passage_is != "hidden"
    ends = list(game.house.passages[game.passage]) if found and game.passage is not None else []
    return {
        "spots": padded(spots, 8),
        "fuse_boxes": at(game, game.fuse_boxes),
        "passages": at(game, ends),
        "dark": at(game, [area for area in game.house.areas if game.house.zone_of[area].wing in game.dark]),
        "gas": padded([gas_turns(game, area) / 2 for area in game.house.areas]),
        "dog": at(game, [game.dog]) + marks((1, 2, 3), game.dog_turns if game.dog else None),
        "acts": [number for letter in LETTERS for number in act_seen(game, game.acts.get(letter), seat)],
    }


def gas_turns(game: Game, area: str) -> int:
    """M18, M21: at the end of how many turns gas that is known now injures in the area."""
    leak = game.leak_turns if game.leak == game.house.zone_of[area].name else 0
    return max(leak, int(area in game.gas))


def act_seen(game: Game, act: Act | None, seat: Seat | None) -> Numbers:
    """One pawn's part in the last action phase, zeros if it did not act (M29)."""
    if act is None:
        return [0.0] * 56
    sees = seat is None or seat.number in act.find_seen
    return [
        *marks(range(6), act.place),
        *at(game, [act.came_from]),
        *marks(DONE, act.did),
        *marks(tuple(LETTERS), act.helped),
        float(act.forced),
        *marks(CONTENTS, act.found if sees else None),
        float(act.left),
    ]


def deduction(game: Game, seat: Seat | None) -> Sections:
    """Nightly answers and the chart that the seat sees."""
    chart = game.chart if seat is not None and seat.side == "villains" else game.side_chart
    return {
        "answers": [float(given is value) for given in game.answers for value in (True, False)],
        "chart": marks(PAIRS, chart),
    }


def own_affairs(game: Game, seat: Seat | None) -> Sections:
    """Own commands and notices, and those of the villain side's other player."""
    if seat is None:
        nothing = ordered(game, {})
        return {"orders": nothing, "last_orders": nothing, "notices": [0.0] * 12, "ally_orders": nothing}
    allies = [other for other in game.seats if other is not seat and other.side == seat.side == "villains"]
    return {
        "orders": ordered(game, seat.orders),
        "last_orders": ordered(game, seat.last_orders),
        "notices": [mark for letter in LETTERS for mark in marks(("moriarty", "another"), seat.notices.get(letter))],
        "ally_orders": ordered(game, allies[0].last_orders if allies else {}),
    }


def ordered(game: Game, orders: dict[str, Order]) -> Numbers:
    """Pawn by pawn the area and the deed of an order on it."""
    numbers: Numbers = []
    for letter in LETTERS:
        order = orders.get(letter)
        numbers += at(game, [order.area] if order else []) + marks(DONE, order.deed if order else None)
    return numbers


def secret(game: Game) -> Numbers:
    """Villain, target, and the area of each."""
    both = (game.villain, game.target)
    return [mark for letter in both for mark in marks(LETTERS, letter)] + [
        mark for letter in both for mark in at(game, [game.pawns[letter].area])
    ]


def belief(pairs: Iterable[Pair]) -> Numbers:
    """The pairs, then who may be villain, then who may be target."""
    villains, targets = {villain for villain, _ in pairs}, {target for _, target in pairs}
    return marks(PAIRS, set(pairs)) + marks(LETTERS, villains) + marks(LETTERS, targets)
