"""The agent ``greedy``: one ply, by the measure that the game's own folder defines."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from reichenbach.agents.setup import BadAgent, Setup
from reichenbach.envs.core.seat import Agent

# game -> "module:factory" of its greedy agent, called with a Setup
GREEDY: Mapping[str, str] = {
    "manor": "reichenbach.agents.manor.greedy:make",
    "who_is_moriarty": "reichenbach.agents.who_is_moriarty.greedy:make",
}


def make(argument: str, setup: Setup) -> Agent:
    """The agent of the text ``greedy``.

    Raises:
        BadAgent: the game has none.
    """
    if argument:
        raise BadAgent(f"agent greedy:{argument}: greedy takes nothing after its name")
    if setup.game.name not in GREEDY:
        raise BadAgent(f"agent greedy: {setup.game.name} has none; games that have one: {', '.join(GREEDY)}")
    module, factory = GREEDY[setup.game.name].split(":")
    agent: Agent = getattr(importlib.import_module(module), factory)(setup)
    return agent
