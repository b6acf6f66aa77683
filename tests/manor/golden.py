"""Golden games: whole games as text, replayed by test_golden.py. Run this file (`make golden`) to write them again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from reichenbach.envs.core import chance, one
from reichenbach.envs.core.record import States
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.rules import tables_of

FOLDER = Path(__file__).parent / "golden"
HEAD = """\
# A golden game of The Manor: options, seed, the position dealt, then the actions of each turn and what came of them.
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
    Recipe("two_seats", 3, {}),
    Recipe("two_seats_again", 72, {}),
    Recipe("three_seats", 34, {"table": "3p", "map": "wrenlatch"}),
    Recipe("three_seats_private", 21, {"table": "3p", "inventory": "private", "hungry_reach": 2}),
    Recipe("four_seats", 37, {"table": "4p", "map": "skerrowby", "exposure": "side", "stack_hunger": True}),
    Recipe("four_roles", 11, {"table": "4p_roles"}),
    Recipe("four_roles_odd", 4, {"table": "4p_roles", "irene_commands_target": True, "sherlock_beats_watson": True}),
    Recipe("short", 47, {"table": "4p_roles", "days": 1, "events": False, "exposure": "overridden"}),
    Recipe("many_weapons", 2, {"weapons": 4, "injury_slows": False, "leak_chance": 90, "dog_chance": 100}),
)


def deal(options: dict[str, Any], seed: int) -> States:
    """A dealt game, an array of one."""
    state = GAME.new(GAME.resolve(options))
    chance.seed(state, [seed])
    one.deal(state, tables_of(state))
    return state


def turns(state: States, dice: random.Random) -> Iterator[list[str]]:
    """Plays to the end and names the actions turn by turn; every kind of action is as likely as another."""
    tables = tables_of(state)
    mask = np.empty(GAME.n_actions, np.int8)
    played: list[str] = []
    while one.mover(state, tables) >= 0:
        one.legal(state, tables, one.mover(state, tables), mask)
        legal = [GAME.action_text(int(action)) for action in np.flatnonzero(mask)]
        kind = dice.choice(sorted({_kind(text) for text in legal}))
        action = dice.choice([text for text in legal if _kind(text) == kind])
        one.step(state, tables, GAME.action_from_text(action), mask)
        played.append(action)
        if state["ending"][0] or not (state["slot"][0] or state["submitter"][0]):
            yield played
            played = []


def _kind(text: str) -> str:
    """The deed of a command, else the first word."""
    if " to " in text:
        return text.partition(", ")[2] or "move"
    return text.split()[0]


def write(recipe: Recipe) -> str:
    """The text of a golden game."""
    state = deal(recipe.options, recipe.seed)
    options = " ".join(f"{option.name}={option.write(value)}" for option, value in _options(recipe))
    lines = [f"options {options}".rstrip(), f"seed {recipe.seed}", f"  {GAME.format(state)}"]
    for played in turns(state, random.Random(recipe.seed)):
        lines += [*played, f"  {GAME.format(state)}"]
    ending = GAME.endings(int(state["ending"][0]))
    return HEAD + "\n".join([*lines, f"ending {ending.name.lower()}, won by {GAME.winner(ending)}"]) + "\n"


def _options(recipe: Recipe) -> list[tuple[Any, Any]]:
    return [(option, recipe.options[option.name]) for option in GAME.options if option.name in recipe.options]


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
