"""What holds in every game of Who Is Moriarty, whatever the options and the moves."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reichenbach.envs import who_is_moriarty_v0
from reichenbach.envs.core.aec import TurnEnv
from reichenbach.envs.who_is_moriarty.game import GAME
from reichenbach.envs.who_is_moriarty.tables import HOURGLASSES

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
    env = who_is_moriarty_v0.raw_env(**options)
    assert isinstance(env, TurnEnv)
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
