"""What every environment keeps to: spaces, masks, ends, rewards, and whose move it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from reichenbach.envs.core import one
from tests.envs.cases import CASES, Case, at_every_table, legal, section
from tests.envs.playing import choice, play_on


@at_every_table
def test_spaces_and_metadata(case: Case) -> None:
    env = case.raw_env(observe_belief=True)
    assert env.metadata["name"] == case.name
    assert env.metadata["is_parallelizable"]
    assert env.metadata["render_modes"] == ["ansi", "human"]
    assert env.metadata["render_fps"] > 0
    assert str(case.env()) == case.name
    assert tuple(env.possible_agents) == case.seats
    n_actions = case.game.n_actions
    for seat in env.possible_agents:
        assert env.observation_space(seat) is env.observation_space(seat)
        assert env.action_space(seat) is env.action_space(seat)
        assert env.action_space(seat) == spaces.Discrete(n_actions)
        space = env.observation_space(seat)
        assert isinstance(space, spaces.Dict)
        assert space["observation"].dtype == np.float32
        assert space["observation"].shape == (case.game.layout(1).size,)
        assert space["action_mask"].dtype == np.int8
        assert space["action_mask"].shape == (n_actions,)
    assert env.state_space is env.state_space
    with pytest.raises(KeyError, match=f"no seat 'lestrade'; there are: {', '.join(case.seats)}"):
        env.action_space("lestrade")


@at_every_table
@pytest.mark.parametrize("seat", ["lestrade", None, 3, ["sherlock"]], ids=str)
def test_a_seat_that_there_is_not(case: Case, seat: Any) -> None:
    """However it is asked for, the seats that there are stand in the error."""
    for env in (case.raw_env(), case.env(), case.parallel_env()):
        env.reset(seed=1)
        for ask in (env.observe, env.observation_space, env.action_space):
            with pytest.raises(KeyError, match=f"there is no seat .*; there are: {', '.join(case.seats)}"):
                ask(seat)


@pytest.mark.parametrize(
    ("name", "n_actions", "seats"),
    [
        ("who_is_moriarty", 77, ["sherlock", "moriarty"]),
        ("manor-2p", 1256, ["sherlock", "moriarty"]),
        ("manor-3p", 1256, ["sherlock_0", "sherlock_1", "moriarty"]),
        ("manor-4p", 1256, ["sherlock_0", "sherlock_1", "sherlock_2", "moriarty"]),
        ("manor-4p_roles", 1256, ["sherlock", "watson", "moriarty", "irene"]),
    ],
)
def test_numbers_and_names(name: str, n_actions: int, seats: list[str]) -> None:
    case = next(case for case in CASES if str(case) == name)
    env = case.raw_env()
    assert env.possible_agents == seats
    assert env.action_space(seats[0]) == spaces.Discrete(n_actions)


@at_every_table
def test_whole_games_keep_to_the_conventions(case: Case) -> None:
    env = case.raw_env(**case.sections)
    env.reset(seed=5)
    endings = set()
    for _ in range(5):
        while env.agents:
            over = env.terminations[env.agent_selection]
            for seat in env.agents:
                assert env.observation_space(seat).contains(env.observe(seat))
                assert type(env.terminations[seat]) is bool
                assert env.truncations[seat] is False
            check_masks(case, env, over)
            assert env.state_space.contains(env.state())
            if not over:
                assert env.infos == {seat: {} for seat in case.seats}
                assert set(env.rewards.values()) == {0.0}
                env.step(choice(env.observe(env.agent_selection)))
                continue
            if len(env.agents) == len(case.seats):
                check_end(case, env)
            endings.add(env.infos[env.agent_selection]["ending"])
            env.step(None)
        env.reset()
    assert endings <= {ending.name.lower() for ending in case.game.endings} - {"running"}


def check_masks(case: Case, env: Any, over: bool) -> None:
    """An idle seat has exactly the no-op; in a game of turns nobody else has it."""
    states, tables = env._dealt(), env.face.tables
    for number, seat in enumerate(case.seats):
        allowed = legal(env.observe(seat))
        idle = not one.active(states, tables, number)
        assert idle or not over
        if idle:
            assert allowed == [case.game.no_op]
        else:
            assert allowed
            assert case.game.name == "manor" or case.game.no_op not in allowed
    assert over or one.active(states, tables, case.seats.index(env.agent_selection))


def check_end(case: Case, env: Any) -> None:
    """All seats end together, and the seats of a side are rewarded alike."""
    assert env.terminations == dict.fromkeys(case.seats, True)
    for seat, side in case.sides.items():
        info = env.infos[seat]
        assert set(info) == {"winner", "ending"}
        assert info == env.infos[case.seats[0]]
        assert info["winner"] in {*case.sides.values(), None}
        expected = 0.0 if info["winner"] is None else 1.0 if info["winner"] == side else -1.0
        assert env.rewards[seat] == expected
    assert env.last()[1] == env.rewards[env.agent_selection]


@at_every_table
def test_observations_are_fresh_arrays(case: Case) -> None:
    env = case.raw_env()
    env.reset(seed=1)
    first, *_ = env.last()
    assert first is not None
    before = first["observation"].copy(), first["action_mask"].copy()
    play_on(env, 3)
    env.observe(case.seats[0])
    np.testing.assert_array_equal(first["observation"], before[0])
    np.testing.assert_array_equal(first["action_mask"], before[1])


@at_every_table
def test_state_is_the_base_observation_of_one_who_sees_all_whatever_sections_are_asked_for(case: Case) -> None:
    plain, rich = case.raw_env(), case.raw_env(**case.sections)
    plain.reset(seed=3)
    rich.reset(seed=3)
    for *_, action in play_on(plain, 6):
        rich.step(action)
    assert plain.state().shape == (case.game.layout(0).size,)
    np.testing.assert_array_equal(plain.state(), rich.state())
    secret = {"who_is_moriarty": "identity", "manor": "secret"}[case.game.name]
    told = section(case, plain.state(), secret)
    assert told.sum() == {"who_is_moriarty": 1, "manor": 4}[case.game.name]
    assert section(case, plain.observe(case.seats[0])["observation"], secret).sum() == 0
    np.testing.assert_array_equal(told, section(case, plain.observe("moriarty")["observation"], secret))


@at_every_table
def test_nothing_is_played_after_the_end(case: Case) -> None:
    env = case.raw_env()
    env.reset(seed=2)
    play_on(env)
    for _ in case.seats:
        with pytest.raises(ValueError, match="when an agent is dead"):
            env.step(0)
        env.step(None)
    assert env.agents == []


@at_every_table
def test_before_the_first_reset(case: Case) -> None:
    with pytest.raises(RuntimeError, match="call reset"):
        case.raw_env().observe(case.seats[0])
    with pytest.raises(AttributeError, match="before reset"):
        _ = case.env().agent_selection
