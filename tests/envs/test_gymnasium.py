"""One seat under Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from reichenbach.agents import seat as seats
from reichenbach.envs import registry
from reichenbach.envs.core.errors import BadOption, IllegalAction
from reichenbach.envs.core.single import SeatEnv
from reichenbach.envs.who_is_moriarty.game import GAME
from tests.envs.cases import Case, at_every_table, illegal, legal, of_every_game
from tests.envs.playing import Chooser, choice

IDS = tuple(identifier for entry in registry.ENTRIES for identifier in entry.gymnasium)
BOARD = "tiles=AN,BN,CN,DN,EN,FN,GN,HN,IN moriarty=E"


def test_there_is_an_id_for_every_kind_of_seat() -> None:
    assert len(IDS) == 12
    assert "reichenbach/WhoIsMoriartyMoriarty-v0" in IDS
    assert "reichenbach/Manor4pRolesWatson-v0" in IDS


@pytest.mark.parametrize("identifier", IDS)
def test_gymnasiums_checker(identifier: str) -> None:
    """It samples actions without the mask, so illegal ones must end the game here."""
    env = gymnasium.make(identifier, illegal_moves="lose", render_mode="ansi", observe_belief=True)
    check_env(env.unwrapped)


@pytest.mark.parametrize("identifier", IDS)
def test_whole_games_under_the_passive_checker(identifier: str) -> None:
    env: Any = gymnasium.make(identifier, opponent="greedy")
    face = env.unwrapped.face
    side = dict(zip(face.seats, face.game.sides(face.options), strict=True))[env.unwrapped.seat]
    for game in range(5):
        view, info = env.reset(seed=game)
        terminated, reward = False, 0.0
        while not terminated:
            assert info == {}
            assert env.get_wrapper_attr("action_masks")().tolist() == view["action_mask"].astype(bool).tolist()
            assert legal(view) != [face.game.no_op], "it is asked only where it has a choice"
            view, reward, terminated, truncated, info = env.step(choice(view))
            assert not truncated
            assert reward == 0 or terminated
        assert legal(view) == [face.game.no_op]
        assert reward == (0.0 if info["winner"] is None else 1.0 if info["winner"] == side else -1.0)


@of_every_game
def test_a_seed_repeats_opponents_made_from_it_and_only_these(case: Case) -> None:
    """Seen after some moves, for at a table at which all choose at once the first view shows no opponent's move."""

    def views(seed: int | None, env: SeatEnv) -> bytes:
        view, info = env.reset(seed=seed)
        shown = view["observation"].tobytes()
        for _ in range(4):
            if not info:
                view, _, _, _, info = env.step(choice(view))
                shown += view["observation"].tobytes()
        return shown

    made = seats.make(case.game.name, "moriarty", **case.options)
    assert views(5, made) == views(5, made)
    assert len({views(5, made), views(None, made), views(None, made)}) == 3
    assert views(6, made) != views(5, made)


@at_every_table
def test_one_seat_refuses(case: Case) -> None:
    seat, others = case.seats[0], case.seats[1:]
    env = seats.make(case.game.name, seat, **case.options)
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(0)
    view, _ = env.reset(seed=1)
    before, wrong = env.get_state(), illegal(view)[-1]
    with pytest.raises(IllegalAction, match=f"of {seat}: "):
        env.step(wrong)
    assert env.get_state() == before
    with pytest.raises(BadOption, match="seat: 'lestrade'"):
        seats.make(case.game.name, "lestrade", **case.options)
    with pytest.raises(ValueError, match=f"seat {others[0]} has none"):
        SeatEnv(case.game, seat, {}, **case.options).reset()
    with pytest.raises(TypeError, match="neither an agent"):
        SeatEnv(case.game, seat, dict.fromkeys(others, 7), **case.options)  # type: ignore[arg-type]  # that is the test
    losing = seats.make(case.game.name, seat, illegal_moves="lose", **case.options)
    losing.reset(seed=1)
    _, reward, terminated, _, info = losing.step(wrong)
    assert (reward, terminated, info) == (-1.0, True, {"winner": None, "ending": "illegal_move"})
    with pytest.raises(IllegalAction, match="call reset"):
        losing.step(0)


