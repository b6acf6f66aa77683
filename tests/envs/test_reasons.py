"""Why an action is illegal is told to the offender by what it knows alone: its own reason, its own legal actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from reichenbach.envs import manor_v0
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.core.face import Observation
from reichenbach.envs.core.parallel import SlotEnv
from reichenbach.envs.core.record import States
from reichenbach.envs.manor.actions import PASS, from_text
from tests.envs.cases import Case, at_every_table, illegal, legal, of_every_game
from tests.envs.playing import choice, play_on

SLOTS, PLIES = 7, 16  # looked at from the start of a game
SETTINGS, WRONG = 5, 6  # settings of the hidden facts, and illegal actions, that are tried


def settings(case: Case, states: States, seat: int) -> Iterator[States]:
    """The true position, and some others that the seat cannot tell from it."""
    yield states
    many = np.concatenate([np.ascontiguousarray(part) for part in case.game.alternatives(states, seat)])
    for row in np.linspace(0, len(many) - 1, SETTINGS).astype(int):
        yield many[row : row + 1]


def wrong_actions(case: Case, view: Observation) -> list[int]:
    """Some that the seat may not play, numbers of no action among them."""
    wrong = illegal(view)
    return [*wrong[:: max(1, len(wrong) // WRONG)], wrong[-1], -1, case.game.n_actions + 3]


def quiet(case: Case, views: Mapping[str, Observation]) -> dict[str, int]:
    """Moves that are legal whatever the other seats did before: the no-op where it may be."""
    no_op = case.game.no_op
    return {seat: no_op if no_op in legal(view) else legal(view)[0] for seat, view in views.items()}


def told(env: SlotEnv, states: States, moves: Mapping[str, int]) -> str:
    """What the environment answers at this position."""
    env._states = states
    with pytest.raises(IllegalAction) as error:
        env.step(moves)
    return str(error.value)


@at_every_table
def test_a_slot_tells_an_offender_nothing_that_is_hidden_from_it(case: Case) -> None:
    env = case.parallel_env()
    views, _ = env.reset(seed=3)
    for _ in range(SLOTS):
        states, others = env._dealt(), quiet(case, views)
        for number, seat in enumerate(case.seats):
            alike = list(settings(case, states, number))
            for wrong in wrong_actions(case, views[seat]):
                texts = {told(env, setting, {**others, seat: wrong}) for setting in alike}
                assert len(texts) == 1, texts
                text = texts.pop()
                assert text.startswith(f"step: {seat}: action ")
                assert f" of {seat}: " in text
                assert not any(f" {other}: " in text for other in case.seats if other != seat)
        env._states = states
        views, *_ = env.step({seat: choice(view) for seat, view in views.items()})


@at_every_table
def test_every_seat_is_told_of_itself_between_two_submissions(case: Case) -> None:
    """The reason that every face asks for, of seats that are idle too."""
    env = case.raw_env()
    env.reset(seed=4)
    for _ in range(PLIES):
        for number, seat in enumerate(case.seats):
            alike = list(settings(case, env._dealt(), number))
            for wrong in wrong_actions(case, env.observe(seat)):
                texts = {case.game.why_illegal(setting, wrong, number) for setting in alike}
                assert len(texts) == 1, texts
                assert f" of {seat}: " in texts.pop()
        play_on(env, 1)
        if env.terminations[env.agent_selection]:
            break


def test_moriarty_is_not_told_of_the_first_detectives_order() -> None:
    env = manor_v0.parallel_env(table="3p")
    views, _ = env.reset(seed=3)
    order = next(action for action in legal(views["sherlock_0"]) if action < from_text("Berkeley to 0"))
    env.step({"sherlock_0": order, "sherlock_1": PASS, "moriarty": PASS})
    with pytest.raises(IllegalAction) as error:
        env.step({"sherlock_0": PASS, "sherlock_1": PASS, "moriarty": order})
    assert str(error.value).startswith("step: moriarty: action 'Agatha to ")
    assert str(error.value).endswith("of moriarty: the seat has no command left this turn (M2, M9); allowed are 'pass'")
    with pytest.raises(IllegalAction) as error:
        env.step({"sherlock_0": order, "sherlock_1": PASS, "moriarty": PASS})
    assert " of sherlock_0: Agatha has this seat's command already (M9); allowed are 'Berkeley to " in str(error.value)


@of_every_game
@pytest.mark.parametrize("wrong", [None, "wait", 1.5, [1]], ids=str)
def test_a_slot_says_whose_action_is_of_a_wrong_type(case: Case, wrong: Any) -> None:
    env = case.parallel_env()
    views, _ = env.reset(seed=1)
    moves: dict[str, Any] = {seat: choice(view) for seat, view in views.items()}
    for seat in case.seats:
        with pytest.raises(IllegalAction, match=rf"^step: {seat}: action .*: an integer is needed"):
            env.step({**moves, seat: wrong})
