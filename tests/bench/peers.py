"""The rates of other libraries' games, each doing what ours does beside it; one that is not installed is skipped."""

from __future__ import annotations

import importlib
from typing import Any

from tests.bench.ours import aec_cheapest, aec_documented
from tests.bench.timing import Work


class Skipped(Exception):
    """The peer cannot be measured here; the message says why."""


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Skipped(f"{name}: {error}") from error


def pettingzoo_raw(name: str) -> Work:
    """A PettingZoo classic's ``raw_env()`` with the cheapest choice of action."""
    return aec_cheapest(_module(f"pettingzoo.classic.{name}").raw_env())


def pettingzoo_documented(name: str) -> Work:
    """A PettingZoo classic's ``env()`` in the loop of its documentation."""
    return aec_documented(_module(f"pettingzoo.classic.{name}").env())


def pgx(name: str, games: int = 8192, sweeps: int = 50) -> Work:
    """A Pgx game on this processor, sampling and auto-reset included."""
    pgx_module, jax = _module("pgx"), _module("jax")
    auto_reset = _module("pgx.experimental").auto_reset
    env = pgx_module.make(name)
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def sweep(carry: Any, key: Any) -> tuple[Any, None]:
        logits = jax.numpy.where(carry.legal_action_mask, 0.0, -1e9)
        choose, chance = jax.random.split(key)
        actions = jax.random.categorical(choose, logits, axis=-1)
        return step(carry, actions, jax.random.split(chance, games)), None

    play = jax.jit(lambda states, key: jax.lax.scan(sweep, states, jax.random.split(key, sweeps))[0])
    states = [init(jax.random.split(jax.random.PRNGKey(0), games))]
    keys = [jax.random.PRNGKey(1)]

    def work() -> int:
        keys[0] = jax.random.split(keys[0])[0]
        states[0] = play(states[0], keys[0])
        jax.block_until_ready(states[0])
        return games * sweeps

    return work
