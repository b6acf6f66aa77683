"""Judging agents: many whole games, win rates with their intervals."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from reichenbach.agents import registry
from reichenbach.agents.stored import plain
from reichenbach.envs.core import lockstep
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.opponents import for_seats
from reichenbach.envs.core.seat import Agent
from reichenbach.training.intervals import wilson


class SideResult(TypedDict):
    """How one side fared."""

    wins: int
    win_rate: float
    interval: list[float]


class SeatResult(TypedDict):
    """How one seat fared; a game is won if it is rewarded, and so by all seats of a side."""

    agent: str
    wins: int
    win_rate: float
    interval: list[float]


class Group(TypedDict):
    """The games that have one fact in common: how many, how many each side won, how many nobody."""

    games: int
    wins: dict[str, int]
    draws: int


class Result(TypedDict):
    """What ``reichenbach evaluate --json`` prints."""

    game: str
    games: int
    seed: int
    options: dict[str, Any]
    seats: dict[str, SeatResult]
    draws: int
    mean_rounds: float
    endings: dict[str, int]
    games_per_second: float
    sides: NotRequired[dict[str, SideResult]]  # where a side is more than a seat
    by: NotRequired[dict[str, dict[str, Group]]]  # the game's facts: value by value, the games that have it


def evaluate(game: Game, options: Mapping[str, Any], agents: Mapping[str, str], *, games: int, seed: int) -> Result:
    """Plays games between agents named by text, one for every seat.

    Args:
        game: the game.
        options: of its rules; those not named are default.
        agents: seat -> text of the agent (agents/registry.py); a side's name stands for those of its seats that are not
            named themselves.
        games: how many.
        seed: settles the games and the agents' own generators.

    Raises:
        BadOption, BadAgent: an option or agent that cannot be used.
        ValueError: a seat without an agent, an agent without a seat, or no games.
    """
    resolved = game.resolve(options)
    names = for_seats(game, resolved, agents)
    built = seated(game, resolved, names, [agent_seed(seed, place) for place in range(len(names))])
    warm_up(game, resolved)
    return judge(game, resolved, built, names, games=games, seed=seed)


def seated(game: Game, options: Mapping[str, Any], names: Mapping[str, str], seeds: Sequence[int]) -> dict[str, Agent]:
    """The agents of those names by seat, each with its seed.

    Raises:
        BadAgent: one cannot be made.
    """
    return {
        seat: registry.make(name, game=game, options=options, seat=seat, seed=seed)
        for (seat, name), seed in zip(names.items(), seeds, strict=True)
    }


def warm_up(game: Game, options: Mapping[str, Any]) -> None:
    """Loads (or compiles) the rules, so that the rate counts games alone."""
    seats = game.seats(options)
    lockstep.play(game, options, seated(game, options, dict.fromkeys(seats, "random"), [0] * len(seats)), [0])


def judge(
    game: Game,
    options: Mapping[str, Any],
    agents: Mapping[str, Agent],
    names: Mapping[str, str],
    *,
    games: int,
    seed: int,
) -> Result:
    """The same for agents that are built already; ``options`` are resolved."""
    if games < 1:
        raise ValueError(f"games: {games}; at least 1 is needed")
    start = time.perf_counter()
    results = lockstep.play(game, options, agents, game_seeds(seed, games))
    return summary(game, options, names, results, seed=seed, seconds=time.perf_counter() - start)


def summary(
    game: Game,
    options: Mapping[str, Any],
    names: Mapping[str, str],
    results: lockstep.Results,
    *,
    seed: int,
    seconds: float,
) -> Result:
    """What came of games that were played; ``names`` are the agents' by seat."""
    games = len(results.ending)
    seats, sides = game.seats(options), game.sides(options)
    won = results.reward > 0
    draws = np.array([game.winner(int(code)) is None for code in results.ending])
    codes, counts = np.unique(results.ending, return_counts=True)
    found = Result(
        game=game.name,
        games=games,
        seed=seed,
        options=plain(options),
        seats={seat: SeatResult(agent=names[seat], **_share(won[:, i])) for i, seat in enumerate(seats)},
        draws=int(draws.sum()),
        mean_rounds=float(np.mean(results.rounds)),
        endings={game.endings(int(code)).name.lower(): int(count) for code, count in zip(codes, counts, strict=True)},
        games_per_second=games / seconds,
    )
    by_side = {side: won[:, sides.index(side)] for side in sides}
    if sides != seats:
        found["sides"] = {side: _share(wins) for side, wins in by_side.items()}
    if results.facts:
        found["by"] = {name: _groups(values, by_side, draws) for name, values in results.facts.items()}
    return found


def _share(wins: NDArray[np.bool_]) -> SideResult:
    games, count = len(wins), int(wins.sum())
    return SideResult(wins=count, win_rate=count / games, interval=list(wilson(count, games)))


def _groups(
    values: NDArray[Any], by_side: Mapping[str, NDArray[np.bool_]], draws: NDArray[np.bool_]
) -> dict[str, Group]:
    """The games by the value of a fact, in the order of the values."""
    return {
        str(value): Group(
            games=int(mine.sum()),
            wins={side: int(wins[mine].sum()) for side, wins in by_side.items()},
            draws=int(draws[mine].sum()),
        )
        for value in np.unique(values)
        for mine in [values == value]
    }


def game_seeds(seed: int, games: int) -> list[int]:
    """A seed for each game."""
    numbers: list[int] = np.random.SeedSequence(seed).generate_state(games, np.uint64).tolist()
    return numbers


def agent_seed(seed: int, place: int) -> int:
    """A seed for the agent on the place-th seat, unrelated to those of the games."""
    return int(np.random.SeedSequence([seed, place + 1]).generate_state(1)[0])
