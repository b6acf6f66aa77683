"""One seat under Gymnasium: alone, and in a vector of games."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from reichenbach.agents import seat as seats
from reichenbach.envs import vector
from reichenbach.envs.core.errors import BadOption, IllegalAction
from reichenbach.envs.core.single import SeatEnv
from reichenbach.envs.who_is_moriarty.game import GAME
from tests.envs.playing import Chooser, choose

IDS = ("reichenbach/WhoIsMoriartySherlock-v0", "reichenbach/WhoIsMoriartyMoriarty-v0")
BOARD = "tiles=AN,BN,CN,DN,EN,FN,GN,HN,IN moriarty=E"


def rows(views: Any) -> list[int]:
    """The action of every row by `choose`."""
    pairs = zip(views["observation"], views["action_mask"], strict=True)
    return [choose(observation, mask) for observation, mask in pairs]


@pytest.mark.parametrize("identifier", IDS)
def test_gymnasiums_checker(identifier: str) -> None:
    """It samples actions without the mask, so illegal ones must end the game here."""
    env = gymnasium.make(identifier, illegal_moves="lose", render_mode="ansi", observe_belief=True)
    check_env(env.unwrapped)


@pytest.mark.parametrize("identifier", IDS)
def test_whole_games_under_the_passive_checker(identifier: str) -> None:
    env: Any = gymnasium.make(identifier, opponent="greedy")
    for game in range(5):
        view, info = env.reset(seed=game)
        terminated, reward = False, 0.0
        while not terminated:
            assert info == {}
            assert env.get_wrapper_attr("action_masks")().tolist() == view["action_mask"].astype(bool).tolist()
            view, reward, terminated, truncated, info = env.step(choose(view["observation"], view["action_mask"]))
            assert not truncated
            assert reward == 0 or terminated
        assert np.flatnonzero(view["action_mask"]).tolist() == [GAME.no_op]
        mine = "sherlock" if "Sherlock" in identifier else "moriarty"
        assert reward == (1.0 if info["winner"] == mine else -1.0)


def test_a_seed_repeats_opponents_made_from_it_and_only_these() -> None:
    def first_views(seed: int | None, env: SeatEnv) -> bytes:
        view, _ = env.reset(seed=seed)
        return view["observation"].tobytes()

    made = seats.make("who_is_moriarty", "moriarty")
    assert first_views(5, made) == first_views(5, made)
    assert len({first_views(5, made), first_views(None, made), first_views(None, made)}) == 3
    assert first_views(6, made) != first_views(5, made)


def test_one_seat_refuses() -> None:
    env = seats.make("who_is_moriarty", "sherlock")
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(0)
    env.reset(seed=1)
    before = env.get_state()
    with pytest.raises(IllegalAction, match="'wait' of sherlock"):
        env.step(GAME.no_op)
    assert env.get_state() == before
    with pytest.raises(BadOption, match="seat: 'watson'"):
        seats.make("who_is_moriarty", "watson")
    with pytest.raises(ValueError, match="seat moriarty has none"):
        SeatEnv(GAME, "sherlock", {}).reset()
    with pytest.raises(TypeError, match="neither an agent"):
        SeatEnv(GAME, "sherlock", {"moriarty": 7})  # type: ignore[dict-item]  # that is the test
    losing = seats.make("who_is_moriarty", "sherlock", illegal_moves="lose")
    losing.reset(seed=1)
    _, reward, terminated, _, info = losing.step(GAME.no_op)
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


def test_a_move_without_a_choice_is_played_for_the_caller() -> None:
    """Only turns are left and no tile may be turned: both seats spend their tokens in vain, and the round ends."""
    env = seats.make("who_is_moriarty", "moriarty", "greedy", crossroads=tuple("ABCDEFGHI"))
    position = "tiles=a+,b+,c+,d+,EN,f+,g+,h+,i+ turned=E moriarty=E round=3 pick=3 tokens=robbie,sherlock,turn,turn"
    view, info = env.reset(seed=1, options={"position": f"{position} played=1,1,0,0"})
    assert info == {"winner": "sherlock", "ending": "one_suspect"}
    assert np.flatnonzero(view["action_mask"]).tolist() == [GAME.no_op]


def test_one_seat_prints(capsys: pytest.CaptureFixture[str]) -> None:
    env = seats.make("who_is_moriarty", "sherlock", render_mode="human", render_view="all")
    view, _ = env.reset(seed=1)
    env.step(choose(view["observation"], view["action_mask"]))
    assert capsys.readouterr().out.count("moriarty is") == 2
    quiet = seats.make("who_is_moriarty", "sherlock")
    quiet.reset(seed=1)
    assert quiet.render() is None


# ---------------------------------------------------------------- vectors


@pytest.mark.parametrize("identifier", IDS)
def test_vector_ids(identifier: str) -> None:
    envs = gymnasium.make_vec(identifier, num_envs=6, opponent=[("random", 0.5), ("greedy", 0.5)])
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.num_envs == 6
    assert envs.action_space == gymnasium.spaces.MultiDiscrete([77] * 6)
    views, infos = envs.reset(seed=3)
    assert infos == {}
    ended_games = 0
    for _ in range(40):
        assert envs.observation_space.contains(views)
        views, rewards, terminations, truncations, infos = envs.step(np.array(rows(views)))
        assert (rewards.dtype, terminations.dtype) == (np.float64, np.bool_)
        assert not truncations.any()
        assert set(rewards[~terminations]) <= {0.0}
        assert set(rewards[terminations]) <= {-1.0, 1.0}
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
    mine = envs.unwrapped.seat
    for name in ("_final_obs", "_final_info"):
        assert infos[name].tolist() == terminations.tolist()
    for slot in range(envs.num_envs):
        final = infos["final_obs"][slot]
        winner = infos["final_info"]["winner"][slot]
        if not terminations[slot]:
            assert final is None
            assert winner is None
            continue
        assert envs.single_observation_space.contains(final)
        assert np.flatnonzero(final["action_mask"]).tolist() == [GAME.no_op]
        layout = GAME.layout(0)
        assert final["observation"][layout.slice("mover")].sum() == 0, "it shows the end, not the next game"
        assert rewards[slot] == (1.0 if winner == mine else -1.0)
        assert infos["final_info"]["ending"][slot] in {ending.name.lower() for ending in GAME.endings}


def test_a_vector_is_like_gymnasiums_own_over_the_same_environment() -> None:
    def one_env() -> SeatEnv:
        return SeatEnv(GAME, "moriarty", {"sherlock": Chooser()})

    ours = vector.make(GAME, seat="moriarty", opponents={"sherlock": Chooser()}, num_envs=4)
    theirs = gymnasium.vector.SyncVectorEnv([one_env] * 4, autoreset_mode=AutoresetMode.SAME_STEP)
    views, _ = ours.reset(seed=9)
    other, _ = theirs.reset(seed=9)
    for _ in range(40):
        for key in views:
            np.testing.assert_array_equal(views[key], other[key])  # type: ignore[literal-required]
        actions = np.array(rows(views))
        views, *gave, infos = ours.step(actions)
        other, *others, other_infos = theirs.step(actions)
        for mine, yours in zip(gave, others, strict=True):
            np.testing.assert_array_equal(mine, yours)
        assert set(infos) <= set(other_infos)
        for key, mask in infos.items():
            if key.startswith("_"):
                assert mask.tolist() == other_infos[key].tolist()
        if "final_info" in infos:
            for name in ("winner", "ending"):
                assert infos["final_info"][name].tolist() == other_infos["final_info"][name].tolist()
            for mine, yours in zip(infos["final_obs"], other_infos["final_obs"], strict=True):
                assert (mine is None) == (yours is None)
                if mine is not None:
                    np.testing.assert_array_equal(mine["observation"], yours["observation"])
                    np.testing.assert_array_equal(mine["action_mask"], yours["action_mask"])


def test_gymnasiums_vector_wrapper_counts_episodes() -> None:
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(
        vector.make("who_is_moriarty", seat="sherlock", opponents={"moriarty": Chooser()}, num_envs=3)
    )
    views, _ = envs.reset(seed=1)
    for _ in range(30):
        views, *_ = envs.step(np.array(rows(views)))
    assert envs.episode_count > 0
    assert set(envs.return_queue) <= {-1.0, 1.0}


def test_vector_seeds() -> None:
    def play(envs: vector.SeatVectorEnv, seed: Any) -> list[bytes]:
        views, _ = envs.reset(seed=seed)
        log = []
        for _ in range(12):
            log.append(views["observation"].tobytes() + views["action_mask"].tobytes())
            views, *_ = envs.step(np.array(rows(views)))
        return log

    one, two = (seats.make_vec(3, "who_is_moriarty", "moriarty", "random") for _ in range(2))
    first = play(one, 5)
    assert play(two, 5) == first
    assert play(two, None) == play(one, None) != first
    assert play(one, 5) == first, "a seeded reset begins the opponents anew"
    assert play(one, [5, 6, 7]) == first
    assert play(one, [5, 6, 8]) != first
    assert play(seats.make_vec(3, "who_is_moriarty", "moriarty"), None) != first


def test_a_vector_refuses() -> None:
    envs = vector.make("who_is_moriarty", seat="sherlock", opponents={"moriarty": Chooser()}, num_envs=2)
    with pytest.raises(RuntimeError, match="call reset"):
        envs.step(np.array([0, 0]))
    with pytest.raises(ValueError, match="3 seeds for 2 games"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="one game; this one has many"):
        envs.reset(options={"position": BOARD})
    views, _ = envs.reset(seed=1, options={"other": "is not ours"})
    before = envs._games.states.tobytes()
    with pytest.raises(IllegalAction, match=r"row 1 .*'wait' of sherlock"):
        envs.step(np.array([rows(views)[0], GAME.no_op]))
    assert envs._games.states.tobytes() == before
    with pytest.raises(BadOption, match="illegal_moves"):
        seats.make_vec(2, "who_is_moriarty", "sherlock", illegal_moves="lose")


def test_a_vector_renders_and_hands_out_masks() -> None:
    envs = vector.make(
        "who_is_moriarty",
        seat="moriarty",
        opponents={"sherlock": Chooser()},
        num_envs=2,
        render_mode="ansi",
        observe_after=True,
    )
    views, _ = envs.reset(seed=1)
    assert envs.action_masks().tolist() == views["action_mask"].astype(bool).tolist()
    texts = envs.render()
    assert texts is not None
    assert len(texts) == 2
    assert all("moriarty is" in text for text in texts)
    silent = vector.make("who_is_moriarty", seat="moriarty", opponents={"sherlock": Chooser()}, num_envs=2)
    assert silent.render() is None


def test_observations_of_a_vector_are_fresh_arrays() -> None:
    envs = vector.make("who_is_moriarty", seat="moriarty", opponents={"sherlock": Chooser()}, num_envs=2)
    views, _ = envs.reset(seed=1)
    before = views["observation"].copy()
    envs.step(np.array(rows(views)))
    np.testing.assert_array_equal(views["observation"], before)


def test_opponents_by_seat() -> None:
    env = seats.make("who_is_moriarty", "sherlock", {"moriarty": Chooser()})
    view, info = env.reset(seed=2)
    while not info:
        view, _, _, _, info = env.step(choose(view["observation"], view["action_mask"]))
    assert info["winner"] in ("sherlock", "moriarty")
