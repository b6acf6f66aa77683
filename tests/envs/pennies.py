"""A tiny game of three seats that choose at once, to try the core on what Who Is Moriarty has not.

Chance hides a penny on side 0 or 1, and seat a knows where. In round r all seats but the r-th guess the side, hidden
from each other; a right guess is a point. Most points win, and if they are shared nobody does. With ``teams`` the two
seats at the ends are one side, which wins with more points in all than the one in the middle. With ``mute`` one seat
is asked as before, but may only wait in the first and third round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Annotated, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import one, verbs
from reichenbach.envs.core.aec import TurnEnv
from reichenbach.envs.core.chance import Chance, draw
from reichenbach.envs.core.errors import BadOption, BadPosition
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.kernel import kernel
from reichenbach.envs.core.layout import Layout, Section
from reichenbach.envs.core.options import flag, number
from reichenbach.envs.core.parallel import SlotEnv
from reichenbach.envs.core.record import Bool, Int, Ints, States, record_dtype
from tests.envs.stamped import stamped

SEATS = ("a", "b", "c")
LONG_NAMES = ("anna", "bella", "cora")
NO_OP = 2
NOT_YET = -1
LEAK_OBSERVATION, LEAK_MASK = 1, 2
SHARED, WON_BY_ENDS, WON_BY_MIDDLE = 4, 5, 6
LUCK = 1000


class Ending(IntEnum):
    """Who won; SHARED: nobody."""

    RUNNING = 0
    WON_BY_A = 1
    WON_BY_B = 2
    WON_BY_C = 3
    SHARED = 4
    WON_BY_ENDS = 5
    WON_BY_MIDDLE = 6


class State(Chance, Protocol):
    """Fields of a game's record."""

    penny: Int  # the side on which it lies
    luck: Int  # drawn after it, and of no use
    guess: Annotated[Ints, np.int32, (3,)]  # of this round, NOT_YET before it
    points: Annotated[Ints, np.int32, (3,)]
    round_number: Int  # from 0
    ending: Int
    rounds_to_play: Int
    leak: Int  # planted for the audit's test: LEAK_OBSERVATION, LEAK_MASK, 0 for none
    teams: Bool
    mute: Int  # 1 + the seat that may only wait in even rounds, 0 for none
    long_names: Bool  # changes the seats' names alone


DTYPE = stamped(record_dtype(State), __file__)


@kernel
def deal(state: State, tables: Any) -> None:
    state.penny = draw(state, 2)
    state.luck = draw(state, LUCK)
    state.guess[:] = NOT_YET
    state.points[:] = 0
    state.round_number = 0
    state.ending = 0


@kernel
def active(state: State, tables: Any, seat: int) -> bool:
    return bool(state.ending == 0 and seat != state.round_number % 3 and state.guess[seat] == NOT_YET)


@kernel
def mover(state: State, tables: Any) -> int:
    for seat in range(3):
        if active(state, tables, seat):
            return seat
    return -1


@kernel
def legal(state: State, tables: Any, seat: int, mask: NDArray[np.int8]) -> None:
    mask[:] = 0
    if active(state, tables, seat) and (state.mute != seat + 1 or state.round_number % 2 == 1):
        mask[:2] = 1
    else:
        mask[NO_OP] = 1
    if state.leak == LEAK_MASK:
        mask[NO_OP] = state.penny


@kernel
def step(state: State, tables: Any, action: int) -> None:
    state.guess[mover(state, tables)] = action
    if mover(state, tables) >= 0:
        return
    for seat in range(3):
        if state.guess[seat] == state.penny:
            state.points[seat] += 1
    state.guess[:] = NOT_YET
    state.round_number += 1
    if state.round_number == state.rounds_to_play and state.teams:
        lead = state.points[0] + state.points[2] - state.points[1]
        state.ending = SHARED if lead == 0 else WON_BY_ENDS if lead > 0 else WON_BY_MIDDLE
    elif state.round_number == state.rounds_to_play:
        best = max(state.points[0], state.points[1], state.points[2])
        winners = 0
        for seat in range(3):
            if state.points[seat] == best:
                winners += 1
                state.ending = seat + 1
        if winners > 1:
            state.ending = SHARED


@kernel
def observe(state: State, tables: Any, seat: int, sections: int, out: NDArray[np.float32]) -> None:
    out[:] = 0
    for other in range(3):
        out[other] = 1 if seat == other or seat == 3 else 0
        out[3 + other] = state.points[other] / 4
    out[6] = state.round_number / 4
    if seat == 0 or seat == 3 or state.leak == LEAK_OBSERVATION:
        out[7] = state.penny
    if sections & 1:
        out[8] = 1


@kernel
def outcome(state: State, tables: Any) -> int:
    return int(state.ending)


