"""Many games in lock-step between a caller's seat and agents on the others, and whole games among agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import batch, chance
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.players import Mixture, Players
from reichenbach.envs.core.record import States, Tables
from reichenbach.envs.core.seat import Agent

AT_ONCE = 1024  # whole games


@dataclass(frozen=True)
class Steps:
    """What a step of all games gave the caller's seat, row by row.

    Attributes:
        reward: float32 (n,).
        done: bool (n,): the game ended, and the row shows the next one already.
        ending: int64 (n,): ending code where done, else 0.
        final_observation: float32 (n, size): the ended game as the caller's seat last sees it; zeros where not done.
    """

    reward: NDArray[np.float32]
    done: NDArray[np.bool_]
    ending: NDArray[np.int64]
    final_observation: NDArray[np.float32]


class Lockstep:
    """N games in which one seat of each is the caller's; after a step the caller has something to choose everywhere.

    Where the caller is at move with nothing but the no-op, it is played for him; agents are asked at all their moves.
    A game that ends is followed by the next of its chain at once. One that ends before the caller's first choice is
    passed over.

    Attributes:
        observation: float32 (n, size), what the caller's seat sees; action_mask: int8 (n, actions). Both are
            new arrays after every step.
        begun: whether there was a ``reset``; no game is dealt before it.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        learner: str | Sequence[str],
        opponents: Mapping[str, Mixture],
        n: int,
        sections: int = 0,
        seed: int = 0,
        allies: Mapping[str, Mixture] | None = None,
    ):
        """Begins no game yet.

        Args:
            game: the game.
            options: of its rules, resolved or not.
            learner: the caller's seat, or one for each game.
            opponents: by seat, who plays it.
            n: how many games.
            sections: the optional observation sections that the caller sees.
            seed: for drawing agents by weight, and of the games where the first ``reset`` gives no seeds.
            allies: by seat, who plays it in games where the caller is on its side; else ``opponents`` do.
        """
        values = game.resolve(options)
        seats = game.seats(values)
        names = [learner] * n if isinstance(learner, str) else list(learner)
        if len(names) != n or not set(names) <= set(seats):
            raise ValueError(f"learner: {learner!r}; expected one of {', '.join(seats)}, or {n} of them")
        self.game, self.options, self.sections = game, values, sections
        self.tables = game.tables(values)
        self.states: States = game.new(values, n)
        self.seat: NDArray[np.int64] = np.array([seats.index(name) for name in names], np.int64)
        self.players = Players(game, values, opponents, n, seed, allies)
        self._rows: NDArray[np.int64] = np.arange(n, dtype=np.int64)
        self._size = game.layout(sections).size
        self._seed = seed
        self.begun = False
        self._look()

    def _look(self) -> None:
        n = len(self.states)
        self.observation: NDArray[np.float32] = np.empty((n, self._size), np.float32)
        self.action_mask: NDArray[np.int8] = np.empty((n, self.game.n_actions), np.int8)
        batch.view(self.states, self.tables, self._rows, self.seat, self.sections, self.observation, self.action_mask)

    def reset(self, seeds: Sequence[int | None] | None = None) -> None:
        """Begins new games everywhere: game i under ``seeds[i]``; without seeds the next of each chain."""
        if seeds is None and not self.begun:  # no chain has begun, and all would be the same
            seeds = np.random.SeedSequence([self._seed, 1]).generate_state(len(self.states), np.uint64).tolist()
        if seeds is None:
            batch.deal_next(self.states, self.tables, self._rows)
        else:
            chance.seed(self.states, seeds)
            batch.deal(self.states, self.tables, self._rows)
        self.players.assign(self._rows, self.seat)
        self._advance_to_caller()
        self.begun = True
        self._look()

    def check_begun(self) -> None:
        """Raises RuntimeError before the first ``reset``: no game is dealt yet."""
        if not self.begun:
            raise RuntimeError(f"{self.game.name}: no game has begun; call reset() first")

    def _advance(self) -> NDArray[np.int64]:
        """Lets the others move, everywhere, as far as they go without the caller; returns the games that are over."""
        return np.flatnonzero(self.players.advance(self.states, self.tables, self.seat) < 0)

    def _advance_to_caller(self) -> None:
        over = self._advance()
        while len(over):
            batch.deal_next(self.states, self.tables, over)
            self.players.assign(over, self.seat[over])
            over = self._advance()

    def step(self, actions: NDArray[np.int64]) -> Steps:
        """Plays the caller's action in every game, shape (n,), and the others' answers.

        Raises:
            IllegalAction: names the row; nothing is changed.
            RuntimeError: there was no reset before.
        """
        self.check_begun()
        n = len(self.states)
        batch.step(self.game, self.states, self.tables, self._rows, actions)
        over = self._advance()
        steps = Steps(
            np.zeros(n, np.float32),
            np.zeros(n, np.bool_),
            np.zeros(n, np.int64),
            np.zeros((n, self._size), np.float32),
        )
        if len(over):
            self._finish(over, steps)
        self._look()
        return steps

    def _finish(self, over: NDArray[np.int64], steps: Steps) -> None:
        """Writes down the games that ended and begins the next ones."""
        endings, rewards = np.empty(len(over), np.int64), np.empty((len(over), len(self.players.seats)))
        batch.results(self.states, self.tables, over, endings, rewards)
        last = np.empty((len(over), self._size), np.float32)
        mask = np.empty((len(over), self.game.n_actions), np.int8)
        batch.view(self.states, self.tables, over, self.seat[over], self.sections, last, mask)
        steps.reward[over] = rewards[np.arange(len(over)), self.seat[over]]
        steps.done[over] = True
        steps.ending[over] = endings
        steps.final_observation[over] = last
        batch.deal_next(self.states, self.tables, over)
        self.players.assign(over, self.seat[over])
        self._advance_to_caller()

    def get_state(self) -> tuple[States, dict[str, Any]]:
        """Everything that the coming steps depend on: a copy of the states, and the rest fit for JSON."""
        return self.states.copy(), self.players.get_state()

    def set_state(self, states: States, players: Mapping[str, Any]) -> None:
        """Puts back what ``get_state`` gave.

        Raises:
            ValueError: states of another number of games or of another game, or players that do not fit; nothing has
                changed.
        """
        if states.shape != self.states.shape or states.dtype != self.states.dtype:
            raise ValueError(f"states: shape {states.shape}; expected {self.states.shape} of {self.game.name}")
        self.players.set_state(players, self.seat)
        self.states[:] = states
        self.begun = True
        self._look()


