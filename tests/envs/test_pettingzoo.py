"""PettingZoo's own tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.test.state_test import state_test

from reichenbach.envs import who_is_moriarty_v0
from tests.envs.playing import LegalSlots, LegalTurns

pytestmark = [
    # It warns of names without a number, and of dict observations unless it knows the environment by name.
    pytest.mark.filterwarnings("ignore:We recommend agents to be named"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.mark.parametrize(
    "make",
    [
        who_is_moriarty_v0.env,
        who_is_moriarty_v0.raw_env,
        lambda: who_is_moriarty_v0.env(illegal_moves="lose"),
        lambda: who_is_moriarty_v0.env(observe_belief=True, observe_after=True, card_clears="optional"),
    ],
    ids=["env", "raw_env", "lose", "sections"],
)
def test_api(make: Callable[[], Any]) -> None:
    api_test(make(), num_cycles=60)


def test_parallel_api() -> None:
    parallel_api_test(who_is_moriarty_v0.parallel_env(), num_cycles=200)


def test_seeds() -> None:
    seed_test(who_is_moriarty_v0.env, num_cycles=100)
    seed_test(who_is_moriarty_v0.raw_env, num_cycles=100)


def test_parallel_seeds() -> None:
    parallel_seed_test(LegalSlots, num_cycles=100)
    parallel_seed_test(lambda: who_is_moriarty_v0.parallel_env(illegal_moves="lose"), num_cycles=100)


def test_states() -> None:
    state_test(LegalTurns(), LegalSlots(), num_cycles=40)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    make: Any  # PettingZoo says that it takes Gymnasium's environments
    for make in (who_is_moriarty_v0.env, partial(who_is_moriarty_v0.raw_env, render_view="all")):
        render_test(make)
    assert "Who Is Moriarty, round 1 of 8" in capsys.readouterr().out


def test_max_cycles() -> None:
    """A round is four slots, and four turns of each seat take two rounds: the length follows from the rules."""

    class SeededTurns(LegalTurns):
        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            super().reset(1, options)  # under most seeds nobody wins in the first round
            for agent in self.possible_agents:
                self.action_space(agent).seed(1)

    faces = SimpleNamespace(
        parallel_env=lambda max_cycles: LegalSlots(max_rounds=max_cycles // 4),
        env=lambda max_cycles: SeededTurns(max_rounds=max_cycles // 2, hourglasses_to_win=12),
    )
    max_cycles_test(faces)
