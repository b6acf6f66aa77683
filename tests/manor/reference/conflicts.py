"""Commands that nobody gave, and commands on one pawn that differ (M13-M15, §5)."""

from __future__ import annotations

from tests.manor.reference.commands import reachable
from tests.manor.reference.model import LETTERS, Ask, Game, Order, Pawn, Seat, pick


def random_order(game: Game, pawn: Pawn, ask: Ask) -> Order:
    """M14: any area within its own limit; where there is a spot, a search half of the time."""
    area = pick(reachable(game, pawn), ask)
    searches = game.spot_left(area) and ask(2) == 1
    return Order(area, "search" if searches else "nothing")


def order_at_random(game: Game, ask: Ask) -> None:
    """M15: what Moriarty left unused goes to pawns that he may command and did not, one after the other."""
    moriarty = game.moriarty
    for _ in range(moriarty.quota - len(moriarty.orders)):
        letter = pick([letter for letter in LETTERS if letter != game.target and letter not in moriarty.orders], ask)
        moriarty.orders[letter] = random_order(game, game.pawns[letter], ask)


def contenders(game: Game, letter: str, orders: dict[int, Order]) -> list[Seat]:
    """§5: whose order on the pawn may be obeyed; `orders` are all those on it, by number of seat."""
    seats = [seat for seat in game.seats if seat.number in orders]
    if any(seat.role == "moriarty" for seat in seats):
        return [game.moriarty]
    if game.options.sherlock_beats_watson and any(seat.role == "sherlock" for seat in seats):
        return [seat for seat in seats if seat.role != "watson"]
    return seats


def is_exposed(game: Game, orders: dict[int, Order]) -> bool:
    """M13: as soon as one order of the detective side differs from Moriarty's."""
    his = orders.get(game.moriarty.number)
    if his is None:
        return False
    return any(order != his for number, order in orders.items() if game.seats[number].side == "detectives")


def notice_to(game: Game, seat: Seat, orders: dict[int, Order], obeyed: Order) -> str | None:
    """M13: what a player hears whose order on the pawn was not carried out; the villain side hears nothing."""
    if seat.side == "villains" or seat.number not in orders or orders[seat.number] == obeyed:
        return None
    return "moriarty" if game.moriarty.number in orders else "another"


def settle(game: Game, ask: Ask) -> None:
    """§5: the order that each commanded pawn obeys, with notices and exposures."""
    game.obeyed, game.exposed = {}, set()
    for seat in game.seats:
        seat.notices = {}
    for letter in LETTERS:
        orders = {seat.number: seat.orders[letter] for seat in game.seats if letter in seat.orders}
        if not orders:
            continue
        obeyed = game.obeyed[letter] = orders[pick(contenders(game, letter, orders), ask).number]
        if is_exposed(game, orders):
            game.exposed.add(letter)
        for seat in game.seats:
            notice = notice_to(game, seat, orders, obeyed)
            if notice is not None:
                seat.notices[letter] = notice
