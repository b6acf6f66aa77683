"""The run with index checks bites: a write out of bounds, which compiled rules do silently, is an IndexError in it."""

from __future__ import annotations

from pathlib import Path

from tests.gates.tree import copy_tree, run_tool

SOUND = "    for detective in range(3):\n"
PLANTED = "    state.detective[3] = 7\n" + SOUND
# The place behind the three detectives is another field of the same record: the unchecked run spoils no more than that.
LOOK = """
import numpy as np
from reichenbach.envs.who_is_moriarty import rules
from reichenbach.envs.who_is_moriarty.state import STATE

state = np.zeros(1, STATE)
rules.sight(state)
print("written:", *np.flatnonzero(state.view(np.uint8)) - STATE.fields["detective"][1])
"""
SOUND_RULES = (0, "written:")
UNCHECKED = (0, "written: 12")
CHECKED = (1, "IndexError: index is out of bounds")


def plant(tree: Path) -> None:
    kernel = tree / "envs" / "who_is_moriarty" / "sight.py"
    source = kernel.read_text()
    assert source.count(SOUND) == 1
    kernel.write_text(source.replace(SOUND, PLANTED))


def look(tree: Path, **environment: str) -> tuple[int, str]:
    """Exit status and last line."""
    status, said = run_tool(tree, "python", "-c", LOOK, **environment)
    return status, said.splitlines()[-1].strip()


def compiled(tree: Path) -> dict[Path, int]:
    """The files of machine code in the cache, and when each was written."""
    return {path: path.stat().st_mtime_ns for path in tree.rglob("*.nbc")}


def test_index_checks_see_a_write_out_of_bounds(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "copy")
    assert look(tree) == SOUND_RULES
    cached = compiled(tree)
    assert cached
    assert look(tree) == SOUND_RULES
    assert compiled(tree) == cached, "a second process compiles nothing"
    plant(tree)
    assert look(tree) == UNCHECKED, "a changed rule is seen, also by what calls it from another file"
    assert look(tree, NUMBA_BOUNDSCHECK="1") == CHECKED, "unchecked code is not what the checked run uses"
    assert look(tree) == UNCHECKED, "nor the other way round"
