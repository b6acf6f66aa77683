"""Actions as text by the names of a map's areas; where no options are given, and so no map, by their numbers."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from reichenbach.envs.manor import actions, map_option
from reichenbach.envs.manor.state import PAWNS


def action_text(action: int, options: Mapping[str, Any] | None = None) -> str:
    """The action's text, as ``"Agatha to S1, search"`` under resolved options, ``"Agatha to 5, search"`` without."""
    return with_names(action, _areas(options))


def action_from_text(text: str, options: Mapping[str, Any] | None = None) -> int:
    """The action of a text, with names or, as always possible, numbers of areas.

    Raises:
        ValueError: no action has this text; names the nearest.
    """
    areas = _areas(options)
    if not areas:
        return actions.from_text(text)
    numbers, plain = _numbers(areas), " ".join(text.split())
    if plain in numbers:
        return numbers[plain]
    try:
        return actions.from_text(plain)
    except ValueError:
        near = difflib.get_close_matches(plain, numbers, 1, 0.0)[0]
        raise ValueError(f"action {text!r}: there is none; did you mean {near!r}?") from None


def with_names(action: int, areas: Sequence[str]) -> str:
    """The action's text with the names of these areas, numbers for those beyond them."""
    if not 0 <= action < actions.ASSAIL:
        return actions.to_text(action)
    pawn, order = divmod(action, actions.ORDERS)
    area, deed = divmod(order, actions.N_DEEDS)
    if area >= len(areas):
        return actions.to_text(action)
    return f"{PAWNS[pawn]} to {areas[area]}" + (f", {actions.DEEDS[deed]}" if deed else "")


def _areas(options: Mapping[str, Any] | None) -> tuple[str, ...]:
    return () if options is None else tuple(map_option.house(options["map"]).areas)


@lru_cache(maxsize=16)
def _numbers(areas: tuple[str, ...]) -> dict[str, int]:
    """The actions of a map by their texts."""
    n = len(areas)
    return {
        with_names(action, areas): action
        for action in range(actions.N_ACTIONS)
        if action >= actions.ASSAIL or action % actions.ORDERS < n * actions.N_DEEDS
    }
