"""Who plays which seat, as users write it: for every seat, or for all but that of a one-seat environment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, TypeVar, cast

import numpy as np

from reichenbach.envs.core.game import Game
from reichenbach.envs.core.seat import Agent

T = TypeVar("T")
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


def by_seat(game: Game, options: Mapping[str, Any], caller: str, opponents: object) -> dict[str, Any]:
    """The opponent of every seat but the caller's, in the order of the seats; a side may stand for its seats.

    Raises:
        TypeError: it is no mapping.
        ValueError: see ``for_seats``.
    """
    if not isinstance(opponents, Mapping):
        raise TypeError(f"opponents: {opponents!r} is not allowed; a mapping of every other seat to who plays it is")
    return for_seats(game, options, cast("Mapping[str, Any]", opponents), caller)


def for_seats(
    game: Game, options: Mapping[str, Any], given: Mapping[str, T], caller: str | None = None
) -> dict[str, T]:
    """Who plays each seat; a side's name stands for those of its seats that are not named themselves.

    Args:
        game: the game.
        options: of its rules, resolved.
        given: by the name of a seat or of a side.
        caller: a seat that needs nobody; what is given for it is left out.

    Raises:
        ValueError: a seat has nobody, or a name stands for no seat; says which there are.
    """
    side_of = dict(zip(game.seats(options), game.sides(options), strict=True))
    names = {seat: seat if seat in given else side for seat, side in side_of.items()}
    wrong = [f"seat {seat} has none" for seat, name in names.items() if seat != caller and name not in given]
    for name in given:
        if name not in (*side_of, *side_of.values()):
            wrong.append(f"there is no seat {name!r}")
        elif name not in names.values():
            wrong.append(f"{name} stands for no seat, for each of its seats is named")
    if wrong:
        who = "agents" if caller is None else "opponents"
        raise ValueError(f"{who}: {'; '.join(wrong)}; {_needed(side_of, given, caller)}")
    return {seat: given[name] for seat, name in names.items() if seat != caller}


def _needed(side_of: Mapping[str, str], given: Iterable[object], caller: str | None) -> str:
    """What ``for_seats`` asks for, in an error's words."""
    seats = ", ".join(seat for seat in side_of if seat != caller)
    each = "each seat" if caller is None else "each other seat"
    text = f"one agent for {each} is needed: {seats}; given: {', '.join(map(str, given)) or 'none'}"
    if list(side_of) == list(side_of.values()):
        return text
    members: dict[str, list[str]] = {}
    for seat, side in side_of.items():
        members.setdefault(side, []).append(seat)
    stands = "; ".join(f"{side} for {', '.join(its)}" for side, its in members.items())
    return f"{text}; a side stands for its seats: {stands}"


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
