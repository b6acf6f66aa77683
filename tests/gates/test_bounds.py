"""The run with index checks bites: a write out of bounds, which compiled rules do silently, is an IndexError in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.gates.tree import copy_tree, run_tool


@dataclass(frozen=True)
class Case:
    """A rule of a game, a write behind the end of one of its fields, and a program that tells what came of it.

    The place behind the field is another field of the same record: the unchecked run spoils no more than that.
    """

    kernel: str
    sound: str
    planted: str
    look: str
    written: str  # what the program says of an unchecked write


CASES = {
    "who_is_moriarty": Case(
        kernel="envs/who_is_moriarty/sight.py",
        sound="    for detective in range(3):\n",
        planted="    state.detective[3] = 7\n    for detective in range(3):\n",
        look="""
import numpy as np
from reichenbach.envs.who_is_moriarty import rules
from reichenbach.envs.who_is_moriarty.state import STATE

state = np.zeros(1, STATE)
rules.sight(state)
print("written:", *np.flatnonzero(state.view(np.uint8)) - STATE.fields["detective"][1])
""",
        written="written: 12",
    ),
    "manor": Case(
        kernel="envs/manor/belief.py",
        sound='    """Bit p: pawn p moved as only Moriarty can have it move (M10)."""\n',
        planted='    """Bit p: pawn p moved as only Moriarty can have it move (M10)."""\n    state.forced[6] = 7\n',
        look="""
import numpy as np
from reichenbach.envs.manor import belief
from reichenbach.envs.manor.state import STATE

state = np.zeros(1, STATE)
belief._forced(state[0])
print("written:", *np.flatnonzero(state.view(np.uint8)) - STATE.fields["forced"][1])
""",
        written="written: 24",
    ),
}
SOUND_RULES = (0, "written:")
CHECKED = (1, "IndexError: index is out of bounds")


def plant(tree: Path, case: Case) -> None:
    kernel = tree / case.kernel
    source = kernel.read_text()
    assert source.count(case.sound) == 1
    kernel.write_text(source.replace(case.sound, case.planted))


def look(tree: Path, case: Case, **environment: str) -> tuple[int, str]:
    """Exit status and last line."""
    status, said = run_tool(tree, "python", "-c", case.look, **environment)
    return status, said.splitlines()[-1].strip()


def compiled(tree: Path) -> dict[Path, int]:
    """The files of machine code in the cache, and when each was written."""
    return {path: path.stat().st_mtime_ns for path in tree.rglob("*.nbc")}


@pytest.mark.parametrize("game", CASES)
def test_index_checks_see_a_write_out_of_bounds(game: str, tmp_path: Path) -> None:
    tree, case = copy_tree(tmp_path / "copy"), CASES[game]
    assert look(tree, case) == SOUND_RULES
    cached = compiled(tree)
    assert cached
    assert look(tree, case) == SOUND_RULES
    assert compiled(tree) == cached, "a second process compiles nothing"
    plant(tree, case)
    assert look(tree, case) == (0, case.written), "a changed rule is seen, also by what calls it from another file"
    assert look(tree, case, NUMBA_BOUNDSCHECK="1") == CHECKED, "unchecked code is not what the checked run uses"
    assert look(tree, case) == (0, case.written), "nor the other way round"
