"""Who plays the other seats of a one-seat environment, as its users write it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any, cast

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
        TypeError: something that is neither an agent nor a function, or a mixture that is no pairs with weights.
    """
    root = np.random.SeedSequence(seed)
    agents: dict[str, list[tuple[Agent, float]]] = {}
    for seat, mixture in opponents.items():
        agents[seat] = [(_agent(seat, opponent, root), weight) for opponent, weight in pairs(seat, mixture)]
    return agents


def by_seat(opponents: object) -> dict[str, Any]:
    """A copy of the mapping of seats to opponents.

    Raises:
        TypeError: it is no mapping.
    """
    if not isinstance(opponents, Mapping):
        raise TypeError(f"opponents: {opponents!r} is not allowed; a mapping of every other seat to who plays it is")
    return dict(cast("Mapping[str, Any]", opponents))


def pairs(seat: str, mixture: object) -> list[tuple[Any, float]]:
    """Opponents and their weights; one opponent alone has them all.

    Raises:
        TypeError: a list that is not of opponents and weights.
    """
    if not isinstance(mixture, Sequence) or isinstance(mixture, str | bytes):
        return [(mixture, 1.0)]
    for entry in mixture:  # pyright: ignore
        if not isinstance(entry, tuple | list) or len(entry) != 2 or not isinstance(entry[1], Real):  # pyright: ignore
            raise TypeError(
                f"opponents of seat {seat}: {entry!r} is not allowed; an opponent and its weight are, "
                "as in [(first, 0.8), (second, 0.2)]"
            )
    return [(entry[0], float(entry[1])) for entry in mixture]  # pyright: ignore


def _agent(seat: str, opponent: Opponent, root: np.random.SeedSequence) -> Agent:
    (child,) = root.spawn(1)
    if hasattr(opponent, "act"):
        return cast("Agent", opponent)
    if not callable(opponent):
        raise TypeError(
            f"opponent of seat {seat}: {opponent!r} is neither an agent (it has no act) nor a function of a seed"
        )
    return opponent(int(child.generate_state(1)[0]))