def test_one_seat_from_a_position() -> None:
    env = seats.make("who_is_moriarty", "moriarty", render_mode="ansi")
    env.reset(seed=1, options={"position": f"{BOARD} round=2"})
    text = env.render()
    assert text is not None
    assert "round 2 of 8" in text
    assert "moriarty is E" in text, "it is drawn as the caller's seat knows it"


@at_every_table
def test_every_seat_from_a_position(case: Case) -> None:
    text = case.position(seed=3, moves=len(case.seats) * 2)
    for seat in case.seats:
        env = seats.make(case.game.name, seat, render_mode="ansi", **case.options)
        env.reset(seed=1, options={"position": text})
        drawn = env.render()
        assert drawn is not None
        assert case.game.name != "manor" or f"you are {seat}" in drawn


def test_a_move_without_a_choice_is_played_for_the_caller() -> None:
    """Only turns are left and no tile may be turned: both seats spend their tokens in vain, and the round ends."""
    env = seats.make("who_is_moriarty", "moriarty", "greedy", crossroads=tuple("ABCDEFGHI"))
    position = "tiles=a+,b+,c+,d+,EN,f+,g+,h+,i+ turned=E moriarty=E round=3 pick=3 tokens=robbie,sherlock,turn,turn"
    view, info = env.reset(seed=1, options={"position": f"{position} played=1,1,0,0"})
    assert info == {"winner": "sherlock", "ending": "one_suspect"}
    assert legal(view) == [GAME.no_op]


def test_a_seat_is_not_asked_for_commands_that_it_has_not() -> None:
    """Watson gives one command in a turn of three slots, and one vote."""
    env = seats.make("manor", "watson", table="4p_roles")
    layout = env.face.game.layout(0)
    turn, phase = layout.slice("turn"), layout.slice("phase")
    for seed in range(5):
        view, info = env.reset(seed=seed)
        asked = []
        while not info:
            clock = view["observation"][turn].tolist() + view["observation"][phase][3:].tolist()
            asked.append(tuple(clock))
            view, _, _, _, info = env.step(legal(view)[0])
        assert len(set(asked)) == len(asked) > 1, "once in a turn"


@of_every_game
def test_one_seat_prints(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    env = seats.make(case.game.name, case.seats[0], render_mode="human", render_view="all", **case.options)
    view, _ = env.reset(seed=1)
    env.step(choice(view))
    secret = {"who_is_moriarty": "moriarty is", "manor": "secret: the villain is"}[case.game.name]
    assert capsys.readouterr().out.count(secret) == 2
    quiet = seats.make(case.game.name, case.seats[0], **case.options)
    quiet.reset(seed=1)
    assert quiet.render() is None


@at_every_table
def test_opponents_by_seat(case: Case) -> None:
    env = seats.make(case.game.name, case.seats[0], {seat: Chooser() for seat in case.seats[1:]}, **case.options)
    view, info = env.reset(seed=2)
    while not info:
        view, _, _, _, info = env.step(choice(view))
    assert info["winner"] in {*case.sides.values(), None}


@pytest.mark.parametrize("identifier", IDS)
def test_gymnasiums_record_of_whole_games(identifier: str) -> None:
    """Of one game, and of many at once: the result of each that ended, and how many choices it had."""
    env: Any = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.make(identifier))
    view, info = env.reset(seed=3)
    steps, over = 0, False
    while not over:
        view, _, over, _, info = env.step(choice(view))
        steps += 1
    assert info["episode"]["l"] == steps
    assert abs(info["episode"]["r"]) <= 1
    envs: Any = gymnasium.wrappers.vector.RecordEpisodeStatistics(gymnasium.make_vec(identifier, num_envs=4))
    seen, _ = envs.reset(seed=3)
    while len(envs.return_queue) < 8:
        seen, *_ = envs.step(seen["action_mask"].argmax(axis=1))
    assert set(map(abs, envs.return_queue)) <= {0, 1}
    assert min(envs.length_queue) > 0
