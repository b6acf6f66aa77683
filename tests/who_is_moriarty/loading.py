"""Short ways to positions and answers, shared by the rule tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.who_is_moriarty import actions, notation, rules

CASES = Path(__file__).parent / "cases"
Row = dict[str, Any]

BOARD = "tiles=AN,BN,CN,DN,EN,FN,GN,HN,IN moriarty=E"
"""All suspects face up in order, every wall north."""


def rows(name: str) -> list[Row]:
    """The rows of a file of known answers."""
    found: list[Row] = json.loads((CASES / name).read_text())["rows"]
    return found


def load(text: str = "", board: str = BOARD, **options: Any) -> NDArray[Any]:
    """An array of one: a board and whatever else is said."""
    return notation.parse(f"{board} {text}", **options)


def fields(state: NDArray[Any]) -> dict[str, str]:
    """The fields of a position's text; of two of one name the first."""
    found: dict[str, str] = {}
    for part in notation.format(state).split():
        name, _, value = part.partition("=")
        found.setdefault(name, value)
    return found


def legal(state: NDArray[Any]) -> list[str]:
    """The mover's legal actions as texts."""
    mask = np.zeros(actions.N_ACTIONS, np.int8)
    rules.legal(state, mask)
    return [actions.to_text(int(action)) for action in np.flatnonzero(mask)]


def play(state: NDArray[Any], *texts: str) -> NDArray[Any]:
    """Plays actions in turn and gives the same state back."""
    for text in texts:
        rules.step(state, actions.from_text(text))
    return state


def letters(bits: int) -> str:
    """The letters of a set of suspects given as bits."""
    return "".join(letter for i, letter in enumerate("ABCDEFGHI") if bits >> i & 1)


def left(state: NDArray[Any]) -> str:
    """The letters of the suspects that are face up."""
    tiles = fields(state)["tiles"].split(",")
    return "".join(sorted(tile[0] for tile in tiles if tile[0].isupper()))
