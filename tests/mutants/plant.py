"""Planting a rule mistake in a copy of a game's kernel, and seeing that the game's rule tests find it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("src", "envs", "agents", "training", "configs", "tests", "pyproject.toml")


@dataclass(frozen=True)
class Mistake:
    """A wrong rule: in a kernel file, `right` stands exactly once and becomes `wrong`."""

    rule: str
    what: str
    file: str
    right: str
    wrong: str


def planted(mistake: Mistake, source: str) -> str:
    """The source with the mistake in it.

    Raises:
        ValueError: the text to replace does not stand there exactly once.
    """
    found = source.count(mistake.right)
    if found != 1:
        raise ValueError(f"{mistake.file}: {mistake.right!r} stands there {found} times; expected once")
    return source.replace(mistake.right, mistake.wrong)


def copy_sources(tree: Path) -> None:
    """Everything that the tests need, links as links."""
    for name in COPIED:
        source, target = ROOT / name, tree / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "runs")
            shutil.copytree(source, target, symlinks=True, ignore=ignored)
        else:
            shutil.copy(source, target)


def failing_test(tree: Path, tests: tuple[str, ...]) -> str | None:
    """Runs the tests in a copy of the tree until one fails; its name, or None if all pass.

    Everything runs as plain Python, so that nothing is compiled anew for each mistake.
    """
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join((str(tree / "src"), str(tree))),
        # Two edits of one length in one second would look the same to Python's cache.
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "plain", "-p", "no:cacheprovider", *tests]
    run = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return None
    failed = re.search(r"^(?:FAILED|ERROR) \S*/(test_\S+)", run.stdout, re.MULTILINE)
    if failed is None:
        raise RuntimeError(f"pytest failed without naming a test:\n{run.stdout}{run.stderr}")
    return failed[1]


def is_found(mistake: Mistake, tree: Path, kernel: str, tests: tuple[str, ...]) -> bool:
    """Plants a mistake, runs the tests and takes it out again; prints a line."""
    path = tree / kernel / mistake.file
    right = path.read_text()
    path.write_text(planted(mistake, right))
    start = time.perf_counter()
    found = failing_test(tree, tests)
    path.write_text(right)
    seconds = time.perf_counter() - start
    print(f"{mistake.rule:4} {mistake.what:60} {found or 'SURVIVES':60} {seconds:4.0f} s", flush=True)
    return found is not None