@kernel
def reward(state: State, tables: Any, seat: int) -> float:
    if state.ending >= WON_BY_ENDS:
        return 1.0 if (seat == 1) == (state.ending == WON_BY_MIDDLE) else -1.0
    return 1.0 if state.ending == seat + 1 else 0.0


verbs.register(
    DTYPE,
    deal=deal,
    mover=mover,
    active=active,
    legal=legal,
    step=step,
    observe=observe,
    outcome=outcome,
    reward=reward,
)

BASE = (
    Section("seat", 3, SEATS, "who observes"),
    Section("points", 3, SEATS, "of each seat, / 4"),
    Section("round", 1, SEATS, "rounds played, / 4"),
    Section("penny", 1, ("a",), "its side"),
)
TABLES = np.zeros(1, np.dtype((np.record, [("nothing", np.int32)])))


def layout(sections: int) -> Layout:
    return Layout((*BASE, Section("bonus", 1, SEATS, "one", "observe_bonus")) if sections & 1 else BASE)


def parse(text: str, **options: Any) -> States:
    """``side=0`` or ``side=1``, at the start."""
    if not text.startswith("side="):
        raise BadPosition(f"position {text!r}: expected side=0 or side=1")
    states = GAME.new(GAME.resolve(options))
    one.deal(states, TABLES)
    states["penny"] = int(text[5])
    return states


def alternatives(state: States, seat: int) -> Iterator[States]:
    for side in (0, 1) if seat else (int(state["penny"][0]),):
        other = state.copy()
        other["penny"] = side
        yield other


def seats(options: Mapping[str, Any]) -> tuple[str, ...]:
    return LONG_NAMES if options["long_names"] else SEATS


def sides(options: Mapping[str, Any]) -> tuple[str, ...]:
    return ("ends", "middle", "ends") if options["teams"] else seats(options)


def tables(options: Mapping[str, Any]) -> NDArray[Any]:
    if options["teams"] and options["rounds_to_play"] == 1:
        raise BadOption("option rounds_to_play: 1 is not allowed with teams: seat a is out in it; allowed are 2 to 4")
    return TABLES


def winner(ending: int) -> str | None:
    if ending >= WON_BY_ENDS:
        return "ends" if ending == WON_BY_ENDS else "middle"
    return SEATS[ending - 1] if 0 < ending < SHARED else None


def facts(states: States) -> dict[str, NDArray[Any]]:
    lead = np.sign(states["points"][:, 0] - states["points"][:, 2])
    order: NDArray[Any] = np.array(["level", "a before c", "c before a"])[lead]
    return {"penny": states["penny"], "luck": states["luck"], "order": order}


def write(states: States) -> str:
    return f"side={states['penny'][0]}"


def action_text(action: int, options: Mapping[str, Any] | None = None) -> str:
    return ("guess 0", "guess 1", "wait")[action] if 0 <= action <= 2 else f"no action {action}"


def action_from_text(text: str, options: Mapping[str, Any] | None = None) -> int:
    return [action_text(action) for action in range(3)].index(text)


def why_illegal(states: States, action: int, seat: int) -> str:
    if seat < 0:
        return f"{action_text(action)!r}: the game is over"
    if not one.active(states, TABLES, seat):
        return f"{action_text(action)!r} of {SEATS[seat]}: the seat is idle; allowed is 'wait'"
    return f"{action_text(action)!r} of {SEATS[seat]}: it is no guess; allowed are 'guess 0', 'guess 1'"


def render(states: States, view: int) -> str:
    known = states["penny"][0] if view in (0, 3) else "?"
    return f"round {states['round_number'][0]}, points {states['points'][0].tolist()}, penny {known}"


def rounds(states: States) -> NDArray[np.int32]:
    played: NDArray[np.int32] = states["round_number"]
    return played


def longest(options: Mapping[str, Any]) -> int:
    return len(SEATS) * int(options["rounds_to_play"])


GAME = Game(
    name="pennies",
    version=3,
    rules_version="1",
    dtype=DTYPE,
    n_actions=3,
    no_op=NO_OP,
    endings=Ending,
    options=(
        number("rounds_to_play", 3, 1, 4),
        number("leak", 0, 0, 2),
        flag("teams"),
        number("mute", 0, 0, 3),
        flag("long_names"),
    ),
    seats=seats,
    tables=tables,
    optional_sections=("bonus",),
    layout=layout,
    winner=winner,
    parse=parse,
    format=write,
    action_text=action_text,
    action_from_text=action_from_text,
    why_illegal=why_illegal,
    render=render,
    alternatives=alternatives,
    rounds=rounds,
    longest=longest,
    sides=sides,
    strata=2,
    facts=facts,
)


class Turns(TurnEnv):
    """Seat by seat."""

    game = GAME


class Slots(SlotEnv):
    """All at once."""

    game = GAME
