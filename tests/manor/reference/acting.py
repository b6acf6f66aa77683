"""What a pawn does when its turn to act comes (M10, M14, M16-M20, M25)."""

from __future__ import annotations

from tests.manor.reference.commands import has_place, reachable
from tests.manor.reference.conflicts import random_order
from tests.manor.reference.model import ASSAIL, ITEMS, LETTERS, Act, Ask, Game, Order, Pawn, pick


def order_of_action(game: Game) -> list[str]:
    """M16: fewer ailments first, then by letter; an assailing villain last (M25)."""
    return sorted(LETTERS, key=lambda x: (game.obeyed.get(x) == ASSAIL, game.pawns[x].ailments(), x))


def act(game: Game, letter: str, ask: Ask) -> None:
    """One pawn's whole command: the order that it obeys, or a random act (M14)."""
    pawn = game.pawns[letter]
    carried_out = game.obeyed.get(letter) or random_order(game, pawn, ask)
    if carried_out == ASSAIL:
        carried_out = Order(assail_goal(game), "assail")
    steps = game.distance(pawn.area, carried_out.area)
    act = Act(len(game.acts), pawn.area, carried_out.area, "nothing")
    act.forced = pawn.fatigued and steps == 3 and carried_out.deed != "assail"  # M10
    game.acts[letter] = act
    pawn.area, pawn.fatigued = carried_out.area, steps == 3
    if do(game, pawn, act, carried_out.deed, ask):
        act.did = carried_out.deed


def assail_goal(game: Game) -> str:
    """M25: the target's area, or of those within reach the nearest to it, the fewest steps, the first on the map."""
    villain, goal = game.pawns[game.villain], game.pawns[game.target].area
    within = reachable(game, villain, by_moriarty=True)
    return min(within, key=lambda area: (game.distance(area, goal), game.distance(villain.area, area)))


def do(game: Game, pawn: Pawn, act: Act, deed: str, ask: Ask) -> bool:
    """The deed after the move; false if it is lost, because it has become impossible (M12)."""
    match deed:
        case "search":
            return search(game, pawn, act)
        case "eat":
            return pawn.hunger > 0 and use(game, pawn, "food") and feed(pawn)
        case "feed":
            hungry = [other for other in others_there(game, pawn) if other.hunger]
            return bool(hungry) and use(game, pawn, "food") and feed(helped(act, pick(hungry, ask)))
        case "heal":
            return pawn.injured and use(game, pawn, "medicine") and heal(pawn)
        case "heal other":
            injured = [other for other in others_there(game, pawn) if other.injured]
            return bool(injured) and use(game, pawn, "medicine") and heal(helped(act, pick(injured, ask)))
        case "spray":
            return use(game, pawn, "spray") and spray(game, pawn)
        case "fuse":
            return operate(game, pawn)
    return True


def others_there(game: Game, pawn: Pawn) -> list[Pawn]:
    """The other pawns of its area, in alphabetical order."""
    return [other for other in game.pawns.values() if other is not pawn and other.area == pawn.area]


def helped(act: Act, pawn: Pawn) -> Pawn:
    """All see who is fed or healed (§13)."""
    act.helped = pawn.letter
    return pawn


def use(game: Game, pawn: Pawn, item: str) -> bool:
    """Takes an item out of the pawn's hands, if it has one; all see it (M20)."""
    if item not in pawn.items:
        return False
    pawn.items.remove(item)
    for seat in game.seats:
        if item in seat.known_items[pawn.letter]:
            seat.known_items[pawn.letter].remove(item)
    return True


def feed(pawn: Pawn) -> bool:
    """M18: food removes all hunger."""
    pawn.hunger = 0
    return True


def heal(pawn: Pawn) -> bool:
    """M18."""
    pawn.injured = False
    return True


def spray(game: Game, pawn: Pawn) -> bool:
    """M18."""
    game.sprayed[pawn.letter] = pawn.area
    return True


def operate(game: Game, pawn: Pawn) -> bool:
    """M19: if nobody has operated it meanwhile."""
    if pawn.area not in game.fuse_boxes:
        return False
    game.fuse_boxes.remove(pawn.area)
    game.dark_next.add(game.house.zone_of[pawn.area].wing)
    return True


def search(game: Game, pawn: Pawn, act: Act) -> bool:
    """M17: takes what the spot holds, or leaves it when there is no place for it."""
    if not game.spot_left(pawn.area):
        return False
    spot = game.spots[pawn.area]
    act.found = spot.content
    act.find_seen = who_sees_find(game, pawn.letter, act)
    if has_place(pawn, spot.content):
        spot.gone = True
        take(game, pawn, act)
    else:
        act.left = True
        for number in act.find_seen:
            game.seats[number].known.add(pawn.area)
    return True


def who_sees_find(game: Game, letter: str, act: Act) -> set[int]:
    """M20: all; with private inventories only players whose order was obeyed, but all see weapons, boxes, passages."""
    if not game.private() or act.found in ("weapon", "fuse box", "passage"):
        return {seat.number for seat in game.seats}
    if letter not in game.obeyed:
        return set()
    return {seat.number for seat in game.seats if seat.orders.get(letter) == game.obeyed[letter]}


def take(game: Game, pawn: Pawn, act: Act) -> None:
    """M17, M19: what becomes of the thing that was found."""
    assert act.found is not None
    if act.found in ITEMS:
        pawn.items.append(act.found)
        for number in act.find_seen:
            game.seats[number].known_items[pawn.letter].append(act.found)
    elif act.found == "weapon":
        pawn.armed = True
    elif act.found == "fuse box":
        game.fuse_boxes.add(pawn.area)
    elif act.found == "passage":
        game.passage_is = "found"
