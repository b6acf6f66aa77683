"""The 1,256 actions, each a whole number and a text: commands of pawns, assail, pass, and the six votes.

A command is (8 * (26 * pawn + destination) + action), padded to the largest map (M5); areas are numbered in the order
of the map.
"""

from __future__ import annotations

import difflib

from reichenbach.envs.manor.state import N_PAWNS, PAWNS

# What a pawn does after its move (M9).
NOTHING, SEARCH, EAT, FEED, HEAL, HEAL_OTHER, SPRAY, FUSE = 0, 1, 2, 3, 4, 5, 6, 7
DEEDS = ("nothing", "search", "eat", "feed", "heal", "heal other", "spray", "fuse")
N_DEEDS = 8
HELPS = (FEED, HEAL_OTHER)  # what is done for another pawn (M18)
MAX_AREAS = 26  # M5

# An order on a pawn is 8 * destination + deed, or:
ASSAIL_ORDER = N_DEEDS * MAX_AREAS
ASSAILED = N_DEEDS  # the deed of an assailing villain

ORDERS = N_DEEDS * MAX_AREAS  # orders of one pawn
ASSAIL = N_PAWNS * ORDERS  # 1248 (M25)
PASS = ASSAIL + 1  # gives up all commands that are left; the no-op (M9)
VOTE = PASS + 1  # + pawn (M30)
N_ACTIONS = VOTE + N_PAWNS  # 1256

# What the numbers mean, group by group: first and last action, text, meaning; the table in the docs comes from it.
GROUPS = (
    (
        0,
        ASSAIL - 1,
        "PAWN to AREA, DEED",
        "8 × (26 × pawn + area) + deed; deeds are nothing (left out of the text), search, eat, feed, heal, heal other, "
        "spray, fuse (M9)",
    ),
    (ASSAIL, ASSAIL, "assail", "the villain goes for the target; Moriarty alone (M25)"),
    (PASS, PASS, "pass", "gives up the commands that are left; the no-op of an idle seat (M9)"),
    (VOTE, N_ACTIONS - 1, "name PAWN", "the final deduction, Agatha to Freeman (M30)"),
)


def command(pawn: int, area: int, deed: int) -> int:
    """The action that orders the pawn to an area and to do something there."""
    return pawn * ORDERS + area * N_DEEDS + deed


def to_text(action: int) -> str:
    """The action's text, as ``"Agatha to 12, search"``; "no action N" for a number that is none."""
    if not 0 <= action < N_ACTIONS:
        return f"no action {action}"
    if action >= VOTE:
        return f"name {PAWNS[action - VOTE]}"
    if action >= ASSAIL:
        return "pass" if action == PASS else "assail"
    pawn, order = divmod(action, ORDERS)
    area, deed = divmod(order, N_DEEDS)
    return f"{PAWNS[pawn]} to {area}" + (f", {DEEDS[deed]}" if deed else "")


_NUMBERS = {to_text(action): action for action in range(N_ACTIONS)}


def from_text(text: str) -> int:
    """The action of a text.

    Raises:
        ValueError: no action has this text; names the nearest.
    """
    action = _NUMBERS.get(" ".join(text.split()))
    if action is None:
        near = difflib.get_close_matches(text, _NUMBERS, 1, 0.0)[0]
        raise ValueError(f"action {text!r}: there is none; did you mean {near!r}?")
    return action
