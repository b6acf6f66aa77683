"""One seat in a vector of games."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from reichenbach.agents import seat as seats
from reichenbach.envs import vector
from reichenbach.envs.core.errors import BadOption, IllegalAction
from reichenbach.envs.core.single import SeatEnv
from tests.envs.cases import Case, at_every_table, legal, of_every_game
from tests.envs.playing import Chooser, choose
from tests.envs.test_gymnasium import IDS


def rows(views: Any) -> list[int]:
    """The action of every row by `choose`."""
    pairs = zip(views["observation"], views["action_mask"], strict=True)
    return [choose(observation, mask) for observation, mask in pairs]


def choosers(case: Case, seat: str) -> dict[str, Chooser]:
    """Opponents on every other seat."""
    return {other: Chooser() for other in case.seats if other != seat}


def make(case: Case, seat: str, num_envs: int, **arguments: Any) -> vector.SeatVectorEnv:
    """A vector against `Chooser`."""
    return vector.make(
        case.game, seat=seat, opponents=choosers(case, seat), num_envs=num_envs, **case.options, **arguments
    )


@pytest.mark.parametrize("identifier", IDS)
def test_vector_ids(identifier: str) -> None:
    envs = gymnasium.make_vec(identifier, num_envs=6, opponent=[("random", 0.5), ("greedy", 0.5)])
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.num_envs == 6
    n_actions = 77 if "WhoIsMoriarty" in identifier else 1256
    assert envs.action_space == gymnasium.spaces.MultiDiscrete([n_actions] * 6)
    views, infos = envs.reset(seed=3)
    assert infos == {}
    ended_games = 0
    for _ in range(80):
        assert envs.observation_space.contains(views)
        views, rewards, terminations, truncations, infos = envs.step(np.array(rows(views)))
        assert (rewards.dtype, terminations.dtype) == (np.float64, np.bool_)
        assert not truncations.any()
        assert set(rewards[~terminations]) <= {0.0}
        assert set(rewards[terminations]) <= {-1.0, 0.0, 1.0}
        if terminations.any():
            ended_games += int(terminations.sum())
            check_final(envs, terminations, rewards, infos)
        else:
            assert infos == {}
    assert ended_games > 6
    envs.close()


def check_final(envs: Any, terminations: Any, rewards: Any, infos: dict[str, Any]) -> None:
    """The form of Gymnasium's own vector environments."""
    assert set(infos) == {"final_obs", "_final_obs", "final_info", "_final_info"}
    face = envs.unwrapped.face
    game, mine = face.game, face.game.sides(face.options)[face.seats.index(envs.unwrapped.seat)]
    for name in ("_final_obs", "_final_info"):
        assert infos[name].tolist() == terminations.tolist()
    clock = game.layout(0).slice({"who_is_moriarty": "mover", "manor": "commands_left"}[game.name])
    for slot in range(envs.num_envs):
        final = infos["final_obs"][slot]
        winner = infos["final_info"]["winner"][slot]
        if not terminations[slot]:
            assert final is None
            assert winner is None
            continue
        assert envs.single_observation_space.contains(final)
        assert legal(final) == [game.no_op]
        assert final["observation"][clock].sum() == 0, "it shows the end, not the next game"
        assert rewards[slot] == (0.0 if winner is None else 1.0 if winner == mine else -1.0)
        assert infos["final_info"]["ending"][slot] in {ending.name.lower() for ending in game.endings}


@at_every_table
def test_a_vector_is_like_gymnasiums_own_over_the_same_environment(case: Case) -> None:
    seat = case.seats[-1]

    def one_env() -> SeatEnv:
        return SeatEnv(case.game, seat, choosers(case, seat), **case.options)

    ours = make(case, seat, 4)
    theirs = gymnasium.vector.SyncVectorEnv([one_env] * 4, autoreset_mode=AutoresetMode.SAME_STEP)
    views, _ = ours.reset(seed=9)
    other, _ = theirs.reset(seed=9)
    ended = 0
    for _ in range(50):
        for key in views:
            np.testing.assert_array_equal(views[key], other[key])  # type: ignore[literal-required]
        actions = np.array(rows(views))
        views, *gave, infos = ours.step(actions)
        other, *others, other_infos = theirs.step(actions)
        for mine, yours in zip(gave, others, strict=True):
            np.testing.assert_array_equal(mine, yours)
        compare_infos(infos, other_infos)
        ended += int(gave[1].sum())
    assert ended > 4


