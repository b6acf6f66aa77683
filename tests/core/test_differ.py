"""Finding the first state that looks different to a seat, in any bit."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from reichenbach.envs.core import one
from reichenbach.envs.core.differ import first_unlike
from reichenbach.envs.core.record import States
from tests.envs import pennies

pytestmark = pytest.mark.plain

GAME = pennies.GAME
SEAT = 1


class Looked:
    """What the seat sees and may do in four equal states, in which the penny lies on side 0 and something leaks."""

    def __init__(self, leak: int = 0) -> None:
        options = GAME.resolve({"leak": leak})
        self.tables, self.states = GAME.tables(options), GAME.new(options, 4)
        one.deal(self.states[:1], self.tables)
        self.states["penny"][0] = 0
        self.states[1:] = self.states[0]
        self.observation: NDArray[np.float32] = np.empty(GAME.layout(0).size, np.float32)
        self.mask: NDArray[np.int8] = np.empty(GAME.n_actions, np.int8)
        one.view(self.states, self.tables, SEAT, 0, self.observation, self.mask)

    def first_unlike(self, states: States) -> int:
        scratch = np.empty_like(self.observation), np.empty_like(self.mask)
        return first_unlike(states, self.tables, SEAT, 0, self.observation, self.mask, *scratch)


def test_equal_states_look_alike() -> None:
    looked = Looked()
    looked.states["penny"][2] = 1  # which the seat does not see
    assert looked.first_unlike(looked.states) == -1
    assert looked.first_unlike(looked.states[:0]) == -1


@pytest.mark.parametrize("leak", [pennies.LEAK_OBSERVATION, pennies.LEAK_MASK])
def test_the_first_difference_in_observation_or_mask(leak: int) -> None:
    looked = Looked(leak)
    assert looked.first_unlike(looked.states) == -1
    looked.states["penny"][2:] = 1
    assert looked.first_unlike(looked.states) == 2
    assert looked.first_unlike(looked.states[3:]) == 0


@pytest.mark.parametrize("column", range(GAME.layout(0).size))
def test_every_column_counts_and_a_zero_has_a_sign(column: int) -> None:
    looked = Looked()
    looked.observation[column] *= -1
    assert looked.first_unlike(looked.states) == 0


@pytest.mark.parametrize("action", range(GAME.n_actions))
def test_every_action_counts(action: int) -> None:
    looked = Looked()
    looked.mask[action] ^= 1
    assert looked.first_unlike(looked.states) == 0
