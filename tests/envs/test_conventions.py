"""What every environment keeps to: spaces, masks, ends, illegal moves, seeds and positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from reichenbach.envs import who_is_moriarty_v0
from reichenbach.envs.core.errors import BadOption, BadPosition, IllegalAction
from reichenbach.envs.who_is_moriarty.game import GAME
from tests.envs.playing import choose, play_on, raw_env

BOARD = "tiles=AN,BN,CN,DN,EN,FN,GN,HN,IN moriarty=E"
WAIT = GAME.no_op
# Sherlock has the last token of a round, and one suspect is left.
LAST_MOVE = (
    "tiles=aN,bN,cN,dN,EN,fN,gN,h+,IS moriarty=E detectives=9,4,9 round=3 pick=4 "
    "tokens=jw,sherlock,joker,turn played=0,1,1,1"
)


def test_spaces_and_metadata() -> None:
    env = raw_env(observe_belief=True)
    assert env.metadata["name"] == "who_is_moriarty_v0"
    assert env.metadata["is_parallelizable"]
    assert env.metadata["render_modes"] == ["ansi", "human"]
    assert env.metadata["render_fps"] > 0
    assert str(who_is_moriarty_v0.env()) == "who_is_moriarty_v0"
    assert env.possible_agents == ["sherlock", "moriarty"]
    for seat in env.possible_agents:
        assert env.observation_space(seat) is env.observation_space(seat)
        assert env.action_space(seat) is env.action_space(seat)
        assert env.action_space(seat) == spaces.Discrete(77)
        space = env.observation_space(seat)
        assert isinstance(space, spaces.Dict)
        assert space["observation"].dtype == np.float32
        assert space["observation"].shape == (GAME.layout(1).size,)
        assert space["action_mask"].dtype == np.int8
        assert space["action_mask"].shape == (77,)
    assert env.state_space is env.state_space
    with pytest.raises(KeyError, match="no seat 'watson'; there are: sherlock, moriarty"):
        env.action_space("watson")


def test_whole_games_keep_to_the_conventions() -> None:
    env = raw_env(observe_belief=True, observe_after=True)
    env.reset(seed=5)
    for _ in range(5):
        while env.agents:
            over = env.terminations[env.agent_selection]
            for seat in env.agents:
                view = env.observe(seat)
                assert env.observation_space(seat).contains(view)
                assert type(env.terminations[seat]) is bool
                assert env.truncations[seat] is False
                legal = np.flatnonzero(view["action_mask"]).tolist()
                if over or seat != env.agent_selection:
                    assert legal == [WAIT], "an idle seat has exactly the no-op"
                else:
                    assert legal
                    assert WAIT not in legal
            assert env.state_space.contains(env.state())
            if not over:
                assert env.infos == {"sherlock": {}, "moriarty": {}}
                assert set(env.rewards.values()) == {0.0}
                view = env.observe(env.agent_selection)
                env.step(choose(view["observation"], view["action_mask"]))
                continue
            if len(env.agents) == 2:
                assert env.terminations == {"sherlock": True, "moriarty": True}, "all seats end together"
                assert sorted(env.rewards.values()) == [-1.0, 1.0]
            info = env.infos[env.agent_selection]
            assert set(info) == {"winner", "ending"}
            _, reward, *_ = env.last()
            assert reward == (1.0 if info["winner"] == env.agent_selection else -1.0)
            env.step(None)
        env.reset()


def test_observations_are_fresh_arrays() -> None:
    env = raw_env()
    env.reset(seed=1)
    first, *_ = env.last()
    assert first is not None
    before = first["observation"].copy(), first["action_mask"].copy()
    play_on(env, 3)
    env.observe("sherlock")
    np.testing.assert_array_equal(first["observation"], before[0])
    np.testing.assert_array_equal(first["action_mask"], before[1])


def test_state_is_the_base_observation_of_one_who_sees_all_whatever_sections_are_asked_for() -> None:
    plain, rich = raw_env(), raw_env(observe_after=True, observe_belief=True)
    for env in (plain, rich):
        env.reset(seed=3)
        play_on(env, 6)
        assert env.state().shape == (GAME.layout(0).size,)
    layout = GAME.layout(0)
    identity = plain.state()[layout.slice("identity")]
    assert identity.sum() == 1
    assert plain.observe("sherlock")["observation"][layout.slice("identity")].sum() == 0
    np.testing.assert_array_equal(identity, plain.observe("moriarty")["observation"][layout.slice("identity")])


# ---------------------------------------------------------------- illegal moves


@pytest.mark.parametrize("action", [WAIT, 74, 75, -1, 77, 10**30, np.int64(9)])
def test_an_illegal_move_raises_and_changes_nothing(action: int) -> None:
    env = raw_env()
    env.reset(seed=2)
    before = env.get_state()
    with pytest.raises(IllegalAction, match="allowed are"):
        env.step(action)
    assert env.get_state() == before
    assert env.agent_selection == "sherlock"


def test_an_action_that_is_no_integer_is_illegal() -> None:
    env = raw_env()
    env.reset(seed=2)
    for action in (None, 1.5, "wait"):
        with pytest.raises(IllegalAction, match="an integer is needed"):
            env.step(action)  # type: ignore[arg-type]  # that is the test
    env.step(np.int64(play_on(env.clone(), 1)[0][2]))  # NumPy's are integers


def test_nothing_is_played_after_the_end() -> None:
    env = raw_env()
    env.reset(seed=2)
    play_on(env)
    for _ in range(2):
        with pytest.raises(ValueError, match="when an agent is dead"):
            env.step(0)
        env.step(None)
    assert env.agents == []
    with pytest.raises(IllegalAction, match="call reset"):
        env.step(0)


def test_before_the_first_reset() -> None:
    env = raw_env()
    with pytest.raises(RuntimeError, match="call reset"):
        env.observe("sherlock")
    with pytest.raises(AttributeError, match="before reset"):
        _ = who_is_moriarty_v0.env().agent_selection


@pytest.mark.filterwarnings("ignore:.*[Ii]llegal")
def test_lose_ends_the_game_for_the_offender() -> None:
    env = who_is_moriarty_v0.raw_env(illegal_moves="lose")
    env.reset(seed=2)
    env.step(WAIT)
    assert env.terminations == {"sherlock": True, "moriarty": True}
    assert env.truncations == {"sherlock": False, "moriarty": False}
    assert env.rewards == {"sherlock": -1.0, "moriarty": 0}
    rewards = {}
    for agent in env.agent_iter():
        _, rewards[agent], terminated, _, info = env.last()
        assert terminated
        assert info == {"winner": None, "ending": "illegal_move"}
        env.step(None)
    assert rewards == {"sherlock": -1.0, "moriarty": 0}
    env.reset()
    assert not any(env.terminations.values())


@pytest.mark.filterwarnings("ignore:.*[Ii]llegal")
@pytest.mark.parametrize("action", [*range(-80, 0), 77, 2**40, 10**30, np.int64(-1)])
def test_lose_takes_every_whole_number(action: int) -> None:
    """PettingZoo's wrapper would look up -4 as the mask's fourth from its end."""
    env = who_is_moriarty_v0.raw_env(illegal_moves="lose")
    env.reset(seed=2)
    env.step(action)
    assert env.rewards == {"sherlock": -1.0, "moriarty": 0}
    assert env.infos["moriarty"]["ending"] == "illegal_move"


def test_lose_refuses_what_is_no_whole_number_and_all_after_the_end() -> None:
    env = who_is_moriarty_v0.raw_env(illegal_moves="lose")
    env.reset(seed=2)
    before = env.get_state()
    wrong: Any
    for wrong in (None, 1.5, "wait", [3], np.array([1, 2]), np.array([3])):
        with pytest.raises(IllegalAction, match="an integer is needed"):
            env.step(wrong)
        assert env.get_state() == before
    for agent in env.agent_iter():
        view, _, terminated, _, _ = env.last()
        assert view is not None, agent
        env.step(None if terminated else choose(view["observation"], view["action_mask"]))
    with pytest.raises(IllegalAction, match="call reset"):
        env.step(None)


@pytest.mark.filterwarnings("ignore:.*[Ii]llegal")
def test_lose_judges_by_the_mask_of_the_position_restored() -> None:
    """PettingZoo's wrapper remembers the mask seen last, which a restored position makes stale."""
    env = who_is_moriarty_v0.env(illegal_moves="lose")
    env.reset(seed=2)
    saved = env.get_state()
    view = env.observe("sherlock")
    assert view is not None
    move = choose(view["observation"], view["action_mask"])
    env.step(move)
    env.last()  # another seat's mask is remembered now
    env.set_state(saved)
    env.step(move)
    assert not any(env.terminations.values())


