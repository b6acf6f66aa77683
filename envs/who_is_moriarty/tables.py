"""What the rules look up: lines of sight, cards and tokens, as the read-only record that stands beside a state."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Annotated, Protocol

import numpy as np

from reichenbach.envs.core.record import Ints, Tables, record_dtype

# What a token's face lets a player do. The first three are the detectives' ids.
PLAY_SHERLOCK, PLAY_JW, PLAY_ROBBIE, PLAY_JOKER, PLAY_TURN, PLAY_SWAP, PLAY_CARD = range(7)
FACES = ("sherlock", "jw", "robbie", "joker", "turn", "swap", "card")


class BoardTables(Protocol):
    """Constants of the game; another game's tables may depend on its options."""

    line: Annotated[Ints, np.int32, (12, 3)]  # cells seen from each place, near to far (W5)
    reach: Annotated[Ints, np.int32, (4, 5, 5, 5)]  # bit k: the k-th tile is seen; by side of entry and walls (W6)
    hourglasses: Annotated[Ints, np.int32, (9,)]  # on each suspect's card (§1)
    token: Annotated[Ints, np.int32, (4, 2)]  # what the two sides of each token play (W10)
    bearers: Annotated[Ints, np.int32, (7, 2)]  # first and last token that has the face on a side (W10)
    plays: Annotated[Ints, np.int32, (77,)]  # the face that each action (actions.py) plays; to wait is to turn in vain
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
PLAYS = (
    *(PLAY_SHERLOCK, PLAY_SHERLOCK, PLAY_JW, PLAY_JW, PLAY_ROBBIE, PLAY_ROBBIE),
    *(4 * (PLAY_JOKER,) + 27 * (PLAY_TURN,) + 36 * (PLAY_SWAP,) + 3 * (PLAY_CARD,)),
    PLAY_TURN,
)


def tiles_seen(near_side: int, walls: Sequence[int]) -> int:
    """The line of sight (W6) through three tiles, entered from ``near_side``; bit k: the k-th tile is seen.

    Walls are NORTH 0 to WEST 3; OPEN 4, a cleared crossroads, stops no look (W3).
    """
    far_side = (near_side + 2) % 4
    seen = 0
    for k, wall in enumerate(walls):
        if wall == near_side:  # it stops the look before the tile
            break
        seen |= 1 << k
        if wall == far_side:  # it stops the look after the tile
            break
    return seen


def _first_and_last(face: int) -> tuple[int, int]:
    bearers = [token for token, sides in enumerate(TOKENS) if face in sides]
    return bearers[0], bearers[-1]


def _tables() -> Tables:
    tables = np.zeros(1, TABLES_DTYPE)
    tables["line"] = LINES
    for near_side, *walls in product(range(4), *(range(5),) * 3):
        tables["reach"][0][near_side, *walls] = tiles_seen(near_side, walls)
    tables["hourglasses"] = HOURGLASSES
    tables["token"] = TOKENS
    tables["bearers"] = [_first_and_last(face) for face in range(len(FACES))]
    tables["plays"] = PLAYS
    tables["pair"] = PAIRS
    tables.flags.writeable = False
    return tables


TABLES = _tables()
