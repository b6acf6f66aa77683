"""What a rendering retells: the last turn as the seat saw it, its orders, what it is told, answers and charts."""

from __future__ import annotations

from collections.abc import Iterator

from reichenbach.envs.manor.actions import ASSAILED, HELPS, SEARCH
from reichenbach.envs.manor.state import BY_MORIARTY, CONTENTS, IRENE, MORIARTY, NONE, PAWNS
from reichenbach.envs.manor.view import View
from reichenbach.envs.manor.words import LETTERS

_DID = (
    *("", "searched", "ate", "fed", "healed itself", "healed", "sprayed", "used the fuse box"),
    "assailed",
)


def last_turn(view: View) -> Iterator[str]:
    """What all saw, in the order of acting, and what the seat was told."""
    state = view.state
    acted = sorted((place, pawn) for pawn, place in enumerate(state.acted) if place != NONE)
    yield "  last turn, in the order of acting" if acted else "  no pawn has acted yet"
    for _, pawn in acted:
        start, end = view.area(state.came_from[pawn]), view.area(state.area[pawn])
        way = f"{start} -> {end}" if start != end else f"stayed at {end}"
        yield f"    {PAWNS[pawn]} {way}{_deed(view, pawn)}"
    if not view.sees_all:
        for pawn, notice in enumerate(state.notice[view.seat]):
            if notice:
                yield f"  you are told: {_notice(pawn, notice)}"


def _deed(view: View, pawn: int) -> str:
    state = view.state
    deed = state.did[pawn]
    text = f", {_DID[deed]}" if deed else ""
    text += f" {PAWNS[state.helped[pawn]]}" if deed in HELPS else ""
    if deed == SEARCH:
        if view.sees_all or state.find_seen[pawn] >> view.seat & 1:
            text += f": {CONTENTS[state.found[pawn]]}"
        text += ", left it there" if state.left[pawn] else ""
    return text + (", ran although fatigued" if state.forced[pawn] and deed != ASSAILED else "")


# ---------------------------------------------------------------- orders and what is known


def own_orders(view: View) -> Iterator[str]:
    """Orders and votes of the seat, and of the villain side's other seat the last turn's; of all if it sees all."""
    state = view.state
    for number, seat in enumerate(view.seats):
        whose = "your" if number == view.seat else f"{seat.name}'s"
        if view.sees_all or number == view.seat:
            passed = ", passed" if state.passed[number] else ""
            orders = view.orders(state.order[number])
            yield f"  {whose} orders: {orders} ({state.used[number]} of {seat.quota} given{passed})"
        ally = view.knows_pair and seat.role in (MORIARTY, IRENE)
        if view.sees_all or number == view.seat or ally:
            yield f"  {whose} orders of the last turn: {view.orders(state.last_order[number])}"
        if state.vote[number] != NONE and (view.sees_all or number == view.seat):
            yield f"  {whose} vote: {PAWNS[state.vote[number]]}"
        if view.sees_all:
            yield from _secrets(view, number)


def _secrets(view: View, number: int) -> Iterator[str]:
    """What a seat alone knows."""
    state, name = view.state, view.seats[number].name
    spots = [view.area(area) for spot, area in enumerate(view.house.spots) if state.known[number] >> spot & 1]
    yield f"  {name} knows what was to be found at {' '.join(spots) or 'no spot'}"
    for pawn, notice in enumerate(state.notice[number]):
        if notice:
            yield f"  told to {name}: {_notice(pawn, notice)}"


def _notice(pawn: int, notice: int) -> str:
    return f"{PAWNS[pawn]} followed {'Moriarty' if notice == BY_MORIARTY else 'another'}'s order instead"


def charts(view: View) -> Iterator[str]:
    """The nightly answers, the chart, and beside it what the seat cannot rule out."""
    state = view.state
    answers = [
        f"night {night + 1}: {'within 3 areas' if answer else 'farther than 3 areas'}"
        for night, answer in enumerate(state.answer)
        if answer != NONE
    ]
    yield f"  villain and target, {'; '.join(answers)}" if answers else "  no nightly answer yet"
    tables = {"chart": state.chart if view.knows_pair else state.side_chart}
    if view.sees_all and state.side_chart != state.chart:
        tables["the detectives'"] = state.side_chart
    seats = range(len(view.seats)) if view.sees_all else [view.seat]
    for seat in seats:
        if view.seats[seat].role not in (MORIARTY, IRENE):
            tables["your belief" if not view.sees_all else view.seats[seat].name] = state.belief[seat]
    yield "  " + " " * 10 + "".join(f"{title:17}" for title in tables)
    yield "  target    " + f"{' '.join(LETTERS):17}" * len(tables)
    for villain, letter in enumerate(LETTERS):
        rows = "".join(f"{_row(pairs, villain):17}" for pairs in tables.values())
        yield f"  villain {letter} {rows}"


def _row(pairs: int, villain: int) -> str:
    marks = ["x" if pairs >> bit & 1 else "." for bit in range(5 * villain, 5 * villain + 5)]
    return " ".join([*marks[:villain], " ", *marks[villain:]])
