"""The page about other people's tools: its versions are those of the lanes, its examples are there and short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "training" / "examples"
PAGE = (EXAMPLES / "TOOLS.md").read_text(encoding="utf-8")
PACKAGES = {
    "Stable-Baselines3": "stable_baselines3",
    "RLlib": "ray",
    "OpenSpiel": "open_spiel",
    "torch alone": "torch",
}
ROWS = re.findall(r"^\| ([\w -]+?) \| ([\d.]+) \| ([123, ]+) \| \[(\w+)\]\(([\w./#]+)\) \|", PAGE, re.MULTILINE)
PROGRAMS = sorted(file for file in EXAMPLES.glob("*.py") if file.name != "__init__.py")


def pinned(lane: str) -> dict[str, str]:
    """Versions by package, written alike."""
    lines = (ROOT / f"constraints-lane{lane}.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if not line.startswith("#"))
    return {name.lower().replace("-", "_"): version for name, version in pairs}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_version_is_the_one_that_was_tested(row: tuple[str, ...]) -> None:
    tool, version, lanes, _, _ = row
    package = PACKAGES.get(tool, tool.lower())
    for lane in lanes.split(", "):
        assert pinned(lane)[package] == version


def test_every_example_has_its_row() -> None:
    assert len(ROWS) == 10
    assert {target for *_, target in ROWS if target.endswith(".py")} == {file.name for file in PROGRAMS}


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
def test_an_example_is_short_and_says_how_it_is_run(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60
    assert f"python -m reichenbach.training.examples.{file.stem}" in text
