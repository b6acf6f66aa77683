"""A position as text, for tests, traces, replays and `reset`: writing it, and reading it with every error named.

    table=4p_roles map=gull villain=E target=F turn=4 pawns=A:H1,B:G3:fatigued,C:L1:armed+food,D:K1,E:P1,F:S1
    spots=L2:weapon,S1:food known=sherlock/S1 chart=E:ABCDF orders=sherlock/A>H2,B>G1:search slot=3

``RULES.md`` explains the fields. Only ``villain``, ``target`` and ``pawns`` are needed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from reichenbach.envs.core.position import EMPTY, Notation
from reichenbach.envs.core.record import States
from reichenbach.envs.manor import reading, writing
from reichenbach.envs.manor.check import check_position
from reichenbach.envs.manor.map_option import numbered
from reichenbach.envs.manor.options import OPTIONS, seats
from reichenbach.envs.manor.reading import Names
from reichenbach.envs.manor.rules import tables_of
from reichenbach.envs.manor.seats import TABLE_NAMES
from reichenbach.envs.manor.state import NONE, SIDES, STATE, WINNER, Ending

_NO = dict.fromkeys(("final", "voting", "failed_assail"), "no")
_NOTHING = dict.fromkeys(
    (
        *("emptied", "known", "known_items", "fuse", "dark", "dark_next", "leak", "gas", "dog"),
        *("orders", "votes", "answers", "beliefs", "acts", "finds_seen", "notices", "last_orders", "exposed"),
    ),
    EMPTY,
)
NOTATION = Notation(
    STATE,
    OPTIONS,
    needed=("villain", "target", "pawns"),
    defaults={"turn": "1", "slot": "1", "chart": "all", **_NO, **_NOTHING},
    others=("submitter", "spots", "passage", "side_chart"),
    always=("table", "map"),
)


def parse(text: str, **option_values: Any) -> States:
    """Reads a position; options stand in the text or are given by name.

    Returns:
        An array of one. ``seed=`` sets its key, otherwise the key is that of seed 0.

    Raises:
        BadPosition: the text is no position; says which field, what was wrong and what is allowed.
        BadOption: an option of unknown name or out of range.
    """
    state, given = NOTATION.begin(text, option_values)
    names, house = names_of(state), tables_of(state)
    reading.read(given, names, house, state)
    check_position(state, names, house)
    return state


def format(state: States) -> str:
    """The text of an array of one; `parse` reads it back. The key, from which future chance comes, is left out.

    A finished game ends with ``winner=`` and ``ending=`` and cannot be read back as a position.
    """
    ending = int(state["ending"][0])
    winner = SIDES[WINNER[ending]] if WINNER[ending] != NONE else "nobody"
    fields = writing.fields(state, names_of(state), tables_of(state))
    return NOTATION.write(state, fields, {"winner": winner, "ending": Ending(ending).name.lower()} if ending else {})


# ---------------------------------------------------------------- what a state belongs to


def names_of(state: States) -> Names:
    """What an array of one calls its seats and the parts of its house."""
    return _names(int(state["map"][0]), int(state["table"][0]))


@lru_cache
def _names(number: int, table: int) -> Names:
    house = numbered(number)
    return Names(
        seats=seats({"table": TABLE_NAMES[table]}),
        areas=house.areas,
        spots=tuple(house.areas[area] for area in house.spots),
        zones=tuple(zone.name for zone in house.zones),
        wings=house.wings,
        passages=tuple(f"{house.areas[one]}-{house.areas[other]}" for one, other in house.passages),
    )
