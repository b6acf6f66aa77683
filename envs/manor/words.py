"""The small grammar of a position's text: single values, lists and lists by seat, every mistake named.

A list is divided by commas, ``-`` is the empty one. What belongs to a seat stands after its name and a slash, and a
semicolon divides the seats: ``known=sherlock/H1,L2;watson/S1,K2``. The parts of an entry are divided by colons.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

from reichenbach.envs.core.digits import whole
from reichenbach.envs.core.errors import BadPosition
from reichenbach.envs.manor.actions import ASSAIL_ORDER, DEEDS, N_DEEDS
from reichenbach.envs.manor.pairs import PAIRS
from reichenbach.envs.manor.state import ALL_PAIRS, CONTENTS, N_PAWNS, NONE

LETTERS = "ABCDEF"  # of the pawns (M1)
EMPTY = "-"
DEED_WORDS = (*(deed.replace(" ", "_") for deed in DEEDS), "assail")
CONTENT_WORDS = tuple(content.replace(" ", "_") for content in CONTENTS)
_MANY = 12  # an error lists no more allowed words than this


# ---------------------------------------------------------------- reading


def refusal(field: str, wrong: str, allowed: str) -> BadPosition:
    """The error of a field: what was wrong, and what is allowed."""
    return BadPosition(f"position, {field}: {wrong}; {allowed}")


def number(field: str, text: str, low: int, high: int) -> int:
    """A whole number in a range; raises BadPosition."""
    found = whole(text)
    if found is None or not low <= found <= high:
        raise refusal(field, f"{text!r} is out of range", f"allowed are {low} to {high}")
    return found


def word(field: str, text: str, allowed: Sequence[str]) -> int:
    """The place of a word among the allowed ones; raises BadPosition with the nearest of many."""
    if text in allowed:
        return allowed.index(text)
    if len(allowed) <= _MANY:
        raise refusal(field, f"{text!r} is not allowed", f"allowed are {', '.join(allowed)}")
    near = difflib.get_close_matches(text, allowed, 1, 0.0)[0]
    raise refusal(field, f"{text!r} is not allowed", f"did you mean {near}? Allowed are {', '.join(allowed)}")


def pawn(field: str, letter: str) -> int:
    """A pawn by its letter; raises BadPosition."""
    if len(letter) != 1 or letter not in LETTERS:
        raise refusal(field, f"{letter!r} is no pawn", "allowed are A to F")
    return LETTERS.index(letter)


def entries(field: str, text: str) -> list[str]:
    """The entries of a list; raises BadPosition where one is empty."""
    found = [] if text == EMPTY else text.split(",")
    if not all(found):
        raise refusal(field, f"{text!r} has an empty entry", f"expected entries divided by commas, or {EMPTY} for none")
    return found


def parts(field: str, entry: str, form: str, more: bool = False) -> list[str]:
    """What the colons of an entry divide, as many as in ``form``, or more if they may; raises BadPosition."""
    found, least = entry.split(":"), form.count(":") + 1
    if len(found) < least or (len(found) > least and not more) or not all(found):
        raise refusal(field, f"{entry!r} is not as it should be", f"expected {form}{'[:...]' if more else ''}")
    return found


def bits(field: str, text: str, allowed: Sequence[str]) -> int:
    """A list of names as bits; raises BadPosition where one is unknown or stands twice."""
    found = 0
    for entry in entries(field, text):
        bit = 1 << word(field, entry, allowed)
        if found & bit:
            raise refusal(field, f"{entry} stands twice", "once is allowed")
        found |= bit
    return found


def by_seat(field: str, text: str, seats: Sequence[str]) -> dict[int, str]:
    """The list of each seat that is named; raises BadPosition."""
    found: dict[int, str] = {}
    for part in [] if text == EMPTY else text.split(";"):
        name, slash, rest = part.partition("/")
        if not slash or not rest:
            raise refusal(field, f"{part!r} is incomplete", "expected SEAT/LIST, seats divided by semicolons")
        seat = word(field, name, seats)
        if seat in found:
            raise refusal(field, f"{name} stands twice", "once is allowed")
        found[seat] = rest
    return found


def pairs(field: str, text: str) -> int:
    """A set of pairs, villain by villain, as in ``A:BC,D:F``; ``all`` are all; raises BadPosition."""
    if text == "all":
        return ALL_PAIRS
    found = 0
    for entry in entries(field, text):
        villain, targets = parts(field, entry, "VILLAIN:TARGETS")
        for letter in targets:
            both = (pawn(field, villain), pawn(field, letter))
            if both[0] == both[1] or found >> PAIRS.index(both) & 1:
                wrong = f"{villain}:{letter} stands twice or is no pair"
                raise refusal(field, wrong, "each pair of two may stand once")
            found |= 1 << PAIRS.index(both)
    return found


def orders(field: str, text: str, areas: Sequence[str], villain: int) -> list[int]:
    """The order of each pawn, NONE for none, from a list as ``A>H2:search,B>G3,assail``; raises BadPosition."""
    found = [NONE] * N_PAWNS
    for entry in entries(field, text):
        if entry == "assail":
            who, order = villain, ASSAIL_ORDER
        else:
            letter, arrow, rest = entry.partition(">")
            if not arrow:
                raise refusal(field, f"{entry!r} is no order", "expected PAWN>AREA, PAWN>AREA:DEED or assail")
            area, _, deed = rest.partition(":")
            who = pawn(field, letter)
            order = N_DEEDS * word(field, area, areas) + word(field, deed or "nothing", DEED_WORDS[:N_DEEDS])
        if found[who] != NONE:
            raise refusal(field, f"{entry!r}: {LETTERS[who]} is ordered twice", "a seat orders a pawn once (M9)")
        found[who] = order
    return found


# ---------------------------------------------------------------- writing


def listed(found: Iterable[str]) -> str:
    """A list as text."""
    return ",".join(found) or EMPTY


def listed_by_seat(found: Mapping[str, str]) -> str:
    """Lists by the seats' names as text."""
    return ";".join(f"{seat}/{text}" for seat, text in found.items()) or EMPTY


def named(set_bits: int, names: Sequence[str]) -> str:
    """Bits as a list of names."""
    return listed(name for bit, name in enumerate(names) if set_bits >> bit & 1)


def pairs_text(set_pairs: int) -> str:
    """A set of pairs as text, which `pairs` reads."""
    if set_pairs == ALL_PAIRS:
        return "all"
    targets = dict.fromkeys(LETTERS, "")
    for bit, (villain, target) in enumerate(PAIRS):
        targets[LETTERS[villain]] += LETTERS[target] if set_pairs >> bit & 1 else ""
    return listed(f"{villain}:{letters}" for villain, letters in targets.items() if letters)


def orders_text(by_pawn: Sequence[int], areas: Sequence[str]) -> str:
    """Orders by pawn as text, which `orders` reads."""
    return listed(order_text(who, order, areas) for who, order in enumerate(by_pawn) if order != NONE)


def order_text(who: int, order: int, areas: Sequence[str]) -> str:
    """One order as text."""
    if order == ASSAIL_ORDER:
        return "assail"
    area, deed = divmod(order, N_DEEDS)
    return f"{LETTERS[who]}>{areas[area]}" + (f":{DEED_WORDS[deed]}" if deed else "")
