"""Who sits where, put back from a saved state: everything that does not fit is refused before anything is changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from reichenbach.agents.random import Random
from reichenbach.envs.core.lockstep import Lockstep
from reichenbach.envs.core.players import Players
from reichenbach.envs.core.single import SeatEnv
from reichenbach.envs.who_is_moriarty.game import GAME
from tests.envs.playing import choice

N = 3


class Refuses(Random):
    """Takes up no memory but its own kind's."""

    def get_state(self) -> dict[str, Any]:
        return {"kind": "refuses", **super().get_state()}

    def set_state(self, state: dict[str, Any]) -> None:
        if state.pop("kind") != "refuses":
            raise KeyError("kind")
        super().set_state(state)


def lockstep(seed: int = 1) -> Lockstep:
    """Two agents at Moriarty's seat."""
    games = Lockstep(GAME, {}, "sherlock", {"moriarty": [(Random(seed), 1.0), (Refuses(seed), 1.0)]}, N)
    games.reset([seed + i for i in range(N)])
    return games


def steps(games: Lockstep, number: int = 30) -> bytes:
    """The games after so many steps."""
    for _ in range(number):
        games.step(games.action_mask.argmax(1))
    return games.states.tobytes()


def content(games: Lockstep) -> tuple[bytes, str]:
    states, players = games.get_state()
    return states.tobytes(), json.dumps(players)


Change = Callable[[dict[str, Any]], object]


def assigned(value: Any) -> Change:
    return lambda state: state.update(assigned=value)


def first(value: Any) -> Change:
    return lambda state: state.update(first=value)


