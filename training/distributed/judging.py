"""Judging agents on Ray: the games in parts that are always the same, played by as many processes as there are."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import ray

from reichenbach.envs import registry as registered
from reichenbach.envs.core import lockstep
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.opponents import for_seats
from reichenbach.training.distributed import cluster
from reichenbach.training.evaluate import Result, game_seeds, seated, summary, warm_up

PART = lockstep.AT_ONCE


def evaluate(
    game: Game,
    options: Mapping[str, Any],
    agents: Mapping[str, str],
    *,
    games: int,
    seed: int,
    workers: int = 2,
    address: str | None = None,
) -> Result:
    """As ``training.evaluate.evaluate``, spread over processes.

    Every part of 1,024 games has agents of its own, with seeds of their own: the result does not depend on the number
    of workers. It is another sample than one process alone would play, where agents draw from generators.

    Args:
        game: one that is registered by its name.
        options: of its rules.
        agents: by seat or side.
        games: how many.
        seed: settles everything.
        workers: how many processes play at once.
        address: of a Ray cluster; None: one on this machine, for as long as it takes.

    Raises:
        TooSmall: the cluster has fewer processors than workers.
        ConnectionError: there is no cluster at the address.
        Lost: a worker died again and again.
        ValueError: as ``training.evaluate.evaluate``.
    """
    if games < 1 or workers < 1:
        raise ValueError(f"games: {games}, workers: {workers}; at least 1 of each is needed")
    resolved = game.resolve(options)
    names = for_seats(game, resolved, agents)
    _agents(game, resolved, names, seed, 0)  # one that cannot be made is refused here
    warm_up(game, resolved)
    seeds = game_seeds(seed, games)
    with cluster.joined(address, workers):
        start = time.perf_counter()
        parts = _play_all(game, resolved, names, seeds, seed, workers)
        seconds = time.perf_counter() - start
    return summary(game, resolved, names, lockstep.joined(parts), seed=seed, seconds=seconds)


def _play_all(
    game: Game, options: Mapping[str, Any], names: Mapping[str, str], seeds: Sequence[int], seed: int, workers: int
) -> list[lockstep.Results]:
    """The results of all parts in their order; a part whose process dies is played again."""
    play = ray.remote(num_cpus=1, max_retries=3)(_play_part)
    begun = 0
    found: dict[int, lockstep.Results] = {}
    waiting: dict[Any, int] = {}
    while len(found) * PART < len(seeds):
        while begun < len(seeds) and len(waiting) < workers:
            part = seeds[begun : begun + PART]
            waiting[play.remote(game.name, options, names, part, begun, seed)] = begun
            begun += PART
        (ready,), _ = ray.wait(list(waiting), num_returns=1)
        try:
            with cluster.answers():
                found[waiting.pop(ready)] = ray.get(ready)
        except ray.exceptions.RayTaskError as error:  # an agent's, with all of the way that it came
            raise error.cause from error
    return [found[begin] for begin in sorted(found)]


def _play_part(
    name: str, options: Mapping[str, Any], names: Mapping[str, str], seeds: Sequence[int], first: int, seed: int
) -> lockstep.Results:
    game = registered.game(name)
    agents = _agents(game, options, names, seed, first // PART)
    return lockstep.play(game, options, agents, seeds, first=first)


def _agents(game: Game, options: Mapping[str, Any], names: Mapping[str, str], seed: int, part: int) -> dict[str, Any]:
    """The agents of one part."""
    numbers = np.random.SeedSequence([seed, 1, part]).generate_state(len(names)).tolist()
    return seated(game, options, names, numbers)
