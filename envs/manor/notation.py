"""A position as text, for tests, traces, replays and `reset`: writing it, and reading it with every error named.

    table=4p_roles map=gull villain=E target=F turn=4 pawns=A:H1,B:G3:fatigued,C:L1:armed+food,D:K1,E:P1,F:S1
    spots=L2:weapon,S1:food known=sherlock/S1 chart=E:ABCDF orders=sherlock/A>H2,B>G1:search slot=3

``RULES.md`` explains the fields. Only ``villain``, ``target`` and ``pawns`` are needed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from reichenbach.envs.core import chance, options
from reichenbach.envs.core.errors import BadPosition
from reichenbach.envs.core.record import States
from reichenbach.envs.manor import reading, words, writing
from reichenbach.envs.manor.check import check_position
from reichenbach.envs.manor.map_option import numbered
from reichenbach.envs.manor.options import OPTIONS, seats
from reichenbach.envs.manor.reading import Names
from reichenbach.envs.manor.rules import tables_of
from reichenbach.envs.manor.seats import TABLE_NAMES
from reichenbach.envs.manor.state import SIDES, STATE, WINNER, Ending

_NEEDED = ("villain", "target", "pawns")
_NO = dict.fromkeys(("final", "voting", "failed_assail"), "no")
_EMPTY = dict.fromkeys(
    (
        *("emptied", "known", "known_items", "fuse", "dark", "dark_next", "leak", "gas", "dog"),
        *("orders", "votes", "answers", "beliefs", "acts", "finds_seen", "notices", "last_orders", "exposed"),
    ),
    words.EMPTY,
)
_DEFAULTS = {"turn": "1", "slot": "1", "chart": "all", **_NO, **_EMPTY}
_FIELDS = (*_NEEDED, *_DEFAULTS, "submitter", "spots", "passage", "side_chart", "seed")
_OPTION_NAMES = tuple(option.name for option in OPTIONS)


def parse(text: str, **option_values: Any) -> States:
    """Reads a position; options stand in the text or are given by name.

    Returns:
        An array of one. ``seed=`` sets its key, otherwise the key is that of seed 0.

    Raises:
        BadPosition: the text is no position; says which field, what was wrong and what is allowed.
        BadOption: an option of unknown name or out of range.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BadPosition(f"position, {text!r}: expected a text")
    fields, text_options = _split(text)
    given_options = {name: options.find(OPTIONS, name).check(value) for name, value in option_values.items()}
    for name, value in given_options.items():
        if text_options.get(name, value) != value:
            said, wanted = options.brief(text_options[name]), options.brief(value)
            raise BadPosition(f"position, {name}: the text says {said!r}, the argument {wanted!r}")
    for name in _NEEDED:
        if name not in fields:
            raise BadPosition(f"position, {name}: is missing; {', '.join(_NEEDED)} are needed")
    state: States = np.zeros(1, STATE)
    options.write(OPTIONS, options.resolve(OPTIONS, {**given_options, **text_options}), state)
    chance.seed(state, [words.number("seed", fields.get("seed", "0"), 0, 2**128)])
    names, house = names_of(state), tables_of(state)
    reading.read({**_DEFAULTS, **fields}, names, house, state)
    check_position(state, names, house)
    return state


def _split(text: str) -> tuple[dict[str, str], dict[str, Any]]:
    """The text's fields, and its options with their values read."""
    fields: dict[str, str] = {}
    found: dict[str, Any] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not equals:
            raise BadPosition(f"position, {part!r}: expected name=value")
        if name in fields or name in found:
            raise BadPosition(f"position, {name}: is given twice")
        if name in _OPTION_NAMES:
            found[name] = options.find(OPTIONS, name).read(value)
        elif name in _FIELDS:
            fields[name] = value
        elif name in ("winner", "ending"):
            raise BadPosition(f"position, {name}: the game is over; only games under way can be read")
        else:
            allowed = ", ".join((*_FIELDS, *_OPTION_NAMES))
            raise BadPosition(f"position, {name}: there is no such field; allowed are {allowed}")
    return fields, found


def format(state: States) -> str:
    """The text of an array of one; `parse` reads it back. The key, from which future chance comes, is left out.

    A finished game ends with ``winner=`` and ``ending=`` and cannot be read back as a position.
    """
    values = options.read(OPTIONS, state)
    changed = options.changed(OPTIONS, values)
    first = {option.name: option.write(values[option.name]) for option in OPTIONS if option.name in ("table", "map")}
    fields = writing.fields(state, names_of(state), tables_of(state))
    parts = {**first, **fields, **{name: text for name, text in changed.items() if name not in first}}
    ending = int(state["ending"][0])
    if ending:
        winner = WINNER[ending]
        parts["winner"] = SIDES[winner] if winner >= 0 else "nobody"
        parts["ending"] = Ending(ending).name.lower()
    return " ".join(f"{name}={text}" for name, text in parts.items())


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
