"""Agents at the seats of many games: who plays which seat in which game, and letting them move."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import batch, seating
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.record import States, Tables
from reichenbach.envs.core.seat import Agent, Views

Mixture = Sequence[tuple[Agent, float]]
UNKNOWN = -2  # a mover that is not looked up yet


class Players:
    """The agents of every seat that is not the caller's, drawn by weight for each game and kept to its end.

    Attributes:
        agents: by seat name, every agent that may be at play there; the order is part of a saved state.
        weights: by seat name, the weights by which an agent is drawn for the next games; 0 for one who only
            finishes those he has.
        ally_weights: the same for games in which the caller is on the seat's side; none where ``weights`` hold there
            too.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        mixtures: Mapping[str, Mixture],
        n: int,
        seed: int,
        allies: Mapping[str, Mixture] | None = None,
    ):
        """Seats with no mixture are the caller's.

        Raises:
            ValueError: an unknown seat, an empty mixture, or weights that are negative or all 0.
        """
        self.game = game
        self.seats = game.seats(options)
        sides = game.sides(options)
        self._side: NDArray[np.int64] = np.array([sides.index(side) for side in sides], np.int64)  # one number a side
        allies = allies or {}
        for seat in (*mixtures, *allies):
            if seat not in self.seats:
                raise ValueError(f"opponents: there is no seat {seat!r}; seats are {', '.join(self.seats)}")
        self.agents: dict[str, list[Agent]] = {seat: [] for seat in self.seats}
        self.weights: dict[str, list[float]] = {seat: [] for seat in self.seats}
        self.ally_weights: dict[str, list[float]] = {seat: [] for seat in self.seats}
        self.assigned: NDArray[np.int64] = np.full((n, len(self.seats)), -1, np.int64)
        self._first: NDArray[np.bool_] = np.ones((n, len(self.seats)), np.bool_)
        self._scratch: NDArray[np.int8] = np.zeros(game.n_actions, np.int8)
        self._generator = np.random.Generator(np.random.PCG64(seed))
        for seat, mixture in mixtures.items():
            self.set_mixture(seat, mixture)
        for seat, mixture in allies.items():
            self.set_mixture(seat, mixture, allied=True)

    def set_mixture(self, seat: str, mixture: Mixture, *, allied: bool = False) -> None:
        """Whom coming games of the seat are drawn from; games under way keep their agent.

        ``allied``: in games where the caller is on the seat's side.
        """
        weights = [float(weight) for _, weight in mixture]
        if not weights or min(weights) < 0 or not 0 < sum(weights) < math.inf:
            raise ValueError(f"opponents of seat {seat}: weights {weights}; expected numbers from 0, one above 0")
        for agent, _ in mixture:
            if problem := wrong_sections(self.game, agent):
                raise ValueError(f"opponents of seat {seat}: {problem}")
        agents, of_kind = self.agents[seat], self.ally_weights if allied else self.weights
        of_kind[seat] = [0.0] * len(agents)
        for agent, weight in mixture:
            known = [i for i, other in enumerate(agents) if other is agent]
            if known:
                of_kind[seat][known[0]] += weight
            else:
                agents.append(agent)
                of_kind[seat].append(weight)

    def assign(self, rows: NDArray[np.int64], caller: NDArray[np.int64]) -> None:
        """Draws the agents of new games; ``caller`` is the seat in each row that is the caller's, -1 for none."""
        self._first[rows] = True
        for seat, name in enumerate(self.seats):
            drawn = self._drawn(self.weights[name], len(rows))
            if self.ally_weights[name]:
                allied = (caller >= 0) & (self._side[caller] == self._side[seat])
                drawn = np.where(allied, self._drawn(self.ally_weights[name], len(rows)), drawn)
            if (drawn[caller != seat] < 0).any():
                raise ValueError(f"opponents: seat {name} has none, and it is not the learner's")
            drawn[caller == seat] = -1
            self.assigned[rows, seat] = drawn

    def _drawn(self, weights: Sequence[float], n: int) -> NDArray[np.int64]:
        """n agents by weight, as places in their list; -1 where there are no weights."""
        if not len(weights):
            return np.full(n, -1, np.int64)
        shares = np.array(weights)
        drawn: NDArray[np.int64] = self._generator.choice(len(shares), n, p=shares / shares.sum())
        return drawn

    def move(self, states: States, tables: Tables, moving: NDArray[np.int64]) -> bool:
        """Lets every agent move once in the games where it is at move; False if there was none.

        Args:
            moving: shape (N,), each game's mover, -1 where it is over; those of the caller's seat are left alone.
        """
        slots = np.flatnonzero(moving >= 0)
        at_move = np.full(len(moving), -1, np.int64)
        at_move[slots] = self.assigned[slots, moving[slots]]
        if (at_move < 0).all():
            return False
        moved = False
        for seat, name in enumerate(self.seats):
            for number, agent in enumerate(self.agents[name]):
                rows = np.flatnonzero((moving == seat) & (at_move == number))
                if len(rows):
                    self._move_agent(states, tables, rows, seat, agent)
                    moved = True
        return moved

    def advance(self, states: States, tables: Tables, callers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Lets the agents move until, in every game, the caller has something to choose or it is over.

        Where the caller is at move and has nothing but the no-op, that is played for him.

        Args:
            callers: shape (N,), the caller's seat in each game, -1 for none.

        Returns:
            Shape (N,): the caller's seat where he is at move, -1 where the game is over.
        """
        moving: NDArray[np.int64] = np.full(len(states), UNKNOWN, np.int64)
        no_op = self.game.no_op
        batch.movers_with_choice(states, tables, callers, no_op, self._scratch, moving)
        while self.move(states, tables, moving):
            batch.movers_with_choice(states, tables, callers, no_op, self._scratch, moving)
        return moving

    def _move_agent(self, states: States, tables: Tables, rows: NDArray[np.int64], seat: int, agent: Agent) -> None:
        views = look(self.game, states, tables, rows, seat, agent.sections, self._first[rows, seat])
        try:
            batch.step(self.game, states, tables, rows, agent.act(views))
        except IllegalAction as error:
            raise IllegalAction(f"{type(agent).__name__}.act, seat {self.seats[seat]}: {error}") from error
        self._first[rows, seat] = False

    def get_state(self) -> dict[str, Any]:
        """Assignments, generators and what agents remember, fit for JSON."""
        return {
            "assigned": self.assigned.tolist(),
            "first": self._first.tolist(),
            "generator": self._generator.bit_generator.state,
            "agents": {seat: [agent.get_state() for agent in agents] for seat, agents in self.agents.items()},
        }

    def set_state(self, state: Mapping[str, Any], callers: NDArray[np.int64] | None = None) -> None:
        """Puts back what ``get_state`` gave; the same agents must sit at the seats, in the same order.

        Args:
            state: what ``get_state`` gave.
            callers: shape (N,), the caller's seat in each game, -1 for none; None where that is not known.

        Raises:
            ValueError: the state is damaged, or one of other players; nothing has changed.
        """
        seating.check_parts(state)
        counts = {seat: len(agents) for seat, agents in self.agents.items()}
        assigned = seating.assigned(state["assigned"], counts, self.assigned, callers)
        first = seating.first(state["first"], self._first)
        generator = seating.generator(state["generator"])
        seating.remember(seating.memories(state["agents"], self.agents))
        self.assigned[:], self._first[:] = assigned, first
        self._generator.bit_generator.state = generator


def wrong_sections(game: Game, agent: Agent) -> str | None:
    """What is wrong with the sections that an agent asks for, or None."""
    allowed = range(1 << len(game.optional_sections))
    if agent.sections in allowed:
        return None
    return (
        f"{type(agent).__name__}.sections is {agent.sections!r}; allowed are {allowed[0]} to {allowed[-1]}, "
        f"a bit for each of {', '.join(game.optional_sections)}"
    )


def look(
    game: Game,
    states: States,
    tables: Tables,
    rows: NDArray[np.int64],
    seat: int,
    sections: int,
    first: NDArray[np.bool_],
) -> Views:
    """What the seat sees in these games, with the optional sections asked for."""
    observation = np.empty((len(rows), game.layout(sections).size), np.float32)
    mask = np.empty((len(rows), game.n_actions), np.int8)
    batch.view(states, tables, rows, np.full(len(rows), seat, np.int64), sections, observation, mask)
    return Views(seat, observation, mask, rows, first)
