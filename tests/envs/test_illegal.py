"""Illegal moves: they change nothing, or they lose the game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reichenbach.envs import who_is_moriarty_v0
from reichenbach.envs.core.errors import IllegalAction
from tests.envs.cases import Case, at_every_table, illegal, of_every_game
from tests.envs.playing import choice, play_on


@at_every_table
def test_an_illegal_move_raises_and_changes_nothing(case: Case) -> None:
    env = case.raw_env()
    env.reset(seed=2)
    before, n = env.get_state(), case.game.n_actions
    wrong = illegal(env.observe(env.agent_selection))
    for action in (wrong[0], wrong[-1], np.int64(wrong[len(wrong) // 2]), -1, n, 10**30):
        with pytest.raises(IllegalAction, match="allowed are"):
            env.step(action)
        assert env.get_state() == before
        assert env.agent_selection == case.seats[0]


@of_every_game
def test_an_action_that_is_no_integer_is_illegal(case: Case) -> None:
    env = case.raw_env()
    env.reset(seed=2)
    for action in (None, 1.5, "wait"):
        with pytest.raises(IllegalAction, match="an integer is needed"):
            env.step(action)  # type: ignore[arg-type]  # that is the test
    env.step(np.int64(play_on(env.clone(), 1)[0][2]))  # NumPy's are integers


@at_every_table
def test_after_the_end_one_is_told_to_reset(case: Case) -> None:
    env = case.raw_env()
    env.reset(seed=2)
    play_on(env)
    for _ in case.seats:
        env.step(None)
    with pytest.raises(IllegalAction, match="call reset"):
        env.step(0)


@pytest.mark.filterwarnings("ignore:.*[Ii]llegal")
@at_every_table
def test_lose_ends_the_game_for_the_offender(case: Case) -> None:
    env = case.losing_env()
    env.reset(seed=2)
    offender = case.seats[0]
    env.step(illegal(env.observe(offender))[-1])
    assert env.terminations == dict.fromkeys(case.seats, True)
    assert env.truncations == dict.fromkeys(case.seats, False)
    expected = {**dict.fromkeys(case.seats, 0.0), offender: -1.0}
    assert env.rewards == expected
    rewards = {}
    for agent in env.agent_iter():
        _, rewards[agent], terminated, _, info = env.last()
        assert terminated
        assert info == {"winner": None, "ending": "illegal_move"}
        env.step(None)
    assert rewards == expected
    env.reset()
    assert not any(env.terminations.values())


@pytest.mark.filterwarnings("ignore:.*[Ii]llegal")
@of_every_game
def test_lose_takes_every_whole_number(case: Case) -> None:
    """PettingZoo's wrapper would look up -4 as the mask's fourth from its end."""
    env, n = case.losing_env(), case.game.n_actions
    for action in (*range(-n - 3, 0, 7), -4, -1, n, 2**40, 10**30, np.int64(-1)):
        env.reset(seed=2)
        env.step(action)
        assert env.rewards == {**dict.fromkeys(case.seats, 0.0), case.seats[0]: -1.0}
        assert env.infos[case.seats[1]]["ending"] == "illegal_move"


@of_every_game
def test_lose_refuses_what_is_no_whole_number_and_all_after_the_end(case: Case) -> None:
    env = case.losing_env()
    env.reset(seed=2)
    before = env.get_state()
    wrong: Any
    for wrong in (None, 1.5, "wait", [3], np.array([1, 2]), np.array([3])):
        with pytest.raises(IllegalAction, match="an integer is needed"):
            env.step(wrong)
        assert env.get_state() == before
    for _ in env.agent_iter():
        view, _, terminated, _, _ = env.last()
        env.step(None if terminated else choice(view))
    with pytest.raises(IllegalAction, match="call reset"):
        env.step(None)


@pytest.mark.filterwarnings("ignore:.*[Ii]llegal")
@at_every_table
def test_lose_judges_by_the_mask_of_the_position_restored(case: Case) -> None:
    """PettingZoo's wrapper remembers the mask seen last, which a restored position makes stale."""
    env = case.env(illegal_moves="lose")
    env.reset(seed=2)
    saved = env.get_state()
    move = choice(env.observe(case.seats[0]))
    env.step(move)
    env.last()  # another seat's mask is remembered now
    env.set_state(saved)
    env.step(move)
    assert not any(env.terminations.values())


@at_every_table
def test_bounds_and_order_are_checked_by_env(case: Case) -> None:
    env = case.env()
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(case.game.n_actions)
    with pytest.raises(IllegalAction):
        env.step(illegal(env.observe(case.seats[0]))[0])
    turns = iter(env.agent_iter())
    assert next(turns) == case.seats[0]
    with pytest.raises(AssertionError, match="need to call step"):
        next(turns)


@at_every_table
def test_slots_refuse_what_is_not_allowed(case: Case) -> None:
    env = case.parallel_env()
    views, _ = env.reset(seed=1)
    moves = {seat: choice(view) for seat, view in views.items()}
    before = env.get_state()
    for seat, view in views.items():
        for wrong in (illegal(view)[0], illegal(view)[-1], case.game.n_actions + 3, -1):
            with pytest.raises(IllegalAction, match=f"^step: {seat}: action .* of {seat}: .*allowed are"):
                env.step({**moves, seat: wrong})
            assert env.get_state() == before
        with pytest.raises(IllegalAction, match=f"no action for {seat}"):
            env.step({other: move for other, move in moves.items() if other != seat})
        with pytest.raises(IllegalAction, match=f"no seat '{seat}x'; allowed are {case.seats[0]}, "):
            env.step({**moves, f"{seat}x": moves[seat]})
        assert env.get_state() == before
    env.step(moves)
    assert env.get_state() != before


def test_an_idle_seat_is_told_so() -> None:
    env = who_is_moriarty_v0.parallel_env()
    views, _ = env.reset(seed=1)
    move = choice(views["sherlock"])
    with pytest.raises(IllegalAction, match=r"of moriarty: the seat is idle, .* \(W9\); allowed are 'wait'"):
        env.step({"sherlock": move, "moriarty": move})


@at_every_table
def test_slots_lose(case: Case) -> None:
    env = case.parallel_env(illegal_moves="lose")
    views, _ = env.reset(seed=1)
    offenders = (case.seats[0], case.seats[-1])
    moves = {seat: illegal(view)[0] if seat in offenders else choice(view) for seat, view in views.items()}
    _, rewards, terminated, truncated, infos = env.step(moves)
    assert rewards == {seat: -1.0 if seat in offenders else 0.0 for seat in case.seats}
    assert terminated == dict.fromkeys(case.seats, True)
    assert truncated == dict.fromkeys(case.seats, False)
    assert infos == {seat: {"winner": None, "ending": "illegal_move"} for seat in case.seats}
    assert env.agents == []
    with pytest.raises(IllegalAction, match="call reset"):
        env.step(moves)
