"""How the program says that it is called."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from reichenbach.training.command import command

BIN = Path(sys.executable).parent


def test_by_its_name_where_the_shell_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(BIN))
    assert command() == "reichenbach"


def test_by_the_way_to_it_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(BIN.parent.parent)
    assert command() == os.path.join(BIN.parent.name, "bin", "reichenbach")


def test_as_a_module_where_it_has_no_script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert command() == f"{tmp_path / 'python'} -m reichenbach"
