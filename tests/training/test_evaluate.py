from __future__ import annotations

import json

import pytest

from reichenbach.agents.setup import BadAgent
from reichenbach.envs import registry
from reichenbach.envs.core.errors import BadOption
from reichenbach.training import report
from reichenbach.training.evaluate import evaluate, game_seeds
from reichenbach.training.intervals import wilson

GAME = registry.game("who_is_moriarty")
RANDOM = {"sherlock": "random", "moriarty": "random"}


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # worked out by hand from (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n) with z² = 3.841459
        (0, 10, 0.0, 0.277533),
        (10, 10, 0.722467, 1.0),
        (5, 10, 0.236593, 0.763407),
        (1, 1, 0.206549, 1.0),
        (9690, 10000, 0.965419, 0.972221),
    ],
)
def test_wilson(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=1e-6)


def test_wilsons_ends_solve_its_equation() -> None:
    z, share, games = 1.959963984540054, 0.3, 50
    for end in wilson(15, games):
        assert abs(share - end) == pytest.approx(z * (end * (1 - end) / games) ** 0.5)


@pytest.mark.parametrize(("wins", "games"), [(0, 0), (-1, 3), (4, 3)])
def test_wilson_refuses(wins: int, games: int) -> None:
    with pytest.raises(ValueError, match="wilson: "):
        wilson(wins, games)


def test_the_result_says_all() -> None:
    found = evaluate(GAME, {"max_rounds": 3}, RANDOM, games=300, seed=4)
    assert list(found) == [
        *("game", "games", "seed", "options", "seats", "draws", "mean_rounds", "endings", "games_per_second"),
    ]
    assert found["options"]["max_rounds"] == 3
    assert found["options"]["crossroads"] == ["H", "I"]
    assert sum(seat["wins"] for seat in found["seats"].values()) + found["draws"] == 300
    assert sum(found["endings"].values()) == 300
    assert 1 <= found["mean_rounds"] <= 3
    for seat in found["seats"].values():
        assert seat["win_rate"] == seat["wins"] / 300
        assert seat["interval"] == list(wilson(seat["wins"], 300))
    assert json.loads(json.dumps(found)) == found
    text = report.result(found)
    assert "300 games, seed 4" in text
    assert report.percent(found["seats"]["sherlock"]["win_rate"]) in text


def test_a_seed_settles_everything() -> None:
    first, again, other = (evaluate(GAME, {}, RANDOM, games=200, seed=seed) for seed in (1, 1, 2))
    assert first["endings"] == again["endings"]
    assert first["seats"] == again["seats"]
    assert first["endings"] != other["endings"]
    assert len(set(game_seeds(1, 1000))) == 1000


def test_refusals() -> None:
    with pytest.raises(ValueError, match="one agent for each seat is needed: sherlock, moriarty; given: sherlock"):
        evaluate(GAME, {}, {"sherlock": "random"}, games=1, seed=1)
    with pytest.raises(
        ValueError, match=r"^agents: there is no seat 'watson'; one agent for each seat is needed: sherlock,"
    ):
        evaluate(GAME, {}, {**RANDOM, "watson": "random"}, games=1, seed=1)
    with pytest.raises(ValueError, match="games: 0; at least 1 is needed"):
        evaluate(GAME, {}, RANDOM, games=0, seed=1)
    with pytest.raises(BadAgent, match="did you mean random"):
        evaluate(GAME, {}, {**RANDOM, "sherlock": "rando"}, games=1, seed=1)
    with pytest.raises(BadOption, match="max_rounds"):
        evaluate(GAME, {"max_rounds": 99}, RANDOM, games=1, seed=1)


def test_tables_line_up() -> None:
    assert report.table([["a", "bb"], ["ccc", "1"]]) == "a    bb\n---  --\nccc   1"
