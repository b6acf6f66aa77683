"""Opponents: the mixture, and past selves that are kept to the end of a game."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import torch

from reichenbach.agents.network import Network, NetworkSpec
from reichenbach.envs import registry
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.seat import Views
from reichenbach.training.checkpoint import spec_of
from reichenbach.training.config import Config
from reichenbach.training.league import League, PastSelf, Pool

SPEC = NetworkSpec("mlp", (4,), observation=3, actions=5)


def always(action: int) -> Network:
    """A network that is all but sure of one action."""
    network = Network(SPEC)
    with torch.no_grad():
        for value in network.parameters():
            value.zero_()
        network.policy.bias[action] = 50
    return network


def views(games: list[int], first: list[bool]) -> Views:
    k = len(games)
    return Views(0, np.ones((k, 3), np.float32), np.ones((k, 5), np.int8), np.array(games), np.array(first))


def test_a_game_keeps_its_snapshot() -> None:
    pool = Pool(SPEC, keep=2)
    pool.add(always(0))
    past = PastSelf(pool, 0, slots=4, seed=1)
    assert past.act(views([0, 2], [True, True])).tolist() == [0, 0]
    pool.add(always(1))
    pool.add(always(2))
    pool.prune(past.used())
    assert sorted(pool.networks) == [0, 1, 2]  # 0 is no longer recent, but games 0 and 2 use it
    assert past.act(views([0, 2], [False, False])).tolist() == [0, 0]
    assert set(past.act(views([1, 3] * 20, [True] * 40)).tolist()) == {1, 2}
    past.act(views([0, 2], [True, True]))
    pool.prune(past.used())
    assert sorted(pool.networks) == [1, 2]


def test_a_snapshot_is_a_copy_and_draws_nothing() -> None:
    pool, network = Pool(SPEC, keep=1), always(3)
    before = torch.get_rng_state()
    pool.add(network)
    assert torch.equal(torch.get_rng_state(), before)
    with torch.no_grad():
        network.policy.bias.zero_()
    assert PastSelf(pool, 0, slots=1, seed=1).act(views([0], [True])).tolist() == [3]


def test_state_continues_the_same_games() -> None:
    pool = Pool(SPEC, keep=3)
    for _ in range(3):
        pool.add(Network(SPEC))
    one = PastSelf(pool, 0, slots=50, seed=1)
    one.act(views(list(range(50)), [True] * 50))
    again = Pool(SPEC, keep=3)
    again.restore(pool.weights(), pool.recent)
    other = PastSelf(again, 0, slots=50, seed=2)
    other.set_state(json.loads(json.dumps(one.get_state())))
    for first in (False, True, False):
        seen = views(list(range(50)), [first] * 50)
        assert one.act(seen).tolist() == other.act(seen).tolist()


@pytest.mark.parametrize("snapshot", [[0] * 3, [[0] * 4], [0, 1, 2, 3], [0.5] * 4, [-2, 0, 0, 0], 0, None, "x"])
def test_snapshots_that_are_not_there_are_refused(snapshot: object) -> None:
    pool = Pool(SPEC, keep=3)
    for _ in range(3):
        pool.add(Network(SPEC))
    past = PastSelf(pool, 0, slots=4, seed=1)
    past.act(views([0, 1], [True, True]))
    before = json.dumps(past.get_state())
    with pytest.raises(ValueError, match=r"^self: snapshots of shape .* are not allowed; shape \(4,\), of -1, 0, 1, 2"):
        past.set_state({**json.loads(before), "snapshot": snapshot})
    assert json.dumps(past.get_state()) == before


@pytest.mark.parametrize("recent", [[], [77], [0, 3], None, ["0"], [0.5]])
def test_recent_snapshots_that_are_not_there_are_refused(recent: Any) -> None:
    pool = Pool(SPEC, keep=3)
    for _ in range(3):
        pool.add(Network(SPEC))
    with pytest.raises(ValueError, match=r"^recent snapshots: .* is not allowed; some of 0, 1, 2"):
        pool.restore(pool.weights(), recent)
    assert pool.recent == [0, 1, 2]


@pytest.mark.parametrize(("seat", "others"), [("sherlock", ["moriarty"]), ("both", ["sherlock", "moriarty"])])
def test_the_mixture_plays_the_other_seats(seat: str, others: list[str]) -> None:
    config = Config.model_validate(
        {
            "game": "who_is_moriarty",
            "seat": seat,
            "opponents": [{"agent": "random", "weight": 1}, {"agent": "greedy", "weight": 3.0}],
        }
    )
    face = Face.of(registry.game("who_is_moriarty"), config.options)
    league = League(config, face, spec_of(config, face))
    assert list(league.opponents) == others
    for mixture in league.opponents.values():
        assert [weight for _, weight in mixture] == [1, 3]
    states = [json.dumps(agent.get_state()) for agent in league.agents if agent.sections == 0]
    assert len(set(states)) == len(states)  # every agent has a seed of its own
