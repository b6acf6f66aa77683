"""A position with whose eyes it is looked at: what the parts of a rendering share."""

from __future__ import annotations

from collections.abc import Sequence

from reichenbach.envs.core.record import States, plain
from reichenbach.envs.manor.actions import ASSAIL_ORDER, DEEDS, N_DEEDS
from reichenbach.envs.manor.map_option import numbered
from reichenbach.envs.manor.map_types import Map
from reichenbach.envs.manor.seats import SEATS, TABLE_NAMES, Seat
from reichenbach.envs.manor.state import CONTENTS, IRENE, MORIARTY, NONE, State
from reichenbach.envs.manor.words import LETTERS


class View:
    """One position, and the seat whose knowledge is drawn; ``sees_all`` for one past the last."""

    def __init__(self, states: States, view: int) -> None:
        self.state: State = plain(states)
        self.house: Map = numbered(self.state.map)
        self.table = TABLE_NAMES[self.state.table]
        self.seats: tuple[Seat, ...] = SEATS[self.table]
        self.seat = view
        self.sees_all = view >= len(self.seats)
        self.role = NONE if self.sees_all else self.seats[view].role
        self.knows_pair = self.sees_all or self.role in (MORIARTY, IRENE)

    def area(self, area: int) -> str:
        """The area's name."""
        return self.house.areas[area]

    def content(self, spot: int) -> str:
        """What the spot holds, as far as it is known."""
        known = self.sees_all or self.state.known[self.seat] >> spot & 1
        content: int = self.state.content[spot]
        return CONTENTS[content] if known else "?"

    def order(self, pawn: int, order: int) -> str:
        """An order in words."""
        if order == ASSAIL_ORDER:
            return f"{LETTERS[pawn]} assails"
        area, deed = divmod(order, N_DEEDS)
        return f"{LETTERS[pawn]} to {self.area(area)}" + (f" and {DEEDS[deed]}" if deed else "")

    def orders(self, by_pawn: Sequence[int]) -> str:
        """The orders of one seat in words."""
        return ", ".join(self.order(pawn, order) for pawn, order in enumerate(by_pawn) if order != NONE) or "none"
