"""How long games can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reichenbach.envs import registry
from reichenbach.envs.core import chance, one
from reichenbach.envs.core.game import Game

WIM, MANOR = (registry.game(name) for name in ("who_is_moriarty", "manor"))


def length(game: Game, options: dict[str, Any], seed: int) -> tuple[int, int]:
    """Submissions of a game of random play, and the most that its options allow."""
    values = game.resolve(options)
    states, tables, generator = game.new(values), game.tables(values), np.random.default_rng(seed)
    mask = np.empty(game.n_actions, np.int8)
    chance.seed(states, [seed])
    one.deal(states, tables)
    submissions = 0
    while (seat := one.mover(states, tables)) >= 0:
        one.legal(states, tables, seat, mask)
        one.step(states, tables, int(generator.choice(np.flatnonzero(mask))), mask)
        submissions += 1
    return submissions, game.longest(values)


@pytest.mark.parametrize(
    ("game", "options", "reached"),
    [
        (WIM, {"hourglasses_to_win": 12}, 32),
        (WIM, {"card_clears": "optional", "hourglasses_to_win": 12, "crossroads": "-"}, 33),
        (WIM, {"max_rounds": 2}, 8),
        (MANOR, {}, 62),
        (MANOR, {"table": "3p", "days": 1}, 27),
        (MANOR, {"table": "4p"}, 84),
        (MANOR, {"table": "4p_roles", "days": 2}, 88),
    ],
)
def test_no_game_is_longer(game: Game, options: dict[str, Any], reached: int) -> None:
    """``reached``: what some of the games of random play come to."""
    found = [length(game, options, seed) for seed in range(60)]
    assert all(submissions <= most for submissions, most in found)
    assert max(submissions for submissions, _ in found) >= reached
