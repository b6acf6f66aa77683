"""The installed package: version, ids, what importing it costs, and that links lead where they should."""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import re
import runpy
import subprocess
import sys
from pathlib import Path

import gymnasium
import pytest

import reichenbach
from reichenbach.envs import registry

ROOT = Path(__file__).resolve().parents[2]
IMPORT = """
import sys, time
start = time.process_time()
import reichenbach
spent = time.process_time() - start
heavy = sorted({"numba", "llvmlite", "torch", "stable_baselines3", "pydantic", "yaml"} & sys.modules.keys())
print(spent, *heavy)
"""


def run_python(*arguments: str) -> str:
    """The standard output of a fresh interpreter in another folder than the checkout's."""
    done = subprocess.run([sys.executable, *arguments], cwd="/", capture_output=True, text=True, check=True)
    return done.stdout


def test_one_version_everywhere() -> None:
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited is not None
    assert importlib.metadata.version("reichenbach") == reichenbach.__version__ == cited[1]
    assert f"## {reichenbach.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_import_is_light() -> None:
    spent, *heavy = min(run_python("-c", IMPORT).split() for _ in range(3))
    assert not heavy
    assert float(spent) <= 0.5


def test_runs_as_a_module(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["reichenbach", "--version"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("reichenbach", run_name="__main__")
    assert ended.value.code == 0
    assert reichenbach.__version__ in capsys.readouterr().out


def test_import_registers_the_ids_of_gymnasium() -> None:
    ids = {identifier for entry in registry.ENTRIES for identifier in entry.gymnasium}
    assert len(ids) == 12
    assert ids <= gymnasium.registry.keys()


@pytest.mark.parametrize("folder", ["envs", "agents", "training", "configs"])
def test_links_are_relative_and_lead_to_the_top_folders(folder: str) -> None:
    link = ROOT / "src" / "reichenbach" / folder
    assert link.readlink() == Path("../..") / folder
    assert link.resolve() == ROOT / folder


def test_type_marker_and_data_are_found() -> None:
    assert importlib.resources.files("reichenbach").joinpath("py.typed").is_file()
    for game in registry.GAMES:
        assert importlib.resources.files(f"reichenbach.envs.{game}").joinpath("RULES.md").is_file()
        configs = importlib.resources.files("reichenbach.configs").joinpath(game)
        assert {"quick.yaml", "ppo.yaml"} <= {
            config.name for seat in configs.iterdir() if seat.is_dir() for config in seat.iterdir()
        }
    maps = importlib.resources.files("reichenbach.envs.manor").joinpath("maps")
    assert sum(file.name.endswith(".yaml") for file in maps.iterdir()) == 3


def test_constraints_pin_everything_exactly() -> None:
    for name in (
        "constraints.txt",
        "constraints-compat.txt",
        "constraints-bench.txt",
        *(f"constraints-lane{lane}.txt" for lane in (1, 2, 3)),
    ):
        for line in (ROOT / name).read_text().splitlines():
            assert line.startswith("#") or re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][A-Za-z0-9.]*", line), line
    first = next(line for line in (ROOT / "constraints.txt").read_text().splitlines() if line[0] != "#")
    assert first == "torch==2.13.0"
