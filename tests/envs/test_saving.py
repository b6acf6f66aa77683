"""Copies, saved states and pickles of games in progress."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from reichenbach.agents import registry
from reichenbach.envs import who_is_moriarty_v0
from reichenbach.envs.core.single import SeatEnv
from reichenbach.envs.who_is_moriarty.game import GAME
from tests.envs.playing import Chooser, choose, play_on, raw_env

SAVERS: dict[str, Callable[[Any], Any]] = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
ARGUMENTS = {"observe_belief": True, "card_clears": "optional", "crossroads": ("A",), "render_view": "all"}


@pytest.mark.parametrize("how", SAVERS)
@pytest.mark.parametrize("moves", [0, 7, 40])
def test_a_copy_goes_on_alone_and_alike(how: str, moves: int) -> None:
    env = raw_env(render_mode="ansi", **ARGUMENTS)
    env.reset(seed=3)
    play_on(env, moves)
    twin = SAVERS[how](env)
    saved = env.get_state()
    assert twin.get_state() == saved
    assert twin.render() == env.render()
    assert twin.face.options == env.face.options
    assert (twin.infos, twin.agents, twin.rewards) == (env.infos, env.agents, env.rewards)
    later = play_on(twin)
    assert env.get_state() == saved, "the copy does not touch the original"
    assert play_on(env) == later
    assert (twin.infos, twin.rewards) == (env.infos, env.rewards)
    for one in (env, twin):
        one.reset()
    assert play_on(env) == play_on(twin), "the chain of games goes on alike"


@pytest.mark.parametrize("how", SAVERS)
def test_copies_in_the_middle_of_the_end(how: str) -> None:
    env = raw_env()
    env.reset(seed=3)
    play_on(env)
    env.step(None)  # the first seat has left, the other not yet
    twin = SAVERS[how](env)
    assert twin.agents == ["moriarty"]
    assert twin.last()[1:] == env.last()[1:]
    twin.step(None)
    assert (twin.agents, env.agents) == ([], ["moriarty"])


@pytest.mark.parametrize("how", SAVERS)
def test_copies_before_the_first_reset(how: str) -> None:
    twin = SAVERS[how](raw_env(**ARGUMENTS))
    assert twin.face.options["card_clears"] == "optional"
    with pytest.raises(RuntimeError, match="call reset"):
        twin.get_state()
    twin.reset(seed=1)


@pytest.mark.parametrize("how", SAVERS)
@pytest.mark.parametrize("illegal_moves", ["raise", "lose"])
def test_copies_of_the_checked_environment(how: str, illegal_moves: str) -> None:
    env: Any = who_is_moriarty_v0.env(illegal_moves=illegal_moves)
    env.reset(seed=3)
    twin = SAVERS[how](env)
    assert type(twin) is type(env)
    for one in (env, twin):
        for agent in one.agent_iter():
            view, _, terminated, _, _ = one.last()
            one.step(None if terminated else choose(view["observation"], view["action_mask"]))
            if agent == "moriarty":
                break
    assert twin.get_state() == env.get_state()
    fresh = who_is_moriarty_v0.env(illegal_moves=illegal_moves)
    fresh.set_state(env.get_state())
    assert fresh.agent_selection == env.agent_selection
    assert fresh.last()[1:] == env.last()[1:]


@pytest.mark.filterwarnings("ignore:.*[Ii]llegal")
def test_a_copy_of_a_game_lost_by_an_illegal_move() -> None:
    env = who_is_moriarty_v0.raw_env(illegal_moves="lose")
    env.reset(seed=3)
    env.step(GAME.no_op)
    restored = who_is_moriarty_v0.raw_env(illegal_moves="lose")
    restored.set_state(env.get_state())
    for twin in (env.clone(), restored):
        for agent in twin.agent_iter():
            assert twin.last()[1] == (-1.0 if agent == "sherlock" else 0.0)
            twin.step(None)
        assert twin.agents == []
    assert env.agents == ["sherlock", "moriarty"]


def test_copies_draw_their_own_samples() -> None:
    env = raw_env()
    env.action_space("sherlock").seed(5)
    twin = copy.deepcopy(env)
    expected = [env.action_space("sherlock").sample() for _ in range(5)]
    assert [twin.action_space("sherlock").sample() for _ in range(5)] == expected


@pytest.mark.parametrize("how", SAVERS)
def test_slots(how: str) -> None:
    env = who_is_moriarty_v0.parallel_env(illegal_moves="lose", render_mode="ansi", **ARGUMENTS)
    views, _ = env.reset(seed=3)
    for _ in range(5):
        actions = {name: choose(view["observation"], view["action_mask"]) for name, view in views.items()}
        views, *_ = env.step(actions)
    twin = SAVERS[how](env)
    assert (twin.illegal_moves, twin.render_view) == ("lose", "all")
    assert twin.get_state() == env.get_state()
    actions = {name: choose(view["observation"], view["action_mask"]) for name, view in views.items()}
    assert repr(twin.step(actions)) == repr(env.step(actions))
    assert twin.agents == env.agents


def test_states_restore_into_another_environment() -> None:
    env, other = raw_env(), raw_env()
    env.reset(seed=3)
    play_on(env, 9)
    other.set_state(env.get_state())
    assert play_on(other) == play_on(env)


def test_foreign_states_are_refused_by_name() -> None:
    env = raw_env()
    env.reset(seed=1)
    saved = env.get_state()
    wrong: Any
    for wrong, message in (
        (None, "no saved state"),
        ("text", "no saved state"),
        (b"[]", "no saved state"),
        (b"", "no saved state"),
        (b"{}\n", "no saved state"),
        (saved.replace(b'"rules": "1"', b'"rules": "0"'), "rules '0', this environment has '1'"),
        *((saved[:length], "no saved state|damaged") for length in range(len(saved))),
        *((_changed(saved, at), "no saved state|this environment has|damaged") for at in range(len(saved))),
        (saved + b"\0", "damaged"),
    ):
        with pytest.raises(ValueError, match=message):
            env.set_state(wrong)
        assert env.get_state() == saved
    with pytest.raises(ValueError, match="options"):
        raw_env(max_rounds=7).set_state(saved)


def _changed(saved: bytes, at: int) -> bytes:
    return saved[:at] + bytes([saved[at] ^ 1]) + saved[at + 1 :]


def test_states_of_other_kinds_of_environment_are_refused() -> None:
    turns, slots = raw_env(), who_is_moriarty_v0.parallel_env()
    seat = SeatEnv(GAME, "moriarty", {"sherlock": Chooser()})
    envs: list[Any] = [turns, slots, seat]
    for env in envs:
        env.reset(seed=1)
    for env in envs:
        before = env.get_state()
        for other in envs:
            if other is not env:
                with pytest.raises(ValueError, match="another kind"):
                    env.set_state(other.get_state())
        assert env.get_state() == before


def test_a_seat_refuses_a_state_of_other_opponents() -> None:
    setup: dict[str, Any] = {"game": GAME, "options": GAME.resolve({}), "seat": "moriarty", "seed": 1}
    known = registry.make("random", **setup)
    env = SeatEnv(GAME, "sherlock", {"moriarty": known})
    env.reset(seed=1)
    before = env.get_state()
    for opponents in ([(known, 1), (registry.make("random", **setup), 1)], Chooser()):
        other = SeatEnv(GAME, "sherlock", {"moriarty": opponents})
        other.reset(seed=2)
        with pytest.raises(ValueError, match="other opponents"):
            env.set_state(other.get_state())
        assert env.get_state() == before


def test_one_seat() -> None:
    def make() -> SeatEnv:
        return SeatEnv(GAME, "moriarty", {"sherlock": Chooser()})

    env, reward = make(), 0.0
    view, info = env.reset(seed=4)
    for _ in range(3):
        view, _, _, _, info = env.step(choose(view["observation"], view["action_mask"]))
    twins = [make(), *(save(env) for save in SAVERS.values())]
    twins[0].set_state(env.get_state())
    assert not info
    ends = []
    for one in (env, *twins):
        now, now_info = view, info
        while not now_info:
            now, reward, _, _, now_info = one.step(choose(now["observation"], now["action_mask"]))
        ends.append((reward, now_info, one.get_state()))
    assert all(end == ends[0] for end in ends)
    assert copy.deepcopy(env).face is env.face, "games and tables are shared"
