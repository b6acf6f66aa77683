"""The README says what the code says: generated tables are up to date, its Python runs, its commands exist."""

from __future__ import annotations

import re
import shlex

import pytest

from reichenbach.training import cli
from tests.docs.tables import README, with_tables

BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


def test_generated_tables_are_up_to_date() -> None:
    text = README.read_text()
    assert with_tables(text) == text, "run `make tables`"


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_python_in_the_readme_runs(number: int, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    exec(compile(BLOCKS[number], f"README.md, Python block {number}", "exec"), {"__name__": "readme"})


def test_there_is_python_to_run() -> None:
    assert len(BLOCKS) >= 3


def test_commands_in_the_readme_are_understood() -> None:
    commands = re.findall(r"^\.venv/bin/reichenbach (.+)$", README.read_text(), re.MULTILINE)
    assert len(commands) >= 4
    for command in commands:
        cli.parser().parse_args(shlex.split(command))