def test_bounds_and_order_are_checked_by_env() -> None:
    env = who_is_moriarty_v0.env()
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(77)
    with pytest.raises(IllegalAction):
        env.step(WAIT)
    turns = iter(env.agent_iter())
    assert next(turns) == "sherlock"
    with pytest.raises(AssertionError, match="need to call step"):
        next(turns)


def test_slots_refuse_what_is_not_allowed() -> None:
    env = who_is_moriarty_v0.parallel_env()
    views, _ = env.reset(seed=1)
    move = choose(views["sherlock"]["observation"], views["sherlock"]["action_mask"])
    before = env.get_state()
    for actions, message in (
        ({"sherlock": move, "moriarty": move}, "moriarty: .* the seat is idle and has only 'wait'"),
        ({"sherlock": WAIT, "moriarty": WAIT}, "sherlock: action 'wait' of sherlock"),
        ({"sherlock": 300, "moriarty": WAIT}, "sherlock: action 300: there is none"),
        ({"sherlock": move}, "no action for moriarty"),
    ):
        with pytest.raises(IllegalAction, match=message):
            env.step(actions)
        assert env.get_state() == before
    env.step({"sherlock": move, "moriarty": WAIT})
    assert env.get_state() != before


def test_slots_lose() -> None:
    env = who_is_moriarty_v0.parallel_env(illegal_moves="lose")
    env.reset(seed=1)
    _, rewards, terminated, truncated, infos = env.step({"sherlock": WAIT, "moriarty": 3})
    assert rewards == {"sherlock": -1.0, "moriarty": -1.0}
    assert terminated == {"sherlock": True, "moriarty": True}
    assert truncated == {"sherlock": False, "moriarty": False}
    assert infos["moriarty"] == {"winner": None, "ending": "illegal_move"}
    assert env.agents == []
    with pytest.raises(IllegalAction, match="call reset"):
        env.step({"sherlock": WAIT, "moriarty": WAIT})


