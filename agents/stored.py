"""Reading a stored policy: a folder with a manifest and weights. Runs no code from it, refuses what does not fit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reichenbach.agents.setup import BadAgent, Setup
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.options import brief

FORMAT = 1
MANIFEST = "manifest.json"
WEIGHTS = "policy.safetensors"
MODES = ("argmax", "sample")
OLD = ".old"  # what a folder is called while a new one takes its place
BOTH = "both"
NEEDED = (
    *("format", "game", "rules_version", "options", "seat", "sections", "observation", "observation_digest"),
    *("actions_digest", "network", "steps", "files", "digest"),
)
KINDS: Mapping[str, type] = {
    **{"options": dict, "sections": list, "observation": list, "network": dict, "steps": int},
    **{"files": dict, "digest": str},
}


def locate(folder: str | Path) -> Path:
    """The folder of the checkpoint: this one, or ``best`` of a run, or the old one of a broken-off replacement.

    Raises:
        BadAgent: there is none.
    """
    path = Path(folder)
    for place in (path, path.with_name(path.name + OLD), path / "best", path / ("best" + OLD), path / "latest"):
        if (place / MANIFEST).is_file():
            return place
    raise BadAgent(f"policy {path}: there is no {MANIFEST} in it; a checkpoint or the folder of a run is needed")


def manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a checkpoint's folder.

    Raises:
        BadAgent: damaged, of another format, or a field is missing, as the digests are in older checkpoints.
    """
    file = folder / MANIFEST
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadAgent(f"{file}: damaged: {error}") from None
    if not isinstance(data, dict):
        raise BadAgent(f"{file}: damaged: it is no mapping")
    if data.get("format") != FORMAT:
        raise BadAgent(f"{file}: format: {data.get('format')!r}; this version reads format {FORMAT}")
    for field in NEEDED:
        if field not in data:
            raise BadAgent(f"{file}: {field}: missing; this version needs it")
        kind = KINDS.get(field, object)
        if not isinstance(data[field], kind):
            raise BadAgent(f"{file}: {field}: damaged: {data[field]!r}; a {kind.__name__} is needed")
    if data["digest"] != _digest(data):
        raise BadAgent(f"{file}: damaged: it is not as it was written; its digest is of something else")
    return data


def signed(data: Mapping[str, Any]) -> dict[str, Any]:
    """A manifest with the digest of all that it says."""
    return {**data, "digest": _digest(data)}


def _digest(data: Mapping[str, Any]) -> str:
    said = {field: value for field, value in plain(data).items() if field != "digest"}
    return digest(json.dumps(said, sort_keys=True).encode())


def digest(content: bytes) -> str:
    """By which a file of a checkpoint is known; one wrong bit makes it another."""
    return hashlib.sha256(content).hexdigest()


def content(folder: Path, data: Mapping[str, Any], name: str) -> bytes:
    """A file of a checkpoint's folder, whose manifest is ``data``, as it was written.

    Raises:
        BadAgent: it is missing, or not as it was written; names the file.
    """
    if name not in data["files"]:
        raise BadAgent(f"{folder / MANIFEST}: files.{name}: missing; this version needs it")
    file = folder / name
    try:
        found = file.read_bytes()
    except OSError as error:
        raise BadAgent(f"{file}: missing or damaged: {error}") from None
    if digest(found) != data["files"][name]:
        raise BadAgent(f"{file}: missing or damaged: it is not as it was written; the manifest has another digest")
    return found


def check(data: Mapping[str, Any], setup: Setup, where: str) -> None:
    """Refuses a manifest that was made for something else.

    Raises:
        BadAgent: names the first field that differs, what it is and what it should be.
    """
    for field, stored, wanted in _differences(data, setup):
        if stored != wanted:
            raise BadAgent(f"{where}: {field}: the checkpoint has {brief(stored)!r}, here it is {brief(wanted)!r}")
    if data["seat"] not in (setup.seat, BOTH):
        raise BadAgent(f"{where}: seat: trained for {data['seat']}, cannot play {setup.seat}")


def _differences(data: Mapping[str, Any], setup: Setup) -> Iterator[tuple[str, Any, Any]]:
    game = setup.game
    yield "game", data["game"], game.name
    yield "rules_version", data["rules_version"], game.rules_version
    here = plain(setup.options)
    for name in sorted({*here, *data["options"]}):
        yield f"options.{name}", data["options"].get(name), here.get(name)
    layout = game.layout(sections_of(game, data["sections"]))
    stored = [tuple(section) if isinstance(section, list) else section for section in data["observation"]]
    expected = [(section.name, section.length) for section in layout.sections]
    for i in range(max(len(stored), len(expected))):
        yield f"observation[{i}]", _at(stored, i), _at(expected, i)
    yield "observation_digest", data["observation_digest"], layout.digest()
    yield "actions_digest", data["actions_digest"], actions_digest(game)
    yield "network.observation", data["network"].get("observation"), layout.size
    yield "network.actions", data["network"].get("actions"), game.n_actions


def _at(items: Sequence[Any], i: int) -> Any:
    return items[i] if i < len(items) else None


def sections_of(game: Game, names: list[str]) -> int:
    """The bitmask of optional sections of those names; names the game has not are left out."""
    return sum(1 << bit for bit, name in enumerate(game.optional_sections) if name in names)


def section_names(game: Game, sections: int) -> list[str]:
    """The names of the optional sections in a bitmask."""
    return [name for bit, name in enumerate(game.optional_sections) if sections >> bit & 1]


def actions_digest(game: Game) -> str:
    """Hash of the texts of all actions in their order."""
    texts = "\n".join(game.action_text(action) for action in range(game.n_actions))
    return hashlib.sha256(texts.encode()).hexdigest()[:16]


def plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as JSON knows them: tuples become lists."""
    data: dict[str, Any] = json.loads(json.dumps(dict(options), default=list))
    return data


def split(argument: str) -> tuple[str, str]:
    """Folder and mode of ``FOLDER?mode=argmax``.

    Raises:
        BadAgent: no folder, or something else after the question mark.
    """
    folder, mark, query = argument.partition("?")
    key, _, mode = query.partition("=")
    if not folder:
        raise BadAgent("agent policy: a folder is needed: policy:FOLDER")
    if not mark:
        return folder, MODES[0]
    if key != "mode" or mode not in MODES:
        raise BadAgent(f"agent policy:{argument}: {query!r} is not allowed; allowed are mode=argmax, mode=sample")
    return folder, mode


def problem(argument: str) -> str | None:
    """What is wrong with the argument of ``policy:``, as far as can be seen without a game."""
    try:
        place = locate(split(argument)[0])
        content(place, manifest(place), WEIGHTS)
    except BadAgent as error:
        return str(error)
    return None
