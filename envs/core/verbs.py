"""What every game's rules can do, as stubs that compiled code resolves by the type of the state record.

Generic loops call these; a game registers its own. A state record comes first, the tables that its options chose
second. A closure over a game's compiled functions would be compiled anew in every process; a stub is cached.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import from_dtype, types
from numba.extending import overload
from numpy.typing import NDArray

Verb = Callable[..., Any]

_rules: dict[Any, dict[str, Verb]] = {}


def register(dtype: np.dtype[Any], **rules: Verb) -> None:
    """Makes ``rules`` (deal, active, ...) the verbs of all states of this dtype."""
    missing = sorted(_STUBS.keys() ^ rules.keys())
    if missing:
        raise TypeError(f"register: verbs missing or unknown: {', '.join(missing)}; expected {', '.join(_STUBS)}")
    _rules[dtype] = _rules[from_dtype(dtype)] = rules


def deal(state: Any, tables: Any) -> None:
    """Sets up a new game under the state's options and key."""
    _rules[state.dtype]["deal"](state, tables)


def mover(state: Any, tables: Any) -> int:
    """The seat whose submission comes next, or -1 when the game is over."""
    return cast("int", _rules[state.dtype]["mover"](state, tables))


def active(state: Any, tables: Any, seat: int) -> bool:
    """Whether the seat still has to submit in this simultaneous step (in a game of turns: whether it moves)."""
    return cast("bool", _rules[state.dtype]["active"](state, tables, seat))


def legal(state: Any, tables: Any, seat: int, mask: NDArray[np.int8]) -> None:
    """Writes the seat's legal actions, 0 or 1, over the whole mask; an idle seat has exactly the no-op."""
    _rules[state.dtype]["legal"](state, tables, seat, mask)


def step(state: Any, tables: Any, action: int) -> None:
    """Plays a legal action of the mover."""
    _rules[state.dtype]["step"](state, tables, action)


def observe(state: Any, tables: Any, seat: int, sections: int, out: NDArray[np.float32]) -> None:
    """Writes what the seat sees over the whole of ``out``; ``sections`` has a bit for each optional section.

    The seat one past the last sees everything.
    """
    _rules[state.dtype]["observe"](state, tables, seat, sections, out)


def outcome(state: Any, tables: Any) -> int:
    """How the game ended: the game's ending code, 0 while it runs."""
    return cast("int", _rules[state.dtype]["outcome"](state, tables))


def reward(state: Any, tables: Any, seat: int) -> float:
    """The seat's reward for the whole game, 0 while it runs."""
    return cast("float", _rules[state.dtype]["reward"](state, tables, seat))


_STUBS: dict[str, Verb] = {stub.__name__: stub for stub in (deal, mover, active, legal, step, observe, outcome, reward)}


def _resolve_by_record_type(name: str, stub: Verb) -> None:
    # strict=False: the stubs' annotations and these catch-all parameters would not match otherwise.
    @overload(stub, strict=False)
    def choose(state: types.Type, tables: types.Type, *rest: types.Type) -> Verb | None:
        rules = _rules.get(state)
        # The rule's Python function, so that it is compiled into the loop that calls it.
        return None if rules is None else cast("Verb", getattr(rules[name], "py_func", rules[name]))


for _name, _stub in _STUBS.items():
    _resolve_by_record_type(_name, _stub)
