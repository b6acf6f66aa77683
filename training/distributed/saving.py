"""Saving a run on Ray beside its checkpoint, and taking it up again; safetensors, JSON and arrays, no pickle."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load

from reichenbach.agents import stored
from reichenbach.training import packing, resume
from reichenbach.training.distributed.run import RayRun

_LEARNER, _OPTIMISER = "learner", "optimizer"  # RLlib's names


def save(folder: Path, run: RayRun, extra: dict[str, Any]) -> None:
    """Writes ``folder/resume``, before the manifest; a runner that is down at the moment will begin new games."""
    place = folder / resume.FOLDER
    place.mkdir()
    (optimiser,) = _optimisers(run).values()
    moments = packing.flat(optimiser["state"]["state"])
    tensors = {name: torch.from_numpy(np.array(value)) for name, value in moments.items()}
    packing.write_tensors(place / resume.OPTIMISER, tensors)
    packing.write_tensors(place / resume.POOL, run.league.pool.weights())
    state = {
        "steps": run.steps,
        "iteration": run.iteration,
        "updates": run.updates,
        "recent_snapshots": run.league.pool.recent,
        "runners": {str(index): state for index, state in run.runner_states().items()},
        "of": run.config.ray.runners,
        "extra": extra,
        **resume.generators(),
    }
    packing.write(place, resume.STATE, state)


def restore(folder: Path, data: Mapping[str, Any], run: RayRun) -> dict[str, Any]:
    """Brings a freshly built run to where ``folder`` was saved, and gives back ``extra``.

    Games go on where the number of runners is the same; otherwise all begin new ones. Raises as ``resume.restore``.
    """

    def content(name: str) -> bytes:
        return stored.content(folder, data, f"{resume.FOLDER}/{name}")

    state = packing.read(content, resume.STATE)
    run.network.load_state_dict(load(stored.content(folder, data, stored.WEIGHTS)))
    run.give_weights()
    _restore_optimiser(run, load(content(resume.OPTIMISER)))
    run.league.pool.restore(load(content(resume.POOL)), state["recent_snapshots"])
    run.steps, run.iteration, run.updates = state["steps"], state["iteration"], state["updates"]
    if state["of"] == run.config.ray.runners:
        run.set_runner_states({int(index): found for index, found in state["runners"].items()})
    resume.set_generators(state)
    extra: dict[str, Any] = state["extra"]
    return extra


def _optimisers(run: RayRun) -> dict[str, Any]:
    found: dict[str, Any] = run.learners.get_state(components=f"{_LEARNER}/{_OPTIMISER}")[_LEARNER][_OPTIMISER]
    return found


def _restore_optimiser(run: RayRun, tensors: Mapping[str, torch.Tensor]) -> None:
    ((name, optimiser),) = _optimisers(run).items()
    optimiser["state"]["state"] = packing.by_number({name: value.numpy() for name, value in tensors.items()})
    run.learners.set_state({_LEARNER: {_OPTIMISER: {name: optimiser}}})
