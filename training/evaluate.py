"""Judging agents: many whole games, win rates with their intervals."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, TypedDict

import numpy as np

from reichenbach.agents import registry
from reichenbach.agents.stored import plain
from reichenbach.envs.core import lockstep
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.seat import Agent
from reichenbach.training.intervals import wilson


class SeatResult(TypedDict):
    """How one seat fared."""

    agent: str
    wins: int
    win_rate: float
    interval: list[float]


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


def evaluate(game: Game, options: Mapping[str, Any], agents: Mapping[str, str], *, games: int, seed: int) -> Result:
    """Plays games between agents named by text, one for every seat.

    Args:
        game: the game.
        options: of its rules; those not named are default.
        agents: seat -> text of the agent (agents/registry.py).
        games: how many.
        seed: settles the games and the agents' own generators.

    Raises:
        BadOption, BadAgent: an option or agent that cannot be used.
        ValueError: a seat without an agent, an agent without a seat, or no games.
    """
    resolved = game.resolve(options)
    seats = game.seats(resolved)
    if set(agents) != set(seats):
        raise ValueError(f"one agent for each seat is needed: {', '.join(seats)}; given: {', '.join(agents) or 'none'}")
    built = {
        seat: registry.make(agents[seat], game=game, options=resolved, seat=seat, seed=agent_seed(seed, i))
        for i, seat in enumerate(seats)
    }
    _warm_up(game, resolved)
    return judge(game, resolved, built, agents, games=games, seed=seed)


def _warm_up(game: Game, options: Mapping[str, Any]) -> None:
    """Loads (or compiles) the rules, so that the rate counts games alone."""
    players = {
        seat: registry.make("random", game=game, options=options, seat=seat, seed=0) for seat in game.seats(options)
    }
    lockstep.play(game, options, players, [0])


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
    seconds = time.perf_counter() - start
    codes, counts = np.unique(results.ending, return_counts=True)
    endings = {int(code): int(count) for code, count in zip(codes, counts, strict=True)}
    wins: dict[str | None, int] = {}
    for code, count in endings.items():
        winner = game.winner(code)
        wins[winner] = wins.get(winner, 0) + count
    return Result(
        game=game.name,
        games=games,
        seed=seed,
        options=plain(options),
        seats={seat: _seat(names[seat], wins.get(seat, 0), games) for seat in game.seats(options)},
        draws=wins.get(None, 0),
        mean_rounds=float(np.mean(results.rounds)),
        endings={game.endings(code).name.lower(): count for code, count in endings.items()},
        games_per_second=games / seconds,
    )


def game_seeds(seed: int, games: int) -> list[int]:
    """A seed for each game."""
    numbers: list[int] = np.random.SeedSequence(seed).generate_state(games, np.uint64).tolist()
    return numbers


def agent_seed(seed: int, place: int) -> int:
    """A seed for the agent on the place-th seat, unrelated to those of the games."""
    return int(np.random.SeedSequence([seed, place + 1]).generate_state(1)[0])


def _seat(agent: str, wins: int, games: int) -> SeatResult:
    return SeatResult(agent=agent, wins=wins, win_rate=wins / games, interval=list(wilson(wins, games)))
