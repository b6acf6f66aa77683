"""A position as text, written from the reference's own objects, and its options as the game takes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from typing import Any

from tests.who_is_moriarty.reference.model import DETECTIVES, WINNER, Card, Check, Game, Options, Tile


def option_values(options: Options) -> dict[str, Any]:
    """The options by name, as keyword arguments of the game."""
    return {**asdict(options), "crossroads": tuple(options.crossroads)}


@cache
def option_texts(options: Options) -> dict[str, str]:
    """The options that are not default, as a position's text has them."""
    default, given = asdict(Options()), asdict(options)
    changed = {name: value for name, value in given.items() if value != default[name]}
    return {name: _option_text(name, value) for name, value in changed.items()}


def _option_text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _listed(str(value)) if name == "crossroads" else str(value)


def _listed(items: Iterable[object]) -> str:
    return ",".join(str(item) for item in items) or "-"


def _tile_text(game: Game, tile: Tile) -> str:
    letter = tile.suspect if tile.face_up else tile.suspect.lower()
    return letter + (game.walls(tile) or "+")


def _card_text(game: Game, card: Card) -> str:
    """A kept card of a cleared tile is a small letter."""
    secret = not card.shown and not game.tile_of(card.suspect).face_up
    return card.suspect.lower() if secret else card.suspect


def _check_text(check: Check | None) -> str:
    return "-" if check is None else f"{check.public}:{check.cards}"


def _checks_text(game: Game) -> str:
    last = _check_text(game.last_check)
    return last if game.chase_check is None else f"{last}/{_check_text(game.chase_check)}"


def position(game: Game) -> list[str]:
    """The parts of a position's text. An option may bear the name of a field: both are parts then."""
    texts = {
        "tiles": _listed(_tile_text(game, tile) for tile in game.tiles),
        "detectives": _listed(game.detectives[name] for name in DETECTIVES),
        "round": str(game.round),
        "pick": str(game.pick()),
        "tokens": _listed(token.face for token in game.tokens),
        "played": _listed(int(token.used) for token in game.tokens),
        "turned": _listed(sorted(game.turned)),
        "moriarty": game.identity,
        "hourglasses": str(game.total()),
        "moriarty_cards": _listed(game.moriarty_cards),
        "sherlock_cards": _listed(_card_text(game, card) for card in game.sherlock_cards),
        "chase": "yes" if game.chase else "no",
        "checks": _checks_text(game),
    }
    if game.choosing is not None:
        texts["choosing"] = game.choosing
    if game.ending != "RUNNING":
        texts |= {"winner": WINNER[game.ending], "ending": game.ending.lower()}
    fields = [f"{name}={text}" for name, text in texts.items()]
    return fields + [f"{name}={text}" for name, text in option_texts(game.options).items()]


def write(game: Game) -> str:
    """The position in one line."""
    return " ".join(position(game))
