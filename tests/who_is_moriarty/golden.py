"""Golden games: whole games as text, replayed by test_golden.py. Run this file (`make golden`) to write them again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import chance
from reichenbach.envs.who_is_moriarty import notation, rules
from reichenbach.envs.who_is_moriarty.game import GAME

FOLDER = Path(__file__).parent / "golden"
HEAD = """\
# A golden game of Who Is Moriarty: options, seed, the position dealt, then each action with the position after it.
# If the rules change on purpose, write it again with `make golden` and read what became different.
"""


@dataclass(frozen=True)
class Recipe:
    """From what a golden game is made; the seed is that of the game and of the choice of actions."""

    name: str
    seed: int
    options: dict[str, Any]


# Seeds are chosen so that every ending comes once.
RECIPES = (
    Recipe("default", 0, {}),
    Recipe("default_chase", 46, {}),
    Recipe("default_to_the_end", 70, {}),
    Recipe("low_goal", 14, {"hourglasses_to_win": 4}),
    Recipe("published", 104, {"crossroads": ("I",), "turn_crossroads": True}),
    Recipe("optional_clearing", 5, {"card_clears": "optional", "goal_check": "immediate"}),
    Recipe("random_start", 252, {"start": "random", "crossroads": ("A", "B", "E"), "turn_tile_twice": True}),
    Recipe("open_cards", 6, {"moriarty_cards": "open", "both_goals": "sherlock", "rewards": "zp"}),
    Recipe("short", 17, {"max_rounds": 3, "hourglasses_to_win": 3, "both_goals": "moriarty"}),
)


def deal(options: dict[str, Any], seed: int) -> NDArray[Any]:
    """A dealt game, an array of one."""
    state = GAME.new(GAME.resolve(options))
    chance.seed(state, [seed])
    rules.deal(state)
    return state


def moves(state: NDArray[Any], dice: random.Random) -> Iterator[str]:
    """Plays to the end and names each action; every kind of action is as likely as another."""
    mask = np.zeros(GAME.n_actions, np.int8)
    while rules.mover(state) >= 0:
        rules.legal(state, mask)
        legal = [GAME.action_text(int(action)) for action in np.flatnonzero(mask)]
        kind = dice.choice(sorted({text.split()[0] for text in legal}))
        action = dice.choice([text for text in legal if text.split()[0] == kind])
        rules.step(state, GAME.action_from_text(action))
        yield action


def write(recipe: Recipe) -> str:
    """The text of a golden game."""
    state = deal(recipe.options, recipe.seed)
    options = " ".join(notation.format(state).partition(" checks=")[2].split()[1:])
    lines = [f"options {options}".rstrip(), f"seed {recipe.seed}", f"  {notation.format(state)}"]
    for action in moves(state, random.Random(recipe.seed)):
        lines += [action, f"  {notation.format(state)}"]
    ending = GAME.endings(rules.outcome(state))
    return HEAD + "\n".join([*lines, f"ending {ending.name.lower()}, won by {GAME.winner(ending)}"]) + "\n"


def main() -> None:
    """Writes every golden game again."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for recipe in RECIPES:
        (FOLDER / f"{recipe.name}.txt").write_text(write(recipe))
        print(f"wrote {FOLDER.name}/{recipe.name}.txt")


if __name__ == "__main__":
    main()
