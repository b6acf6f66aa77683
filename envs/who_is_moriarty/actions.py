"""The 77 actions, each a whole number and a text: detective moves, joker, turns, swaps, cards and the no-op."""

from __future__ import annotations

import difflib

from reichenbach.envs.who_is_moriarty.state import DETECTIVES
from reichenbach.envs.who_is_moriarty.tables import PAIRS

MOVE = 0  # + 2 * detective + steps - 1                       (W11)
JOKER = 6  # + detective                                       (W12)
JOKER_NOBODY = 9  # Moriarty alone                             (W12)
TURN = 10  # + 3 * cell + quarter turns clockwise - 1          (W13)
SWAP = 37  # + the pair's number, cells in lexicographic order (W14)
CARD = 73  # (W15, W16)
CLEAR = 74  # what Sherlock answers under card_clears=optional
KEEP = 75
WAIT = 76  # the no-op
N_ACTIONS = 77

_TEXTS = (
    *(f"move {detective} by {steps}" for detective in DETECTIVES for steps in (1, 2)),
    *(f"joker {detective}" for detective in (*DETECTIVES, "nobody")),
    *(f"turn tile {cell} by {90 * quarters}" for cell in range(9) for quarters in (1, 2, 3)),
    *(f"swap tiles {first} and {second}" for first, second in PAIRS),
    *("draw card", "clear", "keep", "wait"),
)
# What the numbers mean, group by group: first and last action, text, meaning; the table in the README comes from it.
GROUPS = (
    (MOVE, JOKER - 1, "move DETECTIVE by STEPS", "a detective walks 1 or 2 places clockwise (W11)"),
    (JOKER, JOKER_NOBODY - 1, "joker DETECTIVE", "a detective of choice walks 1 place clockwise (W12)"),
    (JOKER_NOBODY, JOKER_NOBODY, "joker nobody", "nobody walks; Moriarty alone may (W12)"),
    (TURN, SWAP - 1, "turn tile CELL by DEGREES", "cell by cell: by 90, 180, 270 degrees clockwise (W13)"),
    (SWAP, CARD - 1, "swap tiles CELL and CELL", "two cells, 0 and 1, 0 and 2, ..., 7 and 8 (W14)"),
    (CARD, CARD, "draw card", "a card from the deck (W15, W16)"),
    (CLEAR, KEEP, "clear, keep", "Sherlock's answer to his card with `card_clears=optional`"),
    (WAIT, WAIT, "wait", "the no-op of an idle seat"),
)
_NUMBERS = {text: action for action, text in enumerate(_TEXTS)}


def to_text(action: int) -> str:
    """The action's text, as ``"turn tile 4 by 180"``; "no action N" for a number that is none."""
    return _TEXTS[action] if 0 <= action < N_ACTIONS else f"no action {action}"


def from_text(text: str) -> int:
    """The action of a text.

    Raises:
        ValueError: no action has this text; names the nearest.
    """
    action = _NUMBERS.get(" ".join(text.split()))
    if action is None:
        near = difflib.get_close_matches(text, _TEXTS, 1, 0.0)[0]
        raise ValueError(f"action {text!r}: there is none; did you mean {near!r}?")
    return action
