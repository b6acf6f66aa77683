"""The small grammar of this game's positions, on that of every game (core/position.py), every mistake named.

A list is divided by commas, ``-`` is the empty one. What belongs to a seat stands after its name and a slash, and a
semicolon divides the seats: ``known=sherlock/H1,L2;watson/S1,K2``. The parts of an entry are divided by colons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from reichenbach.envs.core.position import EMPTY, entries, one_letter, refusal, word
from reichenbach.envs.manor.actions import ASSAIL_ORDER, DEEDS, N_DEEDS
from reichenbach.envs.manor.pairs import PAIRS
from reichenbach.envs.manor.state import ALL_PAIRS, CONTENTS, N_PAWNS, NONE

LETTERS = "ABCDEF"  # of the pawns (M1)
DEED_WORDS = (*(deed.replace(" ", "_") for deed in DEEDS), "assail")
CONTENT_WORDS = tuple(content.replace(" ", "_") for content in CONTENTS)


# ---------------------------------------------------------------- reading


def pawn(field: str, letter: str) -> int:
    """A pawn by its letter; raises BadPosition."""
    return one_letter(field, letter, LETTERS, "pawn")


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
