from __future__ import annotations

import json

import numpy as np

from reichenbach.agents.random import Random
from reichenbach.envs.core.seat import Views


def views(mask: list[list[int]]) -> Views:
    rows = len(mask)
    return Views(0, np.zeros((rows, 1), np.float32), np.array(mask, np.int8), np.arange(rows), np.ones(rows, np.bool_))


def test_every_legal_action_comes_as_often() -> None:
    mask = [[0, 1, 1, 0, 1]] * 30_000
    counts = np.bincount(Random(1).act(views(mask)), minlength=5)
    assert counts[0] == counts[3] == 0
    # 10,000 each are expected; five standard deviations
    assert np.abs(counts[[1, 2, 4]] - 10_000).max() < 5 * np.sqrt(30_000 * 2 / 9)


def test_the_last_action_alone() -> None:
    assert Random(1).act(views([[0, 0, 1]] * 100)).tolist() == [2] * 100


def test_state_continues_the_same_lots() -> None:
    one, other = Random(1), Random(2)
    seen = views([[1] * 77] * 50)
    one.act(seen)
    other.set_state(json.loads(json.dumps(one.get_state())))
    assert one.act(seen).tolist() == other.act(seen).tolist()
