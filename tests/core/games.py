"""Games that tests of the core begin with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import batch, chance
from reichenbach.envs.who_is_moriarty.game import GAME
from reichenbach.envs.who_is_moriarty.tables import TABLES

GAMES = 12


def dealt(n: int = GAMES) -> NDArray[Any]:
    """Games under the seeds from 0 on."""
    states = GAME.new(GAME.resolve({}), n)
    chance.seed(states, range(n))
    batch.deal(states, TABLES, np.arange(n))
    return states
