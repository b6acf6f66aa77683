"""From the fields of a position's text into a state; notation.py says which fields there are, check.py what agrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reichenbach.envs.core import position
from reichenbach.envs.core.position import refusal
from reichenbach.envs.core.record import States, Tables
from reichenbach.envs.manor import words
from reichenbach.envs.manor.actions import HELPS, SEARCH
from reichenbach.envs.manor.actions import SPRAY as SPRAY_DEED
from reichenbach.envs.manor.options import INVENTORY_PRIVATE
from reichenbach.envs.manor.pairs import pair
from reichenbach.envs.manor.state import (
    FOOD,
    FUSE_BOX,
    HIDDEN,
    N_PAWNS,
    NONE,
    NOTHING,
    PASSAGE,
    WEAPON,
)
from reichenbach.envs.manor.tables import MAX_SPOTS
from reichenbach.envs.manor.words import CONTENT_WORDS, DEED_WORDS

Given = Mapping[str, str]

PAWN_WORDS = ("hungry", "injured", "fatigued", "armed", "food", "medicine", "spray")
PASSAGE_WORDS = ("hidden", "found", "open")  # HIDDEN, FOUND, OPEN
ANSWER_WORDS = ("far", "near", "none")  # 0, 1, NONE
NOTICE_WORDS = ("moriarty", "another")  # BY_MORIARTY, BY_ANOTHER
_NO_YES = ("no", "yes")
_NONE_AT_FIRST = (
    *("passage", "leak", "dog", "order", "vote", "acted", "came_from", "found", "last_order", "answer"),
    *("sprayed", "obeyed", "helped"),
)


@dataclass(frozen=True)
class Names:
    """What the text calls the seats of a table and the parts of a house, all in the order of their numbers."""

    seats: tuple[str, ...]
    areas: tuple[str, ...]
    spots: tuple[str, ...]  # their areas
    zones: tuple[str, ...]
    wings: tuple[str, ...]
    passages: tuple[str, ...]


def read(given: Given, names: Names, tables: Tables, state: States) -> None:
    """Fills an array of one, whose options are set, from a text's fields.

    Args:
        given: every field by name, defaults included except those that follow from others.
        names: of the table and the house.
        tables: of the options.
        state: zeros but for the options.

    Raises:
        BadPosition: names the field, what was wrong and what is allowed.
    """
    for field in _NONE_AT_FIRST:
        state[field] = NONE
    state["villain"] = words.pawn("villain", given["villain"])
    state["target"] = words.pawn("target", given["target"])
    if given["villain"] == given["target"]:
        raise refusal("target", f"{given['target']} is the villain too", "another pawn is needed (M1)")
    _read_pawns(given, names, state)
    _read_spots(given, names, tables, state)
    _read_knowledge(given, names, tables, state)
    _read_house(given, names, state)
    _read_clock(given, names, tables, state)
    _read_orders(given, names, state)
    _read_acts(given, names, state)
    _read_charts(given, names, tables, state)


def _read_pawns(given: Given, names: Names, state: States) -> None:
    where = [NONE] * N_PAWNS
    for entry in position.entries("pawns", given["pawns"]):
        letter, area, *rest = words.parts("pawns", entry, "PAWN:AREA", more=True)
        pawn = words.pawn("pawns", letter)
        if where[pawn] != NONE:
            raise refusal("pawns", f"{letter} stands twice", "each of A to F stands once")
        where[pawn] = position.word(f"pawns, {letter}", area, names.areas)
        for word in "+".join(rest).split("+") if rest else ():
            which = position.word(f"pawns, {letter}", word, PAWN_WORDS)
            if which >= 4:
                state["items"][0, pawn, which - 4] += 1
            else:
                state[("hunger", "injured", "fatigued", "armed")[which]][0, pawn] += 1
    if NONE in where:
        raise refusal("pawns", f"{words.LETTERS[where.index(NONE)]} is missing", "each of A to F stands once")
    state["area"] = where


# ---------------------------------------------------------------- spots


def _read_spots(given: Given, names: Names, tables: Tables, state: States) -> None:
    """What the spots hold or held; a text without ``spots`` leaves what is left of the counts, in the map's order."""
    gone = dict.fromkeys(_set(words.bits("fuse", given["fuse"], names.spots)), FUSE_BOX)
    state["fuse_boxes"] = sum(1 << spot for spot in gone)
    for spot, content in _contents("emptied", given["emptied"], names.spots).items():
        if gone.setdefault(spot, content) != content:
            raise refusal("emptied", f"{names.spots[spot]} is in fuse too", "it held fuse_box then")
    passage, passage_is = _passage(given, names)
    ends: list[list[int]] = tables["passage_spot"][0].tolist()
    if "spots" in given:
        here = _contents("spots", given["spots"], names.spots)
        for spot in here:
            if spot in gone:
                raise refusal("spots", f"{names.spots[spot]} is emptied too", "a spot is in one of the two")
        holders = [i for i in range(len(names.passages)) if any(here.get(spot) == PASSAGE for spot in ends[i])]
        passage = holders[0] if passage is None and holders else passage
    else:
        passage = 0 if passage is None and tables["counts"][0, PASSAGE] else passage
        hidden = ends[passage][0] if passage not in (None, NONE) else NONE
        here = _deal(gone, hidden, len(names.spots), tables, state)
        if passage_is != HIDDEN:
            gone.update({spot: PASSAGE for spot, content in here.items() if content == PASSAGE})
    state["passage"] = NONE if passage is None else passage
    state["passage_is"] = passage_is
    state["content"] = [here.get(spot, gone.get(spot, NOTHING)) for spot in range(MAX_SPOTS)]
    state["gone"] = sum(1 << spot for spot in range(MAX_SPOTS) if spot not in here or spot in gone)


