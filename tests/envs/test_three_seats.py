"""The adapters over a game of three seats that choose at once (pennies.py)."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test

from reichenbach.envs import vector
from reichenbach.envs.core.errors import BadPosition, IllegalAction
from reichenbach.envs.core.single import SeatEnv
from tests.envs.pennies import GAME, NO_OP, SEATS, Slots, Turns
from tests.envs.playing import Chooser

SIDE_ONE = {"position": "side=1"}


@pytest.mark.plain
def test_turns_ask_the_seats_one_after_the_other_and_show_no_pending_guess() -> None:
    env = Turns()
    env.reset(options=SIDE_ONE)
    order = []
    for guess in (1, 0, 1, 0, 1, 0):
        order.append(env.agent_selection)
        before = [env.observe(seat)["observation"].tobytes() for seat in SEATS]
        env.step(guess)
        if len(order) % 2:
            after = [env.observe(seat)["observation"].tobytes() for seat in SEATS]
            assert before == after, "a guess that is not resolved yet shows nowhere"
    assert order == ["b", "c", "a", "c", "a", "b"]
    assert env.rewards == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert env.infos["b"] == {"winner": "a", "ending": "won_by_a"}
    assert env.metadata["name"] == "pennies_v3"


@pytest.mark.plain
def test_a_slot_takes_all_guesses_at_once() -> None:
    env = Slots(observe_bonus=True)
    views, _ = env.reset(options=SIDE_ONE)
    assert {seat: np.flatnonzero(view["action_mask"]).tolist() for seat, view in views.items()} == {
        "a": [NO_OP],
        "b": [0, 1],
        "c": [0, 1],
    }
    assert [view["observation"][7] for view in views.values()] == [1, 0, 0], "seat a alone knows the side"
    assert views["c"]["observation"].shape == (9,)
    env.step({"a": NO_OP, "b": 1, "c": 0})
    env.step({"a": 1, "b": NO_OP, "c": 0})
    _, rewards, terminated, truncated, infos = env.step({"a": 0, "b": 0, "c": NO_OP})
    assert rewards == {"a": 0.0, "b": 0.0, "c": 0.0}
    assert terminated == {"a": True, "b": True, "c": True}
    assert truncated == {"a": False, "b": False, "c": False}
    assert infos["a"] == {"winner": None, "ending": "shared"}
    assert env.agents == []


@pytest.mark.plain
def test_a_slot_in_which_one_seat_errs_is_not_played_at_all() -> None:
    env = Slots()
    env.reset(seed=1)
    before = env.get_state()
    with pytest.raises(IllegalAction, match=r"^step: c: 'wait' of c: it is no guess; allowed are"):
        env.step({"a": NO_OP, "b": 1, "c": NO_OP})
    with pytest.raises(IllegalAction, match=r"^step: a: 'guess 1' of a: the seat is idle; allowed is 'wait'"):
        env.step({"a": 1, "b": 1, "c": 1})
    assert env.get_state() == before
    losing = Slots(illegal_moves="lose")
    losing.reset(seed=1)
    _, rewards, *_ = losing.step({"a": 1, "b": 1, "c": NO_OP})
    assert rewards == {"a": -1.0, "b": 0.0, "c": -1.0}


def play_turns(seed: int) -> list[Any]:
    env = Turns()
    env.reset(seed=seed)
    while not env.terminations[env.agent_selection]:
        view = env.observe(env.agent_selection)
        env.step(int(view["observation"][7]))
    return [env.rewards, env.infos, env.state().tolist()]


def play_slots(seed: int) -> list[Any]:
    env = Slots()
    views, _ = env.reset(seed=seed)
    rewards: dict[str, float] = {}
    infos: dict[str, dict[str, Any]] = {}
    while env.agents:
        idle = {seat: view["action_mask"][NO_OP] == 1 for seat, view in views.items()}
        actions = {s: NO_OP if idle[s] else int(view["observation"][7]) for s, view in views.items()}
        views, rewards, _, _, infos = env.step(actions)
    return [rewards, infos, env.state().tolist()]


def test_turns_and_slots_are_one_game() -> None:
    stories = [play_turns(seed) for seed in range(20)]
    assert [play_slots(seed) for seed in range(20)] == stories
    assert len({str(story[1]["a"]["ending"]) for story in stories}) > 1


@pytest.mark.filterwarnings("ignore:We recommend agents to be named")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
def test_pettingzoos_own() -> None:
    api_test(Turns(), num_cycles=30)
    parallel_api_test(Slots(), num_cycles=30)


@pytest.mark.parametrize("seat", SEATS)
def test_one_seat_and_vectors_against_two_agents(seat: str) -> None:
    others = {other: Chooser() for other in SEATS if other != seat}
    env = SeatEnv(GAME, seat, others)
    view, info = env.reset(seed=3)
    moves = 0
    while not info:
        assert view["action_mask"].tolist() == [1, 1, 0]
        view, _, _, _, info = copy.deepcopy(env).step(1)
        view, _, _, _, info = env.step(1)
        moves += 1
    assert moves == 2, "every seat is idle in one of the three rounds"
    envs = vector.make(GAME, seat=seat, opponents={other: Chooser() for other in others}, num_envs=5)
    views, _ = envs.reset(seed=3)
    ended = 0
    for _ in range(6):
        assert (views["action_mask"] == [1, 1, 0]).all()
        views, _, terminations, _, _ = envs.step(np.ones(5, np.int64))
        ended += int(terminations.sum())
    assert ended == 15


def test_positions() -> None:
    env = Turns()
    env.reset(seed=1)
    with pytest.raises(BadPosition, match="expected side=0 or side=1"):
        env.reset(options={"position": "head"})
