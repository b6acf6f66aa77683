"""The batch loops: what is refused before any state is touched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reichenbach.envs.core import batch
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.who_is_moriarty.game import GAME
from reichenbach.envs.who_is_moriarty.tables import TABLES
from tests.core.games import GAMES, dealt

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("action", [-1, GAME.n_actions, GAME.no_op])
def test_one_illegal_action_stops_all(action: int) -> None:
    states = dealt()
    before = states.tobytes()
    rows = np.array([2, 5, 7])
    masks = np.zeros((3, GAME.n_actions), np.int8)
    movers = np.zeros(GAMES, np.int64)
    batch.movers(states, TABLES, movers)
    batch.view(states, TABLES, rows, movers[rows], 0, np.zeros((3, GAME.layout(0).size), np.float32), masks)
    actions = masks.argmax(axis=1).astype(np.int64)
    actions[1] = action
    with pytest.raises(IllegalAction, match=r"row 1 \(game 5\): action "):
        batch.step(GAME, states, TABLES, rows, actions)
    assert states.tobytes() == before


@pytest.mark.parametrize("actions", [[0], [0.0, 1.0], [[0, 1]], [[0], [0, 1]], ["0", "1"], [True, False]])
def test_actions_that_are_no_row_of_whole_numbers_are_refused(actions: Any) -> None:
    states = dealt(2)
    before = states.tobytes()
    with pytest.raises(IllegalAction, match=r"shape \(2,\) and int64 are"):
        batch.step(GAME, states, TABLES, np.arange(2), actions)
    assert states.tobytes() == before
