"""The position as text, as one seat knows it: what is asked, the house by zones, the pawns; the rest by retell.py.

Behind an area's name stand in brackets what is left to find there, ``?`` where the seat does not know, then the letters
of the pawns, gas that a spray left, and the dog. A dash joins areas of a zone that are neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from reichenbach.envs.core import options
from reichenbach.envs.core.record import States
from reichenbach.envs.manor.map_option import numbered
from reichenbach.envs.manor.map_types import Map
from reichenbach.envs.manor.options import OPTIONS
from reichenbach.envs.manor.retell import charts, last_turn, own_orders
from reichenbach.envs.manor.state import CONTENTS, HIDDEN, MORIARTY, NONE, OPEN, PAWNS, SIDES, WINNER, Ending
from reichenbach.envs.manor.view import View
from reichenbach.envs.manor.words import LETTERS

_PARTS = ("night", "morning", "afternoon")
_ITEMS = CONTENTS[:3]
_WHY = {
    Ending.MURDER: "the target was murdered",
    Ending.ASSAIL: "the target was murdered in an assail",
    Ending.ASSAIL_FAILED: "the target outlived an assail",
    Ending.IDENTIFIED: "the chart left one villain, and the target lives",
    Ending.NAMED: "the villain was named",
    Ending.WRONG_NAME: "the target lives, and the wrong pawn was named",
}
_LEGEND = (
    "A-F pawns; in brackets what is left to find, ? where you do not know; – open way; "
    "x a pair that is possible, . one that is not"
)


def render(states: States, view: int) -> str:
    """The position as text.

    Args:
        states: an array of one.
        view: the seat whose knowledge is drawn; one past the last knows everything but what chance will do.

    Returns:
        Lines of text without a newline at the end.
    """
    seen = View(states, view)
    blocks = (_headline(seen, states), _house(seen), _pawns(seen), last_turn(seen), own_orders(seen), charts(seen))
    lines = [line.rstrip() for block in blocks for line in (*block, "")]
    return "\n".join([*lines, _LEGEND])


# ---------------------------------------------------------------- what is asked of whom


def _headline(view: View, states: States) -> Iterator[str]:
    state = view.state
    when = f"turn {state.turn}, {_PARTS[state.turn % 3]} of day {(state.turn + 2) // 3}"
    if state.final:
        when = f"the final turn, after turn {state.turn}"
    if state.voting:
        when = f"the final deduction, after turn {state.turn}"
    yield f"The Manor, table {view.table}, map {view.house.name}: {when}"
    changed = options.changed(OPTIONS, options.read(OPTIONS, states))
    rules = [f"{name}={text}" for name, text in changed.items() if name not in ("table", "map")]
    if rules:
        yield f"rules: {' '.join(rules)}"
    if state.ending:
        ending = Ending(state.ending)
        winner = WINNER[ending]
        yield f"over: {'nobody wins' if winner == NONE else f'the {SIDES[winner]} win'}; {_WHY[ending]}"
    else:
        mover = view.seats[state.submitter].name
        slots = max(seat.quota for seat in view.seats)
        yield f"{mover} names a pawn" if state.voting else f"{mover} gives an order, slot {state.slot + 1} of {slots}"
    if not view.sees_all:
        yield f"you are {view.seats[view.seat].name}"
    if view.knows_pair:
        places = [f"{PAWNS[pawn]} at {view.area(state.area[pawn])}" for pawn in (state.villain, state.target)]
        yield f"secret: the villain is {places[0]}, the target {places[1]}"


# ---------------------------------------------------------------- the house


def _house(view: View) -> Iterator[str]:
    state, house = view.state, view.house
    here: list[str] = [""] * len(house.areas)
    for spot, area in enumerate(house.spots):
        if not state.gone >> spot & 1:
            here[area] = f"({view.content(spot)})"
    areas: list[int] = list(state.area)
    for pawn, area in enumerate(areas):
        here[area] += LETTERS[pawn] if here[area][-1:].isupper() else f" {LETTERS[pawn]}"
    for area in range(len(house.areas)):
        here[area] += " gas" if state.gas >> area & 1 else ""
        here[area] += " dog" if state.dog == area else ""
    zones, doors = _plan(state.map)
    for number, (name, parts, more) in enumerate(zones):
        row = "".join([before + here[area] for before, area in parts])
        yield f"  {name}  {row}{more}{_dangers(view, number)}"
    yield f"  doors {doors}"
    yield f"  passage {_passage(view)}"
    boxes = [view.area(area) for spot, area in enumerate(house.spots) if state.fuse_boxes >> spot & 1]
    if boxes:
        yield f"  fuse box that works: {', '.join(boxes)}"
    if state.dog != NONE:
        yield f"  the dog stays for {_turns(state.dog_turns)}, this one included"


@lru_cache
def _plan(number: int) -> tuple[tuple[tuple[str, tuple[tuple[str, int], ...], str], ...], str]:
    """What of a map never changes: its zones, and its doors.

    A zone is its name with kind and wing, then every area with what stands before its number and its name, then ways
    that no dash shows.
    """
    house = numbered(number)
    return tuple(_zone(house, zone) for zone in range(len(house.zones))), _edges(house, house.doors)


def _zone(house: Map, number: int) -> tuple[str, tuple[tuple[str, int], ...], str]:
    zone = house.zones[number]
    open_ways = {frozenset(edge) for edge in house.open}
    dashes = [frozenset(pair) for pair in pairwise(zone.areas)]
    joined = ["", *(" – " if pair in open_ways else "   " for pair in dashes)]
    parts = tuple((join + house.areas[area], area) for join, area in zip(joined, zone.areas, strict=True))
    others = [edge for edge in house.open if edge[0] in zone.areas and frozenset(edge) not in dashes]
    width, wings = max(len(each.name) for each in house.zones), max(len(each) for each in house.wings)
    name = f"{zone.name:{width}}  {'room' if zone.is_room else 'corridor':8}  {house.wings[zone.wing]:{wings}}"
    return name, parts, f"   also {_edges(house, others)}" if others else ""


def _edges(house: Map, edges: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{house.areas[one]}–{house.areas[other]}" for one, other in edges)


def _dangers(view: View, number: int) -> str:
    """Darkness and gas in a zone."""
    state, wing = view.state, view.house.zones[number].wing
    found = ["dark"] * (state.dark >> wing & 1) + ["dark next turn"] * (state.dark_next >> wing & 1)
    if state.leak == number:
        found.append(f"gas leak, {_turns(state.leak_turns)}")
    return f"   [{'; '.join(found)}]" if found else ""


def _turns(count: int) -> str:
    return f"{count} turn{'s' if count > 1 else ''}"


def _passage(view: View) -> str:
    state, house = view.state, view.house
    if state.passage_is != HIDDEN:
        when = "open" if state.passage_is == OPEN else "found, open from the next turn on"
        return f"{_edges(house, [house.passages[state.passage]])}, {when}"
    if state.passage == NONE:  # as the counts say, which all know
        return "none"
    if view.sees_all:
        return f"{_edges(house, [house.passages[state.passage]])}, not found"
    return f"not found; possible {_edges(house, house.passages)}"


# ---------------------------------------------------------------- pawns


def _pawns(view: View) -> Iterator[str]:
    state = view.state
    yield "  pawn       at    moves  carries                     is"
    for pawn, name in enumerate(PAWNS):
        ailments = ["hungry"] * state.hunger[pawn] + ["injured"] * state.injured[pawn]
        marks = [f"critical ({', '.join(ailments)})"] if len(ailments) > 1 else ailments
        marks = marks + ["fatigued"] * state.fatigued[pawn]
        items = state.items if view.sees_all else state.known_items[view.seat]
        carried = ["weapon"] * state.armed[pawn]
        carried += [item for item, count in zip(_ITEMS, items[pawn], strict=True) for _ in range(count)]
        start = f"  {name:9}  {view.area(state.area[pawn]):4}  {_limit(view, pawn)}"
        yield f"{start}      {', '.join(carried):26}  {', '.join(marks)}"


def _limit(view: View, pawn: int) -> int:
    """How far the seat may send the pawn (M10, M11); an all-seeing one is told the pawn's own limit."""
    state = view.state
    most = 2 if state.fatigued[pawn] and view.role != MORIARTY else 3
    if state.hunger[pawn]:
        most = min(most, state.hungry_reach)
    if state.injured[pawn] and state.injury_slows:
        most = min(most, 2)
    return 1 if state.hunger[pawn] + state.injured[pawn] >= 2 else most
