"""What random play comes to, against the figures of an independent model of the rules (specification §10).

Those figures bear standard errors of 0.2 to 0.5 points. A win rate of ours has its own error, 0.3 points over 20,000
games; the two may differ by twice the error of their difference, with 0.5 points taken for the figure's. Means of
rounds and actions and the share of chases are given to the last digit shown: half of it is allowed on top of twice the
error of the difference, both samples taken as equally large. Seeds are fixed, so a result stays as it is.
"""

from __future__ import annotations

import os
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.who_is_moriarty.crowd import Games, by_token, flat, play

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="20,000 games take hours in plain Python"
)

GAMES = 20_000
PUBLISHED: dict[str, Any] = {"crossroads": ("I",), "turn_crossroads": True}  # the published game


@cache
def by_tokens() -> Games:
    return play(GAMES, 1, by_token)


def assert_win_rate(games: Games, figure: float) -> None:
    rate = float(games.sherlock_won.mean())
    own_error = sqrt(rate * (1 - rate) / len(games.sherlock_won))
    assert abs(rate - figure) < 2 * sqrt(own_error**2 + 0.005**2)


def assert_mean(values: NDArray[Any], figure: float, last_digit: float) -> None:
    error = float(values.std()) / sqrt(len(values))
    assert abs(float(values.mean()) - figure) < 2 * sqrt(2) * error + last_digit / 2


def test_uniform_over_flat_actions() -> None:
    assert_win_rate(play(GAMES, 2, flat), 0.772)


def test_uniform_over_tokens_then_parameters() -> None:
    assert_win_rate(by_tokens(), 0.769)


def test_length_of_games() -> None:
    assert_mean(by_tokens().states["round_number"], 4.57, 0.01)
    assert_mean(by_tokens().actions, 18.3, 0.1)
    assert by_tokens().actions.max() == 32


def test_how_often_there_is_a_chase() -> None:
    assert_mean(by_tokens().states["chase"], 0.052, 0.001)


def test_goals_checked_at_once() -> None:
    assert_win_rate(play(GAMES, 3, by_token, goal_check="immediate"), 0.751)


def test_the_published_game() -> None:
    assert_win_rate(play(GAMES, 4, by_token, **PUBLISHED), 0.741)


def test_legal_actions_at_the_first_pick() -> None:
    counts: set[int] = set()

    def watch(states: NDArray[Any], masks: NDArray[np.int8]) -> None:
        counts.update(masks[states["pick"] == 1].sum(axis=1, dtype=int).tolist())

    play(GAMES, 5, flat, watch)
    assert (min(counts), max(counts)) == (24, 67)
