"""What holds in every game of Who Is Moriarty, whatever the options and the moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reichenbach.envs import who_is_moriarty_v0
from reichenbach.envs.core.aec import TurnEnv
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.who_is_moriarty import notation
from reichenbach.envs.who_is_moriarty.game import GAME
from reichenbach.envs.who_is_moriarty.tables import HOURGLASSES
from tests.envs.playing import raw_env

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        **{option.name: st.sampled_from(option.values) for option in GAME.options},
        "observe_belief": st.booleans(),
        "observe_after": st.booleans(),
    },
)
SEEDS = st.integers(0, 2**40)
# Each number chooses one of the legal actions; card draws are made likelier, they are rare among turns and swaps.
MOVES = st.lists(st.integers(0, 10**6), min_size=4, max_size=48)


def facts(env: TurnEnv) -> dict[str, Any]:
    """The state's fields as plain values."""
    states = env._dealt()
    return {name: states[name][0].tolist() for name in GAME.dtype.names or ()}


def cards(now: dict[str, Any], of: str) -> list[int]:
    """The cards that a seat drew."""
    drawn: list[int] = now[f"{of}_card"][: now[f"{of}_cards"]]
    return drawn


def choose(mask: np.ndarray[Any, np.dtype[np.int8]], number: int) -> int:
    """A legal action; one in four times a card, where one may be drawn."""
    legal = np.flatnonzero(mask)
    card = GAME.action_from_text("draw card")
    return card if mask[card] and number % 4 == 0 else int(legal[number // 4 % len(legal)])


def check_facts(now: dict[str, Any]) -> None:
    """Facts of one position."""
    assert not now["cleared"] >> now["moriarty"] & 1, "Moriarty's tile is never cleared"
    sherlock, moriarty = cards(now, "sherlock"), cards(now, "moriarty")
    waiting = [now["choosing"]] if now["choosing"] >= 0 else []
    drawn = [*sherlock, *moriarty, *waiting]
    assert len(drawn) <= 4, "at most four cards are drawn"
    assert len({*drawn, now["moriarty"]}) == len(drawn) + 1, "every card is in one place, and eight are no identity"
    assert now["sherlock_card"][len(sherlock) :] == [-1] * (8 - len(sherlock))
    assert sorted(now["suspect"]) == list(range(9))
    assert all(0 <= place < 12 for place in now["detective"])
    assert now["pick"] == 1 + sum(now["used"])
    for cell, suspect in enumerate(now["suspect"]):
        is_open = now["cleared"] >> suspect & 1 and now["crossroads"] >> suspect & 1
        assert (now["wall"][cell] == 4) == bool(is_open), "cleared crossroads and no other tile are open"


def check_step(before: dict[str, Any], now: dict[str, Any], action: int) -> None:
    """Facts that a step keeps, or changes in one direction."""
    assert now["cleared"] & before["cleared"] == before["cleared"], "suspects do not come back"
    assert now["moriarty"] == before["moriarty"]
    for seat in ("sherlock", "moriarty"):
        assert cards(now, seat)[: len(cards(before, seat))] == cards(before, seat), "drawn cards stay"
    ended_round = now["round_number"] > before["round_number"] or now["ending"] != 0
    assert 0 <= now["won_unseen"] - before["won_unseen"] <= int(ended_round)
    drew = GAME.action_text(action) == "draw card"
    more = sum(len(cards(now, seat)) - len(cards(before, seat)) for seat in ("sherlock", "moriarty"))
    assert more + (now["choosing"] >= 0) - (before["choosing"] >= 0) == int(drew)


def check_end(env: TurnEnv, now: dict[str, Any]) -> None:
    """Facts of the end."""
    info = env.infos["sherlock"]
    suspects = 9 - now["cleared"].bit_count()
    total = now["won_unseen"] + sum(HOURGLASSES[card] for card in cards(now, "moriarty"))
    options = env.face.options
    assert now["round_number"] <= options["max_rounds"]
    if info["ending"] == "one_suspect":
        assert suspects == 1
        assert total < options["hourglasses_to_win"]
    if info["ending"] == "hourglasses":
        assert suspects > 1
        assert total >= options["hourglasses_to_win"]
    if info["ending"] == "time":
        assert now["round_number"] == options["max_rounds"]
        assert suspects > 1
        assert total < options["hourglasses_to_win"]
    low, high = (0.0, 2.0) if options["rewards"] == "zp" else (-1.0, 1.0)
    for seat in env.possible_agents:
        assert env.rewards[seat] == (high if seat == info["winner"] else low)


@settings(max_examples=120)
@given(options=OPTIONS, seed=SEEDS, moves=MOVES)
def test_any_game_under_any_options(options: dict[str, Any], seed: int, moves: list[int]) -> None:
    env = raw_env(**options)
    env.reset(seed=seed)
    now = facts(env)
    check_facts(now)
    for number in moves:
        if now["ending"]:
            break
        view, reward, terminated, truncated, info = env.last()
        assert view is not None
        assert (reward, terminated, truncated, info) == (0.0, False, False, {})
        assert env.observation_space(env.agent_selection).contains(view)
        action = choose(view["action_mask"], number)
        before = now
        env.step(action)
        now = facts(env)
        check_facts(now)
        check_step(before, now, action)
    if now["ending"]:
        check_end(env, now)
    assert env.state_space.contains(env.state())
    assert env.render() is None


@settings(max_examples=40)
@given(options=OPTIONS, seed=SEEDS, moves=MOVES)
def test_masks_are_exactly_the_legal_moves(options: dict[str, Any], seed: int, moves: list[int]) -> None:
    env = raw_env(**options)
    env.reset(seed=seed)
    for number in moves[:12]:
        if env.terminations[env.agent_selection]:
            break
        mask = env.observe(env.agent_selection)["action_mask"]
        assert set(mask.tolist()) <= {0, 1}
        assert mask.any()
        for action in range(GAME.n_actions):
            twin = env.clone()
            if mask[action]:
                twin.step(action)
                assert twin.get_state() != env.get_state()
            else:
                with pytest.raises(IllegalAction):
                    twin.step(action)
                assert twin.get_state() == env.get_state()
        idle = next(seat for seat in env.agents if seat != env.agent_selection)
        assert np.flatnonzero(env.observe(idle)["action_mask"]).tolist() == [GAME.no_op]
        env.step(choose(mask, number))


@settings(max_examples=40)
@given(options=OPTIONS, seed=SEEDS, moves=MOVES)
def test_positions_on_the_way_can_be_written_and_read(options: dict[str, Any], seed: int, moves: list[int]) -> None:
    env = raw_env(**options)
    env.reset(seed=seed)
    for number in moves:
        if env.terminations[env.agent_selection]:
            return
        text = notation.format(env._dealt())
        twin = raw_env(**options)
        twin.reset(options={"position": text})
        for seat in env.agents:
            for key, value in env.observe(seat).items():
                np.testing.assert_array_equal(value, twin.observe(seat)[key])  # type: ignore[literal-required]
        env.step(choose(env.observe(env.agent_selection)["action_mask"], number))


@settings(max_examples=25)
@given(options=OPTIONS, seed=SEEDS, moves=MOVES)
def test_slots_play_as_turns_do(options: dict[str, Any], seed: int, moves: list[int]) -> None:
    turns, slots = raw_env(**options), who_is_moriarty_v0.parallel_env(**options)
    turns.reset(seed=seed)
    views, _ = slots.reset(seed=seed)
    for number in moves:
        for seat, view in views.items():
            for key, value in turns.observe(seat).items():
                np.testing.assert_array_equal(value, view[key])  # type: ignore[literal-required]
        if not slots.agents:
            break
        mover = turns.agent_selection
        action = choose(views[mover]["action_mask"], number)
        turns.step(action)
        views, rewards, terminated, _, infos = slots.step({**dict.fromkeys(views, GAME.no_op), mover: action})
        assert (rewards, terminated, infos) == (turns.rewards, turns.terminations, turns.infos)
