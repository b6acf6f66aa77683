"""The 77 actions as text; an action's number is its place in the list."""

from __future__ import annotations

from tests.who_is_moriarty.reference.model import DETECTIVES

CELLS = range(9)
DEGREES = (90, 180, 270)


def _all_actions() -> list[str]:
    texts = [f"move {name} by {steps}" for name in DETECTIVES for steps in (1, 2)]
    texts += [f"joker {name}" for name in (*DETECTIVES, "nobody")]
    texts += [f"turn tile {cell} by {degrees}" for cell in CELLS for degrees in DEGREES]
    texts += [f"swap tiles {low} and {high}" for low in CELLS for high in CELLS if low < high]
    return [*texts, "draw card", "clear", "keep", "wait"]


ACTIONS = _all_actions()
NUMBER = {text: number for number, text in enumerate(ACTIONS)}