# ---------------------------------------------------------------- arguments, seeds, positions


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"crossroad": "H"}, "crossroad: .*crossroads"),
        ({"max_rounds": 9}, "max_rounds: 9 is not allowed"),
        ({"observe_belief": 1}, "observe_belief"),
        ({"render_mode": "rgb_array"}, "render_mode: 'rgb_array' is not allowed; allowed are: None, 'ansi', 'human'"),
        ({"render_view": "watson"}, "render_view: 'watson'"),
        ({"illegal_moves": "ignore"}, "illegal_moves: 'ignore'"),
        ({"illegal_moves": None}, "illegal_moves: None is not allowed"),
        ({"illegal_moves": np.array(["raise", "lose"])}, "illegal_moves: array"),
        ({"render_mode": np.array([1, 2])}, "render_mode: array"),
        ({"max_rounds": 6.0}, "max_rounds: 6.0 is not allowed"),
        ({"turn_crossroads": 1}, "turn_crossroads: 1 is not allowed"),
        ({"crossroads": ("I", "I")}, "crossroads: .*sets of the letters"),
        ({"crossroads": "HI"}, "crossroads: 'HI' is not allowed"),
    ],
)
def test_arguments_are_checked(arguments: dict[str, Any], message: str) -> None:
    for make in (who_is_moriarty_v0.env, who_is_moriarty_v0.parallel_env):
        with pytest.raises(BadOption, match=message):
            make(**arguments)


@pytest.mark.parametrize("crossroads", ["I,H", ["I", "H"], {"H", "I"}, np.array(["H", "I"])])
def test_arguments_of_numpy_and_sets_as_text(crossroads: Any) -> None:
    env = raw_env(
        crossroads=crossroads,
        max_rounds=np.int64(6),
        turn_crossroads=np.bool_(True),
        start=np.str_("random"),
        observe_belief=np.bool_(True),
    )
    plain = raw_env(crossroads=("H", "I"), max_rounds=6, turn_crossroads=True, start="random", observe_belief=True)
    assert env.face.arguments() == plain.face.arguments()
    env.reset(seed=1)
    plain.reset(seed=1)
    assert env.get_state() == plain.get_state()


