"""The README says what the code says: generated tables are up to date, its Python runs, its commands exist."""

from __future__ import annotations

import re
import shlex
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reichenbach.envs import registry as games
from reichenbach.envs.core.game import Game
from reichenbach.training import arguments, cli
from tests.docs.tables import README, with_tables

BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


def test_generated_tables_are_up_to_date() -> None:
    text = README.read_text()
    assert with_tables(text) == text, "run `make tables`"


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_python_in_the_readme_runs(number: int, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    exec(compile(BLOCKS[number], f"README.md, Python block {number}", "exec"), {"__name__": "readme"})


def test_a_person_can_play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The program for a terminal, answered by a player who errs at first."""
    (block,) = re.findall(r"```py\n(.*?)```", README.read_text(), re.DOTALL)
    trained = "policy:runs/make_train/manor/moriarty"
    assert trained in block
    names: dict[str, Any] = {"__name__": "readme"}
    typed: list[str] = []

    def type_in(prompt: str) -> str:
        last = int(np.flatnonzero(names["env"].action_masks())[-1])
        typed.append(names["env"].face.action_text(last) if typed else "Agatha to the moon")
        return typed[-1]

    monkeypatch.setattr("builtins.input", type_in)
    exec(compile(block.replace(trained, "random"), "README.md, play", "exec"), names)
    shown = capsys.readouterr().out
    assert "there is none; did you mean 'Agatha to" in shown
    assert f"you are {names['env'].seat}" in shown
    assert names["info"]["winner"] in ("detectives", "villains", None)


@pytest.mark.parametrize("game", [games.game(name) for name in games.GAMES], ids=lambda game: game.name)
def test_positions_in_the_rules_can_be_read(game: Game) -> None:
    page = (Path(str(resources.files("reichenbach.envs"))) / game.name / "RULES.md").read_text()
    section = page.split("## A position as text")[1]
    (example,) = re.findall(r"```\n(.*?)```", section, re.DOTALL)
    assert game.format(game.parse(example))


def test_there_is_python_to_run() -> None:
    assert len(BLOCKS) >= 3


def test_commands_are_understood() -> None:
    """Of the README and of the pages about training; a config that they name by itself comes along."""
    pages = [README, *(README.parent / "training").rglob("*.md")]
    assert len(pages) == 4
    for page in pages:
        commands = re.findall(r"^(?:\.venv/bin/)?reichenbach (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(commands) >= 4 or page.name == "TOOLS.md"
        for command in commands:
            asked = arguments.parse(shlex.split(command))
            if asked.command in ("train", "sweep") and not asked.resume and "runs" not in asked.config:
                assert cli.find_config(asked.config)