def _contents(field: str, text: str, spots: Sequence[str]) -> dict[int, int]:
    found: dict[int, int] = {}
    for entry in position.entries(field, text):
        area, content = words.parts(field, entry, "AREA:CONTENT")
        spot = position.word(field, area, spots)
        if spot in found:
            raise refusal(field, f"{area} stands twice", "once is allowed")
        found[spot] = position.word(f"{field}, {area}", content, CONTENT_WORDS)
    return found


def _passage(given: Given, names: Names) -> tuple[int | None, int]:
    """The passage that the text names, None for none named, and whether it is found."""
    text = given.get("passage", position.EMPTY)
    if text == position.EMPTY:
        return (NONE if "passage" in given else None), HIDDEN
    name, _, how = text.partition(":")
    return position.word("passage", name, names.passages), position.word("passage", how or "hidden", PASSAGE_WORDS)


def _deal(gone: Mapping[int, int], hidden: int, n_spots: int, tables: Tables, state: States) -> dict[int, int]:
    """What is left of the counts over the spots that are not emptied, content by content in the map's order."""
    carried = [*state["items"][0].sum(axis=0).tolist(), int(state["armed"][0].sum())]
    rest: list[int] = []
    for content in range(NOTHING + 1):
        used = list(gone.values()).count(content)
        used = max(used, carried[content]) if content <= WEAPON else used
        rest += [content] * (int(tables["counts"][0, content]) - used if content != PASSAGE else 0)
    free = [spot for spot in range(n_spots) if spot not in gone and spot != hidden]
    here = dict(zip(free, rest, strict=False))
    return here | ({hidden: PASSAGE} if hidden != NONE else {})


def _read_knowledge(given: Given, names: Names, tables: Tables, state: States) -> None:
    """Spots and items that seats know of (M3, M20); the villain side knows all food and weapons."""
    named = {seat: words.bits("known", text, names.spots) for seat, text in _seats("known", given, names).items()}
    green_and_red = sum(1 << spot for spot, what in enumerate(state["content"][0].tolist()) if what in (FOOD, WEAPON))
    for seat in range(len(names.seats)):
        detective = bool(int(tables["detectives"][0]) >> seat & 1)
        state["known"][0, seat] = named.get(seat, 0 if detective else green_and_red)
    if state["inventory"][0] != INVENTORY_PRIVATE:
        state["known_items"][0, : len(names.seats)] = state["items"][0]
        if given["known_items"] != position.EMPTY:
            raise refusal("known_items", "all items are public", "it needs inventory=private (M20)")
    for seat, text in _seats("known_items", given, names).items():
        for entry in position.entries("known_items", text):
            letter, items = words.parts("known_items", entry, "PAWN:ITEM+ITEM")
            for item in items.split("+"):
                which = position.word("known_items", item, CONTENT_WORDS[:WEAPON])
                state["known_items"][0, seat, words.pawn("known_items", letter), which] += 1


# ---------------------------------------------------------------- the house and the clock


def _read_house(given: Given, names: Names, state: States) -> None:
    state["dark"] = words.bits("dark", given["dark"], names.wings)
    state["dark_next"] = words.bits("dark_next", given["dark_next"], names.wings)
    state["gas"] = words.bits("gas", given["gas"], names.areas)
    if given["leak"] != position.EMPTY:
        zone, turns = words.parts("leak", given["leak"], "ROOM:TURNS")
        state["leak"], state["leak_turns"] = (
            position.word("leak", zone, names.zones),
            position.number("leak", turns, 1, 2),
        )
    state["dog_came"] = given["dog"] != position.EMPTY
    if given["dog"] not in (position.EMPTY, "left"):
        area, turns = words.parts("dog", given["dog"], "AREA:TURNS")
        state["dog"] = position.word("dog", area, names.areas)
        state["dog_turns"] = position.number("dog", turns, 1, 3)


def _read_clock(given: Given, names: Names, tables: Tables, state: States) -> None:
    state["turn"] = position.number("turn", given["turn"], 1, 3 * int(state["days"][0]) + 1)
    for field in ("final", "voting", "failed_assail"):
        state[field] = position.word(field, given[field], _NO_YES)
    state["slot"] = position.number("slot", given["slot"], 1, int(tables["slots"][0])) - 1
    state["submitter"] = position.word("submitter", given.get("submitter", names.seats[0]), names.seats)


