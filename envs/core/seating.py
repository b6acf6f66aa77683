"""Whether a saved state of players is one: play trusts every number in it, and would wait for ever for an agent 99."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.seat import Agent

PARTS = ("assigned", "first", "generator", "agents")
Kind = TypeVar("Kind", bound=np.generic)


def check_parts(state: Mapping[str, Any]) -> None:
    """Raises ValueError where a part of the state is missing."""
    for name in PARTS:
        if name not in state:
            raise ValueError(f"players: {name}: missing")


def assigned(
    value: object, counts: Mapping[str, int], now: NDArray[np.int64], callers: NDArray[np.int64] | None
) -> NDArray[np.int64]:
    """Which agent plays each seat of each game, int64 (N, seats); -1 where the caller does.

    Args:
        value: what was saved.
        counts: how many agents there are, by seat.
        now: what holds now, shape (N, seats).
        callers: shape (N,), the caller's seat in each game, -1 for none. Without it the caller has one seat of each
            game at most, and nobody may be assigned at all where that is so now: before the first game.

    Raises:
        ValueError: names the first number that is not allowed.
    """
    found = _table("assigned", value, now)
    if callers is None and (now < 0).all() and (found == -1).all():
        return found
    empty, numbers = found == -1, np.array(list(counts.values()), np.int64)
    if callers is None:
        mine = (empty & (empty.sum(axis=1, keepdims=True) == 1)) | (numbers == 0)
    else:
        mine = callers[:, None] == np.arange(len(numbers))
    wrong = np.argwhere(np.where(mine, ~empty, (found < 0) | (found >= numbers)))
    if len(wrong):
        game, seat = (int(place) for place in wrong[0])
        allowed = "-1, the caller's, is" if mine[game, seat] else f"0 to {numbers[seat] - 1} are"
        where = f"game {game}, seat {list(counts)[seat]}"
        raise ValueError(f"players: assigned: {where}: {found[game, seat]} is not allowed; {allowed}")
    return found


def first(value: object, now: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether each seat's next move is its first of the game, bool (N, seats); raises ValueError."""
    return _table("first", value, now)


def _table(name: str, value: object, now: NDArray[Kind]) -> NDArray[Kind]:
    """An array of the shape and type of ``now``."""
    try:
        given: NDArray[Any] = np.asarray(value)
    except ValueError:  # lists of different lengths
        given = np.empty(0, np.object_)
    if given.shape != now.shape or given.dtype != now.dtype:
        raise ValueError(
            f"players: {name}: shape {given.shape} and type {given.dtype} are not allowed; "
            f"shape {now.shape} and {now.dtype} are"
        )
    return given


def generator(value: Any) -> dict[str, Any]:
    """The state of a generator that can be set; raises ValueError."""
    bits = np.random.PCG64(0)
    try:
        bits.state = value
    except Exception as error:  # of many kinds, and only NumPy knows them
        raise ValueError(f"players: generator: {type(error).__name__}: {error}") from error
    return dict(bits.state)


def memories(value: Any, agents: Mapping[str, Sequence[Agent]]) -> list[tuple[str, Agent, Any]]:
    """Seat, agent and what it shall remember, of every agent.

    Raises:
        ValueError: other seats, or not one memory for each agent.
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"players: agents: a {type(value).__name__} is not allowed; memories by seat are")
    saved = cast("Mapping[str, Any]", value)
    if {*saved} != {*agents}:
        raise ValueError(f"players: agents: seats {', '.join(map(str, saved))}; {', '.join(agents)} are needed")
    found: list[tuple[str, Agent, Any]] = []
    for seat, sitting in agents.items():
        of_seat = cast("Sequence[Any]", saved[seat] if isinstance(saved[seat], list | tuple) else ())
        number = len(of_seat)
        if number != len(sitting):
            what = "memory" if number == 1 else "memories"
            raise ValueError(f"players: agents: seat {seat}: {number} {what}; {len(sitting)} are needed")
        found += [(seat, agent, memory) for agent, memory in zip(sitting, of_seat, strict=True)]
    return found


def remember(wanted: Sequence[tuple[str, Agent, Any]]) -> None:
    """Gives every agent its memory; where one refuses, all keep what they had.

    Raises:
        ValueError: names the agent that refused.
    """
    before = [(agent, agent.get_state()) for _, agent, _ in wanted]
    for seat, agent, memory in wanted:
        try:
            agent.set_state(memory)
        except Exception as error:  # whatever an agent makes of a memory that is not its own
            for one, own in before:
                one.set_state(own)
            why = f"{type(agent).__name__} does not take up what it shall remember: {type(error).__name__}: {error}"
            raise ValueError(f"players: agents: seat {seat}: {why}") from error