def compare_infos(infos: dict[str, Any], other_infos: dict[str, Any]) -> None:
    """Ours are a part of theirs."""
    assert set(infos) <= set(other_infos)
    for key, mask in infos.items():
        if key.startswith("_"):
            assert mask.tolist() == other_infos[key].tolist()
    if "final_info" not in infos:
        return
    for name in ("winner", "ending"):
        assert infos["final_info"][name].tolist() == other_infos["final_info"][name].tolist()
    for mine, yours in zip(infos["final_obs"], other_infos["final_obs"], strict=True):
        assert (mine is None) == (yours is None)
        if mine is not None:
            np.testing.assert_array_equal(mine["observation"], yours["observation"])
            np.testing.assert_array_equal(mine["action_mask"], yours["action_mask"])


@of_every_game
def test_gymnasiums_vector_wrapper_counts_episodes(case: Case) -> None:
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(make(case, case.seats[0], 3))
    views, _ = envs.reset(seed=1)
    for _ in range(60):
        views, *_ = envs.step(np.array(rows(views)))
    assert envs.episode_count > 0
    assert set(envs.return_queue) <= {-1.0, 0.0, 1.0}


@at_every_table
def test_vector_seeds(case: Case) -> None:
    def play(envs: vector.SeatVectorEnv, seed: Any) -> list[bytes]:
        views, _ = envs.reset(seed=seed)
        log = []
        for _ in range(12):
            log.append(views["observation"].tobytes() + views["action_mask"].tobytes())
            views, *_ = envs.step(np.array(rows(views)))
        return log

    name = case.game.name
    one, two = (seats.make_vec(3, name, "moriarty", "random", **case.options) for _ in range(2))
    first = play(one, 5)
    assert play(two, 5) == first
    assert play(two, None) == play(one, None) != first
    assert play(one, 5) == first, "a seeded reset begins the opponents anew"
    assert play(one, [5, 6, 7]) == first
    assert play(one, [5, 6, 8]) != first
    assert play(seats.make_vec(3, name, "moriarty", **case.options), None) != first


@at_every_table
def test_a_vector_refuses(case: Case) -> None:
    seat = case.seats[0]
    envs = make(case, seat, 2)
    with pytest.raises(RuntimeError, match="call reset"):
        envs.step(np.array([0, 0]))
    with pytest.raises(ValueError, match="3 seeds for 2 games"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="one game; this one has many"):
        envs.reset(options={"position": case.position()})
    views, _ = envs.reset(seed=1, options={"other": "is not ours"})
    before, wrong = envs._games.states.tobytes(), int((views["action_mask"][1] == 0).argmax())
    with pytest.raises(IllegalAction, match=rf"row 1 .* of {seat}: "):
        envs.step(np.array([rows(views)[0], wrong]))
    assert envs._games.states.tobytes() == before
    with pytest.raises(BadOption, match="illegal_moves"):
        seats.make_vec(2, case.game.name, seat, illegal_moves="lose", **case.options)


@of_every_game
def test_a_vector_renders_and_hands_out_masks(case: Case) -> None:
    envs = make(case, "moriarty", 2, render_mode="ansi", observe_after=True)
    views, _ = envs.reset(seed=1)
    assert envs.action_masks().tolist() == views["action_mask"].astype(bool).tolist()
    texts = envs.render()
    assert texts is not None
    assert len(texts) == 2
    secret = {"who_is_moriarty": "moriarty is", "manor": "secret: the villain is"}[case.game.name]
    assert all(secret in text for text in texts)
    assert make(case, "moriarty", 2).render() is None


@of_every_game
def test_observations_of_a_vector_are_fresh_arrays(case: Case) -> None:
    envs = make(case, "moriarty", 2)
    views, _ = envs.reset(seed=1)
    before = views["observation"].copy()
    envs.step(np.array(rows(views)))
    np.testing.assert_array_equal(views["observation"], before)
