"""The lists of planted mistakes keep up with the kernels; `make mutants` plants them."""

from __future__ import annotations

import ast

import pytest

from tests.mutants.plant import ROOT, Mistake, planted
from tests.mutants.run import GAMES

PLANTED = [(game, mistake) for game in GAMES.values() for mistake in game.MISTAKES]


@pytest.mark.parametrize("name", GAMES)
def test_there_are_enough(name: str) -> None:
    mistakes = GAMES[name].MISTAKES
    assert len(set(mistakes)) == len(mistakes) >= 25
    for test in GAMES[name].TESTS:
        assert (ROOT / test).is_file()


@pytest.mark.parametrize(
    ("kernel", "mistake"),
    [pytest.param(game.KERNEL, mistake, id=f"{mistake.rule} {mistake.what}") for game, mistake in PLANTED],
)
def test_every_mistake_can_be_planted(kernel: str, mistake: Mistake) -> None:
    source = (ROOT / kernel / mistake.file).read_text()
    wrong = planted(mistake, source)
    assert ast.dump(ast.parse(wrong)) != ast.dump(ast.parse(source))


def test_a_mistake_that_fits_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="0 times; expected once"):
        planted(PLANTED[0][1], "nothing of it")
