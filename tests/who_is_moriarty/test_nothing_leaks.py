"""The leak audit of Who Is Moriarty over whole games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reichenbach.envs.core.audit import audit
from reichenbach.envs.who_is_moriarty.game import GAME


def test_nothing_leaks_in_500_games() -> None:
    report = audit(GAME, 500)
    assert report.games == 500
    assert report.plies > 500 * 17
    assert report.settings > 15 * report.plies


@pytest.mark.parametrize(
    "options",
    [
        {"card_clears": "optional"},
        {"card_clears": "optional", "goal_check": "immediate", "crossroads": ()},
        {"moriarty_cards": "open", "start": "random", "turn_crossroads": True},
    ],
    ids=lambda options: " ".join(options),
)
def test_nothing_leaks_under_other_rules(options: Mapping[str, Any]) -> None:
    report = audit(GAME, 40, options=options, seed=1000)
    assert report.plies > 40 * 15
