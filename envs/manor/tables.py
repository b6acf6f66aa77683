"""What the rules look up: the house and who plays it, as the read-only record that stands beside a state."""

from __future__ import annotations

from typing import Annotated, Protocol

import numpy as np

from reichenbach.envs.core.record import Int, Ints, record_dtype
from reichenbach.envs.manor.actions import MAX_AREAS
from reichenbach.envs.manor.state import MAX_SEATS

# M5; what a map lacks stays 0, or NONE where that is said.
MAX_ZONES, MAX_WINGS, MAX_SPOTS, MAX_PASSAGES = 10, 4, 20, 6
MAX_STARTS = 32_767  # sets of areas to start in, which is what one draw can tell apart


class ManorTables(Protocol):
    """The house of a map and the seats of a table under the options."""

    # the house (M4)
    n_areas: Int
    zone: Annotated[Ints, np.int32, (MAX_AREAS,)]  # by area
    wing: Annotated[Ints, np.int32, (MAX_AREAS,)]  # by area
    zone_areas: Annotated[Ints, np.int32, (MAX_ZONES,)]  # by zone, bit a: area a belongs to it
    n_rooms: Int
    room: Annotated[Ints, np.int32, (MAX_ZONES,)]  # the zones that are rooms, in order (M21)
    # by passages (0: none is usable, 1 + i: passage i is): shortest distance of two areas, 99 where there is no way
    distance: Annotated[Ints, np.int32, (1 + MAX_PASSAGES, MAX_AREAS, MAX_AREAS)]
    # likewise, by area and steps 0-3: bit a: area a is at most that far away (M10)
    within: Annotated[Ints, np.int32, (1 + MAX_PASSAGES, MAX_AREAS, 4)]
    n_spots: Int
    spot_area: Annotated[Ints, np.int32, (MAX_SPOTS,)]  # by spot (M6)
    spot: Annotated[Ints, np.int32, (MAX_AREAS,)]  # by area: its spot, NONE: it has none
    n_passages: Int
    passage_spot: Annotated[Ints, np.int32, (MAX_PASSAGES, 2)]  # the spots at the two ends (M6)
    entrance: Int  # the dog's area (M22)

    # the deal (M6, M7)
    counts: Annotated[Ints, np.int32, (7,)]  # by content: how many spots hold it, NOTHING for all the others
    n_starts: Int
    starts: Annotated[Ints, np.int32, (MAX_STARTS,)]  # bit a: area a is one of the six; in lexicographic order of areas

    # the table (M2)
    n_seats: Int
    role: Annotated[Ints, np.int32, (MAX_SEATS,)]  # by seat; NONE where there is none
    quota: Annotated[Ints, np.int32, (MAX_SEATS,)]  # by seat: its commands a turn
    slots: Int  # the largest quota (M9)
    detectives: Int  # bit s: seat s is of the detective side
    moriarty: Int  # Moriarty's seat
    irene: Int  # Irene's, NONE: there is none


TABLES_DTYPE = record_dtype(ManorTables)
