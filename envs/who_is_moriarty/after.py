"""After-states: what every legal action would leave, as an optional section of the observation.

For a card, whose outcome is chance, the position as it is. The state is changed for a look and put back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.fill import fill_part
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.who_is_moriarty import actions
from reichenbach.envs.who_is_moriarty.layout import AFTER_FEATURES
from reichenbach.envs.who_is_moriarty.play import legal, mover, swap
from reichenbach.envs.who_is_moriarty.sight import cell_of, count, face_up, seen_from, tiles_in_sight
from reichenbach.envs.who_is_moriarty.state import EVERYONE, OPEN, SHERLOCK, State
from reichenbach.envs.who_is_moriarty.tables import BoardTables

_JOKER, _JOKER_NOBODY, _TURN = actions.JOKER, actions.JOKER_NOBODY, actions.TURN
_SWAP, _CARD, _CLEAR, _N = actions.SWAP, actions.CARD, actions.CLEAR, actions.N_ACTIONS


@large_kernel
def write_after(state: State, tables: BoardTables, seat: int, out: NDArray[np.float32]) -> None:
    """Three values an action: suspects in sight / 9, suspects out of it / 9, Moriarty in sight.

    Sherlock never gets the third; EVERYONE gets the mover's actions.
    """
    # The marks of legal actions are written where the values go, which are then written from behind.
    actor = max(mover(state, tables), SHERLOCK) if seat == EVERYONE else seat  # over: nobody moves, all wait
    legal(state, tables, actor, out[:_N])
    fill_part(out, _N, (AFTER_FEATURES - 1) * _N, 0)
    suspects = face_up(state)
    for action in range(_N - 1, -1, -1):
        is_legal = out[action] != 0
        fill_part(out, AFTER_FEATURES * action, AFTER_FEATURES, 0)
        if is_legal:
            left = suspects & ~(1 << state.choosing) if action == _CLEAR else suspects
            seen = _tiles_after(state, tables, action) & left
            first = AFTER_FEATURES * action
            out[first] = count(seen) / 9
            out[first + 1] = count(left & ~seen) / 9
            if seat != SHERLOCK and (seen >> state.moriarty) & 1:
                out[first + 2] = 1


@kernel
def _tiles_after(state: State, tables: BoardTables, action: int) -> int:
    if action < _JOKER:
        return _seen_after_walk(state, tables, action // 2, action % 2 + 1)
    if action < _JOKER_NOBODY:
        return _seen_after_walk(state, tables, action - _JOKER, 1)
    if _TURN <= action < _SWAP:
        return _seen_after_turn(state, tables, (action - _TURN) // 3, (action - _TURN) % 3 + 1)
    if _SWAP <= action < _CARD:
        swap(state, tables, action)
        seen = tiles_in_sight(state, tables)
        swap(state, tables, action)
        return seen
    if action == _CLEAR:
        return _seen_after_clearing(state, tables)
    return tiles_in_sight(state, tables)


@kernel
def _seen_after_walk(state: State, tables: BoardTables, detective: int, steps: int) -> int:
    seen = 0
    for other in range(3):
        walked = steps if other == detective else 0
        seen |= seen_from(state, tables, (state.detective[other] + walked) % 12)
    return seen


@kernel
def _seen_after_turn(state: State, tables: BoardTables, cell: int, quarters: int) -> int:
    wall = state.wall[cell]
    if wall != OPEN:
        state.wall[cell] = (wall + quarters) % 4
    seen = tiles_in_sight(state, tables)
    state.wall[cell] = wall
    return seen


@kernel
def _seen_after_clearing(state: State, tables: BoardTables) -> int:
    """A cleared crossroads opens new lines (W3)."""
    if not (state.crossroads >> state.choosing) & 1:
        return tiles_in_sight(state, tables)
    cell = cell_of(state, state.choosing)
    wall = state.wall[cell]
    state.wall[cell] = OPEN
    seen = tiles_in_sight(state, tables)
    state.wall[cell] = wall
    return seen
