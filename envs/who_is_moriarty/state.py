"""One game of Who Is Moriarty as one record: every field with its meaning, range and sentinel.

Suspects are 0-8 (letters A-I), cells 0-8 row by row, detectives sherlock 0, jw 1, robbie 2, seats sherlock 0,
moriarty 1. Places around the board are 0-11 clockwise from above the top-left tile (W4):

         0  1  2
    11 | 0  1  2 | 3
    10 | 3  4  5 | 4
     9 | 6  7  8 | 5
         8  7  6
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Protocol

import numpy as np

from reichenbach.envs.core.chance import Chance
from reichenbach.envs.core.record import Bool, Int, Ints, record_dtype

SHERLOCK, MORIARTY, EVERYONE = 0, 1, 2  # seats; EVERYONE sees all
SEATS = ("sherlock", "moriarty")
DETECTIVES = ("sherlock", "jw", "robbie")
SUSPECTS = "ABCDEFGHI"

NORTH, EAST, SOUTH, WEST, OPEN = 0, 1, 2, 3, 4  # walls; OPEN: a cleared crossroads has none (W3)
NONE = -1
ALL_SUSPECTS = 0b111111111  # sets of suspects are bits: bit i is suspect i


class Ending(IntEnum):
    """How a game ended (W20-W23)."""

    RUNNING = 0
    ONE_SUSPECT = 1  # Sherlock alone reached his goal (W21)
    HOURGLASSES = 2  # Moriarty alone reached his (W21)
    BOTH_SEEN = 3  # both in one round, Moriarty visible: Sherlock (W22)
    BOTH_UNSEEN = 4  # both in the last round, Moriarty not visible: Moriarty (W22)
    BOTH_OPTION_SHERLOCK = 5  # both, decided by the option both_goals
    BOTH_OPTION_MORIARTY = 6
    CHASE_SEEN = 7  # seen in the chase: Sherlock (W22)
    CHASE_UNSEEN = 8  # unseen to the end of the chase: Moriarty (W22)
    TIME = 9  # neither goal after the last round: Moriarty (W23)


# One character an ending, so that compiled rules may read it as a constant: the seat that won.
WINNER = (NONE, SHERLOCK, MORIARTY, SHERLOCK, MORIARTY, SHERLOCK, MORIARTY, SHERLOCK, MORIARTY, MORIARTY)


class State(Chance, Protocol):
    """Fields of a game's record."""

    # the board (W1-W4)
    suspect: Annotated[Ints, np.int32, (9,)]  # by cell: whose tile lies there
    wall: Annotated[Ints, np.int32, (9,)]  # by cell: NORTH to WEST, or OPEN
    cleared: Int  # bit i: suspect i's tile is turned over
    turned: Int  # bit i: suspect i's tile was turned this round (W13)
    detective: Annotated[Ints, np.int32, (3,)]  # place of each, 0-11

    # the round (W9, W10)
    round_number: Int  # 1-8
    pick: Int  # 1-4: which token of the round is chosen next; 1 + tokens used
    face: Annotated[Ints, np.int32, (4,)]  # by token: 0 or 1, the side that lies up
    used: Annotated[Ints, np.int32, (4,)]  # by token: 1 when played this round

    # cards (W15-W17); there is no deck order: it is the generator's future
    sherlock_card: Annotated[Ints, np.int32, (8,)]  # in the order drawn, NONE after the last
    sherlock_shown: Annotated[Ints, np.int32, (8,)]  # 1: Moriarty knows it too (always so unless card_clears=optional)
    sherlock_cards: Int  # how many
    choosing: Int  # card that Sherlock drew and may clear or keep, NONE otherwise
    moriarty_card: Annotated[Ints, np.int32, (8,)]  # in the order drawn, NONE after the last
    moriarty_cards: Int  # how many

    # what decides the game
    moriarty: Int  # the secret identity (W7)
    won_unseen: Int  # Moriarty's hourglasses from staying unseen (W19), public
    chase: Bool  # W22
    ending: Int  # an Ending
    # public hourglasses and Moriarty's cards, at ...
    last_check: Annotated[Ints, np.int32, (2,)]  # ... the last goal check below the goal; NONE, NONE: none yet
    chase_check: Annotated[Ints, np.int32, (2,)]  # ... the check that began the chase; NONE, NONE: none

    # options (§9), see options.py
    crossroads: Int  # bit i: suspect i's tile is a crossroads when cleared
    turn_crossroads: Bool
    turn_tile_twice: Bool
    start: Int
    goal_check: Int
    both_goals: Int
    card_clears: Int
    moriarty_open: Bool
    rewards: Int
    max_rounds: Int
    hourglasses_to_win: Int


STATE = record_dtype(State)
