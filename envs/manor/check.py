"""What must agree between the fields of a position that was read from text."""

from __future__ import annotations

from typing import Any

import numpy as np

from reichenbach.envs.core import one as verb
from reichenbach.envs.core.position import refusal
from reichenbach.envs.core.record import States, Tables, duplicate
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.illegal import why_illegal
from reichenbach.envs.manor.options import EXPOSURE_SIDE, INVENTORY_PRIVATE
from reichenbach.envs.manor.pairs import PAIRS, pair
from reichenbach.envs.manor.reading import Names
from reichenbach.envs.manor.state import (
    FOOD,
    FUSE_BOX,
    HIDDEN,
    N_PAWNS,
    NO_NOTICE,
    NONE,
    NOTHING,
    PASSAGE,
    WEAPON,
)
from reichenbach.envs.manor.words import CONTENT_WORDS, LETTERS, order_text, pairs_text


def check_position(states: States, names: Names, tables: Tables) -> None:
    """Refuses a position whose fields contradict each other; whether play could have led there is not asked.

    Args:
        states: an array of one.
        names: of the table and the house.
        tables: of its options.

    Raises:
        BadPosition: names the field, what is wrong and what is allowed.
    """
    one, house = states[0], tables[0]
    _check_pawns(one)
    _check_contents(one, house, names)
    _check_passage(one, house, names)
    _check_knowledge(one, house, names)
    _check_charts(one, house, names)
    _check_clock(one, house, names)
    _check_orders(states, tables, names)
    _check_acts(one, house, names)


# ---------------------------------------------------------------- pawns and spots


def _check_pawns(one: Any) -> None:
    for pawn, letter in enumerate(LETTERS):
        where = f"pawns, {letter}"
        if one.items[pawn].sum() > 2:
            raise refusal(where, f"carries {one.items[pawn].sum()} items", "two are allowed, and a weapon (M17)")
        if one.armed[pawn] > 1 or one.fatigued[pawn] > 1 or one.injured[pawn] > 1:
            raise refusal(where, "armed, fatigued or injured stands twice", "once is allowed (M17, M23)")
        if one.hunger[pawn] > (2 if one.stack_hunger else 1):
            raise refusal(where, f"hungry stands {one.hunger[pawn]} times", "once is allowed, twice with stack_hunger")
        if one.hunger[pawn] + one.injured[pawn] > 2:
            raise refusal(where, "more than two ailments", "nothing is beyond critical (M23)")


def _check_contents(one: Any, house: Any, names: Names) -> None:
    """No more of a kind in spots, emptied or not, nor left and carried, than the map and the options have (M6)."""
    carried = [*one.items.sum(axis=0).tolist(), int(one.armed.sum()), 0, 0, 0]
    for content, word in enumerate(CONTENT_WORDS):
        here = [spot for spot in range(len(names.spots)) if one.content[spot] == content]
        left = [spot for spot in here if not one.gone >> spot & 1]
        # An emptied spot of which the text says nothing counts as one that held nothing.
        count = max(len(here) if content != NOTHING else len(left), len(left) + carried[content])
        if count > house.counts[content]:
            wrong = f"{count} × {word}, with what is carried and emptied"
            raise refusal("spots", wrong, f"allowed are {house.counts[content]} (M6)")
    for spot, area in enumerate(names.spots):
        if one.fuse_boxes >> spot & 1 and not (one.content[spot] == FUSE_BOX and one.gone >> spot & 1):
            raise refusal("fuse", f"the spot {area} is not an emptied one that held it", "it is found by a search")


def _check_passage(one: Any, house: Any, names: Names) -> None:
    """A passage that is not found is hidden at one of its ends; one that is was (M6, M19)."""
    spots = [spot for spot in range(len(names.spots)) if one.content[spot] == PASSAGE]
    ends: list[int] = house.passage_spot[one.passage].tolist() if one.passage != NONE else []
    for spot in spots:
        if spot not in ends:
            allowed = f"its ends are {' and '.join(names.spots[end] for end in ends)}" if ends else "there is none"
            raise refusal("passage", f"the spot {names.spots[spot]} holds it", allowed)
        gone = bool(one.gone >> spot & 1)
        if gone != (one.passage_is != HIDDEN):
            raise refusal("passage", "is hidden, or its spot is not emptied", "emptying its spot finds it (M19)")
    if ends and one.passage_is == HIDDEN and not spots:
        raise refusal("passage", "is hidden, but no spot holds it", "one of its two ends must")


def _check_knowledge(one: Any, house: Any, names: Names) -> None:
    """M3, M20."""
    for seat, name in enumerate(names.seats):
        if house.detectives >> seat & 1:
            continue
        for spot, area in enumerate(names.spots):
            if one.content[spot] in (FOOD, WEAPON) and not one.known[seat] >> spot & 1:
                allowed = "the villain side knows all food and weapons (M3)"
                raise refusal("known", f"{name} does not know {area}", allowed)
    more = np.argwhere(one.known_items[: len(names.seats)] > one.items)
    if one.inventory == INVENTORY_PRIVATE and len(more):
        seat, pawn, item = more[0]
        wrong = f"{names.seats[seat]} knows of {one.known_items[seat, pawn, item]} × {CONTENT_WORDS[item]}"
        raise refusal("known_items", wrong, f"{LETTERS[pawn]} has {one.items[pawn, item]}")


