"""How this program is called from a shell, for the commands that it tells people to give."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

NAME = "reichenbach"


def command() -> str:
    """Its name where the shell finds it, else the way to it from here."""
    if shutil.which(NAME):
        return NAME
    script = Path(sys.executable).with_name(NAME)
    return os.path.relpath(script) if script.exists() else f"{sys.executable} -m {NAME}"
