"""Writing a checkpoint: a folder with the weights, a manifest that says all about them, and no code.

The manifest has a digest of every file, so that none is read that is not as it was written.

``agents/stored.py`` reads it; ``training/resume.py`` adds what continuing a run needs.
"""

from __future__ import annotations

import json
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from reichenbach.agents import stored
from reichenbach.agents.network import Network, NetworkSpec
from reichenbach.envs.core.face import Face
from reichenbach.training import packing
from reichenbach.training.config import Config

PACKAGES = ("reichenbach", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "safetensors")


def spec_of(config: Config, face: Face) -> NetworkSpec:
    """The network that a config asks for on this face of its game."""
    after: tuple[int, int] = (0, 0)
    grid: tuple[int, ...] = ()
    if config.network.kind == "after":
        place = face.game.layout(face.sections).slice("after")
        after, grid = (place.start, place.stop), face.game.grid
    return NetworkSpec(
        kind=config.network.kind,
        hidden=tuple(config.network.hidden),
        observation=face.size,
        actions=face.game.n_actions,
        after=after,
        grid=grid,
    )


def manifest(
    config: Config, face: Face, *, steps: int, parent: str | None, evaluation: list[dict[str, Any]]
) -> dict[str, Any]:
    """All that a reader needs to know of a checkpoint of ours, JSON-able."""
    return {
        **described(face, config.seat, spec_of(config, face), steps=steps),
        "seed": config.seed,
        "parent": parent,
        "evaluation": evaluation,
        "config": config.model_dump(mode="json"),
    }


def described(face: Face, seat: str, spec: NetworkSpec, *, steps: int) -> dict[str, Any]:
    """What is needed of a policy, wherever it was trained, to play it: JSON-able.

    Args:
        face: the game, its options, and the optional sections that the network reads.
        seat: that it plays, or "both".
        spec: the network.
        steps: that it was trained for.
    """
    game = face.game
    layout = game.layout(face.sections)
    return {
        "format": stored.FORMAT,
        "game": game.name,
        "rules_version": game.rules_version,
        "options": stored.plain(face.options),
        "seat": seat,
        "sections": stored.section_names(game, face.sections),
        "observation": [[section.name, section.length] for section in layout.sections],
        "observation_digest": layout.digest(),
        "actions_digest": stored.actions_digest(game),
        "network": spec.to_json(),
        "steps": steps,
        "versions": versions(),
    }


def write(folder: Path, network: Network, data: dict[str, Any]) -> None:
    """Weights and manifest into a folder (see ``folders.replacing``) that has all else of the checkpoint by now."""
    packing.write_tensors(folder / stored.WEIGHTS, network.state_dict())
    seal(folder, data)


def seal(folder: Path, data: dict[str, Any]) -> None:
    """The manifest, with a digest of every other file in the folder and one of itself."""
    place = folder / stored.MANIFEST
    files = {
        file.relative_to(folder).as_posix(): stored.digest(file.read_bytes())
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file != place
    }
    place.write_text(json.dumps(stored.signed({**data, "files": files}), indent=1) + "\n", encoding="utf-8")


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that a result may depend on."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found
