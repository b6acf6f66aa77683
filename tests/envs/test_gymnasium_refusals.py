"""What environments of one seat refuse: numbers of games, seeds, actions of a wrong shape, opponents that are none."""

from __future__ import annotations

import re
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
from tests.envs.cases import Case, at_every_table, of_every_game
from tests.envs.playing import Chooser


def make_vec(case: Case, num_envs: int, **arguments: Any) -> vector.SeatVectorEnv:
    """The first seat against random opponents."""
    return seats.make_vec(num_envs, case.game.name, case.seats[0], **case.options, **arguments)


@of_every_game
@pytest.mark.parametrize("num_envs", [0, -1, 1.5, True, None, "2"])
def test_a_vector_needs_a_number_of_games(case: Case, num_envs: Any) -> None:
    with pytest.raises(ValueError, match=r"num_envs: .* is not allowed; a whole number from 1 on"):
        make_vec(case, num_envs)


@of_every_game
@pytest.mark.parametrize("seed", [-1, 1.5, "12", [1, -1], [1, "2"]], ids=str)
def test_a_vector_refuses_seeds(case: Case, seed: Any) -> None:
    with pytest.raises(ValueError, match=r"reset: seed .* is not allowed"):
        make_vec(case, 2).reset(seed=seed)


@of_every_game
@pytest.mark.parametrize("options", [3, "position", ["position"], [("position", "x")]], ids=str)
def test_a_vector_refuses_options_that_are_no_mapping(case: Case, options: Any) -> None:
    envs = make_vec(case, 2)
    with pytest.raises(ValueError, match=r"reset: options .* are not allowed; a mapping, or None, is needed"):
        envs.reset(options=options)


@of_every_game
def test_a_vector_shows_nothing_before_a_game_has_begun(case: Case) -> None:
    envs = make_vec(case, 2, render_mode="ansi")
    for ask in (envs.action_masks, envs.render, lambda: envs.step(np.zeros(2, np.int64))):
        with pytest.raises(RuntimeError, match="no game has begun; call reset"):
            ask()


@of_every_game
@pytest.mark.parametrize("seed", [np.int64(5), np.array([5, 6]), (5, np.int32(6))], ids=str)
def test_a_vector_takes_numpys_seeds(case: Case, seed: Any) -> None:
    one, two = (make_vec(case, 2) for _ in range(2))
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
    "words": lambda legal: [str(action) for action in legal],
    "huge": lambda legal: [10**30] * len(legal),
    "ragged": lambda legal: [[1], [1, 2], *legal[2:]],
}


def against(case: Case, agent: Chooser, num_envs: int = 3) -> vector.SeatVectorEnv:
    """The second seat in a vector, the agent on the first."""
    opponents = {seat: Chooser() for seat in case.seats if seat != case.seats[1]}
    opponents[case.seats[0]] = agent
    return vector.make(case.game, seat=case.seats[1], opponents=opponents, num_envs=num_envs, **case.options)


@of_every_game
@pytest.mark.parametrize("kind", WRONG_ACTIONS)
def test_actions_of_a_wrong_shape_or_type(case: Case, kind: str) -> None:
    wrong = WRONG_ACTIONS[kind]
    envs = make_vec(case, 3)
    views, _ = envs.reset(seed=1)
    before = envs._games.states.tobytes()
    with pytest.raises(IllegalAction, match=r"^actions of shape .* are not allowed; shape \(3,\) and int64 are"):
        envs.step(wrong(views["action_mask"].argmax(axis=1)))
    assert envs._games.states.tobytes() == before

    class Careless(Chooser):
        def act(self, views: Views) -> Any:
            return wrong(super().act(views))

    message = rf"^Careless.act, seat {case.seats[0]}: actions of shape .*shape \(3,\)"
    with pytest.raises(IllegalAction, match=message):
        against(case, Careless()).reset(seed=1)


@of_every_game
@pytest.mark.parametrize("kind", [np.int16, np.uint8, np.uint64, np.int32, list])
def test_whole_numbers_of_any_width_are_actions(case: Case, kind: Any) -> None:
    envs = make_vec(case, 3)
    views, _ = envs.reset(seed=1)
    legal = views["action_mask"].argmax(axis=1)
    given: Any = list(legal) if kind is list else legal.astype(kind)
    envs.step(given)


