"""The leak audit: it passes over whole games, and catches a leak of each kind."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from reichenbach.envs.core.audit import Leak, audit
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.record import States
from reichenbach.envs.who_is_moriarty.game import GAME
from tests.envs import pennies
from tests.envs.cases import CASES
from tests.envs.leaking import Leaky, plant
from tests.envs.playing import play_on

raw_env = CASES[0].raw_env


LAYOUT = GAME.layout(3)


def identity_from_the_second_round_on(states: States, seats: Any, views: Any, masks: Any) -> None:
    told = (seats == 0) & (states["round_number"] > 1)
    views[told, LAYOUT.start("identity") + states["moriarty"][told]] = 1


def card_before_sherlock(states: States, seats: Any, views: Any, masks: Any) -> None:
    told = states["choosing"] >= 0
    views[told, LAYOUT.start("choosing") + states["choosing"][told]] = 1


def generator(states: States, seats: Any, views: Any, masks: Any) -> None:
    views[states["chance_key"][:, 0] > 0, LAYOUT.start("chase")] = 0.5


def generator_to_one_who_sees_all(states: States, seats: Any, views: Any, masks: Any) -> None:
    views[seats == 2, LAYOUT.start("after")] = states["chance_key"][seats == 2, 1]


def deck_in_a_zero_of_another_sign(states: States, seats: Any, views: Any, masks: Any) -> None:
    views[states["chance_counter"] % 2 == 1, LAYOUT.start("chase")] *= -1


def legal_moves_by_identity(states: States, seats: Any, views: Any, masks: Any) -> None:
    masks[(seats == 0) & (states["moriarty"] == 4), GAME.no_op] = 1


@pytest.mark.parametrize(
    ("leak", "options", "message"),
    [
        (identity_from_the_second_round_on, {}, r"ply [4-9], seat sherlock: observation, section identity depends"),
        (card_before_sherlock, {"card_clears": "optional"}, "seat moriarty: observation, section choosing depends"),
        (generator, {}, "game 0, ply 0, seat sherlock: observation, section chase depends"),
        (generator_to_one_who_sees_all, {}, "ply 0, seat all-seeing: observation, section after depends"),
        (deck_in_a_zero_of_another_sign, {}, "ply 0, seat sherlock: observation, section chase depends"),
        (legal_moves_by_identity, {}, "ply 0, seat sherlock: mask, action 'wait' depends"),
    ],
)
def test_a_leak_in_what_is_seen_is_caught(
    leak: Leaky, options: Mapping[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(leak, monkeypatch)
    with pytest.raises(Leak, match=message):
        audit(GAME, 20, options=options)


@pytest.mark.parametrize(
    ("leak", "message"),
    [
        (pennies.LEAK_OBSERVATION, "pennies, game 0, ply 0, seat b: observation, section penny depends"),
        (pennies.LEAK_MASK, "pennies, game 0, ply 0, seat b: mask, action 'wait' depends"),
    ],
)
def test_a_leak_in_compiled_rules_is_caught(leak: int, message: str) -> None:
    assert audit(pennies.GAME, 3).plies == 3 * 7
    with pytest.raises(Leak, match=message):
        audit(pennies.GAME, 1, options={"leak": leak})


def late_difference(states: States, seat: int) -> Iterator[States]:
    """All in one array, the truth many times over: the setting that differs is not among the first looked at."""
    yield np.concatenate([states] * 70 + list(pennies.GAME.alternatives(states, seat)))


def test_settings_may_come_in_arrays_of_several() -> None:
    game = dataclasses.replace(pennies.GAME, alternatives=late_difference)
    report = audit(game, 3, keys=1, renders=4)
    assert report.settings == 3 * 7 * (71 + 72 + 72 + 1)
    with pytest.raises(Leak, match="game 0, ply 0, seat b: observation, section penny depends"):
        audit(game, 1, options={"leak": pennies.LEAK_OBSERVATION}, keys=1)
    with pytest.raises(Leak, match="game 0, ply 0, seat b: mask, action 'wait' depends"):
        audit(game, 1, options={"leak": pennies.LEAK_MASK}, keys=1)


def test_some_settings_are_drawn_to_be_rendered() -> None:
    def render(states: States, view: int) -> str:
        return f"penny {states['penny'][0]}"

    game = dataclasses.replace(pennies.GAME, render=render, alternatives=late_difference)
    with pytest.raises(Leak, match="seat b: rendering depends"):
        audit(game, 1, renders=70)
    assert audit(game, 1, renders=0).plies == 7


def test_an_ending_that_depends_on_hidden_facts_is_caught() -> None:
    """Between the plies at which info itself is compared, endings are."""

    def ended(states: States, seat: int) -> Iterator[States]:
        other = states.copy()
        if seat == 1 and states["round_number"][0] == 1:  # where she is idle anyway
            other["ending"] = pennies.SHARED
        yield other

    with pytest.raises(Leak, match="ply 2, seat b: the ending depends on hidden facts"):
        audit(dataclasses.replace(pennies.GAME, alternatives=ended), 1)


def test_a_leak_in_the_rendering_is_caught() -> None:
    def render(states: States, view: int) -> str:
        hint = f"\n{states['moriarty'][0]}" if view == 0 else ""
        return GAME.render(states, view) + hint

    with pytest.raises(Leak, match=r"game 0, ply 0, seat sherlock: rendering depends on hidden facts: '\d'"):
        audit(dataclasses.replace(GAME, render=render), 3)


def test_a_rendering_of_what_chance_will_do_is_caught() -> None:
    def render(states: States, view: int) -> str:
        return f"{GAME.render(states, view)}{states['chance_counter'][0]}"

    with pytest.raises(Leak, match="rendering"):
        audit(dataclasses.replace(GAME, render=render), 3)


def test_a_leak_in_the_info_is_caught() -> None:
    def info(states: States, seat: int) -> dict[str, Any]:
        return {"hourglasses": int((states["moriarty_card"] >= 0).sum() + states["moriarty_card"][0, 0])}

    with pytest.raises(Leak, match=r"seat sherlock: info \{'hourglasses'"):
        audit(GAME, 20, info=info)


def test_a_leak_in_the_environments_own_info_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Face, "info", lambda self, states: {"identity": int(states["moriarty"][0])})
    with pytest.raises(Leak, match=r"ply 0, seat sherlock: info \{'identity'"):
        audit(GAME, 1)


def test_a_game_must_name_settings() -> None:
    with pytest.raises(ValueError, match="no setting of the hidden facts fits the view"):
        audit(dataclasses.replace(GAME, alternatives=lambda states, seat: iter(())), 1)


def test_the_settings_hold_the_truth_and_are_many() -> None:
    env = raw_env()
    env.reset(seed=3)
    states = env._dealt()
    settings = list(GAME.alternatives(states, 0))
    assert sorted(int(setting["moriarty"][0]) for setting in settings) == list(range(9))
    assert any(setting.tobytes() == states.tobytes() for setting in settings)


def test_what_environments_show_is_what_was_audited() -> None:
    """The audit looks at games; this ties environments to it: a state told apart by its key alone looks the same."""
    env = raw_env(observe_belief=True, observe_after=True, render_mode="ansi", render_view="all")
    env.reset(seed=4)
    for _ in range(12):
        twin = env.clone()
        twin._dealt()["chance_key"] += 1
        twin._dealt()["record"] = 0
        for seat in env.agents:
            for key, value in env.observe(seat).items():
                np.testing.assert_array_equal(value, twin.observe(seat)[key])  # type: ignore[literal-required]
        np.testing.assert_array_equal(env.state(), twin.state())
        assert env.render() == twin.render()
        assert env.infos == twin.infos
        assert env.get_state() != twin.get_state(), "generator words leave the state through get_state alone"
        play_on(env, 1)
