"""A copy of the sources in which a mistake can be planted, and the checks of `make test` run on it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("src", "envs", "agents", "training", "configs", "tests")
FILES = ("pyproject.toml", "README.md")
_NO_COPY = ("__pycache__", "*.egg-info", "runs")


def copy_tree(target: Path, leave_out: str = "") -> Path:
    """Copies what the checks look at, but for files of that pattern; links stay links.

    The environment of this interpreter is linked.
    """
    target.mkdir(exist_ok=True)
    ignore = shutil.ignore_patterns(*_NO_COPY, leave_out)
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, target / folder, symlinks=True, ignore=ignore)
    for file in FILES:
        shutil.copy2(ROOT / file, target / file)
    if (ROOT / ".mypy_cache").is_dir():  # what it knows of other packages saves half a minute
        shutil.copytree(ROOT / ".mypy_cache", target / ".mypy_cache")
    (target / ".venv").symlink_to(sys.prefix)
    return target


def run_tool(tree: Path, *command: str, **environment: str) -> tuple[int, str]:
    """Runs a tool of this environment in the copy; its exit status, and all it printed."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "COVERAGE_"))}
    paths = f"{tree / 'src'}{os.pathsep}{tree}"
    done = subprocess.run(
        [str(Path(sys.executable).with_name(command[0])), *command[1:]],
        cwd=tree,
        env={**inherited, "PYTHONPATH": paths, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout
