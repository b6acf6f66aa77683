"""Folders and files that are whole or not there: written under another name, then renamed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reichenbach.agents.stored import OLD

if sys.platform != "win32":
    import fcntl

NEW = ".new"


class InUse(OSError):
    """Another process works in the folder."""


@contextmanager
def locked(place: Path, *, wait: bool = False) -> Iterator[None]:
    """Keeps other processes that ask for it out of an existing folder or file; ends when the process does, or before.

    Raises:
        InUse: another process has it, and this one does not wait.
    """
    if sys.platform == "win32":
        yield
        return
    opened = os.open(place, os.O_RDONLY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InUse(f"{place}: another process is training in it") from None
        yield
    finally:
        os.close(opened)


def exists(folder: Path) -> bool:
    """Whether ``folder`` is there, under its old name too, which a killed process may leave."""
    return folder.exists() or folder.with_name(folder.name + OLD).exists()


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """An empty folder to write into; it takes the place of ``folder`` when the block ends without an error.

    A process killed meanwhile leaves the former folder, or (between two renames) the former folder under its old
    name, which ``settle`` puts back.
    """
    settle(folder)
    new, old = folder.with_name(folder.name + NEW), folder.with_name(folder.name + OLD)
    new.mkdir(parents=True)
    yield new
    for file in sorted(new.rglob("*")):
        _flush(file)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def settle(folder: Path) -> None:
    """Clears what a killed process left beside ``folder``: finishes or takes back its last replacement."""
    new, old = folder.with_name(folder.name + NEW), folder.with_name(folder.name + OLD)
    if old.exists() and not folder.exists():
        old.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
    shutil.rmtree(new, ignore_errors=True)


def write_text(file: Path, text: str) -> None:
    """Writes a file, whole or not at all."""
    new = file.with_name(file.name + NEW)
    new.write_text(text, encoding="utf-8")
    _flush(new)
    new.replace(file)


def _flush(file: Path) -> None:
    if file.is_file():
        with file.open("rb") as stream:
            os.fsync(stream.fileno())
