"""Chance: the generator's published vectors, exact draws, scripts and records."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import pytest
from numpy.typing import NDArray

from reichenbach.envs.core import chance
from reichenbach.envs.core.kernel import kernel
from reichenbach.envs.core.record import Int, record_dtype

pytestmark = pytest.mark.plain


class Coin(chance.Chance, Protocol):
    """A field of its own, or every game's record would be a subtype of this one to Numba."""

    coin: Int


DTYPE = record_dtype(Coin)


@kernel
def draws(states: NDArray[Any], n: int, out: NDArray[np.int64]) -> None:
    for i in range(out.shape[0]):
        out[i] = chance.draw(states[0], n)


def drawn(states: NDArray[Any], n: int, times: int) -> list[int]:
    out = np.zeros(times, np.int64)
    draws(states, n, out)
    return [int(each) for each in out]


def seeded(seed: int | None = 7) -> NDArray[Any]:
    states = np.zeros(1, DTYPE)
    chance.seed(states, [seed])
    return states


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0x00000000, 0x00000000), 0x00000000, (0xFF1DAE59, 0x6CD10DF2)),
        ((0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFF, (0x2C3F628B, 0xAB4FD7AD)),
        ((0x243F6A88, 0x85A308D3), 0x13198A2E, (0xDD7CE038, 0xF62A4C12)),
    ],
)
def test_published_vectors(counter: tuple[int, int], key: int, words: tuple[int, int]) -> None:
    assert tuple(chance.philox(*counter, key)) == words


def test_every_outcome_is_as_likely() -> None:
    counts = np.bincount(drawn(seeded(), 9, 9000), minlength=9)
    assert counts.sum() == 9000
    assert float(((counts - 1000.0) ** 2 / 1000.0).sum()) < 26.1  # chi-square of 8 degrees, 1 in 1000


def test_words_that_would_favour_some_outcomes_are_drawn_again() -> None:
    states = seeded()
    n = 3 << 29  # a quarter of all words is too many for an even share
    counts = np.bincount([chance._uniform(states[0], n) >> 29 for _ in range(3000)], minlength=3)
    assert float(((counts - 1000.0) ** 2 / 1000.0).sum()) < 13.8  # chi-square of 2 degrees, 1 in 1000
    assert 3800 < states["chance_counter"][0] < 4200


def test_one_seed_one_sequence_and_no_seed_another_each_time() -> None:
    assert drawn(seeded(3), 1000, 20) == drawn(seeded(3), 1000, 20)
    assert drawn(seeded(3), 1000, 20) != drawn(seeded(4), 1000, 20)
    assert drawn(seeded(None), 1000, 20) != drawn(seeded(None), 1000, 20)


def test_the_next_game_of_a_chain_is_another() -> None:
    states = seeded()
    first = drawn(states, 1000, 20)
    chance.next_key(states[0])
    second = drawn(states, 1000, 20)
    assert first != second
    again = seeded()
    chance.next_key(again[0])
    assert drawn(again, 1000, 20) == second


def test_a_script_comes_first_and_all_is_recorded() -> None:
    states = seeded()
    chance.set_script(states, [2, 0])
    assert drawn(states, 3, 2) == [2, 0]
    assert states["chance_counter"][0] == 0, "the generator was not asked"
    third = drawn(states, 3, 1)
    assert chance.recorded(states) == [(3, 2), (3, 0), (3, third[0])]
    chance.clear_record(states[0])
    assert chance.recorded(states) == []


def test_a_draw_of_one_outcome_is_none() -> None:
    states = seeded()
    chance.set_script(states, [1])
    assert drawn(states, 1, 3) == [0, 0, 0]
    assert chance.recorded(states) == []
    assert drawn(states, 2, 1) == [1], "the script is still there"


@pytest.mark.parametrize("outcome", [-1, 3])
def test_a_scripted_outcome_out_of_range_is_refused(outcome: int) -> None:
    states = seeded()
    chance.set_script(states, [outcome])
    with pytest.raises(ValueError, match="scripted outcome is out of range"):
        drawn(states, 3, 1)


def test_a_script_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match=f"{chance.CAPACITY + 1} outcomes, at most {chance.CAPACITY} are allowed"):
        chance.set_script(seeded(), [0] * (chance.CAPACITY + 1))


def test_a_full_record_takes_no_more() -> None:
    states = seeded()
    drawn(states, 2, chance.CAPACITY + 5)
    assert len(chance.recorded(states)) == chance.CAPACITY
