"""Which commands a player may give (M3, M9-M12, M17-M20, M25)."""

from __future__ import annotations

from tests.manor.reference.model import ASSAIL, DEEDS, ITEMS, LETTERS, Game, Order, Pawn, Seat

PASS, VOTE = "pass", "vote"
Action = tuple[str, Order] | str
"""A pawn's letter and an order on it, "pass", or "vote" and a letter, as "voteA"."""


def limit(game: Game, pawn: Pawn, by_moriarty: bool = False) -> int:
    """M10, M11: how far a pawn may go; of several limits the smallest. Moriarty alone drives a tired pawn."""
    limits = [3]
    if pawn.fatigued and not by_moriarty:
        limits.append(2)
    if pawn.hunger:
        limits.append(game.options.hungry_reach)
    if pawn.injured:
        limits.append(2 if game.options.injury_slows else 3)
    if pawn.critical():
        limits.append(1)
    return min(limits)


def reachable(game: Game, pawn: Pawn, by_moriarty: bool = False) -> list[str]:
    """Areas to which a pawn may go, in map order."""
    return game.within(pawn.area, limit(game, pawn, by_moriarty))


def has_place(pawn: Pawn, content: str) -> bool:
    """M17: two items and apart from them a weapon; what is not carried needs no place."""
    if content in ITEMS:
        return len(pawn.items) < 2
    return not (content == "weapon" and pawn.armed)


def may_search(game: Game, pawn: Pawn, area: str, known: set[str]) -> bool:
    """M17, M20: not what the player knows to be too much; with private inventories hands are not looked at."""
    if not game.spot_left(area):
        return False
    return game.private() or area not in known or has_place(pawn, game.spots[area].content)


def seems_to_have(game: Game, pawn: Pawn, item: str) -> bool:
    """M20: with private inventories the mask must not tell."""
    return game.private() or item in pawn.items


def is_able(game: Game, pawn: Pawn, deed: str) -> bool:
    """M9, M12: may the deed be ordered, as far as that depends on the pawn as it is now?"""
    match deed:
        case "nothing" | "search" | "fuse":
            return True
        case "eat":
            return pawn.hunger > 0 and seems_to_have(game, pawn, "food")
        case "feed":
            return seems_to_have(game, pawn, "food")  # M18: whoever is there
        case "heal":
            return pawn.injured and seems_to_have(game, pawn, "medicine")
        case "heal other":
            return seems_to_have(game, pawn, "medicine")
        case "spray":
            return seems_to_have(game, pawn, "spray")
    raise AssertionError(deed)


def deeds_in(game: Game, pawn: Pawn, area: str, able: list[str], known: set[str]) -> list[str]:
    """Of the deeds that the pawn is able to, those for which the area has what is needed, as the player knows it."""
    lacking = set()
    if not may_search(game, pawn, area, known):
        lacking.add("search")
    if area not in game.fuse_boxes:  # M19
        lacking.add("fuse")
    return [deed for deed in able if deed not in lacking]


def orders_on(game: Game, seat: Seat, letter: str, known: set[str]) -> list[Order]:
    """The orders that a player who knows these spots may give a pawn, an assail not among them."""
    pawn = game.pawns[letter]
    able = [deed for deed in DEEDS if is_able(game, pawn, deed)]
    return [
        Order(area, deed)
        for area in reachable(game, pawn, seat.role == "moriarty")
        for deed in deeds_in(game, pawn, area, able, known)
    ]


def may_command(game: Game, seat: Seat, letter: str) -> bool:
    """M3, M9: each pawn once; the villain side not the target, but Irene by the option irene_commands_target."""
    if letter in seat.orders:
        return False
    if letter != game.target or seat.side == "detectives":
        return True
    return seat.role == "irene" and game.options.irene_commands_target


def may_assail(game: Game, seat: Seat) -> bool:
    """M25: the villain armed, the target within his reach, fatigue ignored."""
    villain, target = game.pawns[game.villain], game.pawns[game.target]
    if seat.role != "moriarty" or game.villain in seat.orders or not villain.armed:
        return False
    return game.distance(villain.area, target.area) <= limit(game, villain, by_moriarty=True)


def legal(game: Game, seat: Seat) -> list[Action]:
    """M9: everything that the player may submit now; who has submitted in this slot, or may not, passes."""
    if game.ending != "RUNNING" or seat.number < game.submitter:
        return [PASS]
    if game.voting:
        return [VOTE + letter for letter in LETTERS] if seat.side == "detectives" else [PASS]  # M30
    if seat.passed or seat.used == seat.quota:
        return [PASS]
    actions: list[Action] = [
        (letter, order)
        for letter in LETTERS
        if may_command(game, seat, letter)
        for order in orders_on(game, seat, letter, seat.known)
    ]
    if may_assail(game, seat):
        actions.append((game.villain, ASSAIL))
    return [*actions, PASS]
