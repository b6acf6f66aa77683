"""What environments of one seat refuse: numbers of games, seeds, actions of a wrong shape, opponents that are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reichenbach.agents import seat as seats
from reichenbach.envs import vector
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.core.seat import Views
from reichenbach.envs.core.single import SeatEnv
from reichenbach.envs.who_is_moriarty.game import GAME
from tests.envs.playing import Chooser


@pytest.mark.parametrize("num_envs", [0, -1, 1.5, True, None, "2"])
def test_a_vector_needs_a_number_of_games(num_envs: Any) -> None:
    with pytest.raises(ValueError, match=r"num_envs: .* is not allowed; a whole number from 1 on"):
        seats.make_vec(num_envs, "who_is_moriarty", "sherlock")


@pytest.mark.parametrize("seed", [-1, 1.5, "12", [1, -1], [1, "2"]])
def test_a_vector_refuses_seeds(seed: Any) -> None:
    with pytest.raises(ValueError, match=r"reset: seed .* is not allowed"):
        seats.make_vec(2, "who_is_moriarty", "sherlock").reset(seed=seed)


@pytest.mark.parametrize("seed", [np.int64(5), np.array([5, 6]), (5, np.int32(6))])
def test_a_vector_takes_numpys_seeds(seed: Any) -> None:
    one, two = (seats.make_vec(2, "who_is_moriarty", "sherlock") for _ in range(2))
    np.testing.assert_array_equal(one.reset(seed=seed)[0]["observation"], two.reset(seed=5)[0]["observation"])


# What actions must not be, for the caller of a vector and for the agents in it: compiled code would read past the end.
WRONG_ACTIONS: dict[str, Callable[[NDArray[np.int64]], Any]] = {
    "too few": lambda legal: legal[:-1],
    "too many": lambda legal: np.append(legal, 0),
    "a column": lambda legal: legal[:, None],
    "one number": lambda legal: legal[0],
    "none": lambda legal: None,
    "fractions": lambda legal: legal + 0.5,
    "floats": lambda legal: legal.astype(float),
    "bools": lambda legal: legal > 0,
    "words": lambda legal: [GAME.action_text(action) for action in legal],
    "huge": lambda legal: [10**30] * len(legal),
    "ragged": lambda legal: [[1], [1, 2], *legal[2:]],
}


@pytest.mark.parametrize("kind", WRONG_ACTIONS)
def test_actions_of_a_wrong_shape_or_type(kind: str) -> None:
    wrong = WRONG_ACTIONS[kind]
    envs = seats.make_vec(3, "who_is_moriarty", "sherlock")
    views, _ = envs.reset(seed=1)
    before = envs._games.states.tobytes()
    with pytest.raises(IllegalAction, match=r"^actions of shape .* are not allowed; shape \(3,\) and int64 are"):
        envs.step(wrong(views["action_mask"].argmax(axis=1)))
    assert envs._games.states.tobytes() == before

    class Careless(Chooser):
        def act(self, views: Views) -> Any:
            return wrong(super().act(views))

    envs = vector.make(GAME, seat="moriarty", opponents={"sherlock": Careless()}, num_envs=3)
    with pytest.raises(IllegalAction, match=r"^Careless.act, seat sherlock: actions of shape .*shape \(3,\)"):
        envs.reset(seed=1)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.uint64, np.int32, list])
def test_whole_numbers_of_any_width_are_actions(kind: Any) -> None:
    envs = seats.make_vec(3, "who_is_moriarty", "sherlock")
    views, _ = envs.reset(seed=1)
    legal = views["action_mask"].argmax(axis=1)
    given: Any = list(legal) if kind is list else legal.astype(kind)
    envs.step(given)


def test_an_agents_illegal_action_names_the_agent() -> None:
    class Idle(Chooser):
        def act(self, views: Views) -> NDArray[np.int64]:
            return np.full(len(views.game), GAME.no_op)

    with pytest.raises(IllegalAction, match=r"^Idle.act, seat sherlock: row 0 .*'wait' of sherlock"):
        vector.make(GAME, seat="moriarty", opponents={"sherlock": Idle()}, num_envs=3).reset(seed=1)


@pytest.mark.parametrize("sections", [4, -1, "after", None])
def test_an_agents_sections_are_checked(sections: Any) -> None:
    agent = Chooser()
    agent.sections = sections
    with pytest.raises(
        ValueError, match=r"Chooser.sections is .*; allowed are 0 to 3, a bit for each of belief, after"
    ):
        SeatEnv(GAME, "sherlock", {"moriarty": agent})


@pytest.mark.parametrize(
    "mixture",
    [["greedy", "random"], [("greedy",)], [("greedy", 1, 2)], ("greedy", 1.0), [("greedy", "x")], [("greedy", None)]],
)
def test_mixtures_are_pairs(mixture: Any) -> None:
    with pytest.raises(TypeError, match=r"opponents of seat moriarty: .*an opponent and its weight are"):
        seats.make("who_is_moriarty", "sherlock", mixture)
    with pytest.raises(TypeError, match=r"opponents: .*a mapping"):
        SeatEnv(GAME, "sherlock", mixture)


@pytest.mark.parametrize("weight", [-1.0, 0, float("nan"), float("inf")])
def test_weights_are_numbers_above_nothing(weight: float) -> None:
    with pytest.raises(ValueError, match=r"opponents of seat moriarty: weights .* expected numbers from 0"):
        seats.make("who_is_moriarty", "sherlock", [("greedy", weight)])
