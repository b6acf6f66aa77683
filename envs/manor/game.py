"""The Manor as a ``Game``: what adapters, agents and training are given."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.game import Game
from reichenbach.envs.core.record import States
from reichenbach.envs.manor import actions, notation, rules
from reichenbach.envs.manor.hidden import alternatives
from reichenbach.envs.manor.layout import layout
from reichenbach.envs.manor.options import OPTIONS, seats, tables
from reichenbach.envs.manor.render import render
from reichenbach.envs.manor.state import NONE, SIDES, STATE, WINNER, Ending


def _winner(ending: int) -> str | None:
    return None if WINNER[ending] == NONE else SIDES[WINNER[ending]]


def _turns(states: States) -> NDArray[np.int32]:
    return states["turn"]


GAME = Game(
    name="manor",
    version=0,
    rules_version="1",
    dtype=STATE,
    n_actions=actions.N_ACTIONS,
    no_op=actions.PASS,
    endings=Ending,
    options=OPTIONS,
    seats=seats,
    tables=tables,
    optional_sections=("belief", "after"),
    layout=layout,
    winner=_winner,
    parse=notation.parse,
    format=notation.format,
    action_text=actions.to_text,
    action_from_text=actions.from_text,
    why_illegal=rules.why_illegal,
    render=render,
    alternatives=alternatives,
    rounds=_turns,
)
