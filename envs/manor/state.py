"""One game of The Manor as one record: every field with its meaning, range and sentinel.

Pawns are 0-5 (Agatha to Freeman, letters A-F); areas, zones, wings and spots are numbered in the order of the map;
seats are numbered in the order of the table (tables.py says which role each plays). Pairs of villain and target are
bits 0-29, villain by villain: bit 5 * villain + target, less one where the target comes after the villain.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Protocol

import numpy as np

from reichenbach.envs.core.chance import Chance
from reichenbach.envs.core.record import Bool, Int, Ints, record_dtype

PAWNS = ("Agatha", "Berkeley", "Catherine", "Dorothy", "Ellery", "Freeman")  # M1
N_PAWNS, N_PAIRS, MAX_SEATS = 6, 30, 4
ALL_PAWNS, ALL_PAIRS = (1 << N_PAWNS) - 1, (1 << N_PAIRS) - 1
NONE = -1

# Roles of seats (M2).
SHERLOCK, WATSON, MORIARTY, IRENE = 0, 1, 2, 3
ROLES = ("sherlock", "watson", "moriarty", "irene")

# What a spot holds (M6). The first three are the items that a pawn carries (M17), in the order of `items`.
FOOD, MEDICINE, SPRAY, WEAPON, FUSE_BOX, PASSAGE, NOTHING = 0, 1, 2, 3, 4, 5, 6
CONTENTS = ("food", "medicine", "spray", "weapon", "fuse box", "passage", "nothing")

HIDDEN, FOUND, OPEN = 0, 1, 2  # the passage: not found, found in this turn, usable (M19)
NO_NOTICE, BY_MORIARTY, BY_ANOTHER = 0, 1, 2  # who overrode one's order (M13)


class Ending(IntEnum):
    """How a game ended (M25, M28-M31)."""

    RUNNING = 0
    MURDER = 1  # the villain side (M29)
    ASSAIL = 2  # the villain side: the assailing villain killed (M25)
    ASSAIL_FAILED = 3  # the detective side: the target outlived an assail and the final turn (M25, M28)
    IDENTIFIED = 4  # the detective side: the chart left one villain, and the target outlived the final turn (M28)
    NAMED = 5  # the detective side: the final deduction named the villain (M30)
    WRONG_NAME = 6  # a draw (M31)


DETECTIVES, VILLAINS = 0, 1  # sides
SIDES = ("detectives", "villains")
WINNER = (NONE, VILLAINS, VILLAINS, DETECTIVES, DETECTIVES, DETECTIVES, NONE)  # by Ending


class State(Chance, Protocol):
    """Fields of a game's record."""

    # the pawns
    area: Annotated[Ints, np.int32, (N_PAWNS,)]  # where each stands
    hunger: Annotated[Ints, np.int32, (N_PAWNS,)]  # 0-1; 2 with stack_hunger (M23)
    injured: Annotated[Ints, np.int32, (N_PAWNS,)]  # 0, 1 (M23)
    fatigued: Annotated[Ints, np.int32, (N_PAWNS,)]  # 0, 1 (M10)
    armed: Annotated[Ints, np.int32, (N_PAWNS,)]  # 0, 1 (M17)
    items: Annotated[Ints, np.int32, (N_PAWNS, 3)]  # how many of FOOD, MEDICINE, SPRAY, two at most in all (M17)
    known_items: Annotated[Ints, np.int32, (MAX_SEATS, N_PAWNS, 3)]  # how many each seat knows of (M20)

    # the house
    content: Annotated[Ints, np.int32, (20,)]  # by spot: what it holds, or held (M6)
    gone: Int  # bit s: spot s was emptied by a search (M17), or the map has no such spot
    known: Annotated[Ints, np.int32, (MAX_SEATS,)]  # by seat, bit s: it knows what spot s holds (M3, M17)
    fuse_boxes: Int  # bit s: a fuse box was found at spot s and is not operated yet (M19)
    passage: Int  # which of the map's possible passages there is, NONE: none (M6)
    passage_is: Int  # HIDDEN, FOUND, OPEN (M19)
    dark: Int  # bit w: wing w is dark this turn (M19)
    dark_next: Int  # bit w: it will be in the next turn
    leak: Int  # zone of the gas leak, NONE: none (M21)
    leak_turns: Int  # turns at whose end it still injures, this one included
    gas: Int  # bit a: area a was sprayed last turn and injures at the end of this one (M18)
    sprayed: Annotated[Ints, np.int32, (N_PAWNS,)]  # by pawn: the area where it used a spray this turn, NONE
    dog: Int  # area of the wild dog, NONE: not in the house (M22)
    dog_turns: Int  # turns it still stays, this one included
    dog_came: Bool  # it enters at most once

    # the clock (M8, M9)
    turn: Int  # 1-10; a final turn has the number of the turn before it
    final: Bool  # this is a final turn (M25, M28)
    voting: Bool  # the final deduction (M30)
    slot: Int  # 0-2: which commands of the turn are being given
    submitter: Int  # the seat that submits next in this slot

    # commands of this turn (M9): 8 * destination + action, ASSAIL, or NONE
    order: Annotated[Ints, np.int32, (MAX_SEATS, N_PAWNS)]  # by seat and pawn
    used: Annotated[Ints, np.int32, (MAX_SEATS,)]  # by seat: how many commands it has given
    passed: Annotated[Ints, np.int32, (MAX_SEATS,)]  # by seat: 1, it gives no more
    vote: Annotated[Ints, np.int32, (MAX_SEATS,)]  # by seat: the pawn it named (M30), NONE

    # the last action phase, as all saw it (§13); what a pawn obeyed is hidden
    obeyed: Annotated[Ints, np.int32, (N_PAWNS,)]  # by pawn: the order that it followed, NONE: it acted at random
    acted: Annotated[Ints, np.int32, (N_PAWNS,)]  # by pawn: 0-5, its place among those that acted; NONE: it did not
    came_from: Annotated[Ints, np.int32, (N_PAWNS,)]  # by pawn: the area where it stood before
    did: Annotated[Ints, np.int32, (N_PAWNS,)]  # by pawn: the action carried out, ASSAILED for an assail
    helped: Annotated[Ints, np.int32, (N_PAWNS,)]  # by pawn: which other one it fed or healed, NONE (M18)
    forced: Annotated[Ints, np.int32, (N_PAWNS,)]  # by pawn: 1, it moved 3 areas although fatigued (M10)
    found: Annotated[Ints, np.int32, (N_PAWNS,)]  # by pawn: content of the spot that it searched, NONE
    left: Annotated[Ints, np.int32, (N_PAWNS,)]  # by pawn: 1, it had no free place for it (M17)
    find_seen: Annotated[Ints, np.int32, (N_PAWNS,)]  # by pawn, bit s: seat s saw what was found (M20)
    notice: Annotated[
        Ints, np.int32, (MAX_SEATS, N_PAWNS)
    ]  # by seat and pawn: BY_MORIARTY, BY_ANOTHER, NO_NOTICE (M13)
    last_order: Annotated[Ints, np.int32, (MAX_SEATS, N_PAWNS)]  # of that turn, random ones too (M15)
    exposed: Int  # bit p: pawn p was exposed then (M13)

    # what decides the game
    villain: Int  # M1
    target: Int
    answer: Annotated[Ints, np.int32, (3,)]  # by night: 1 within 3 areas, 0 not, NONE not given (M26)
    chart: Int  # the public chart: a bit for each pair that is left (M27)
    side_chart: Int  # the detective side's: with exposure=side it leaves fewer, else the same
    belief: Annotated[Ints, np.int32, (MAX_SEATS,)]  # by seat: the pairs that it cannot rule out (§14)
    failed_assail: Bool  # villain and target were revealed by an assail (M25)
    ending: Int  # an Ending

    # options (§15), see options.py; seats, counts and the map stand in the tables (tables.py)
    table: Int
    map: Int
    hungry_reach: Int
    injury_slows: Bool
    stack_hunger: Bool
    sherlock_beats_watson: Bool
    irene_commands_target: Bool
    inventory: Int
    events: Bool
    exposure: Int
    days: Int
    food: Int
    weapons: Int
    medicine: Int
    sprays: Int
    fuse_box_count: Int
    passage_count: Int
    leak_chance: Int
    dog_chance: Int


STATE = record_dtype(State)
