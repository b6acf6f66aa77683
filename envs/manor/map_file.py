"""Reading a map: one of those that come along, or a user's file (M5)."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from reichenbach.envs.core import yaml_text
from reichenbach.envs.core.errors import BadMap
from reichenbach.envs.core.problems import Problem
from reichenbach.envs.manor import map_check, map_read
from reichenbach.envs.manor.map_types import Map

SHIPPED = ("ottermarch", "wrenlatch", "skerrowby")  # the first is the default
FOLDER = Path(__file__).parent / "maps"


@lru_cache
def shipped(name: str) -> Map:
    """The map of that name, one of ``SHIPPED``."""
    return load(FOLDER / f"{name}.yaml")


def load(file: str | Path) -> Map:
    """The map of a file.

    Raises:
        BadMap: everything that is wrong with it, each with file, line and key.
        OSError: the file cannot be read.
    """
    content = Path(file).read_bytes()  # read_text would make other line ends, and so another hash
    try:
        return parse(content.decode(), str(file))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadMap([Problem(f"{file}:{line}", "", f"this is no UTF-8 text: {error.reason}")]) from None


@lru_cache
def parse(text: str, file: str) -> Map:
    """The map of a YAML text; ``file`` says in errors where it stands.

    Raises:
        BadMap: everything that is wrong with it, each with file, line and key.
    """
    document = yaml_text.parse(text, file, "a map")
    refused = {problem.key for problem in document.problems}
    if document.problems and not document.values:
        raise BadMap(document.problems)
    of_text = list(document.problems)
    draft = map_read.read(document)
    map_check.check(draft)
    # A value that the text got wrong is not judged a second time by what was made of it.
    problems = of_text + [problem for problem in document.problems[len(of_text) :] if problem.key not in refused]
    if problems:
        raise BadMap(sorted(problems, key=lambda problem: problem.line))
    return Map(
        name=draft.name,
        title=draft.title,
        areas=tuple(draft.areas),
        zones=tuple(draft.zones),
        zone_of=tuple(draft.zone_of),
        wings=tuple(draft.wings),
        open=tuple(draft.edges["open"]),
        doors=tuple(draft.edges["doors"]),
        passages=tuple(draft.edges["passages"]),
        entrance=draft.entrance,
        spots=tuple(sorted(draft.spots)),
        settings=map_check.settings(draft),
        text=text,
        digest=hashlib.sha256(text.encode()).hexdigest(),
    )
