"""The rules, registered as the verbs of this game's states, and why an action is not allowed.

The rules work on one record: deal, legal actions and submissions in play.py, conflicts of command in orders.py,
the action phase in acting.py, the end of turns and games in turn.py, sight and murder in sight.py, belief in
belief.py, observations in observe.py, after-states in after.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import one, options, verbs
from reichenbach.envs.core.record import States, Tables
from reichenbach.envs.manor import actions, play, turn
from reichenbach.envs.manor.observe import observe
from reichenbach.envs.manor.options import OPTIONS, tables
from reichenbach.envs.manor.seats import SEATS, TABLE_NAMES
from reichenbach.envs.manor.sight import limit, reach
from reichenbach.envs.manor.state import MORIARTY, NONE, PAWNS, STATE, State
from reichenbach.envs.manor.tables import ManorTables

verbs.register(
    STATE,
    deal=play.deal,
    mover=play.mover,
    active=play.active,
    legal=play.legal,
    step=play.step,
    observe=observe,
    outcome=turn.outcome,
    reward=turn.reward,
)


def why_illegal(state: States, action: int) -> str:
    """Says why the seat that submits may not give this action now."""
    text = actions.to_text(action)
    if not 0 <= action < actions.N_ACTIONS:
        return f"action {action}: there is none; allowed are 0 to {actions.N_ACTIONS - 1}"
    tables = tables_of(state)
    seat = one.mover(state, tables)
    if seat < 0:
        return f"action {text!r}: the game is over"
    mask: NDArray[np.int8] = np.empty(actions.N_ACTIONS, np.int8)
    one.legal(state, tables, seat, mask)
    allowed = ", ".join(repr(actions.to_text(int(each))) for each in np.flatnonzero(mask)[:8])
    more = ", ..." if mask.sum() > 8 else ""
    name = SEATS[TABLE_NAMES[int(state["table"][0])]][seat].name
    return f"action {text!r} of {name}: {_reason(state, tables, action, seat)}; allowed are {allowed}{more}"


def tables_of(state: States) -> Tables:
    """The tables of an array of one, by the options in it."""
    return tables(options.read(OPTIONS, state))


def _reason(state: States, tables: Tables, action: int, seat: int) -> str:
    one_state, house = state[0], tables[0]
    if one_state.voting:
        return "in the final deduction a detective names a pawn and the villain side passes (M30)"
    if action >= actions.VOTE:
        return "pawns are named in the final deduction alone (M30)"
    if one_state.passed[seat] or one_state.used[seat] >= house.quota[seat]:
        return "the seat has no command left this turn (M2, M9)"
    if action == actions.ASSAIL:
        return "Moriarty alone may assail, with the villain armed, not yet commanded, and the target in reach (M25)"
    return _why_not_commanded(one_state, house, action, seat)


def _why_not_commanded(state: State, tables: ManorTables, action: int, seat: int) -> str:
    pawn, order = divmod(action, actions.ORDERS)
    area, deed = divmod(order, actions.N_DEEDS)
    name = PAWNS[pawn]
    if state.order[seat, pawn] != NONE:
        return f"{name} has this seat's command already (M9)"
    if not (tables.detectives >> seat) & 1 and pawn == state.target and seat != tables.irene:
        return f"{name} is the target (M3)"
    if pawn == state.target and seat == tables.irene and not state.irene_commands_target:
        return f"{name} is the target (M3)"
    steps = limit(state, pawn, bool(tables.role[seat] == MORIARTY))
    if not (reach(state, tables, pawn, steps) >> area) & 1:
        return f"area {area} is none, or out of reach: {name} goes at most {steps} (M10, M11)"
    return f"{name} cannot {actions.DEEDS[deed]} there, as far as the seat knows (M12, M17-M19)"
