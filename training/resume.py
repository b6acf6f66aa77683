"""Saving all of a run that continuing it needs, and taking it up again: to the last bit the run that never stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load

from reichenbach.agents import stored
from reichenbach.envs.core.options import brief
from reichenbach.envs.core.problems import Problem, dotted
from reichenbach.training import packing
from reichenbach.training.config import Config, ConfigError
from reichenbach.training.run import Run

FOLDER = "resume"
OPTIMISER, POOL, STATE = "optimiser.safetensors", "snapshots.safetensors", "state"
MAY_CHANGE = ("total_steps", "ray", "trackers")


def save(folder: Path, run: Run, extra: dict[str, Any]) -> None:
    """Writes ``folder/resume``, before the manifest; ``extra`` is the caller's own, JSON-able."""
    place = folder / FOLDER
    place.mkdir()
    packing.write_tensors(place / OPTIMISER, packing.flat(run.model.policy.optimizer.state_dict()["state"]))
    packing.write_tensors(place / POOL, run.league.pool.weights())
    state = {
        "steps": run.steps,
        "iteration": run.iteration,
        "updates": run.model._n_updates,
        "recent_snapshots": run.league.pool.recent,
        "extra": extra,
        **playing(run),
    }
    packing.write(place, STATE, state)


def playing(run: Run) -> dict[str, Any]:
    """Where the games are, and the generators of the process; `play_on` takes it up."""
    games, players = run.lockstep.get_state()
    return {
        "last_observation": run.model._last_obs,
        "episode_starts": run.model._last_episode_starts,
        "games": games,
        "players": players,
        "teachers": [agent.get_state() for agent in run.teacher.agents] if run.teacher else [],
        **generators(),
    }


def play_on(run: Run, state: Mapping[str, Any]) -> None:
    """Brings a run of the same config to where ``playing`` found one."""
    run.model._last_obs = state["last_observation"]
    run.model._last_episode_starts = state["episode_starts"]
    run.lockstep.set_state(state["games"].view(run.lockstep.states.dtype), state["players"])
    for agent, memory in zip(run.teacher.agents if run.teacher else [], state["teachers"], strict=True):
        agent.set_state(memory)
    set_generators(state)


def generators() -> dict[str, Any]:
    """The process's own, which sampling, and the order of the learner's batches, draw from."""
    return {"torch": torch.get_rng_state().numpy(), "numpy": list(np.random.get_state())}  # noqa: NPY002


def set_generators(state: Mapping[str, Any]) -> None:
    """Takes up what ``generators`` gave."""
    kind, words, *rest = state["numpy"]
    np.random.set_state((kind, words, *rest))  # noqa: NPY002
    torch.set_rng_state(torch.from_numpy(state["torch"]))


def restore(folder: Path, data: Mapping[str, Any], run: Run) -> dict[str, Any]:
    """Brings a freshly built run to where ``folder`` (a checkpoint) was saved; gives back ``extra``.

    Args:
        folder: the checkpoint.
        data: its manifest.
        run: of the same config.

    Raises:
        BadAgent: a file is missing or not as it was written.
        Exception: the checkpoint does not fit the run; of many kinds, from all that reads it.
    """

    def content(name: str) -> bytes:
        return stored.content(folder, data, f"{FOLDER}/{name}")

    state = packing.read(content, STATE)
    run.network.load_state_dict(load(stored.content(folder, data, stored.WEIGHTS)))
    _restore_optimiser(run, load(content(OPTIMISER)))
    run.league.pool.restore(load(content(POOL)), state["recent_snapshots"])
    run.model.num_timesteps, run.iteration = state["steps"], state["iteration"]
    run.model._n_updates = state["updates"]
    play_on(run, state)
    extra: dict[str, Any] = state["extra"]
    return extra


def refuse_changes(before: Config, now: Config, where: str, may_change: Sequence[str] = MAY_CHANGE) -> None:
    """Nothing but the keys that may change may differ from the run that is continued.

    Raises:
        ConfigError: names every key that differs.
    """
    only = f"only {', '.join(may_change[:-1])} and {may_change[-1]} may change on resume"
    problems = [
        Problem(where, dotted(path), f"{new!r} now, {old!r} when the run began; {only}")
        for path, old, new in _differences((), before.model_dump(mode="json"), now.model_dump(mode="json"))
        if not any(f"{dotted(path)}.".startswith(f"{key}.") for key in may_change)
    ]
    if problems:
        raise ConfigError(problems)


def refuse_other_rules(before: Mapping[str, Any], now: Mapping[str, Any], where: str) -> None:
    """Resolved options must be those of the checkpoint: a file that one of them names may have changed since.

    Raises:
        ConfigError: names every option that differs.
    """
    problems = [
        Problem(where, dotted(("options", name)), f"{brief(new)!r} now, {brief(old)!r} when the run began")
        for name in {**before, **now}
        if (old := before.get(name)) != (new := now.get(name))
    ]
    if problems:
        raise ConfigError(problems)


def _differences(path: tuple[str, ...], old: Any, new: Any) -> list[tuple[tuple[str, ...], Any, Any]]:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return [] if old == new else [(path, old, new)]
    found = []
    for key in {**old, **new}:
        found += _differences((*path, key), old.get(key), new.get(key))
    return found


def _restore_optimiser(run: Run, tensors: dict[str, torch.Tensor]) -> None:
    optimiser = run.model.policy.optimizer
    optimiser.load_state_dict({**optimiser.state_dict(), "state": packing.by_number(tensors)})
