"""The PettingZoo Parallel environment over any game: a step is one simultaneous slot.

It is written for the game and not converted from the AEC environment: PettingZoo's conversion returns stale masks.
"""

# pyright: reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, SupportsIndex

from pettingzoo import ParallelEnv

from reichenbach.envs.core import one
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.core.face import (
    ILLEGAL_ENDING,
    ILLEGAL_MOVES,
    ILLEGAL_REWARD,
    Face,
    Observation,
    chosen,
    whole_number,
)
from reichenbach.envs.core.shell import Shell

Observations = dict[str, Observation]
Infos = dict[str, dict[str, Any]]
Slot = tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]


class SlotEnv(Shell, ParallelEnv[str, Observation, int]):
    """A game as PettingZoo's Parallel environment; its arguments are those of `Shell` and one more.

    In each step every seat that has to choose now submits, hidden from the others; all other seats give the no-op.

    Args:
        illegal_moves: "raise" (nothing changes) or "lose" (-1 for each offender, and the game is over).
    """

    _progress_names = ("agents",)

    def __init__(self, illegal_moves: str = "raise", **arguments: Any) -> None:
        chosen(f"{self.game.name}: illegal_moves", illegal_moves, ILLEGAL_MOVES)
        super().__init__(**arguments)
        self._assume(self.face, {**self._manner, "illegal_moves": illegal_moves})

    def _assume(self, face: Face, manner: Mapping[str, Any]) -> None:
        super()._assume(face, manner)
        self.illegal_moves: str = manner.get("illegal_moves", ILLEGAL_MOVES[0])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Infos]:
        """Starts a new game.

        Args:
            seed: seeds chance; None continues the generator's chain.
            options: ``{"position": text}`` starts from that position.

        Returns:
            Every seat's observation and (empty) info.
        """
        self._states = self.face.begin(self._states, seed, options)
        over = one.mover(self._states, self._tables) < 0  # a position may be one after the end
        self.agents = [] if over else self.possible_agents[:]
        if self._prints:
            self.render()
        return self._observations(), self._infos()

    def step(self, actions: Mapping[str, SupportsIndex]) -> Slot:
        """Plays one slot.

        Args:
            actions: one for every seat in ``agents``; the no-op for those that have nothing to choose.

        Returns:
            Observations, rewards, terminations, truncations and infos of every seat.

        Raises:
            IllegalAction: an action is missing, not allowed now, or for no seat; nothing has changed.
        """
        if not self.agents:
            raise IllegalAction("step: the game is over and no seat is left; call reset()")
        numbers = [self._submitted(actions, name) for name in self.possible_agents]
        for name in actions:
            if name not in self.possible_agents:
                raise IllegalAction(f"step: there is no seat {name!r}; allowed are {', '.join(self.possible_agents)}")
        offenders = self._offenders(numbers)
        if offenders and self.illegal_moves == "raise":
            seat = offenders[0]
            why = self.game.why_illegal(self._dealt(), numbers[seat], seat)
            raise IllegalAction(f"step: {self.possible_agents[seat]}: {why}")
        if offenders:
            slot = self._lost(offenders)
        else:
            self._play(numbers)
            slot = self._slot()
        if self._prints:
            self.render()
        return slot

    def _submitted(self, actions: Mapping[str, SupportsIndex], name: str) -> int:
        if not isinstance(actions, Mapping) or name not in actions:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise IllegalAction(f"step: no action for {name}; every seat gives one, the no-op where it is idle")
        return whole_number(actions[name], f"step: {name}: ")

    def _offenders(self, numbers: list[int]) -> list[int]:
        """Seats whose action is outside their mask, before anything is played."""
        found: list[int] = []
        for seat, number in enumerate(numbers):
            one.legal(self._dealt(), self._tables, seat, self._scratch)
            if not 0 <= number < self._n_actions or not self._scratch[number]:
                found.append(seat)
        return found

    def _play(self, numbers: list[int]) -> None:
        """Submits for every active seat, in the order in which the game asks for them."""
        states = self._dealt()
        waiting = [seat for seat in range(len(numbers)) if one.active(states, self._tables, seat)]
        for _ in waiting:
            seat = one.mover(states, self._tables)
            one.step(states, self._tables, numbers[seat], self._scratch)

    def _observations(self) -> Observations:
        return {name: self.observe(name) for name in self.possible_agents}

    def _infos(self) -> Infos:
        return {name: {} for name in self.possible_agents}

    def _slot(self) -> Slot:
        seats = self.possible_agents
        ending, final = self.face.results(self._dealt())
        over = ending != 0
        rewards = dict(zip(seats, final, strict=True))
        infos = {name: self.face.ended(ending) for name in seats} if over else self._infos()
        if over:
            self.agents = []
        return self._observations(), rewards, dict.fromkeys(seats, over), dict.fromkeys(seats, False), infos

    def _lost(self, offenders: list[int]) -> Slot:
        seats = self.possible_agents
        rewards = {name: ILLEGAL_REWARD if seat in offenders else 0.0 for seat, name in enumerate(seats)}
        infos = {name: {"winner": None, "ending": ILLEGAL_ENDING} for name in seats}
        self.agents = []
        return self._observations(), rewards, dict.fromkeys(seats, True), dict.fromkeys(seats, False), infos

    def _progress(self) -> dict[str, Any]:
        return {"agents": self.agents}

    def _set_progress(self, progress: Mapping[str, Any]) -> None:
        self.agents = list(progress["agents"])
