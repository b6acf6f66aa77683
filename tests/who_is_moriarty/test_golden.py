"""Golden games: every position of whole games stays as it was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from reichenbach.envs.who_is_moriarty import notation, rules
from reichenbach.envs.who_is_moriarty.game import GAME
from tests.who_is_moriarty import golden

pytestmark = pytest.mark.plain

FILES = sorted(golden.FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_replay(path: Path) -> None:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    facts = {name: rest for name, _, rest in (line.partition(" ") for line in lines[:2])}
    # The options in words, read as part of any position's text.
    board = "tiles=AN,BN,CN,DN,EN,FN,GN,HN,IN moriarty=E"
    state = notation.parse(f"{board} {facts['options']} seed={facts['seed']}")
    rules.deal(state)
    assert notation.format(state) == lines[2].strip()
    for action, position in zip(lines[3:-1:2], lines[4:-1:2], strict=True):
        rules.step(state, GAME.action_from_text(action))
        assert notation.format(state) == position.strip(), f"after {action}"
    ending = GAME.endings(rules.outcome(state))
    assert lines[-1] == f"ending {ending.name.lower()}, won by {GAME.winner(ending)}"


def test_the_files_are_those_that_the_command_writes() -> None:
    assert {path.stem: path.read_text() for path in FILES} == {
        recipe.name: golden.write(recipe) for recipe in golden.RECIPES
    }


def test_every_ending_comes() -> None:
    endings = {path.read_text().splitlines()[-1].split()[1].rstrip(",") for path in FILES}
    assert endings == {ending.name.lower() for ending in GAME.endings} - {"running"}
