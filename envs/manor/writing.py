"""From a state to the fields of its text, which reading.py reads; those that a text may leave out are left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from reichenbach.envs.core.position import EMPTY
from reichenbach.envs.core.record import States, Tables, plain
from reichenbach.envs.manor import words
from reichenbach.envs.manor.actions import HELPS, SEARCH
from reichenbach.envs.manor.options import INVENTORY_PRIVATE
from reichenbach.envs.manor.pairs import pair
from reichenbach.envs.manor.reading import ANSWER_WORDS, NOTICE_WORDS, PASSAGE_WORDS, PAWN_WORDS, Names
from reichenbach.envs.manor.state import FOOD, FUSE_BOX, N_PAWNS, NONE, NOTHING, PASSAGE, WEAPON
from reichenbach.envs.manor.words import CONTENT_WORDS, DEED_WORDS, LETTERS

Fields = dict[str, str]
_ALWAYS = ("villain", "target", "turn", "pawns", "spots")


def fields(states: States, names: Names, tables: Tables) -> Fields:
    """The fields of an array of one by name, in their order, without those that say what a text without them says."""
    one = plain(states)
    detectives = [bool(int(tables["detectives"][0]) >> seat & 1) for seat in range(len(names.seats))]
    found = {
        "villain": LETTERS[one.villain],
        "target": LETTERS[one.target],
        **_clock(one, names),
        "pawns": words.listed(_pawn(one, pawn, names) for pawn in range(N_PAWNS)),
        **_spots(one, names, detectives),
        **_house(one, names),
        **_orders(one, names),
        **_acts(one, names),
        **_charts(one, names, detectives),
    }
    defaults = {"turn": "", "slot": "1", "submitter": names.seats[0], "chart": "all", "side_chart": found["chart"]}
    unsaid = ("-", "no")
    return {
        name: text
        for name, text in found.items()
        if name in _ALWAYS or (text != defaults[name] if name in defaults else text not in unsaid)
    }


def _clock(one: Any, names: Names) -> Fields:
    return {
        "turn": str(one.turn),
        "final": _yes(one.final),
        "voting": _yes(one.voting),
        "slot": str(one.slot + 1),
        "submitter": names.seats[one.submitter],
    }


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


def _pawn(one: Any, pawn: int, names: Names) -> str:
    counts = (one.hunger[pawn], one.injured[pawn], one.fatigued[pawn], one.armed[pawn], *one.items[pawn])
    marks = _repeated(PAWN_WORDS, counts)
    return f"{LETTERS[pawn]}:{names.areas[one.area[pawn]]}" + (f":{'+'.join(marks)}" if marks else "")


# ---------------------------------------------------------------- the house


def _spots(one: Any, names: Names, detectives: list[bool]) -> Fields:
    contents: list[int] = one.content[: len(names.spots)]
    held = [(spot, f"{names.spots[spot]}:{CONTENT_WORDS[content]}") for spot, content in enumerate(contents)]
    passage = EMPTY
    if one.passage != NONE:
        passage = f"{names.passages[one.passage]}:{PASSAGE_WORDS[one.passage_is]}"
    return {
        "spots": words.listed(text for spot, text in held if not one.gone >> spot & 1),
        # What only a fuse box's own field need say, and what held nothing, is left out.
        "emptied": words.listed(
            text
            for spot, text in held
            if one.gone >> spot & 1 and one.content[spot] != NOTHING and not one.fuse_boxes >> spot & 1
        ),
        "known": _known(one, names, detectives),
        "known_items": _known_items(one, names),
        "fuse": words.named(one.fuse_boxes, names.spots),
        "passage": passage,
    }


def _known(one: Any, names: Names, detectives: list[bool]) -> str:
    green_and_red = sum(1 << spot for spot in range(len(names.spots)) if one.content[spot] in (FOOD, WEAPON))
    return words.listed_by_seat(
        {
            seat: words.named(one.known[i], names.spots)
            for i, seat in enumerate(names.seats)
            if one.known[i] != (0 if detectives[i] else green_and_red)
        }
    )


def _known_items(one: Any, names: Names) -> str:
    if one.inventory != INVENTORY_PRIVATE:
        return EMPTY
    by_seat: dict[str, str] = {}
    for i, seat in enumerate(names.seats):
        items = ["+".join(_repeated(CONTENT_WORDS[:WEAPON], counts)) for counts in one.known_items[i]]
        text = words.listed(f"{LETTERS[pawn]}:{items[pawn]}" for pawn in range(N_PAWNS) if items[pawn])
        by_seat.update({seat: text} if text != EMPTY else {})
    return words.listed_by_seat(by_seat)


def _repeated(names: Sequence[str], counts: Iterable[int]) -> list[str]:
    return [name for name, count in zip(names, counts, strict=True) for _ in range(count)]


def _house(one: Any, names: Names) -> Fields:
    dog = "left" if one.dog_came else EMPTY
    return {
        "dark": words.named(one.dark, names.wings),
        "dark_next": words.named(one.dark_next, names.wings),
        "leak": EMPTY if one.leak == NONE else f"{names.zones[one.leak]}:{one.leak_turns}",
        "gas": words.named(one.gas, names.areas),
        "dog": dog if one.dog == NONE else f"{names.areas[one.dog]}:{one.dog_turns}",
    }


# ---------------------------------------------------------------- orders and acts


def _orders(one: Any, names: Names) -> Fields:
    def given(by_seat: Any) -> str:
        texts = {seat: words.orders_text(by_seat[i], names.areas) for i, seat in enumerate(names.seats)}
        return words.listed_by_seat({seat: text for seat, text in texts.items() if text != EMPTY})

    votes = {seat: LETTERS[one.vote[i]] for i, seat in enumerate(names.seats) if one.vote[i] != NONE}
    return {"orders": given(one.order), "votes": words.listed_by_seat(votes), "last_orders": given(one.last_order)}


def _acts(one: Any, names: Names) -> Fields:
    acted = sorted((place, pawn) for pawn, place in enumerate(one.acted) if place != NONE)
    notices: dict[str, str] = {}
    for i, seat in enumerate(names.seats):
        told = [f"{LETTERS[pawn]}:{NOTICE_WORDS[kind - 1]}" for pawn, kind in enumerate(one.notice[i]) if kind]
        notices.update({seat: words.listed(told)} if told else {})
    seen = [_seen(one, pawn, names) for _, pawn in acted if _is_seen_otherwise(one, pawn, names)]
    return {
        "acts": words.listed(_act(one, pawn, names) for _, pawn in acted),
        "finds_seen": words.listed(seen),
        "notices": words.listed_by_seat(notices),
        "exposed": words.named(one.exposed, LETTERS),
    }


def _act(one: Any, pawn: int, names: Names) -> str:
    deed, found = int(one.did[pawn]), int(one.found[pawn])
    words_of_act: list[str] = [LETTERS[pawn], names.areas[one.came_from[pawn]]]
    words_of_act += [DEED_WORDS[deed]] if deed else []
    words_of_act += [CONTENT_WORDS[found]] if deed == SEARCH else []
    words_of_act += [LETTERS[one.helped[pawn]]] if deed in HELPS else []
    return ":".join([*words_of_act, *["left"] * one.left[pawn], *["forced"] * one.forced[pawn]])


def _is_seen_otherwise(one: Any, pawn: int, names: Names) -> bool:
    if one.did[pawn] != SEARCH:
        return bool(one.find_seen[pawn])
    public = one.inventory != INVENTORY_PRIVATE or one.found[pawn] in (WEAPON, FUSE_BOX, PASSAGE)
    return bool(one.find_seen[pawn] != ((1 << len(names.seats)) - 1 if public else 0))


def _seen(one: Any, pawn: int, names: Names) -> str:
    seats = words.named(one.find_seen[pawn], names.seats).replace(",", "+")
    return f"{LETTERS[pawn]}:{'nobody' if seats == EMPTY else seats}"


# ---------------------------------------------------------------- charts


def _charts(one: Any, names: Names, detectives: list[bool]) -> Fields:
    answers: list[str] = [ANSWER_WORDS[answer] for answer in one.answer]  # NONE is the last word
    while answers and answers[-1] == "none":
        answers.pop()
    true = pair(one.villain, one.target)
    beliefs = {
        seat: words.pairs_text(one.belief[i])
        for i, seat in enumerate(names.seats)
        if one.belief[i] != (one.side_chart if detectives[i] else true)
    }
    return {
        "answers": words.listed(answers),
        "chart": words.pairs_text(one.chart),
        "side_chart": words.pairs_text(one.side_chart),
        "beliefs": words.listed_by_seat(beliefs),
        "failed_assail": _yes(one.failed_assail),
    }
