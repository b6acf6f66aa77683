"""Chance that lives in the state: Philox2x32-10 in ordinary integers, scripts and records of outcomes.

Generator: "Parallel random numbers: as easy as 1, 2, 3" (2011). Its counter is (draw number, second key word),
its key the first key word: 64 bits of seed and a draw counter, the same bits compiled and plain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.core.record import Int, Ints, States

CAPACITY = 32  # outcomes that a script or a record can hold; a deal of the largest game needs fewer

_MASK = 0xFFFFFFFF
# The multiplier 0xD256D193 less 2**32: products then stay within int64, whose overflow is undefined in compiled code.
_MULTIPLIER = 0xD256D193 - 0x100000000
_WEYL = 0x9E3779B9
_NEXT_GAME = 0xFFFFFFFF  # the counter value that no game reaches: its words are the next game's key


class Chance(Protocol):
    """Fields that every game's state begins with."""

    chance_key: Annotated[Ints, np.int32, (2,)]  # the 64 bits of seed
    chance_counter: Int  # words drawn so far
    script_length: Int
    script_used: Int
    record_length: Int  # draws since the last deal or step began
    record: Annotated[Ints, np.int32, (CAPACITY,)]  # each: how many outcomes there were * 2**16 + which one came
    script: Annotated[Ints, np.int32, (CAPACITY,)]  # outcomes that come before the generator's


@kernel
def philox(counter0: int, counter1: int, key: int) -> tuple[int, int]:
    """Two 32-bit words of Philox2x32-10 for a 64-bit counter and a 32-bit key, all as integers from 0."""
    for _ in range(10):
        product = _MULTIPLIER * counter0
        high = ((product >> 32) + counter0) & _MASK
        counter0, counter1 = high ^ key ^ counter1, product & _MASK
        key = (key + _WEYL) & _MASK
    return counter0, counter1


@kernel
def _next_word(state: Chance) -> int:
    counter = int(state.chance_counter) & _MASK
    state.chance_counter += 1
    return philox(counter, int(state.chance_key[1]) & _MASK, int(state.chance_key[0]) & _MASK)[0]


@kernel
def _uniform(state: Chance, n: int) -> int:
    """Exactly uniform in ``range(n)``: words whose remainder would favour some outcomes are drawn again."""
    product = _next_word(state) * n
    if product & _MASK < n:
        spare = (_MASK + 1) % n
        while product & _MASK < spare:
            product = _next_word(state) * n
    return product >> 32


@kernel
def draw(state: Chance, n: int) -> int:
    """The only source of chance: an outcome in ``range(n)``, n < 2**15, from the script if one is left, and recorded.

    A draw with one outcome is none: nothing is taken from the script and nothing recorded.

    Raises:
        ValueError: the script's outcome is not in ``range(n)``.
    """
    if n == 1:
        return 0
    if state.script_used < state.script_length:
        outcome = int(state.script[state.script_used])
        state.script_used += 1
        if outcome < 0 or outcome >= n:
            raise ValueError("chance.draw: the scripted outcome is out of range for this draw")
    else:
        outcome = _uniform(state, n)
    if state.record_length < CAPACITY:
        state.record[state.record_length] = (n << 16) | outcome
        state.record_length += 1
    return outcome


@large_kernel
def draw_apart(state: Any, n: int) -> int:
    """``draw`` as a call of its own, for rules that draw in many places and would be slow to compile with each."""
    return draw(state, n)


@kernel
def clear_record(state: Any) -> None:
    """Forgets the draws recorded so far; every deal and step begins with it."""
    state.record_length = 0


@kernel
def next_key(state: Any) -> None:
    """Gives the state the key of the next game in its chain, so that unseeded resets agree on every path."""
    key0, key1 = philox(_NEXT_GAME, int(state.chance_key[1]) & _MASK, int(state.chance_key[0]) & _MASK)
    state.chance_key[0] = _signed(key0)
    state.chance_key[1] = _signed(key1)
    state.chance_counter = 0


@kernel
def _signed(word: int) -> int:
    return word - (_MASK + 1) if word > 0x7FFFFFFF else word


def seed(states: States, seeds: Iterable[int | None]) -> None:
    """Keys each state with 64 bits of ``numpy.random.SeedSequence(seed)``; None takes fresh entropy.

    Args:
        states: shape (N,), changed in place; scripts are dropped.
        seeds: N integers from 0 or None.
    """
    keys = [np.random.SeedSequence(one).generate_state(2, np.uint32).view(np.int32) for one in seeds]
    states["chance_key"] = np.array(keys, np.int32).reshape(len(states), 2)
    states["chance_counter"] = 0
    set_script(states, ())


def set_script(states: States, outcomes: Sequence[int] | NDArray[np.integer[Any]]) -> None:
    """Lets the coming draws of every state take these outcomes first.

    Args:
        states: shape (N,), changed in place.
        outcomes: the same k for every state, or its own for each, shape (N, k).

    Raises:
        ValueError: more outcomes than a script holds.
    """
    given: NDArray[Any] = np.asarray(outcomes)
    length = given.shape[-1]
    if length > CAPACITY:
        raise ValueError(f"script: {length} outcomes, at most {CAPACITY} are allowed")
    states["script"] = 0
    states["script"][:, :length] = given
    states["script_length"] = length
    states["script_used"] = 0


def recorded(states: States) -> list[tuple[int, int]]:
    """The draws of the last deal or step of an array of one, as (number of outcomes, outcome)."""
    length = int(states["record_length"][0])
    return [(int(draw) >> 16, int(draw) & 0xFFFF) for draw in states["record"][0][:length]]