@of_every_game
def test_an_agents_illegal_action_names_the_agent(case: Case) -> None:
    class Wrong(Chooser):
        def act(self, views: Views) -> NDArray[np.int64]:
            wrong: NDArray[np.int64] = (views.action_mask == 0).argmax(axis=1).astype(np.int64)
            return wrong

    with pytest.raises(IllegalAction, match=rf"^Wrong.act, seat {case.seats[0]}: row 0 .* of {case.seats[0]}: "):
        against(case, Wrong()).reset(seed=1)


@of_every_game
@pytest.mark.parametrize("sections", [4, -1, "after", None])
def test_an_agents_sections_are_checked(case: Case, sections: Any) -> None:
    agent = Chooser()
    agent.sections = sections
    with pytest.raises(
        ValueError, match=r"Chooser.sections is .*; allowed are 0 to 3, a bit for each of belief, after"
    ):
        SeatEnv(case.game, case.seats[0], dict.fromkeys(case.seats[1:], agent), **case.options)


@of_every_game
@pytest.mark.parametrize(
    "mixture",
    [["greedy", "random"], [("greedy",)], [("greedy", 1, 2)], ("greedy", 1.0), [("greedy", "x")], [("greedy", None)]],
    ids=str,
)
def test_mixtures_are_pairs(case: Case, mixture: Any) -> None:
    with pytest.raises(TypeError, match=rf"opponents of seat {case.seats[1]}: .*an opponent and its weight are"):
        seats.make(case.game.name, case.seats[0], mixture, **case.options)
    with pytest.raises(TypeError, match=r"opponents: .*a mapping"):
        SeatEnv(case.game, case.seats[0], mixture, **case.options)


# ---------------------------------------------------------------- who plays which seat


def makers(case: Case) -> tuple[Callable[[Any], Any], ...]:
    """Every way to make an environment of the last seat, of its opponents by name or as objects."""
    seat, options = case.seats[-1], case.options
    return (
        lambda given: seats.make(case.game.name, seat, given, **options),
        lambda given: seats.make_vec(2, case.game.name, seat, given, **options),
        lambda given: SeatEnv(case.game, seat, {name: Chooser() for name in given}, **options),
        lambda given: vector.make(
            case.game, seat=seat, opponents={name: Chooser() for name in given}, num_envs=2, **options
        ),
    )


@at_every_table
def test_opponents_are_for_seats_that_there_are(case: Case) -> None:
    others, of = case.seats[:-1], case.sides
    full = dict.fromkeys(others, "greedy")
    needed = f"; one agent for each other seat is needed: {', '.join(others)}; given: "
    for make in makers(case):
        for name in ("lestrade", 3):
            with pytest.raises(ValueError, match=re.escape(f"opponents: there is no seat {name!r}{needed}")):
                make({**full, name: "greedy"})
        with pytest.raises(ValueError, match=re.escape(f"seat {others[0]} has none") + r".*given: none"):
            make({})
        if of[others[0]] not in case.seats:
            with pytest.raises(ValueError, match=rf"{of[others[0]]} stands for no seat.*a side stands for its seats: "):
                make({**full, of[others[0]]: "greedy"})
        make({**full, case.seats[-1]: "greedy"})  # one mapping for every seat's environment


@at_every_table
def test_a_sides_name_stands_for_its_seats(case: Case) -> None:
    others = case.seats[:-1]
    sides = {case.sides[seat]: Chooser() for seat in case.seats}
    by_name = [dict.fromkeys(others, "random"), dict.fromkeys(sides, "random")]
    views = [seats.make_vec(2, case.game.name, case.seats[-1], who, **case.options).reset(seed=4)[0] for who in by_name]
    np.testing.assert_equal(views[0], views[1])
    itself = {} if len(others) == 1 else {others[0]: Chooser()}
    env = SeatEnv(case.game, case.seats[-1], {**sides, **itself}, **case.options)
    assert env.opponents == {seat: itself.get(seat, sides[case.sides[seat]]) for seat in others}
    assert list(env.opponents) == list(others)


@of_every_game
@pytest.mark.parametrize("weight", [-1.0, 0, float("nan"), float("inf")])
def test_weights_are_numbers_above_nothing(case: Case, weight: float) -> None:
    with pytest.raises(ValueError, match=rf"opponents of seat {case.seats[1]}: weights .* expected numbers from 0"):
        seats.make(case.game.name, case.seats[0], [("greedy", weight)], **case.options)
