"""Settings of the hidden facts that fit a seat's view (rules §13), for the leak audit.

They are too many to go through: for every pair that the seat believes in, as many are drawn as ``DRAWS`` says. A
setting agrees with all that the state keeps of what the seat saw; that some earlier turn could have led to it is not
asked. What is not hidden (what emptied spots held, among it) stays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.core.record import States, Tables
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.hidden_facts import redraw_items, redraw_knowledge, redraw_spots
from reichenbach.envs.manor.hidden_play import redraw_charts, redraw_orders, redraw_past
from reichenbach.envs.manor.options import INVENTORY_PRIVATE
from reichenbach.envs.manor.pairs import PAIRS
from reichenbach.envs.manor.rules import tables_of
from reichenbach.envs.manor.state import N_PAIRS, State
from reichenbach.envs.manor.tables import ManorTables

DRAWS = 20  # settings of everything else for each pair
_CHANCE = ("chance_key", "chance_counter", "script_length", "script_used", "record_length", "record", "script")


def alternatives(states: States, seat: int) -> Iterator[States]:
    """Copies of an array of one with other hidden facts that the seat cannot tell from the true ones.

    Args:
        states: an array of one; its bytes seed the draws, so that the same position has the same alternatives.
        seat: its number.

    Yields:
        Arrays of ``DRAWS`` settings, one for each pair of villain and target that the seat's belief leaves.
    """
    tables = tables_of(states)
    pairs, record = int(states["belief"][0, seat]), states.tobytes()
    key = np.frombuffer(hashlib.blake2b(record, digest_size=8).digest(), np.int32)
    mask: NDArray[np.int8] = np.empty(actions.N_ACTIONS, np.int8)
    for bit in range(N_PAIRS):
        if pairs >> bit & 1:
            many: States = np.frombuffer(bytearray(record * DRAWS), states.dtype)
            many["villain"], many["target"] = PAIRS[bit]
            many["chance_key"] = key
            many["chance_counter"] = (bit * DRAWS + np.arange(DRAWS)) << 16  # far enough apart for all draws of one
            many["script_length"] = many["script_used"] = 0
            _redraw_all(many, tables, seat, mask)
            for field in _CHANCE:
                many[field] = states[field]
            yield many


@kernel
def _redraw_all(states: States, tables: Tables, seat: int, mask: NDArray[np.int8]) -> None:
    for i in range(states.shape[0]):
        _redraw(states[i], tables[0], seat, mask)


@large_kernel
def _redraw(state: State, tables: ManorTables, seat: int, mask: NDArray[np.int8]) -> None:
    """Draws everything anew that the seat does not know, villain and target being those that are set."""
    redraw_spots(state, tables, seat)
    if state.inventory == INVENTORY_PRIVATE:
        redraw_items(state, tables, seat)
    redraw_charts(state, tables, seat)
    redraw_knowledge(state, tables, seat)
    redraw_past(state, tables, seat)
    redraw_orders(state, tables, seat, mask)
