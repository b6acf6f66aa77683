"""Arguments, seeds and positions of an environment, and what it prints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reichenbach.envs import manor_v0, who_is_moriarty_v0
from reichenbach.envs.core.errors import BadOption, BadPosition
from reichenbach.envs.who_is_moriarty.game import GAME
from tests.envs.cases import GAMES, Case, at_every_table, of_every_game
from tests.envs.playing import choice, play_on

BOARD = "tiles=AN,BN,CN,DN,EN,FN,GN,HN,IN moriarty=E"
# Sherlock has the last token of a round, and one suspect is left.
LAST_MOVE = (
    "tiles=aN,bN,cN,dN,EN,fN,gN,h+,IS moriarty=E detectives=9,4,9 round=3 pick=4 "
    "tokens=jw,sherlock,joker,turn played=0,1,1,1"
)

# ---------------------------------------------------------------- arguments


@of_every_game
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"observe_belief": 1}, "observe_belief"),
        ({"render_mode": "rgb_array"}, "render_mode: 'rgb_array' is not allowed; allowed are: None, 'ansi', 'human'"),
        ({"render_view": "lestrade"}, "render_view: 'lestrade'"),
        ({"illegal_moves": "ignore"}, "illegal_moves: 'ignore'"),
        ({"illegal_moves": None}, "illegal_moves: None is not allowed"),
        ({"illegal_moves": np.array(["raise", "lose"])}, "illegal_moves: array"),
        ({"render_mode": np.array([1, 2])}, "render_mode: array"),
    ],
)
def test_arguments_of_every_game_are_checked(case: Case, arguments: dict[str, Any], message: str) -> None:
    for make in (case.env, case.parallel_env):
        with pytest.raises(BadOption, match=message):
            make(**arguments)


@pytest.mark.parametrize(
    ("faces", "arguments", "message"),
    [
        (who_is_moriarty_v0, {"crossroad": "H"}, "crossroad: .*crossroads"),
        (who_is_moriarty_v0, {"max_rounds": 9}, "max_rounds: 9 is not allowed"),
        (who_is_moriarty_v0, {"max_rounds": 6.0}, "max_rounds: 6.0 is not allowed"),
        (who_is_moriarty_v0, {"turn_crossroads": 1}, "turn_crossroads: 1 is not allowed"),
        (who_is_moriarty_v0, {"crossroads": ("I", "I")}, "crossroads: .*sets of the letters"),
        (who_is_moriarty_v0, {"crossroads": "HI"}, "crossroads: 'HI' is not allowed"),
        (manor_v0, {"tables": "2p"}, "tables: .*did you mean table"),
        (manor_v0, {"table": "5p"}, "table: '5p' is not allowed; allowed are 2p, 3p, 4p, 4p_roles"),
        (manor_v0, {"events": 1}, "events: 1 is not allowed"),
        (manor_v0, {"days": 4}, "days: 4 is not allowed; allowed are 1 to 3"),
        (manor_v0, {"food": 3, "table": "4p"}, "food: 3 at table 4p; at least 6"),
        (manor_v0, {"render_view": "watson"}, "render_view: 'watson' is not allowed; allowed are: .*'sherlock'"),
    ],
)
def test_arguments_of_a_game_are_checked(faces: Any, arguments: dict[str, Any], message: str) -> None:
    for make in (faces.env, faces.parallel_env):
        with pytest.raises(BadOption, match=message):
            make(**arguments)


@pytest.mark.parametrize("crossroads", ["I,H", ["I", "H"], {"H", "I"}, np.array(["H", "I"])])
def test_arguments_of_numpy_and_sets_as_text(crossroads: Any) -> None:
    env = who_is_moriarty_v0.raw_env(
        crossroads=crossroads,
        max_rounds=np.int64(6),
        turn_crossroads=np.bool_(True),
        start=np.str_("random"),
        observe_belief=np.bool_(True),
    )
    plain = who_is_moriarty_v0.raw_env(
        crossroads=("H", "I"), max_rounds=6, turn_crossroads=True, start="random", observe_belief=True
    )
    assert env.face.arguments() == plain.face.arguments()
    env.reset(seed=1)
    plain.reset(seed=1)
    assert env.get_state() == plain.get_state()


def test_options_reach_the_rules() -> None:
    env = who_is_moriarty_v0.raw_env(rewards="zp", max_rounds=1)
    env.reset(seed=1)
    for _ in range(4):
        env.step(choice(env.observe(env.agent_selection)))
    assert sorted(env.rewards.values()) == [0.0, 2.0]
    manor = manor_v0.raw_env(days=1, table="3p", events=False)
    manor.reset(seed=1)
    slots = 0
    while manor.agents and not any(manor.terminations.values()):
        slots += manor.agent_selection == "moriarty"
        manor.step(choice(manor.observe(manor.agent_selection)))
    assert slots <= 4 * 2 + 1, "four turns of two slots, and the final deduction"


# ---------------------------------------------------------------- seeds


@at_every_table
@pytest.mark.parametrize("seed", [-1, 1.5, "1", np.array([1])], ids=str)
def test_seeds_that_are_none_change_nothing(case: Case, seed: Any) -> None:
    for env in (case.raw_env(), case.parallel_env()):
        env.reset(seed=np.int64(4))  # type: ignore[arg-type]  # NumPy's integers are seeds
        before = env.get_state()
        with pytest.raises(ValueError, match=r"reset: seed .* is not allowed; a whole number from 0 on"):
            env.reset(seed=seed)
        with pytest.raises(ValueError, match=r"reset: options .* a mapping"):
            env.reset(options=[seed])  # type: ignore[arg-type]  # that is the test
        with pytest.raises(BadPosition, match="expected a text"):
            env.reset(options={"position": b"x"})
        assert env.get_state() == before


@at_every_table
def test_seeds_repeat_a_game_and_no_seed_goes_on(case: Case) -> None:
    env, again = case.raw_env(), case.raw_env()
    first: list[Any] = []
    for number, one in enumerate((env, again)):
        for seed in (11, None, None, 12):
            one.reset(seed=seed)
            if number == 0:
                first.append(play_on(one))
            else:
                assert play_on(one) == first.pop(0)
    fresh, other = case.raw_env(), case.raw_env()
    fresh.reset()
    other.reset()
    assert fresh.get_state() != other.get_state(), "without any seed, games begin from fresh entropy"


# ---------------------------------------------------------------- positions


def test_reset_from_a_position() -> None:
    env = who_is_moriarty_v0.raw_env()
    env.reset(seed=4, options={"position": LAST_MOVE, "other": "is not ours"})
    assert env.agent_selection == "sherlock"
    env.step(GAME.action_from_text("move jw by 1"))
    assert env.infos["moriarty"] == {"winner": "sherlock", "ending": "one_suspect"}
    env.reset(options={"position": LAST_MOVE.replace("jw,", "robbie,").replace("round=3", "round=4")})
    assert env.agent_selection == "moriarty"


@at_every_table
def test_reset_from_a_position_in_the_middle_of_a_game(case: Case) -> None:
    text = case.position(seed=6, moves=7)
    env, slots = case.raw_env(), case.parallel_env()
    env.reset(seed=4, options={"position": text})
    assert env.agents == list(case.seats)
    assert case.game.format(env._dealt()) == text
    slots.reset(seed=4, options={"position": text})
    assert slots._dealt().tobytes() == env._dealt().tobytes()
    twin = case.raw_env()
    twin.reset(seed=4, options={"position": text})
    assert play_on(twin) == play_on(env)


@at_every_table
def test_a_position_takes_its_chance_from_the_call_then_its_own_seed_then_the_chain(case: Case) -> None:
    board = " ".join(part for part in case.position(moves=0).split() if not part.startswith("seed="))

    def key(seed: int | None, text: str, before: int = 1) -> bytes:
        env = case.raw_env()
        env.reset(seed=before)
        env.reset(seed=seed, options={"position": text})
        return env._dealt()["chance_key"].tobytes()

    assert key(8, board) == key(8, f"{board} seed=9") == key(8, board, before=2)
    assert key(None, f"{board} seed=9") == key(9, board)
    assert key(None, board) == key(None, board)
    assert key(None, board) != key(None, board, before=2)


@at_every_table
def test_a_position_that_is_none_is_refused_and_changes_nothing(case: Case) -> None:
    env = case.raw_env()
    env.reset(seed=4)
    before = env.get_state()
    for text in ("nonsense", "tiles=AN moriarty=E", "villain=A target=A", f"{case.position()} turn=99 round=99"):
        with pytest.raises(BadPosition):
            env.reset(options={"position": text})
        with pytest.raises(BadPosition):
            case.parallel_env().reset(options={"position": text})
        assert env.get_state() == before
    with pytest.raises(BadPosition, match=r"max_rounds|days"):
        env.reset(options={"position": f"{case.position()} {other_option(case)}"})
    assert env.get_state() == before


def other_option(case: Case) -> str:
    """An option that is not the environment's."""
    return {"who_is_moriarty": "max_rounds=3", "manor": "days=2"}[case.game.name]


def test_a_position_under_the_environments_options() -> None:
    env = GAMES[0].raw_env(max_rounds=3)
    env.reset(options={"position": f"{BOARD} max_rounds=3 round=3"})
    assert len(play_on(env)) == 4


@of_every_game
def test_human_rendering_prints_every_step(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    env = case.raw_env(render_mode="human")
    env.reset(seed=1)
    play_on(env, 2)
    slots = case.parallel_env(render_mode="human")
    views, _ = slots.reset(seed=1)
    slots.step({name: choice(view) for name, view in views.items()})
    title = {"who_is_moriarty": "Who Is Moriarty", "manor": "The Manor"}[case.game.name]
    assert capsys.readouterr().out.count(title) == 5
    silent = case.raw_env()
    silent.reset(seed=1)
    assert silent.render() is None
    silent.close()
