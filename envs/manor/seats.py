"""Who sits at each table, with which role and how many commands a turn (M2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reichenbach.envs.manor.state import IRENE, MORIARTY, SHERLOCK, WATSON


@dataclass(frozen=True)
class Seat:
    """One player's place: its name, its role (state.py), and its commands a turn."""

    name: str
    role: int
    quota: int


# In the order of the seats' numbers; the tables in the order of the option's.
SEATS: Mapping[str, tuple[Seat, ...]] = {
    "2p": (Seat("sherlock", SHERLOCK, 3), Seat("moriarty", MORIARTY, 2)),
    "3p": (Seat("sherlock_0", SHERLOCK, 2), Seat("sherlock_1", SHERLOCK, 2), Seat("moriarty", MORIARTY, 2)),
    "4p": (*(Seat(f"sherlock_{i}", SHERLOCK, 1) for i in range(3)), Seat("moriarty", MORIARTY, 2)),
    "4p_roles": (
        Seat("sherlock", SHERLOCK, 3),
        Seat("watson", WATSON, 1),
        Seat("moriarty", MORIARTY, 2),
        Seat("irene", IRENE, 1),
    ),
}
TABLE_NAMES = tuple(SEATS)


def detectives(table: str) -> int:
    """How many seats of the table are of the detective side."""
    return sum(seat.role in (SHERLOCK, WATSON) for seat in SEATS[table])
