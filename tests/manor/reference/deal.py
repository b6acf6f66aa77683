"""Setting up a game (M1-M7)."""

from __future__ import annotations

from tests.manor.reference.house import House
from tests.manor.reference.model import CONTENTS, LETTERS, PAIRS, TABLES, Ask, Game, Options, Pawn, Seat, Spot, pick


def deal(options: Options, house: House, ask: Ask) -> Game:
    """A game before its first command."""
    villain, target = pick(PAIRS, ask)  # M1
    areas = draw_starts(house, ask)
    pawns = {letter: Pawn(letter, area) for letter, area in zip(LETTERS, areas, strict=True)}
    seats = [Seat(number, role, quota) for number, (role, quota) in enumerate(TABLES[options.table])]
    game = Game(options, house, villain, target, pawns, {}, seats)
    hide_contents(game, ask)
    tell_secrets(game, ask)
    return game


def draw_starts(house: House, ask: Ask) -> list[str]:
    """M7: one of the sets of six areas, then one of the 720 ways to spread the pawns over it."""
    left = list(pick(house.starts(), ask))
    rest = ask(720)
    areas = []
    for still_to_place in range(6, 0, -1):
        rest, k = divmod(rest, still_to_place)
        areas.append(left.pop(k))
    return areas


def contents_of(options: Options, n_spots: int) -> dict[str, int]:
    """M6: how many spots hold what; those beyond the counts hold nothing."""
    counts = {
        "food": options.food,
        "medicine": options.medicine,
        "spray": options.sprays,
        "weapon": options.weapons,
        "fuse box": options.fuse_boxes,
        "passage": options.passages,
    }
    return {**counts, "nothing": n_spots - sum(counts.values())}


def hide_contents(game: Game, ask: Ask) -> None:
    """M6: the passage at one of the ends of one of the possible ones, all else over the other spots."""
    house = game.house
    counts = contents_of(game.options, len(house.spots))
    hidden_at = None
    if counts.pop("passage"):
        game.passage, end = pick([(i, end) for i in range(len(house.passages)) for end in (0, 1)], ask)
        hidden_at = house.passages[game.passage][end]
    left = [content for content in CONTENTS if content in counts for _ in range(counts[content])]
    for area in house.spots:
        if area == hidden_at:
            game.spots[area] = Spot("passage")
        else:
            game.spots[area] = Spot(pick(left, ask))
            left.remove(game.spots[area].content)


def tell_secrets(game: Game, ask: Ask) -> None:
    """M3: food and weapons to the villain side, with the pair; two food spots of its own to every detective."""
    food = [area for area, spot in game.spots.items() if spot.content == "food"]
    weapons = [area for area, spot in game.spots.items() if spot.content == "weapon"]
    for seat in game.seats:
        if seat.side == "villains":
            seat.known = {*food, *weapons}
            seat.belief = {(game.villain, game.target)}
    for seat in game.seats:
        if seat.side == "detectives":
            for _ in range(2):
                area = pick(food, ask)
                food = [other for other in food if other != area]
                seat.known.add(area)