WRONG: list[tuple[Change, str]] = [
    (assigned([[-1, 99]] * N), r"assigned: game 0, seat moriarty: 99 is not allowed; 0 to 1"),
    (assigned([[-1, 0], [-1, 2], [-1, 0]]), r"assigned: game 1, seat moriarty: 2 is not allowed; 0 to 1"),
    (assigned([[99, -1]] * N), r"assigned: game 0, seat sherlock: 99 is not allowed; -1, the caller's"),
    (assigned([[0, 1]] * N), r"assigned: game 0, seat sherlock: 0 is not allowed; -1, the caller's"),
    (assigned([[-1, -1]] * N), r"assigned: game 0, seat moriarty: -1 is not allowed; 0 to 1"),
    (assigned([[-1, -2]] * N), r"assigned: game 0, seat moriarty: -2 is not allowed; 0 to 1"),
    (assigned([[-1, 0]]), r"assigned: shape \(1, 2\) and type int64 are not allowed; shape \(3, 2\) and int64 are"),
    (assigned([[-1, 0, 0]] * N), r"assigned: shape \(3, 3\)"),
    (assigned([[-1, 0], [-1], [0]]), r"assigned: "),
    (assigned([[-1.0, 0.5]] * N), r"assigned: shape \(3, 2\) and type float64"),
    (assigned([[True, False]] * N), r"assigned: shape \(3, 2\) and type bool"),
    (assigned([[-1, 2**70]] * N), r"assigned: shape \(3, 2\) and type object"),
    (assigned(0), r"assigned: shape \(\)"),
    (assigned(None), r"assigned: shape \(\)"),
    (lambda state: state.pop("assigned"), r"assigned: missing"),
    (first([[False, False]]), r"first: shape \(1, 2\) and type bool are not allowed; shape \(3, 2\) and bool are"),
    (first([[0, 1]] * N), r"first: shape \(3, 2\) and type int64"),
    (first("x"), r"first: shape \(\)"),
    (lambda state: state.pop("first"), r"first: missing"),
    (lambda state: state.update(generator={}), r"generator: "),
    (lambda state: state.update(generator=None), r"generator: "),
    (lambda state: state["generator"].update(bit_generator="MT19937"), r"generator: "),
    (lambda state: state["generator"]["state"].update(state="x"), r"generator: "),
    (lambda state: state.pop("generator"), r"generator: missing"),
    (lambda state: state.update(agents=[]), r"agents: "),
    (lambda state: state["agents"].pop("sherlock"), r"agents: seats moriarty; sherlock, moriarty are needed"),
    (lambda state: state["agents"].update(watson=[]), r"agents: seats sherlock, moriarty, watson; sherlock, moriarty"),
    (lambda state: state["agents"]["moriarty"].pop(), r"agents: seat moriarty: 1 memory; 2 are needed"),
    (lambda state: state["agents"].update(moriarty=None), r"agents: seat moriarty: "),
    (lambda state: state["agents"]["moriarty"].reverse(), r"agents: seat moriarty: .*"),
    (lambda state: state["agents"]["moriarty"][1].update(kind="other"), r"agents: seat moriarty: Refuses .*KeyError"),
    (lambda state: state.clear(), r"assigned: missing"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_what_does_not_fit_is_refused_and_changes_nothing(change: Change, message: str) -> None:
    games, twin, other = lockstep(), lockstep(), lockstep(7)
    steps(other, 5)
    states, players = other.get_state()
    players = json.loads(json.dumps(players))
    change(players)
    before = content(games)
    with pytest.raises(ValueError, match=rf"^players: {message}"):
        games.set_state(states, players)
    assert content(games) == before
    assert steps(games) == steps(twin)


def test_what_fits_is_taken_up() -> None:
    games, other = lockstep(), lockstep(7)
    steps(other, 5)
    states, players = other.get_state()
    games.set_state(states, json.loads(json.dumps(players)))
    assert content(games) == content(other)
    assert steps(games) == steps(other)


def test_the_callers_seat_may_be_another_in_each_game() -> None:
    sitting = [(Random(1), 1.0)]
    games = Lockstep(GAME, {}, ["sherlock", "moriarty", "sherlock"], dict.fromkeys(GAME.seats({}), sitting), N)
    games.reset([1, 2, 3])
    states, players = games.get_state()
    games.set_state(states, copy.deepcopy(players))
    players["assigned"].reverse()
    games.set_state(states, copy.deepcopy(players))
    players["assigned"] = [[-1, 0]] * N
    with pytest.raises(ValueError, match="assigned: game 1, seat sherlock: -1 is not allowed; 0 to 0"):
        games.set_state(states, players)


def test_states_of_other_games_leave_the_players_alone() -> None:
    games = lockstep()
    before = content(games)
    states, players = lockstep(7).get_state()
    with pytest.raises(ValueError, match="states: shape"):
        games.set_state(states[:2], players)
    assert content(games) == before


def test_no_agent_moves_where_none_has_that_number() -> None:
    """Whoever puts a wrong number there himself is not left waiting for ever."""
    games = lockstep()
    games.players.assigned[:] = [[99, 99]] * N
    assert not games.players.move(games.states, games.tables, np.zeros(N, np.int64))


def seat_env(seat: str = "sherlock") -> SeatEnv:
    others = {other: [(Random(1), 1.0), (Random(2), 1.0)] for other in GAME.seats({}) if other != seat}
    return SeatEnv(GAME, seat, others)


@pytest.mark.parametrize("wrong", [[[99, -1]], [[-1, -1]], [[-1, 2]], [[-1]], [[-2, 0]]])
def test_one_seat_refuses_them_too(wrong: Any) -> None:
    """Where the checksum does not help, because it is of the wrong content."""
    env, twin, fresh = seat_env(), seat_env(), seat_env()
    view, _ = env.reset(seed=4)
    states, extra = env.face.unpack(env.get_state(), ("lost", "players"))
    extra["players"]["assigned"] = wrong
    saved = env.face.pack(states, extra)
    twin.reset(seed=4)
    with pytest.raises(ValueError, match="saved with other opponents"):
        env.set_state(saved)
    assert repr(env.step(choice(view))) == repr(twin.step(choice(view)))
    if wrong != [[-1, -1]]:
        with pytest.raises(ValueError, match="saved with other opponents"):
            fresh.set_state(saved)
        fresh.reset(seed=4)


def test_nobody_is_assigned_before_the_first_game() -> None:
    """An environment that refuses a state puts back what it had, and that may be this."""
    players = Players(GAME, GAME.resolve({}), {"moriarty": [(Random(1), 1.0)]}, N, 0)
    before = players.get_state()
    players.set_state(json.loads(json.dumps(before)))
    assert players.get_state() == before
    players.assign(np.arange(N), np.zeros(N, np.int64))
    with pytest.raises(ValueError, match="assigned: game 0, seat moriarty: -1"):
        players.set_state(before)


def test_bytes_nested_too_deep_are_no_saved_state() -> None:
    env = seat_env()
    env.reset(seed=4)
    with pytest.raises(ValueError, match="no saved state"):
        env.set_state(b"[" * 100_000 + b"\n")
