"""The rates of our own games: batch kernels, threads, environments, processes from cold."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from reichenbach.envs.core import batch, chance, pick, uniform
from reichenbach.envs.core.game import Game
from tests.bench.timing import Work, rates

GAMES = 512  # at once, in the batch kernel


class UniformPlay:
    """Uniform play of a game by the batch kernel, each call some hundred thousand steps."""

    def __init__(self, game: Game, sections: int, seed: int = 0, games: int = GAMES) -> None:
        options = game.resolve({})
        self.states, self.tables = game.new(options, games), game.tables(options)
        chance.seed(self.states, range(seed, seed + games))
        batch.deal(self.states, self.tables, np.arange(games))
        self.sections, self.seed = sections, seed
        self.observations = np.zeros((games, game.layout(max(sections, 0)).size), np.float32)
        self.masks, self.n_actions = pick.masks(games, game.n_actions), game.n_actions
        self.endings = np.zeros(len(game.endings), np.int64)

    def __call__(self) -> int:
        """Plays on and returns the number of steps."""
        self.seed += 1
        return uniform.play(
            self.states,
            self.tables,
            200,
            self.sections,
            self.seed,
            self.observations,
            self.masks,
            self.n_actions,
            self.endings,
        )

    @property
    def nbytes(self) -> int:
        """Memory of states, observations and masks."""
        return int(self.states.nbytes + self.observations.nbytes + self.masks.nbytes)


def two_threads_over_one(game: Game) -> tuple[float, float]:
    """How many times the work of one thread two do, each on games of its own; and the same of plain hashing.

    Hashing shares nothing, so its figure is what the machine gives to two threads.
    """
    players = [UniformPlay(game, 0, seed) for seed in (0, 10_000)]
    both, one, both_hashing, one_hashing = rates(
        _in_threads([_four_times(player) for player in players]),
        _four_times(players[0]),
        _in_threads([_hashing, _hashing]),
        _hashing,
    )
    return both / one, both_hashing / one_hashing


def _in_threads(works: list[Work]) -> Work:
    def together() -> int:
        with ThreadPoolExecutor(len(works)) as pool:
            return sum(pool.map(lambda work: work(), works))

    return together


def _four_times(work: Work) -> Work:
    return lambda: sum(work() for _ in range(4))


def _hashing() -> int:
    block = bytes(1 << 16)
    for _ in range(300):
        hashlib.sha256(block)
    return 300


def aec_cheapest(env: Any, games: int = 50) -> Work:
    """The AEC loop with the cheapest choice of an action: the first legal one."""

    def work() -> int:
        steps = 0
        for _ in range(games):
            env.reset()
            for _agent in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                else:
                    env.step(int(observation["action_mask"].argmax()))
                    steps += 1
        return steps

    return work


def aec_documented(env: Any, games: int = 20) -> Work:
    """The loop of PettingZoo's documentation: ``action_space(agent).sample(mask)``."""

    def work() -> int:
        steps = 0
        for _ in range(games):
            env.reset()
            for agent in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    action = None
                else:
                    action = env.action_space(agent).sample(observation["action_mask"])
                    steps += 1
                env.step(action)
        return steps

    return work


_FIRST_STEP = """
import time
start = time.perf_counter()
from reichenbach.envs import {module}
env = {module}.raw_env()
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
print(time.perf_counter() - start)
"""
_IMPORT = """
import sys, time
start = time.perf_counter()
import reichenbach
print(time.perf_counter() - start)
assert "numba" not in sys.modules and "torch" not in sys.modules
"""
_ALL_RULES = """
import time
start = time.perf_counter()
from tests.bench.ours import UniformPlay
from reichenbach.envs import registry
UniformPlay(registry.game("{name}"), 0)()
print(time.perf_counter() - start)
"""


def import_seconds() -> float:
    """Seconds of ``import reichenbach`` in a new process, the least of three."""
    return min(_seconds(_IMPORT, {}) for _ in range(3))


def first_step_seconds(module: str) -> tuple[float, float]:
    """Seconds to an environment's first step in a new process: with nothing compiled yet, and with a warm cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {"NUMBA_CACHE_DIR": cache}
        cold = _seconds(_FIRST_STEP.format(module=module), environment)
        return cold, min(_seconds(_FIRST_STEP.format(module=module), environment) for _ in range(3))


def _seconds(code: str, environment: dict[str, str]) -> float:
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def compile_seconds(name: str) -> float:
    """Seconds to compile one game's batch loops with an empty cache, in a new process."""
    with tempfile.TemporaryDirectory() as cache:
        return _seconds(_ALL_RULES.format(name=name), {"NUMBA_CACHE_DIR": cache})
