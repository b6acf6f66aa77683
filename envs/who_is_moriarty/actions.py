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
