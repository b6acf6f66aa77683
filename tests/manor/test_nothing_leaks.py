"""The leak audit of The Manor over whole games, for every seat at every table.

A ply has up to thirty pairs for each detective, and twenty settings of everything else for each; each setting has a
generator of its own. Rendering is slow and compared for some of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reichenbach.envs.core.audit import Report, audit
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.map_file import SHIPPED


def looked_at(games: int, options: Mapping[str, Any], seed: int = 0) -> Report:
    """What was compared; raises Leak."""
    return audit(GAME, games, options=options, seed=seed, keys=1, render_every=25, renders=2)


@pytest.mark.parametrize(("table", "settings"), [("2p", 180), ("3p", 350), ("4p", 600), ("4p_roles", 400)])
def test_nothing_leaks_in_200_games(table: str, settings: int) -> None:
    report = looked_at(200, {"table": table})
    assert report.games == 200
    assert report.plies > 200 * 40
    assert report.settings > settings * report.plies


@pytest.mark.parametrize(
    "options",
    [
        {"table": "2p", "inventory": "private", "exposure": "overridden", "map": SHIPPED[1]},
        {"table": "3p", "exposure": "side", "stack_hunger": True, "map": SHIPPED[2]},
        {"table": "3p", "inventory": "private", "leak_chance": 100, "dog_chance": 100},
        {"table": "4p", "exposure": "overridden", "map": SHIPPED[1]},
        {"table": "4p_roles", "inventory": "private", "exposure": "side", "irene_commands_target": True},
        {"table": "4p_roles", "exposure": "overridden", "sherlock_beats_watson": True, "days": 1, "map": SHIPPED[2]},
    ],
    ids=lambda options: " ".join(map(str, options.values())),
)
def test_nothing_leaks_under_other_rules(options: Mapping[str, Any]) -> None:
    report = looked_at(10, options, 1000)
    assert report.plies > 10 * 20
    assert report.settings > 100 * report.plies