@dataclass(frozen=True)
class Results:
    """How N whole games ended.

    Attributes:
        ending: int64 (N,): the ending codes.
        reward: float64 (N, seats).
        rounds: int32 (N,): rounds begun.
        facts: the game's ``facts`` of the end, each (N,).
    """

    ending: NDArray[np.int64]
    reward: NDArray[np.float64]
    rounds: NDArray[np.int32]
    facts: Mapping[str, NDArray[Any]]


def play(
    game: Game,
    options: Mapping[str, Any],
    agents: Mapping[str, Agent],
    seeds: Sequence[int],
    at_once: int = AT_ONCE,
    first: int = 0,
) -> Results:
    """Plays one whole game for every seed, an agent on each seat, so many at once.

    Game i, counted from ``first``, gets outcome i of the first draw of a deal, counted round in the game's ``strata``;
    chance draws the rest.

    Raises:
        ValueError: the first draw of a deal has not as many outcomes as the game says.
    """
    values = game.resolve(options)
    tables = game.tables(values)
    _check_strata(game, game.new(values), tables)
    mixtures = {seat: [(agent, 1.0)] for seat, agent in agents.items()}
    parts: list[Results] = []
    for begin in range(0, max(len(seeds), 1), at_once):
        chunk = seeds[begin : begin + at_once]
        states = game.new(values, len(chunk))
        rows: NDArray[np.int64] = np.arange(len(chunk), dtype=np.int64)
        chance.seed(states, chunk)
        if game.strata > 1:
            chance.set_script(states, (first + begin + rows[:, None]) % game.strata)
        batch.deal(states, tables, rows)
        parts.append(_play_out(states, tables, Players(game, values, mixtures, len(chunk), 0)))
    return joined(parts)


def joined(parts: Sequence[Results]) -> Results:
    """Several results as one."""
    return Results(
        np.concatenate([part.ending for part in parts]),
        np.concatenate([part.reward for part in parts]),
        np.concatenate([part.rounds for part in parts]),
        {name: np.concatenate([part.facts[name] for part in parts]) for name in parts[0].facts},
    )


def _check_strata(game: Game, state: States, tables: Tables) -> None:
    """A scripted outcome is the first draw's alone if it has as many outcomes as the game says; raises ValueError."""
    if game.strata == 1:
        return
    chance.seed(state, [0])
    batch.deal(state, tables, np.zeros(1, np.int64))
    outcomes = next((n for n, _ in chance.recorded(state)), 0)
    if outcomes != game.strata:
        raise ValueError(f"{game.name}: strata is {game.strata}, but the first draw of a deal has {outcomes} outcomes")


def _play_out(states: States, tables: Tables, players: Players) -> Results:
    """Plays these games to their end."""
    n, game = len(states), players.game
    rows: NDArray[np.int64] = np.arange(n, dtype=np.int64)
    nobody: NDArray[np.int64] = np.full(n, -1, np.int64)
    players.assign(rows, nobody)
    players.advance(states, tables, nobody)
    ending: NDArray[np.int64] = np.empty(n, np.int64)
    reward: NDArray[np.float64] = np.empty((n, len(players.seats)))
    batch.results(states, tables, rows, ending, reward)
    return Results(ending, reward, game.rounds(states), game.facts(states))
