"""What holds in every game of every kind, whatever the options and the moves: masks, positions as text, slots."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reichenbach.envs.core import one
from reichenbach.envs.core.aec import TurnEnv
from reichenbach.envs.core.errors import BadOption, IllegalAction
from reichenbach.envs.core.face import Observation
from reichenbach.envs.core.options import find
from tests.envs.cases import Case, at_every_table, illegal, legal

SEEDS = st.integers(0, 2**40)
# Each number chooses one of the legal actions.
MOVES = st.lists(st.integers(0, 10**6), min_size=4, max_size=48)
AT_MOST = 20  # actions tried of those that a mask allows, and of those that it does not


@cache
def values(case: Case, name: str) -> tuple[Any, ...]:
    """At most five values of an option, spread over its range, that the game has at this table by themselves."""
    option = find(case.game.options, name)
    found = []
    for value in option.values:
        try:
            case.game.tables(case.game.resolve({**case.options, name: value}))
        except BadOption:
            continue
        found.append(value)
    return tuple(found[:: max(1, len(found) // 4)])


def arguments(case: Case) -> st.SearchStrategy[dict[str, Any]]:
    """Rule options and optional sections; the table stays."""
    names = [option.name for option in case.game.options if option.name not in case.options]
    rules = {name: st.sampled_from(values(case, name)) for name in names}
    return st.fixed_dictionaries({}, optional={**rules, **dict.fromkeys(case.sections, st.booleans())})


def begin(case: Case, options: dict[str, Any], seed: int) -> TurnEnv:
    """A game; combinations of options that the game does not have are passed over."""
    try:
        env = case.raw_env(**options)
    except BadOption:
        assume(False)
    env.reset(seed=seed)
    return env


def pick(view: Observation, number: int) -> int:
    """A legal action; three in four times one that is not the no-op, which some games have among the others."""
    allowed = legal(view)
    return allowed[-1] if number % 4 == 0 else allowed[number // 4 % len(allowed)]


def some(actions: list[int], number: int) -> list[int]:
    """At most `AT_MOST` of them, the first and the last among them."""
    step = max(1, len(actions) // AT_MOST)
    return sorted({*actions[:1], *actions[number % step :: step], *actions[-1:]})


def same_views(env: TurnEnv, twin: Any) -> None:
    """Every seat is shown the same."""
    for seat in env.agents:
        for key, value in env.observe(seat).items():
            np.testing.assert_array_equal(value, twin.observe(seat)[key])


@at_every_table
@settings(max_examples=12)
@given(data=st.data(), seed=SEEDS, moves=MOVES)
def test_what_is_given_fits_the_spaces(case: Case, data: st.DataObject, seed: int, moves: list[int]) -> None:
    env = begin(case, data.draw(arguments(case)), seed)
    for number in moves:
        if env.terminations[env.agent_selection]:
            break
        view, reward, terminated, truncated, info = env.last()
        assert view is not None
        assert (reward, terminated, truncated, info) == (0.0, False, False, {})
        for seat in env.agents:
            assert env.observation_space(seat).contains(env.observe(seat))
        env.step(pick(view, number))
    assert env.state_space.contains(env.state())
    assert env.render() is None


@at_every_table
@settings(max_examples=12)
@given(data=st.data(), seed=SEEDS, moves=MOVES)
def test_masks_are_exactly_the_legal_moves(case: Case, data: st.DataObject, seed: int, moves: list[int]) -> None:
    env = begin(case, data.draw(arguments(case)), seed)
    for number in moves[:8]:
        if env.terminations[env.agent_selection]:
            break
        view = env.observe(env.agent_selection)
        assert set(view["action_mask"].tolist()) <= {0, 1}
        assert view["action_mask"].any()
        before = env.get_state()
        for action in some(legal(view), number):
            twin = env.clone()
            twin.step(action)
            assert twin.get_state() != before
        for action in some(illegal(view), number):
            with pytest.raises(IllegalAction):
                env.step(action)
            assert env.get_state() == before
        for place, seat in enumerate(case.seats):
            if not one.active(env._dealt(), env.face.tables, place):
                assert legal(env.observe(seat)) == [case.game.no_op]
        env.step(pick(view, number))


@at_every_table
@settings(max_examples=12)
@given(data=st.data(), seed=SEEDS, moves=MOVES)
def test_positions_on_the_way_can_be_written_and_read(
    case: Case, data: st.DataObject, seed: int, moves: list[int]
) -> None:
    options = data.draw(arguments(case))
    env, twin = begin(case, options, seed), begin(case, options, seed)
    for number in moves:
        if env.terminations[env.agent_selection]:
            return
        text = case.game.format(env._dealt())
        twin.reset(options={"position": text})
        assert case.game.format(twin._dealt()) == text
        same_views(env, twin)
        np.testing.assert_array_equal(env.state(), twin.state())
        env.step(pick(env.observe(env.agent_selection), number))


@at_every_table
@settings(max_examples=12)
@given(data=st.data(), seed=SEEDS, moves=MOVES)
def test_slots_play_as_turns_do(case: Case, data: st.DataObject, seed: int, moves: list[int]) -> None:
    options = data.draw(arguments(case))
    turns, slots = begin(case, options, seed), case.parallel_env(**options)
    views, _ = slots.reset(seed=seed)
    for number in moves:
        if not slots.agents:
            break
        same_views(turns, slots)
        waiting = [one.active(turns._dealt(), turns.face.tables, place) for place in range(len(case.seats))]
        actions = {seat: pick(view, number + 5 * place) for place, (seat, view) in enumerate(views.items())}
        for seat, active in zip(case.seats, waiting, strict=True):
            if active:
                assert turns.agent_selection == seat
                turns.step(actions[seat])
        views, rewards, terminated, _, infos = slots.step(actions)
        assert (rewards, terminated, infos) == (turns.rewards, turns.terminations, turns.infos)
    np.testing.assert_array_equal(turns.state(), slots.state())
