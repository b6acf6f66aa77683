"""`complete.py WHEEL SDIST`: both hold every module, configuration, rule text and type marker of the checkout."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("envs", "agents", "training", "configs")
KINDS = (".py", ".yaml", ".md")


def expected() -> set[str]:
    """The tracked files of the package, by their place in it."""
    listed = subprocess.run(["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True)
    linked = {f"reichenbach/{name}" for name in listed.stdout.splitlines() if name.endswith(KINDS)}
    return linked | {"reichenbach/__init__.py", "reichenbach/__main__.py", "reichenbach/py.typed"}


def main(wheel: str, sdist: str) -> str:
    """An empty text, or what is missing and what should not be there."""
    wanted = expected()
    with zipfile.ZipFile(wheel) as opened:
        in_wheel = set(opened.namelist())
    with tarfile.open(sdist) as opened_tar:
        in_sdist = {name.split("/src/", 1)[1] for name in opened_tar.getnames() if "/src/" in name}
    wrong = [f"wheel: missing {name}" for name in sorted(wanted - in_wheel)]
    wrong += [f"sdist: missing {name}" for name in sorted(wanted - in_sdist)]
    known = {name for name in in_wheel if ".dist-info/" in name}
    wrong += [f"wheel: unexpected {name}" for name in sorted(in_wheel - wanted - known)]
    if not any(name.endswith("licenses/LICENSE") for name in known):
        wrong.append("wheel: missing LICENSE")
    if not wrong:
        print(f"complete: {len(wanted)} files in both, RULES.md, configs and py.typed among them")
    return "\n".join(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) or 0)  # an empty text would count as a failure
