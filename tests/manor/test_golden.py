"""Golden games: every turn of whole games stays as it was written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reichenbach.envs.core import chance, one
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.rules import tables_of
from tests.manor import golden

pytestmark = pytest.mark.plain

FILES = sorted(golden.FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_replay(path: Path) -> None:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    facts = {name: rest for name, _, rest in (line.partition(" ") for line in lines[:2])}
    given = dict(word.split("=") for word in facts["options"].split())
    options = {option.name: option.read(given[option.name]) for option in GAME.options if option.name in given}
    state = GAME.new(GAME.resolve(options))
    chance.seed(state, [int(facts["seed"])])
    tables = tables_of(state)
    one.deal(state, tables)
    mask = np.empty(GAME.n_actions, np.int8)
    for line in lines[2:-1]:
        if line.startswith("  "):
            assert GAME.format(state) == line.strip()
        else:
            assert one.step(state, tables, GAME.action_from_text(line), mask) != -2, f"{line} is illegal"
    ending = GAME.endings(int(state["ending"][0]))
    assert lines[-1] == f"ending {ending.name.lower()}, won by {GAME.winner(ending)}"


def test_the_files_are_those_that_the_command_writes() -> None:
    assert {path.stem: path.read_text() for path in FILES} == {
        recipe.name: golden.write(recipe) for recipe in golden.RECIPES
    }


def test_every_ending_comes() -> None:
    endings = {path.read_text().splitlines()[-1].split()[1].rstrip(",") for path in FILES}
    assert endings == {ending.name.lower() for ending in GAME.endings} - {"running"}
