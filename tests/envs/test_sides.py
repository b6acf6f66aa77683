"""Sides of several seats, deals of every kind, facts of the end, and moves without a choice (pennies.py)."""

from __future__ import annotations

import dataclasses
from typing import Any

import gymnasium
import numpy as np
import pytest

from reichenbach.agents.random import Random
from reichenbach.envs import vector
from reichenbach.envs.core import lockstep
from reichenbach.envs.core.lockstep import Lockstep
from reichenbach.envs.core.seat import Agent, Views
from reichenbach.envs.core.single import SeatEnv
from reichenbach.envs.who_is_moriarty.game import GAME as OTHER_GAME
from tests.envs.pennies import GAME, LUCK, NO_OP, SEATS, SHARED, Ending
from tests.envs.playing import Chooser

pytestmark = pytest.mark.plain

N = 23


def agents() -> dict[str, Agent]:
    return {seat: Random(number) for number, seat in enumerate(SEATS)}


def test_a_game_without_sides_has_each_seat_on_its_own() -> None:
    options = OTHER_GAME.resolve({})
    assert OTHER_GAME.sides(options) == OTHER_GAME.seats(options) == ("sherlock", "moriarty")
    assert dataclasses.replace(OTHER_GAME, rules_version="2").sides(options) == ("sherlock", "moriarty")
    assert (OTHER_GAME.strata, OTHER_GAME.facts(OTHER_GAME.new(options))) == (1, {})
    assert GAME.sides(GAME.resolve({"teams": True})) == ("ends", "middle", "ends")


def test_the_winner_may_be_a_side() -> None:
    env = SeatEnv(GAME, "c", {"a": Chooser(), "b": Chooser()}, teams=True)
    winners = set()
    for seed in range(12):
        _, info = env.reset(seed=seed)
        reward = 0.0
        while not info:
            _, reward, _, _, info = env.step(seed % 2)
        winners.add(info["winner"])
        assert reward == {"ends": 1.0, "middle": -1.0, None: 0.0}[info["winner"]]
    assert {"ends", "middle"} <= winners


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("at_once", [1, 5, 1024])
def test_every_first_outcome_is_dealt_equally_often_and_chance_draws_the_rest(at_once: int) -> None:
    results = lockstep.play(GAME, {}, agents(), range(N), at_once)
    assert results.facts["penny"].tolist() == [i % 2 for i in range(N)]
    luck = results.facts["luck"]
    assert len(set(luck.tolist())) > N // 2, "the second draw is the generator's"
    assert luck.min() >= 0
    assert luck.max() < LUCK
    again = lockstep.play(GAME, {}, agents(), range(N), 7)
    np.testing.assert_equal([luck, results.facts["penny"]], [again.facts["luck"], again.facts["penny"]])


def test_facts_are_of_the_end() -> None:
    results = lockstep.play(GAME, {}, agents(), range(N))
    assert list(results.facts) == ["penny", "luck", "order"]
    assert {values.shape for values in results.facts.values()} == {(N,)}
    assert set(results.facts["order"]) == {"a before c", "c before a", "level"}
    assert set(results.rounds.tolist()) == {3}
    assert lockstep.play(OTHER_GAME, {}, {"sherlock": Chooser(), "moriarty": Chooser()}, [1]).facts == {}


def test_a_side_is_rewarded_as_one() -> None:
    results = lockstep.play(GAME, {"teams": True}, agents(), range(200))
    np.testing.assert_array_equal(results.reward[:, 0], results.reward[:, 2])
    for code, side in ((Ending.WON_BY_ENDS, 0), (Ending.WON_BY_MIDDLE, 1)):
        won = results.ending == code
        assert won.any()
        assert (results.reward[won, side] == 1).all()
        assert (results.reward[~won, side] < 1).all()
    assert not results.reward[results.ending == SHARED].any()


@pytest.mark.parametrize("wrong", [0, 3])
def test_a_game_must_know_its_first_draw(wrong: int) -> None:
    with pytest.raises(ValueError, match=f"pennies: strata is {wrong}, but the first draw of a deal has 2 outcomes"):
        lockstep.play(dataclasses.replace(GAME, strata=wrong), {}, agents(), range(3))


# ---------------------------------------------------------------- moves without a choice


class Counted(Chooser):
    """Counts the moves for which it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def act(self, views: Views) -> Any:
        self.asked += len(views.game)
        return super().act(views)


def test_the_caller_is_asked_only_where_there_is_a_choice() -> None:
    """Seat c is asked in all rounds but the third, and may only wait in the first; seat a is asked in the others."""
    agents = {seat: Counted() for seat in SEATS}
    opponents = {seat: [(agent, 1.0)] for seat, agent in agents.items()}
    games = Lockstep(GAME, {"mute": 3}, ["a", "c"] * 3, opponents, 6)
    games.reset(range(6))
    assert (games.action_mask == [1, 1, 0]).all()
    assert games.states["round_number"].tolist() == [1] * 6
    assert (games.states["guess"] >= 0).tolist() == [[False] * 3, [True, False, False]] * 3, "only a has guessed"
    assert agents["c"].asked == 3, "agents are asked at each of their moves, with a choice or without"
    for ended in ([False, True] * 3, [True, True] * 3):
        steps = games.step(np.ones(6, np.int64))
        assert steps.done.tolist() == ended
        assert (games.action_mask == [1, 1, 0]).all()


def test_one_seat_and_vectors_skip_alike() -> None:
    def one_env() -> SeatEnv:
        return SeatEnv(GAME, "c", {"a": Chooser(), "b": Chooser()}, mute=3)

    ours = vector.make(GAME, seat="c", opponents={"a": Chooser(), "b": Chooser()}, num_envs=4, mute=3)
    theirs = gymnasium.vector.SyncVectorEnv([one_env] * 4, autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP)
    views, _ = ours.reset(seed=9)
    other, _ = theirs.reset(seed=9)
    for _ in range(10):
        np.testing.assert_equal(views, other)
        assert (views["action_mask"] == [1, 1, 0]).all()
        views, rewards, ended, _, _ = ours.step(np.ones(4, np.int64))
        other, *gave = theirs.step(np.ones(4, np.int64))
        assert ended.all(), "one choice in every game"
        np.testing.assert_equal([rewards, ended], gave[:2])


def test_a_game_that_gives_the_caller_no_choice_is_over_at_once() -> None:
    env = SeatEnv(GAME, "b", {"a": Chooser(), "c": Chooser()}, mute=2)
    view, info = env.reset(seed=1)
    assert info["ending"] in {ending.name.lower() for ending in Ending}
    assert np.flatnonzero(view["action_mask"]).tolist() == [NO_OP]
