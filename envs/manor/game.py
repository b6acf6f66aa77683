"""The Manor as a ``Game``: what adapters, agents and training are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.game import Game
from reichenbach.envs.core.record import States
from reichenbach.envs.manor import actions, naming, notation
from reichenbach.envs.manor.hidden import alternatives
from reichenbach.envs.manor.illegal import why_illegal
from reichenbach.envs.manor.layout import layout
from reichenbach.envs.manor.options import OPTIONS, seats, tables
from reichenbach.envs.manor.render import render
from reichenbach.envs.manor.seats import SEATS
from reichenbach.envs.manor.state import (
    DETECTIVES,
    IRENE,
    MORIARTY,
    N_PAIRS,
    N_PAWNS,
    NONE,
    SIDES,
    STATE,
    VILLAINS,
    WINNER,
    Ending,
)


def _winner(ending: int) -> str | None:
    return None if WINNER[ending] == NONE else SIDES[WINNER[ending]]


def _turns(states: States) -> NDArray[np.int32]:
    return states["turn"]


def _sides(options: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(SIDES[VILLAINS if seat.role in (MORIARTY, IRENE) else DETECTIVES] for seat in SEATS[options["table"]])


def _facts(states: States) -> Mapping[str, NDArray[Any]]:
    first = np.where(states["villain"] < states["target"], "villain", "target")
    return {"turn of the end": states["turn"], "first in the alphabet": first}


def _longest(options: Mapping[str, Any]) -> int:
    """Every seat in every slot of all turns, of a final turn, and of the deduction (M8, M9, M28, M30)."""
    table = SEATS[options["table"]]
    return len(table) * (max(seat.quota for seat in table) * (3 * int(options["days"]) + 1) + 1)


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
    action_text=naming.action_text,
    action_from_text=naming.action_from_text,
    why_illegal=why_illegal,
    render=render,
    alternatives=alternatives,
    rounds=_turns,
    longest=_longest,
    sides=_sides,
    strata=N_PAIRS,
    grid=(N_PAWNS, actions.MAX_AREAS, actions.N_DEEDS),
    facts=_facts,
)
