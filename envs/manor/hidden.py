"""Settings of the hidden facts that fit a seat's view (rules §13), for the leak audit.

They are too many to go through: for every pair that the seat believes in, as many are drawn as ``DRAWS`` says. A
setting agrees with all that the state keeps of what the seat saw; that some earlier turn could have led to it is not
asked. What is not hidden (what emptied spots held, among it) stays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import pick
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.core.record import States, Tables
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.hidden_facts import redraw_items, redraw_knowledge, redraw_spots
from reichenbach.envs.manor.hidden_play import redraw_charts, redraw_orders, redraw_past
from reichenbach.envs.manor.options import INVENTORY_PRIVATE
from reichenbach.envs.manor.pairs import PAIRS
from reichenbach.envs.manor.rules import tables_of
from reichenbach.envs.manor.state import N_PAIRS, STATE, State
from reichenbach.envs.manor.tables import ManorTables

DRAWS = 20  # settings of everything else for each pair
_FIELDS: Any = STATE.fields
_OPTIONS: int = _FIELDS["table"][1]  # where the options stand in a record, at its end (state.py)


def alternatives(states: States, seat: int) -> Iterator[States]:
    """Copies of an array of one with other hidden facts that the seat cannot tell from the true ones.

    Args:
        states: an array of one; its bytes seed the draws, so that the same position has the same alternatives.
        seat: its number.

    Yields:
        One array: ``DRAWS`` settings for each pair of villain and target that the seat's belief leaves, pair by pair.
    """
    record, belief = states.tobytes(), int(states["belief"][0, seat])
    bits = np.array([bit for bit in range(N_PAIRS) if belief >> bit & 1], np.int64)
    many: States = np.frombuffer(bytearray(record) * (len(bits) * DRAWS), states.dtype)
    key = np.frombuffer(hashlib.blake2b(record, digest_size=8).digest(), np.int32)
    _redraw_all(many, states, _tables(record[_OPTIONS:]), seat, bits, key, pick.masks(1, actions.N_ACTIONS)[0])
    yield many


@lru_cache(maxsize=64)
def _tables(options: bytes) -> Tables:
    """The tables of the options in a record's last bytes."""
    return tables_of(np.frombuffer(bytes(_OPTIONS) + options, STATE))


@kernel
def _redraw_all(
    many: States,
    states: States,
    tables: Tables,
    seat: int,
    bits: NDArray[np.int64],
    key: NDArray[np.int32],
    words: NDArray[np.int64],
) -> None:
    """``DRAWS`` settings of each pair in turn, drawn under a key of their own; then chance is as it was."""
    for i in range(many.shape[0]):
        state, true = many[i], states[0]
        bit = bits[i // DRAWS]
        state.villain, state.target = PAIRS[bit]
        state.chance_key[0], state.chance_key[1] = key[0], key[1]
        state.chance_counter = (bit * DRAWS + i % DRAWS) << 16  # far enough apart for all draws of one setting
        state.script_length, state.script_used = 0, 0
        _redraw(state, tables[0], seat, words)
        state.chance_key[0], state.chance_key[1] = true.chance_key[0], true.chance_key[1]
        state.chance_counter = true.chance_counter
        state.script_length, state.script_used = true.script_length, true.script_used
        state.record_length = true.record_length
        for place in range(true.record.shape[0]):
            state.record[place] = true.record[place]


@large_kernel
def _redraw(state: State, tables: ManorTables, seat: int, words: NDArray[np.int64]) -> None:
    """Draws everything anew that the seat does not know; villain and target are set, ``words`` is scratch space."""
    redraw_spots(state, tables, seat)
    if state.inventory == INVENTORY_PRIVATE:
        redraw_items(state, tables, seat)
    redraw_charts(state, tables, seat)
    redraw_knowledge(state, tables, seat)
    redraw_past(state, tables, seat)
    redraw_orders(state, tables, seat, words)
