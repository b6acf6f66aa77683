"""Loops over many games of one kind in lock-step, compiled once a game and run without the GIL.

``rows`` names the games to look at or to move: int64, shape (k,), indices into the states of shape (N,). Threads may
work on disjoint slices of the states at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import one, verbs
from reichenbach.envs.core.chance import clear_record, next_key
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.kernel import kernel
from reichenbach.envs.core.record import States, Tables

Rows = NDArray[np.int64]
Seats = NDArray[np.int64]


@kernel
def deal(states: States, tables: Tables, rows: Rows) -> None:
    """Sets up new games under the options and keys in the states."""
    for i in rows:
        clear_record(states[i])
        verbs.deal(states[i], tables[0])


@kernel
def deal_next(states: States, tables: Tables, rows: Rows) -> None:
    """Deals the next game of each state's chain: its key follows from the key of the game before."""
    for i in rows:
        deal_next_game(states[i], tables[0])


@kernel
def deal_next_game(state: Any, tables: Any) -> None:
    """Deals the game after this one in the chain, as ``deal_next`` does for many."""
    next_key(state)
    clear_record(state)
    verbs.deal(state, tables)


@kernel
def movers(states: States, tables: Tables, out: Seats) -> None:
    """Writes each game's mover, -1 where it is over, over ``out``, shape (N,)."""
    for i in range(states.shape[0]):
        out[i] = verbs.mover(states[i], tables[0])


@kernel
def movers_with_choice(
    states: States, tables: Tables, callers: Seats, no_op: int, mask: NDArray[np.int8], out: Seats
) -> None:
    """As ``movers``, but a caller at move who has nothing but the no-op has it played for him.

    Args:
        callers: by game the caller's seat, -1 for none, shape (N,).
        mask: scratch space of shape (actions,).
        out: shape (N,), with the answer before the last moves. Where that is the caller's seat nobody has moved since,
            and the game is not looked at again; -2 stands where nothing is known.
    """
    for i in range(states.shape[0]):
        if callers[i] >= 0 and out[i] == callers[i]:
            continue
        out[i] = verbs.mover(states[i], tables[0])
        while out[i] >= 0 and out[i] == callers[i]:
            verbs.legal(states[i], tables[0], out[i], mask)
            if not only(mask, no_op):
                break
            clear_record(states[i])
            verbs.step(states[i], tables[0], no_op)
            out[i] = verbs.mover(states[i], tables[0])


@kernel
def only(mask: NDArray[np.int8], action: int) -> bool:
    """Whether the action is the only one in the mask."""
    if mask[action] == 0:
        return False
    legal = 0
    for each in range(mask.shape[0]):
        legal += int(mask[each])
    return legal == 1


@kernel
def view(
    states: States,
    tables: Tables,
    rows: Rows,
    seats: Seats,
    sections: int,
    observations: NDArray[np.float32],
    masks: NDArray[np.int8],
) -> None:
    """Writes what ``seats[k]`` sees and may do in game ``rows[k]`` over row k of the last two arguments."""
    for k in range(rows.shape[0]):
        state = states[rows[k]]
        verbs.observe(state, tables[0], seats[k], sections, observations[k])
        verbs.legal(state, tables[0], seats[k], masks[k])


@kernel
def results(
    states: States, tables: Tables, rows: Rows, endings: NDArray[np.int64], rewards: NDArray[np.float64]
) -> None:
    """Writes the ending codes (k,) and every seat's reward (k, seats) of the games."""
    for k in range(rows.shape[0]):
        endings[k] = verbs.outcome(states[rows[k]], tables[0])
        for seat in range(rewards.shape[1]):
            rewards[k, seat] = verbs.reward(states[rows[k]], tables[0], seat)


def step(game: Game, states: States, tables: Tables, rows: Rows, actions: NDArray[np.int64]) -> None:
    """Plays ``actions[k]`` for the mover of game ``rows[k]``; checks all before it touches a state.

    Args:
        game: the ``Game``, for the number of actions and the error's words.

    Raises:
        IllegalAction: see ``legal_actions``; nothing is changed.
    """
    _step(states, tables, rows, legal_actions(game, states, tables, rows, actions))


def legal_actions(game: Game, states: States, tables: Tables, rows: Rows, actions: object) -> NDArray[np.int64]:
    """``actions`` as int64 (k,), each of which the mover of game ``rows[k]`` may play.

    Raises:
        IllegalAction: not one whole number for each row, or an action is out of range or outside the mask; names
            the row.
    """
    given = _whole_numbers(actions, len(rows))
    scratch: NDArray[np.int8] = np.empty(game.n_actions, np.int8)
    wrong = _first_illegal(states, tables, rows, given, scratch)
    if wrong >= 0:
        state = states[rows[wrong] : rows[wrong] + 1]
        why = game.why_illegal(state, int(given[wrong]), one.mover(state, tables))
        raise IllegalAction(f"row {wrong} (game {rows[wrong]}): {why}")
    return given


def _whole_numbers(actions: object, n: int) -> NDArray[np.int64]:
    """Compiled code does not look how long the array is, and a fraction would be cut."""
    try:
        given: NDArray[Any] = np.asarray(actions)
    except ValueError:  # lists of different lengths
        given = np.empty(0, np.object_)
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise IllegalAction(
            f"actions of shape {given.shape} and type {given.dtype} are not allowed; shape ({n},) and int64 are"
        )
    return np.ascontiguousarray(given, np.int64)


@kernel
def _first_illegal(
    states: States, tables: Tables, rows: Rows, actions: NDArray[np.int64], mask: NDArray[np.int8]
) -> int:
    for k in range(rows.shape[0]):
        seat = verbs.mover(states[rows[k]], tables[0])
        action = actions[k]
        if seat < 0 or action < 0 or action >= mask.shape[0]:
            return k
        verbs.legal(states[rows[k]], tables[0], seat, mask)
        if mask[action] == 0:
            return k
    return -1


@kernel
def _step(states: States, tables: Tables, rows: Rows, actions: NDArray[np.int64]) -> None:
    for k in range(rows.shape[0]):
        clear_record(states[rows[k]])
        verbs.step(states[rows[k]], tables[0], actions[k])
