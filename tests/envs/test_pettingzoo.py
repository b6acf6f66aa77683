"""PettingZoo's own tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.test.state_test import state_test

from reichenbach.envs.who_is_moriarty.game import GAME
from tests.envs.cases import CASES, Case, at_every_table, of_every_game
from tests.envs.playing import legal_slots, legal_turns

pytestmark = [
    # It warns of names without a number, and of dict observations unless it knows the environment by name.
    pytest.mark.filterwarnings("ignore:We recommend agents to be named"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@at_every_table
@pytest.mark.parametrize(
    "make",
    [
        lambda case: case.env(),
        lambda case: case.raw_env(),
        lambda case: case.env(illegal_moves="lose"),
        lambda case: case.env(**case.sections),
    ],
    ids=["env", "raw_env", "lose", "sections"],
)
def test_api(case: Case, make: Callable[[Case], Any]) -> None:
    api_test(make(case), num_cycles=60)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("who_is_moriarty", {"card_clears": "optional"}),
        ("manor", {"table": "3p", "inventory": "private", "exposure": "side"}),
    ],
)
def test_api_under_other_rules(name: str, options: dict[str, Any]) -> None:
    case = next(case for case in CASES if case.game.name == name)
    api_test(case.env(**case.sections, **options), num_cycles=60)


@at_every_table
def test_parallel_api(case: Case) -> None:
    parallel_api_test(case.parallel_env(), num_cycles=200)


@at_every_table
def test_seeds(case: Case) -> None:
    seed_test(case.env, num_cycles=100)
    seed_test(case.raw_env, num_cycles=100)


@at_every_table
def test_parallel_seeds(case: Case) -> None:
    parallel_seed_test(partial(legal_slots(case.game), **case.options), num_cycles=100)
    parallel_seed_test(partial(case.parallel_env, illegal_moves="lose"), num_cycles=100)


@at_every_table
def test_states(case: Case) -> None:
    turns, slots = legal_turns(case.game), legal_slots(case.game)
    state_test(turns(**case.options), slots(**case.options), num_cycles=40)


@of_every_game
def test_rendering(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    make: Any  # PettingZoo says that it takes Gymnasium's environments
    for make in (case.env, partial(case.raw_env, render_view="all")):
        render_test(make)
    title = {"who_is_moriarty": "Who Is Moriarty, round 1 of 8", "manor": "The Manor, table 4p_roles, map "}
    assert title[case.game.name] in capsys.readouterr().out


def test_max_cycles() -> None:
    """A round is four slots, and four turns of each seat take two rounds: the length follows from the rules.

    That is so in Who Is Moriarty; The Manor has no game that short.
    """

    class SeededTurns(legal_turns(GAME)):  # type: ignore[misc]  # a class made for the game
        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            super().reset(1, options)  # under most seeds nobody wins in the first round
            for agent in self.possible_agents:
                self.action_space(agent).seed(1)

    slots: Any = legal_slots(GAME)
    faces = SimpleNamespace(
        parallel_env=lambda max_cycles: slots(max_rounds=max_cycles // 4),
        env=lambda max_cycles: SeededTurns(max_rounds=max_cycles // 2, hourglasses_to_win=12),
    )
    max_cycles_test(faces)
