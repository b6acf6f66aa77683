"""Who Is Moriarty as a ``Game``: what adapters, agents and training are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.game import Game
from reichenbach.envs.core.record import States, Tables
from reichenbach.envs.who_is_moriarty import actions, notation, rules
from reichenbach.envs.who_is_moriarty.hidden import alternatives, weights
from reichenbach.envs.who_is_moriarty.layout import layout
from reichenbach.envs.who_is_moriarty.options import OPTIONS
from reichenbach.envs.who_is_moriarty.render import render
from reichenbach.envs.who_is_moriarty.state import NONE, SEATS, STATE, WINNER, Ending
from reichenbach.envs.who_is_moriarty.tables import TABLES


def _winner(ending: int) -> str | None:
    return None if WINNER[ending] == NONE else SEATS[WINNER[ending]]


# The options change neither seats nor tables of this game, nor what its actions are called.
def _seats(options: Mapping[str, Any]) -> tuple[str, ...]:
    return SEATS


def _board_tables(options: Mapping[str, Any]) -> Tables:
    return TABLES


def _action_text(action: int, options: Mapping[str, Any] | None = None) -> str:
    return actions.to_text(action)


def _action_from_text(text: str, options: Mapping[str, Any] | None = None) -> int:
    return actions.from_text(text)


def _rounds(states: States) -> NDArray[np.int32]:
    return states["round_number"]


def _longest(options: Mapping[str, Any]) -> int:
    """Four actions a round, and an answer to each card that may be cleared or kept: four are drawn at most (W17)."""
    return 4 * int(options["max_rounds"]) + 4


GAME = Game(
    name="who_is_moriarty",
    version=0,
    rules_version="1",
    dtype=STATE,
    n_actions=actions.N_ACTIONS,
    no_op=actions.WAIT,
    endings=Ending,
    options=OPTIONS,
    seats=_seats,
    tables=_board_tables,
    optional_sections=("belief", "after"),
    layout=layout,
    winner=_winner,
    parse=notation.parse,
    format=notation.format,
    action_text=_action_text,
    action_from_text=_action_from_text,
    why_illegal=rules.why_illegal,
    render=render,
    alternatives=alternatives,
    rounds=_rounds,
    longest=_longest,
    weights=weights,
)
