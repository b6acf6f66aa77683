"""The rules for Python: every function takes an array of one state and changes it in place.

The rules themselves, on one record: set-up and play in play.py, sight in sight.py, the end of rounds and games in
goals.py, observations in observe.py, after-states in after.py, belief in belief.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import one, verbs
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.core.kernel import kernel
from reichenbach.envs.core.reasons import legal_texts
from reichenbach.envs.core.record import States, Tables
from reichenbach.envs.who_is_moriarty import actions, goals, play
from reichenbach.envs.who_is_moriarty.observe import observe as _observe
from reichenbach.envs.who_is_moriarty.sight import seen_by_any
from reichenbach.envs.who_is_moriarty.state import NONE, OPEN, SEATS, SHERLOCK, STATE, SUSPECTS
from reichenbach.envs.who_is_moriarty.tables import TABLES

verbs.register(
    STATE,
    deal=play.deal,
    mover=play.mover,
    active=play.active,
    legal=play.legal,
    step=play.step,
    observe=_observe,
    outcome=goals.outcome,
    reward=goals.reward,
)


def deal(state: States) -> None:
    """Sets up a new game (W7, W8) under the options and key in the state."""
    one.deal(state, TABLES)


def mover(state: States) -> int:
    """Who moves (W9): 0 sherlock, 1 moriarty, -1 when the game is over."""
    return one.mover(state, TABLES)


def legal(state: States, mask: NDArray[np.int8]) -> None:
    """Writes the mover's legal actions over ``mask``, shape (77,); after the end only the no-op."""
    one.legal(state, TABLES, max(mover(state), SHERLOCK), mask)


def step(state: States, action: int) -> None:
    """Plays the mover's action; after the fourth token the round ends and the next begins.

    Raises:
        IllegalAction: names the action and why; the state is unchanged.
    """
    if one.step(state, TABLES, action, np.empty(actions.N_ACTIONS, np.int8)) == -2:
        raise IllegalAction(why_illegal(state, action, mover(state)))


def observe(state: States, seat: int, out: NDArray[np.float32], sections: int = 0) -> None:
    """Writes what the seat sees (layout.py) over ``out``, shape (layout(sections).size,); seat 2 sees all."""
    one.observe(state, TABLES, seat, sections, out)


def outcome(state: States) -> int:
    """The Ending, 0 while the game runs."""
    return one.outcome(state, TABLES)


def sight(state: States) -> int:
    """Bit i: suspect i is face up and in sight of a detective (W4-W6)."""
    return _sight(state, TABLES)


def end_round(state: States) -> None:
    """The end of the round (W18-W23), whatever has been played; the next round is not begun."""
    _end_round(state, TABLES)


@kernel
def _sight(states: States, tables: Tables) -> int:
    return seen_by_any(states[0], tables[0])


@kernel
def _end_round(states: States, tables: Tables) -> None:
    goals.end_round(states[0], tables[0])


def why_illegal(state: States, action: int, seat: int) -> str:
    """Says why the seat may not play the action now, from what it knows alone."""
    text = actions.to_text(action)
    if mover(state) < 0:
        return f"action {text!r}: the game is over"
    if not 0 <= action < actions.N_ACTIONS:
        return f"action {action} of {SEATS[seat]}: there is none; allowed are 0 to {actions.N_ACTIONS - 1}"
    allowed = legal_texts(state, TABLES, seat, actions.N_ACTIONS, actions.to_text)
    return f"action {text!r} of {SEATS[seat]}: {_reason(state, action, seat)}; allowed are {allowed}"


def _reason(state: States, action: int, seat: int) -> str:
    if seat != mover(state):
        return "the seat is idle, the other one is to move (W9)"
    if state["choosing"][0] != NONE:
        return f"card {SUSPECTS[int(state['choosing'][0])]} is drawn and must be cleared or kept first"
    if action in (actions.CLEAR, actions.KEEP):
        return "no card waits to be cleared or kept"
    if action == actions.WAIT:
        return "the mover must play a token (W9)"
    if action == actions.JOKER_NOBODY and seat == SHERLOCK:
        return "Sherlock must move a detective with the joker (W12), if it is up"
    if actions.TURN <= action < actions.SWAP:
        cell = (action - actions.TURN) // 3
        if state["wall"][0][cell] == OPEN:
            return f"tile {cell} is a cleared crossroads (W13), or no turn token is up"
        if (state["turned"][0] >> state["suspect"][0][cell]) & 1:
            return f"tile {cell} was turned this round (W13), or no turn token is up"
    return "no token that is up and not played does it (W10)"
