"""Every gate of `make test` bites: a planted mistake is reported by the tool that should see it, in its words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gates.tree import copy_tree, run_tool

# one of every place that the checkers must reach through the links, and the tests
PLACES = (
    "envs/core",
    "envs/manor",
    "envs/who_is_moriarty",
    "envs",
    "agents",
    "training",
    "tests/manor",
    "tests/who_is_moriarty",
)
WRONG = 'from __future__ import annotations\n\nnumber: int = "three"\n'
UPWARD = "from __future__ import annotations\n\n\ndef late() -> object:\n    import {0}\n\n    return {0}\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return copy_tree(tmp_path / "copy")


def plant_everywhere(tree: Path) -> None:
    for place in PLACES:
        (tree / place / "canary.py").write_text(WRONG)


def test_mypy_sees_a_wrong_type_in_every_folder(tree: Path) -> None:
    plant_everywhere(tree)
    status, said = run_tool(tree, "mypy")
    assert status == 1
    found = [line for line in said.splitlines() if "canary.py:3: error: Incompatible types in assignment" in line]
    assert len(found) == len(PLACES), said


def test_pyright_sees_a_wrong_type_in_every_folder(tmp_path: Path) -> None:
    tree = copy_tree(tmp_path / "copy", leave_out="*.py")  # it keeps nothing of the run over all files
    plant_everywhere(tree)
    status, said = run_tool(tree, "pyright")
    assert status == 1
    wrong = 'canary.py:3:15 - error: Type "Literal[\'three\']" is not assignable to declared type "int"'
    found = [line for line in said.splitlines() if wrong in line]
    assert len(found) == len(PLACES), said


@pytest.mark.parametrize(
    ("place", "upward", "message"),
    [
        ("envs/core", "reichenbach.agents.registry", "reichenbach.envs {0} reichenbach.agents"),
        ("agents", "reichenbach.training.config", "reichenbach.agents {0} reichenbach.training"),
        ("envs/core", "reichenbach.envs.registry", "reichenbach.envs.core {0} reichenbach.envs.registry"),
        ("envs/who_is_moriarty", "torch", "reichenbach.envs {0} torch"),
        ("envs/who_is_moriarty", "gymnasium", "reichenbach {0} gymnasium"),
        ("envs/who_is_moriarty", "yaml", "reichenbach.envs {0} yaml"),
        ("envs/manor", "torch", "reichenbach.envs {0} torch"),
        ("envs/manor", "yaml", "reichenbach.envs {0} yaml"),
        ("envs/core", "reichenbach.envs.manor.state", "reichenbach.envs.core {0} reichenbach.envs.manor"),
        (
            "envs/manor",
            "reichenbach.envs.who_is_moriarty.state",
            "reichenbach.envs.manor {0} reichenbach.envs.who_is_moriarty",
        ),
    ],
)
def test_import_linter_sees_an_upward_import(tree: Path, place: str, upward: str, message: str) -> None:
    (tree / place / "canary.py").write_text(UPWARD.format(upward))
    status, said = run_tool(tree, "lint-imports")
    module = f"reichenbach.{place.replace('/', '.')}.canary"
    assert status == 1
    assert message.format("is not allowed to import") in " ".join(said.split())
    assert f"{module} -> {upward}" in said


def test_ruff_sees_a_top_level_import_of_a_folder(tree: Path) -> None:
    (tree / "agents" / "canary.py").write_text(UPWARD.format("envs"))
    status, said = run_tool(tree, "ruff", "check", ".")
    assert status == 1
    assert "TID251 `envs` is banned: import it as reichenbach.envs" in said
