"""Who plays the other seats of a one-seat environment, as its users write it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import numpy as np

from reichenbach.envs.core.seat import Agent

AgentMaker = Callable[[int], Agent]
Opponent = Agent | AgentMaker
# One opponent, or several with the weights by which one is drawn for each game.
OpponentMixture = Opponent | Sequence[tuple[Opponent, float]]


def seated(opponents: Mapping[str, OpponentMixture], seed: int | None) -> dict[str, list[tuple[Agent, float]]]:
    """The agents and weights of every seat.

    Args:
        opponents: by seat; an agent is used as it is, and its generator runs on; a function of a seed is asked
            for a new agent, so that a seeded reset repeats its moves too.
        seed: from which the makers' seeds are derived; None takes fresh entropy.

    Raises:
        TypeError: something that is neither an agent nor a function.
    """
    root = np.random.SeedSequence(seed)
    agents: dict[str, list[tuple[Agent, float]]] = {}
    for seat, mixture in opponents.items():
        agents[seat] = [(_agent(seat, opponent, root), weight) for opponent, weight in _pairs(mixture)]
    return agents


def _pairs(mixture: OpponentMixture) -> Sequence[tuple[Opponent, float]]:
    if isinstance(mixture, Sequence):
        return mixture  # pyright: ignore[reportUnknownVariableType]  # an agent might be a sequence, for all it knows
    return [(mixture, 1.0)]


def _agent(seat: str, opponent: Opponent, root: np.random.SeedSequence) -> Agent:
    (child,) = root.spawn(1)
    if hasattr(opponent, "act"):
        return cast("Agent", opponent)
    if not callable(opponent):
        raise TypeError(
            f"opponent of seat {seat}: {opponent!r} is neither an agent (it has no act) nor a function of a seed"
        )
    return opponent(int(child.generate_state(1)[0]))
