"""Copies, saved states and pickles of games in progress."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from reichenbach.agents import registry
from reichenbach.envs.core.single import SeatEnv
from tests.envs.cases import CASES, Case, at_every_table, illegal, of_every_game
from tests.envs.playing import Chooser, choice, play_on

SAVERS: dict[str, Callable[[Any], Any]] = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
# Options that are none of the defaults, by game.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "who_is_moriarty": {"card_clears": "optional", "crossroads": ("A",)},
    "manor": {"inventory": "private", "exposure": "side", "dog_chance": 100},
}


def arguments(case: Case) -> dict[str, Any]:
    """Every kind of argument."""
    return {"observe_belief": True, "render_view": "all", **ARGUMENTS[case.game.name]}


@at_every_table
@pytest.mark.parametrize("how", SAVERS)
@pytest.mark.parametrize("moves", [0, 7, 200])
def test_a_copy_goes_on_alone_and_alike(case: Case, how: str, moves: int) -> None:
    env = case.raw_env(render_mode="ansi", **arguments(case))
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


@at_every_table
@pytest.mark.parametrize("how", SAVERS)
def test_copies_in_the_middle_of_the_end(case: Case, how: str) -> None:
    env = case.raw_env()
    env.reset(seed=3)
    play_on(env)
    env.step(None)  # the first seat has left, the others not yet
    twin = SAVERS[how](env)
    left = list(case.seats[1:])
    assert twin.agents == left
    assert twin.last()[1:] == env.last()[1:]
    twin.step(None)
    assert (twin.agents, env.agents) == (left[1:], left)


@of_every_game
@pytest.mark.parametrize("how", SAVERS)
def test_copies_before_the_first_reset(case: Case, how: str) -> None:
    twin = SAVERS[how](case.raw_env(**arguments(case)))
    assert {name: twin.face.options[name] for name in ARGUMENTS[case.game.name]} == ARGUMENTS[case.game.name]
    with pytest.raises(RuntimeError, match="call reset"):
        twin.get_state()
    twin.reset(seed=1)


@of_every_game
@pytest.mark.parametrize("how", SAVERS)
@pytest.mark.parametrize("illegal_moves", ["raise", "lose"])
def test_copies_of_the_checked_environment(case: Case, how: str, illegal_moves: str) -> None:
    env: Any = case.env(illegal_moves=illegal_moves)
    env.reset(seed=3)
    twin = SAVERS[how](env)
    assert type(twin) is type(env)
    for one in (env, twin):
        for agent in one.agent_iter():
            view, _, terminated, _, _ = one.last()
            one.step(None if terminated else choice(view))
            if agent == case.seats[-1]:
                break
    assert twin.get_state() == env.get_state()
    fresh = case.env(illegal_moves=illegal_moves)
    fresh.set_state(env.get_state())
    assert fresh.agent_selection == env.agent_selection
    assert fresh.last()[1:] == env.last()[1:]


@pytest.mark.filterwarnings("ignore:.*[Ii]llegal")
@at_every_table
def test_a_copy_of_a_game_lost_by_an_illegal_move(case: Case) -> None:
    env = case.losing_env()
    env.reset(seed=3)
    env.step(illegal(env.observe(case.seats[0]))[0])
    restored = case.losing_env()
    restored.set_state(env.get_state())
    for twin in (env.clone(), restored):
        for agent in twin.agent_iter():
            assert twin.last()[1] == (-1.0 if agent == case.seats[0] else 0.0)
            twin.step(None)
        assert twin.agents == []
    assert env.agents == list(case.seats)


@of_every_game
def test_copies_draw_their_own_samples(case: Case) -> None:
    env = case.raw_env()
    env.action_space("sherlock").seed(5)
    twin = copy.deepcopy(env)
    expected = [env.action_space("sherlock").sample() for _ in range(5)]
    assert [twin.action_space("sherlock").sample() for _ in range(5)] == expected


@at_every_table
@pytest.mark.parametrize("how", SAVERS)
def test_slots(case: Case, how: str) -> None:
    env = case.parallel_env(illegal_moves="lose", render_mode="ansi", **arguments(case))
    views, _ = env.reset(seed=3)
    for _ in range(5):
        views, *_ = env.step({name: choice(view) for name, view in views.items()})
    twin = SAVERS[how](env)
    assert (twin.illegal_moves, twin.render_view) == ("lose", "all")
    assert twin.get_state() == env.get_state()
    actions = {name: choice(view) for name, view in views.items()}
    assert repr(twin.step(actions)) == repr(env.step(actions))
    assert twin.agents == env.agents


@at_every_table
def test_states_restore_into_another_environment(case: Case) -> None:
    env, other = case.raw_env(), case.raw_env()
    env.reset(seed=3)
    play_on(env, 9)  # in the middle of a slot: commands that others do not know yet come along
    other.set_state(env.get_state())
    assert play_on(other) == play_on(env)


@of_every_game
def test_foreign_states_are_refused_by_name(case: Case) -> None:
    env = case.raw_env()
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
    other = {"who_is_moriarty": {"max_rounds": 7}, "manor": {"days": 2}}[case.game.name]
    with pytest.raises(ValueError, match="options"):
        case.raw_env(**other).set_state(saved)


def _changed(saved: bytes, at: int) -> bytes:
    return saved[:at] + bytes([saved[at] ^ 1]) + saved[at + 1 :]


def test_a_state_of_one_game_or_table_is_none_of_another() -> None:
    envs = [case.raw_env() for case in CASES]
    for env in envs:
        env.reset(seed=1)
    for env in envs:
        for other in envs:
            if other is not env:
                with pytest.raises(ValueError, match=r"saved with (game|options)"):
                    env.set_state(other.get_state())


@of_every_game
def test_states_of_other_kinds_of_environment_are_refused(case: Case) -> None:
    turns, slots, seat = case.raw_env(), case.parallel_env(), one_seat(case, case.seats[1])
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


def one_seat(case: Case, seat: str, **others: Any) -> SeatEnv:
    """One seat against `Chooser`, or whoever else is named."""
    opponents = {other: others.get(other, Chooser()) for other in case.seats if other != seat}
    return SeatEnv(case.game, seat, opponents, **case.options)


@of_every_game
def test_a_seat_refuses_a_state_of_other_opponents(case: Case) -> None:
    options, opponent = case.game.resolve(case.options), "moriarty"
    setup: dict[str, Any] = {"game": case.game, "options": options, "seat": opponent, "seed": 1}
    known = registry.make("random", **setup)
    env = one_seat(case, case.seats[0], moriarty=known)
    env.reset(seed=1)
    before = env.get_state()
    for opponents in ([(known, 1), (registry.make("random", **setup), 1)], Chooser()):
        other = one_seat(case, case.seats[0], moriarty=opponents)
        other.reset(seed=2)
        with pytest.raises(ValueError, match="other opponents"):
            env.set_state(other.get_state())
        assert env.get_state() == before


@at_every_table
def test_one_seat(case: Case) -> None:
    seat, reward = case.seats[-1], 0.0
    env = one_seat(case, seat)
    view, info = env.reset(seed=4)
    for _ in range(3):
        view, _, _, _, info = env.step(choice(view))
    twins = [one_seat(case, seat), *(save(env) for save in SAVERS.values())]
    twins[0].set_state(env.get_state())
    assert not info
    ends = []
    for one in (env, *twins):
        now, now_info = view, info
        while not now_info:
            now, reward, _, _, now_info = one.step(choice(now))
        ends.append((reward, now_info, one.get_state()))
    assert all(end == ends[0] for end in ends)
    assert copy.deepcopy(env).face is env.face, "games and tables are shared"
