"""Agents by text, the same for configs, evaluation and play.

``random``, ``greedy``, ``policy:FOLDER`` (``?mode=argmax`` or ``?mode=sample``), or ``module:factory``: a user's own,
called as ``factory(game=..., options=..., seat=..., seed=...)`` and returning an agent (envs/core/seat.py).
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reichenbach.agents.setup import BadAgent, Setup
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.seat import Agent


@dataclass(frozen=True)
class Entry:
    """One kind of agent."""

    form: str  # as it is written
    text: str
    make: str  # "module:function" of (argument, Setup) -> Agent
    problem: str = ""  # "module:function" of argument -> what is wrong with it, or None


AGENTS: Mapping[str, Entry] = {
    "random": Entry("random", "uniform over the legal actions", "reichenbach.agents.random:make"),
    "greedy": Entry("greedy", "one ply, by the game's own measure", "reichenbach.agents.greedy:make"),
    "policy": Entry(
        "policy:FOLDER",
        "a trained policy: a checkpoint, or a run (its best); ?mode=argmax (default) or ?mode=sample",
        "reichenbach.agents.policy:make",
        "reichenbach.agents.stored:problem",
    ),
}
OWN = Entry("module:factory", "your own: factory(game=, options=, seat=, seed=) in a module of yours", "")

EXTRA = {"torch", "safetensors", "stable_baselines3", "sb3_contrib", "pydantic", "tensorboard"}


def make(text: str, *, game: Game, options: Mapping[str, Any], seat: str, seed: int) -> Agent:
    """The agent of that text, for one seat of a game under resolved rule options.

    Raises:
        BadAgent: the text names no agent, the agent does not fit the game, the options or the seat, or a user's own
            cannot be made.
    """
    if seat not in game.seats(options):
        raise BadAgent(f"agent {text}: there is no seat {seat!r}; there are: {', '.join(game.seats(options))}")
    setup = Setup(game, options, seat, seed)
    name, _, argument = text.partition(":")
    if name in AGENTS:
        agent: Agent = _load(AGENTS[name].make, text)(argument, setup)
        return agent
    factory = _own(text)
    try:
        agent = factory(game=game, options=options, seat=seat, seed=seed)
    except Exception as error:
        raise BadAgent(f"agent {text}: the factory failed: {_named(error)}") from error
    for needed in ("sections", "act", "get_state", "set_state"):
        if not hasattr(agent, needed):
            raise BadAgent(f"agent {text}: what it returned has no {needed}; an agent has it (envs/core/seat.py)")
    return agent


def problem(text: str) -> str | None:
    """What is wrong with an agent's text as far as can be seen without a game, or None."""
    name, _, argument = text.partition(":")
    try:
        if name not in AGENTS:
            _own(text)
        elif AGENTS[name].problem:
            found: str | None = _load(AGENTS[name].problem, text)(argument)
            return found
        elif argument:
            return f"agent {text}: {name} takes nothing after its name"
    except BadAgent as error:
        return str(error)
    return None


def describe() -> list[tuple[str, str]]:
    """Form and meaning of every kind of agent."""
    return [(entry.form, entry.text) for entry in (*AGENTS.values(), OWN)]


def _own(text: str) -> Callable[..., Any]:
    module, colon, factory = text.partition(":")
    if not colon or not module or not factory:
        near = difflib.get_close_matches(text, AGENTS, 1, 0.5)
        hint = f"did you mean {near[0]}? " if near else ""
        forms = ", ".join(entry.form for entry in (*AGENTS.values(), OWN))
        raise BadAgent(f"agent {text}: there is none of that name; {hint}allowed are {forms}")
    return _load(text, text)


def _load(target: str, text: str) -> Callable[..., Any]:
    module, _, name = target.partition(":")
    try:
        found: Any = getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in EXTRA:
            raise BadAgent(f"agent {text}: {error.name} is missing; it comes with the extra train") from None
        raise BadAgent(f"agent {text}: no module is called {error.name}") from None
    except Exception as error:  # the module is a user's: anything may happen in it
        raise BadAgent(f"agent {text}: module {module} cannot be imported: {_named(error)}") from error
    if not callable(found):
        raise BadAgent(f"agent {text}: module {module} has no function {name}")
    function: Callable[..., Any] = found
    return function


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
