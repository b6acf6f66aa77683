"""The run with index checks bites: a write out of bounds, which compiled rules do silently, is an IndexError in it."""

from __future__ import annotations

from pathlib import Path

import pytest

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
UNCHECKED = (0, "written: 12")
CHECKED = (1, "IndexError: index is out of bounds")


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    tree = copy_tree(tmp_path / "copy")
    kernel = tree / "envs" / "who_is_moriarty" / "sight.py"
    source = kernel.read_text()
    assert source.count(SOUND) == 1
    kernel.write_text(source.replace(SOUND, PLANTED))
    return tree


def look(tree: Path, **environment: str) -> tuple[int, str]:
    """Exit status and last line."""
    status, said = run_tool(tree, "python", "-c", LOOK, **environment)
    return status, said.splitlines()[-1]


def test_index_checks_see_a_write_out_of_bounds(planted: Path) -> None:
    assert look(planted) == UNCHECKED
    assert list(planted.rglob("*.nbc")), "unchecked machine code lies in the cache now"
    assert look(planted, NUMBA_BOUNDSCHECK="1") == CHECKED, "and is not what the checked run uses"
    assert look(planted) == UNCHECKED, "nor the other way round"