# ---------------------------------------------------------------- charts and clock


def _check_charts(one: Any, house: Any, names: Names) -> None:
    """Every chart and belief holds the true pair and lies inside the one that it narrows (M27, §14)."""
    true = pair(int(one.villain), int(one.target))
    charts = [("chart", int(one.chart), -1), ("side_chart", int(one.side_chart), int(one.chart))]
    for seat, name in enumerate(names.seats):
        detective = bool(house.detectives >> seat & 1)
        charts.append((f"beliefs, {name}", int(one.belief[seat]), int(one.side_chart) if detective else true))
    for field, pairs, outer in charts:
        if not pairs & true:
            raise refusal(field, f"{pairs_text(pairs)} is without the true pair", f"{pairs_text(true)} is always left")
        if pairs & ~outer:
            raise refusal(field, f"{pairs_text(pairs & ~outer)} is ruled out", f"allowed are {pairs_text(outer)}")
    if one.side_chart != one.chart and one.exposure != EXPOSURE_SIDE:
        raise refusal("side_chart", "differs from the chart", "it needs exposure=side")
    if one.failed_assail and not one.chart == one.side_chart == true:
        raise refusal("failed_assail", "the chart holds several pairs", f"allowed is {pairs_text(true)} alone (M25)")
    villains = {PAIRS[bit][0] for bit in range(len(PAIRS)) if one.side_chart >> bit & 1}
    if one.final and len(villains) > 1:
        raise refusal("final", "the chart leaves several villains", "one is left in a final turn (M28)")
    if not one.final and (one.failed_assail or (one.voting and len(villains) == 1)):
        raise refusal("final", "villain and target are known", "a final turn follows at once, or the end (M25, M28)")


def _check_clock(one: Any, house: Any, names: Names) -> None:
    last = 3 * int(one.days) + 1
    if one.final and (one.voting or one.turn == last):
        raise refusal("final", "there is no final turn after the last turn", f"it follows one of 1 to {last - 1} (M28)")
    if one.voting and (one.turn != last or one.slot):
        allowed = f"after turn {last} is allowed, slot 1 (M30)"
        raise refusal("voting", f"it is turn {one.turn}, slot {one.slot + 1}", allowed)
    if one.leak != NONE and one.leak not in house.room[: house.n_rooms]:
        numbers: list[int] = house.room[: house.n_rooms].tolist()
        rooms = ", ".join(names.zones[room] for room in numbers)
        raise refusal("leak", f"{names.zones[one.leak]} is no room", f"allowed are {rooms} (M21)")
    for seat, name in enumerate(names.seats):
        votes = bool(one.voting and house.detectives >> seat & 1 and seat < one.submitter)
        if (one.vote[seat] != NONE) != votes:
            wrong = f"{name} has {'not ' if votes else ''}named a pawn"
            raise refusal("votes", wrong, "with voting=yes the detectives before the submitter have, nobody else (M30)")


# ---------------------------------------------------------------- orders and acts


def _check_orders(states: States, tables: Tables, names: Names) -> None:
    """How many orders each seat gave, and that each was allowed when it was given (M9, M12)."""
    one, house = states[0], tables[0]
    for seat, name in enumerate(names.seats):
        submitted = 0 if one.voting else int(one.slot) + int(seat < one.submitter)
        most = min(submitted, int(house.quota[seat]))
        if one.used[seat] > most:
            raise refusal(
                "orders", f"{name} gave {one.used[seat]}", f"by slot {one.slot + 1} it can have given {most} (M2, M9)"
            )
        if not one.used[seat]:
            continue
        fresh = duplicate(states)
        fresh["slot"], fresh["submitter"] = 0, seat
        fresh["order"][0, seat], fresh["used"][0, seat], fresh["passed"][0, seat] = NONE, 0, 0
        mask = np.zeros(actions.N_ACTIONS, np.int8)
        verb.legal(fresh, tables, seat, mask)
        for pawn in range(N_PAWNS):
            order = int(one.order[seat, pawn])
            assails = order == actions.ASSAIL_ORDER
            action = actions.ASSAIL if assails else pawn * actions.ORDERS + order
            if order != NONE and not mask[action]:
                text = order_text(pawn, order, names.areas)
                raise refusal("orders", f"{text}", why_illegal(fresh, action, seat))


def _check_acts(one: Any, house: Any, names: Names) -> None:
    for seat, name in enumerate(names.seats):
        if not house.detectives >> seat & 1 and (one.notice[seat] != NO_NOTICE).any():
            raise refusal("notices", f"{name} is told something", "the villain side is told nothing (M13)")
    for pawn, letter in enumerate(LETTERS):
        if one.left[pawn] and not 0 <= one.found[pawn] <= WEAPON:
            raise refusal(f"acts, {letter}", "left what needs no free place", "food, medicine, spray, weapon (M17)")
        if one.helped[pawn] == pawn:
            raise refusal(f"acts, {letter}", "fed or healed itself", "feed and heal_other are for another pawn (M18)")
        if one.acted[pawn] == NONE and one.find_seen[pawn]:
            raise refusal("finds_seen", f"{letter} did not act", "only what a pawn found is seen")
