"""The list of planted mistakes keeps up with the kernel; `make mutants` plants them."""

from __future__ import annotations

import ast

import pytest

from tests.who_is_moriarty.mutants import KERNEL, MISTAKES, ROOT, Mistake, planted


def test_there_are_enough() -> None:
    assert len(set(MISTAKES)) == len(MISTAKES) >= 20


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: f"{mistake.rule} {mistake.what}")
def test_every_mistake_can_be_planted(mistake: Mistake) -> None:
    source = (ROOT / KERNEL / mistake.file).read_text()
    wrong = planted(mistake, source)
    assert ast.dump(ast.parse(wrong)) != ast.dump(ast.parse(source))


def test_a_mistake_that_fits_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="0 times; expected once"):
        planted(MISTAKES[0], "nothing of it")