def _read_orders(given: Given, names: Names, state: States) -> None:
    """The commands of this turn; who gave fewer than it submitted has passed (M9)."""
    villain = int(state["villain"][0])
    for field, into in (("orders", "order"), ("last_orders", "last_order")):
        for seat, text in _seats(field, given, names).items():
            state[into][0, seat] = words.orders(field, text, names.areas, villain)
    for seat in range(len(names.seats)):
        submitted = int(state["slot"][0]) + (seat < state["submitter"][0])
        state["used"][0, seat] = (state["order"][0, seat] != NONE).sum()
        state["passed"][0, seat] = not state["voting"][0] and state["used"][0, seat] < submitted
    for seat, text in _seats("votes", given, names).items():
        state["vote"][0, seat] = words.pawn("votes", text)


# ---------------------------------------------------------------- the last action phase


def _read_acts(given: Given, names: Names, state: States) -> None:
    """What pawns did, in the order of acting, and what seats were told of it."""
    for place, entry in enumerate(position.entries("acts", given["acts"])):
        letter, area, *rest = words.parts("acts", entry, "PAWN:FROM", more=True)
        pawn = words.pawn("acts", letter)
        if state["acted"][0, pawn] != NONE:
            raise refusal("acts", f"{letter} stands twice", "each pawn acts once")
        state["acted"][0, pawn] = place
        state["came_from"][0, pawn] = position.word(f"acts, {letter}", area, names.areas)
        _read_deed(f"acts, {letter}", rest, pawn, names, state)
    for entry in position.entries("finds_seen", given["finds_seen"]):
        letter, seats = words.parts("finds_seen", entry, "PAWN:SEAT+SEAT")
        seen = words.bits("finds_seen", seats.replace("+", ",") if seats != "nobody" else position.EMPTY, names.seats)
        state["find_seen"][0, words.pawn("finds_seen", letter)] = seen
    for seat, text in _seats("notices", given, names).items():
        for entry in position.entries("notices", text):
            letter, who = words.parts("notices", entry, "PAWN:WHO")
            kind = 1 + position.word("notices", who, NOTICE_WORDS)
            state["notice"][0, seat, words.pawn("notices", letter)] = kind
    state["exposed"] = words.bits("exposed", given["exposed"], words.LETTERS)


def _read_deed(field: str, rest: list[str], pawn: int, names: Names, state: States) -> None:
    """What stands after a pawn and where it came from: the deed, what was found or who was helped, left, forced."""
    flags = [word for word in rest if word in ("left", "forced")]
    rest = [word for word in rest if word not in flags]
    deed = position.word(field, rest[0] if rest else "nothing", DEED_WORDS)
    if len(rest) != (2 if deed == SEARCH or deed in HELPS else min(len(rest), 1)):
        expected = "expected DEED, search:CONTENT, or feed or heal_other:PAWN"
        raise refusal(field, f"{':'.join(rest)!r} is not as it should be", expected)
    state["did"][0, pawn] = deed
    state["forced"][0, pawn], state["left"][0, pawn] = "forced" in flags, "left" in flags
    if deed == SEARCH:
        state["found"][0, pawn] = found = position.word(field, rest[1], CONTENT_WORDS)
        public = state["inventory"][0] != INVENTORY_PRIVATE or found in (WEAPON, FUSE_BOX, PASSAGE)  # M20
        state["find_seen"][0, pawn] = (1 << len(names.seats)) - 1 if public else 0
    if deed in HELPS:
        state["helped"][0, pawn] = words.pawn(field, rest[1])
    if deed == SPRAY_DEED:
        state["sprayed"][0, pawn] = state["area"][0, pawn]


# ---------------------------------------------------------------- charts


def _read_charts(given: Given, names: Names, tables: Tables, state: States) -> None:
    """Answers, charts and beliefs; a detective believes what its side's chart leaves, the villain side knows."""
    for night, answer in enumerate(position.entries("answers", given["answers"])):
        if night == 3:
            raise refusal("answers", "has more than 3 entries", "there are at most 3 nights")
        which = position.word("answers", answer, ANSWER_WORDS)
        state["answer"][0, night] = which if which < 2 else NONE
    state["chart"] = words.pairs("chart", given["chart"])
    state["side_chart"] = words.pairs("side_chart", given.get("side_chart", given["chart"]))
    state["belief"] = pair(int(state["villain"][0]), int(state["target"][0]))
    named = _seats("beliefs", given, names)
    for seat in range(len(names.seats)):
        if seat in named:
            state["belief"][0, seat] = words.pairs("beliefs", named[seat])
        elif int(tables["detectives"][0]) >> seat & 1:
            state["belief"][0, seat] = state["side_chart"][0]


def _seats(field: str, given: Given, names: Names) -> dict[int, str]:
    return words.by_seat(field, given[field], names.seats)


def _set(bits: int) -> list[int]:
    return [bit for bit in range(MAX_SPOTS) if bits >> bit & 1]
