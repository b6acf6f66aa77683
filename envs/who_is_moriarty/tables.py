"""What the rules look up: lines of sight, cards and tokens, as the read-only record that stands beside a state."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Protocol

import numpy as np

from reichenbach.envs.core.record import Ints, Tables, record_dtype

# What a token's face lets a player do. The first three are the detectives' ids.
PLAY_SHERLOCK, PLAY_JW, PLAY_ROBBIE, PLAY_JOKER, PLAY_TURN, PLAY_SWAP, PLAY_CARD = range(7)
FACES = ("sherlock", "jw", "robbie", "joker", "turn", "swap", "card")


class BoardTables(Protocol):
    """Constants of the game; another game's tables may depend on its options."""

    line: Annotated[Ints, np.int32, (12, 3)]  # cells seen from each place, near to far (W5)
    hourglasses: Annotated[Ints, np.int32, (9,)]  # on each suspect's card (§1)
    token: Annotated[Ints, np.int32, (4, 2)]  # what the two sides of each token play (W10)
    pair: Annotated[Ints, np.int32, (36, 2)]  # the cells of each swap, in the order of the actions (W14)


TABLES_DTYPE = record_dtype(BoardTables)

HOURGLASSES = (2, 0, 1, 1, 1, 1, 0, 1, 1)
TOKENS = (
    (PLAY_JW, PLAY_ROBBIE),
    (PLAY_SHERLOCK, PLAY_CARD),
    (PLAY_JOKER, PLAY_TURN),
    (PLAY_TURN, PLAY_SWAP),
)
LINES = (
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),  # from above, looking south
    *((2, 1, 0), (5, 4, 3), (8, 7, 6)),  # from the right, looking west
    *((8, 5, 2), (7, 4, 1), (6, 3, 0)),  # from below, looking north
    *((6, 7, 8), (3, 4, 5), (0, 1, 2)),  # from the left, looking east
)
PAIRS = tuple(combinations(range(9), 2))


def _tables() -> Tables:
    tables = np.zeros(1, TABLES_DTYPE)
    tables["line"] = LINES
    tables["hourglasses"] = HOURGLASSES
    tables["token"] = TOKENS
    tables["pair"] = PAIRS
    tables.flags.writeable = False
    return tables


TABLES = _tables()
