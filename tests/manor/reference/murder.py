"""When the target dies (M24)."""

from __future__ import annotations

from tests.manor.reference.model import Game, Pair, Pawn


def sees(game: Game, witness: Pawn, area: str) -> bool:
    """M4, M19, M23: does a pawn see what happens in an area?"""
    zone = game.house.zone_of[area]
    if witness.critical():
        return False
    if zone.wing in game.dark:
        return witness.area == area
    return game.house.zone_of[witness.area] is zone


def would_die(game: Game, pair: Pair) -> bool:
    """M24: would the target be murdered now, were these two villain and target?"""
    villain, target = (game.pawns[letter] for letter in pair)
    if not villain.armed or villain.area != target.area:
        return False
    others = [pawn for letter, pawn in game.pawns.items() if letter not in pair]
    return not any(sees(game, pawn, target.area) for pawn in others)


def murder_test(game: Game, ending: str = "MURDER") -> None:
    """M24, M29. Where nobody dies, the detective side learns for which pairs that could not be (§14)."""
    if would_die(game, (game.villain, game.target)):
        game.ending = ending
        return
    for seat in game.seats:
        if seat.side == "detectives":
            seat.belief = {pair for pair in seat.belief if not would_die(game, pair)}