@pytest.mark.parametrize("seed", [-1, 1.5, "1", np.array([1])])
def test_seeds_that_are_none_change_nothing(seed: Any) -> None:
    for env in (raw_env(), who_is_moriarty_v0.parallel_env()):
        env.reset(seed=np.int64(4))  # type: ignore[arg-type]  # NumPy's integers are seeds
        before = env.get_state()
        with pytest.raises(ValueError, match=r"reset: seed .* is not allowed; a whole number from 0 on"):
            env.reset(seed=seed)
        with pytest.raises(ValueError, match=r"reset: options .* a mapping"):
            env.reset(options=[seed])  # type: ignore[arg-type]  # that is the test
        with pytest.raises(BadPosition, match="expected a text"):
            env.reset(options={"position": b"x"})
        assert env.get_state() == before


def test_options_reach_the_rules() -> None:
    env = raw_env(rewards="zp", max_rounds=1)
    env.reset(seed=1)
    assert len(play_on(env)) == 4
    assert sorted(env.rewards.values()) == [0.0, 2.0]


def test_seeds_repeat_a_game_and_no_seed_goes_on() -> None:
    env, again = raw_env(), raw_env()
    first: list[Any] = []
    for number, one in enumerate((env, again)):
        for seed in (11, None, None, 12):
            one.reset(seed=seed)
            if number == 0:
                first.append(play_on(one))
            else:
                assert play_on(one) == first.pop(0)
    fresh, other = raw_env(), raw_env()
    fresh.reset()
    other.reset()
    assert fresh.get_state() != other.get_state(), "without any seed, games begin from fresh entropy"


def test_reset_from_a_position() -> None:
    env = raw_env()
    env.reset(seed=4, options={"position": LAST_MOVE, "other": "is not ours"})
    assert env.agent_selection == "sherlock"
    env.step(GAME.action_from_text("move jw by 1"))
    assert env.infos["moriarty"] == {"winner": "sherlock", "ending": "one_suspect"}
    env.reset(options={"position": LAST_MOVE.replace("jw,", "robbie,").replace("round=3", "round=4")})
    assert env.agent_selection == "moriarty"


def test_a_position_takes_its_chance_from_the_call_then_its_own_seed_then_the_chain() -> None:
    def key(seed: int | None, text: str, before: int = 1) -> bytes:
        env = raw_env()
        env.reset(seed=before)
        env.reset(seed=seed, options={"position": text})
        return env._dealt()["chance_key"].tobytes()

    assert key(8, BOARD) == key(8, f"{BOARD} seed=9") == key(8, BOARD, before=2)
    assert key(None, f"{BOARD} seed=9") == key(9, BOARD)
    assert key(None, BOARD) == key(None, BOARD)
    assert key(None, BOARD) != key(None, BOARD, before=2)


def test_a_position_that_is_none_is_refused_and_changes_nothing() -> None:
    env = raw_env()
    env.reset(seed=4)
    before = env.get_state()
    for text, message in (("tiles=AN moriarty=E", "tiles"), (f"{BOARD} max_rounds=3", "max_rounds")):
        with pytest.raises(BadPosition, match=message):
            env.reset(options={"position": text})
        assert env.get_state() == before
    with pytest.raises(BadPosition):
        who_is_moriarty_v0.parallel_env().reset(options={"position": "nonsense"})


def test_a_position_under_the_environments_options() -> None:
    env = raw_env(max_rounds=3)
    env.reset(options={"position": f"{BOARD} max_rounds=3 round=3"})
    assert len(play_on(env)) == 4


def test_human_rendering_prints_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = raw_env(render_mode="human")
    env.reset(seed=1)
    play_on(env, 2)
    slots = who_is_moriarty_v0.parallel_env(render_mode="human")
    views, _ = slots.reset(seed=1)
    slots.step({name: choose(view["observation"], view["action_mask"]) for name, view in views.items()})
    assert capsys.readouterr().out.count("Who Is Moriarty") == 5
    silent = raw_env()
    silent.reset(seed=1)
    assert silent.render() is None
    silent.close()
