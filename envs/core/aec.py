"""The PettingZoo AEC environment over any game: seats act one after the other."""

# pyright: reportMissingTypeStubs=false

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any, SupportsIndex, cast

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable, AECIterator
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from reichenbach.envs.core import one
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.core.face import (
    FLOAT32,
    ILLEGAL,
    ILLEGAL_ENDING,
    ILLEGAL_MOVES,
    ILLEGAL_REWARD,
    INT8,
    Observation,
    chosen,
    whole_number,
)
from reichenbach.envs.core.shell import Shell

_view, _step = one.view, one.step  # globals: a step is counted in hundreds of nanoseconds


_PROGRESS = (
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "_skip_agent_selection",
)


class TurnEnv(Shell, AECEnv[str, Observation, int]):
    """A game as PettingZoo's AEC environment; its arguments are those of `Shell`."""

    _progress_names = _PROGRESS

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new game.

        Args:
            seed: seeds chance; None continues the generator's chain.
            options: ``{"position": text}`` starts from that position.
        """
        self._states = self.face.begin(self._states, seed, options)
        seats = self.possible_agents
        self.agents = seats[:]
        self.rewards = dict.fromkeys(seats, 0.0)
        self._cumulative_rewards = dict.fromkeys(seats, 0.0)
        self.terminations = dict.fromkeys(seats, False)
        self.truncations = dict.fromkeys(seats, False)
        self.infos = {seat: {} for seat in seats}
        self._skip_agent_selection: str | None = None  # type: ignore[assignment]  # as PettingZoo itself has it
        mover = one.mover(self._states, self._tables)
        if mover < 0:  # a position may be one after the end
            self._finish()
        else:
            self.agent_selection = seats[mover]
        if self._prints:
            self.render()

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since it last acted, termination, truncation and info of the seat to act."""
        agent = self.agent_selection
        observation: Observation | None = None
        if observe:  # as observe() does, without the call
            out, mask = np.empty(self._size, FLOAT32), np.empty(self._n_actions, INT8)
            _view(self._dealt(), self._tables, self._seat_of[agent], self._sections, out, mask)
            observation = {"observation": out, "action_mask": mask}
        return (
            observation,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action: SupportsIndex | None) -> None:
        """Plays an action of the seat to act; after the end, takes None and removes that seat.

        Raises:
            IllegalAction: the rules do not allow it now; nothing has changed.
        """
        over = self.terminations.get(self.agent_selection)
        if over:
            self._was_dead_step(cast("int", action))
            return
        if over is None:
            raise IllegalAction("step: the game is over and no seat is left; call reset()")
        number = whole_number(action)
        mover = _step(self._dealt(), self._tables, number, self._scratch)
        if mover >= 0:
            self.agent_selection = self.possible_agents[mover]
        elif mover == ILLEGAL:
            seat = self._seat_of[self.agent_selection]
            raise IllegalAction(self.game.why_illegal(self._dealt(), number, seat))
        else:
            self._finish()
        if self._prints:
            self.render()

    def _finish(self) -> None:
        ending, rewards = self.face.results(self._dealt())
        info = self.face.ended(ending)
        for seat, name in enumerate(self.possible_agents):
            self.rewards[name] = self._cumulative_rewards[name] = rewards[seat]
            self.terminations[name] = True
            self.infos[name] = info.copy()
        self.agent_selection = self.possible_agents[0]

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, int]:
        """Yields the seat to act until no seat is left, or ``max_iter`` times."""
        return _Turns(self, max_iter)

    def _progress(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _PROGRESS}

    def _set_progress(self, progress: Mapping[str, Any]) -> None:
        for name in _PROGRESS:
            value = progress[name]
            # Deep enough, and much faster than copy.deepcopy: infos alone are nested, and are not written into.
            setattr(self, name, value.copy() if isinstance(value, (dict, list)) else value)  # pyright: ignore


class _Turns(AECIterable[str, Observation, int]):
    """PettingZoo's iterable of seats, as a generator: twice as fast."""

    def __init__(self, env: TurnEnv, max_iter: int) -> None:
        self.env, self.max_iter = env, max_iter

    def __iter__(self) -> AECIterator[str, Observation, int]:
        return cast("AECIterator[str, Observation, int]", self._turns())

    def _turns(self) -> Iterator[str]:
        env, left = self.env, self.max_iter
        while env.agents and left > 0:
            left -= 1
            yield env.agent_selection


class LosesIllegal(TerminateIllegalWrapper[str, Observation, int]):
    """An illegal move ends the game: -1 for the offender, 0 for the others, the ending named in the infos."""

    def __init__(self, env: TurnEnv) -> None:
        super().__init__(env, ILLEGAL_REWARD)

    def step(self, action: SupportsIndex | None) -> None:
        """As the environment's, but no whole number is refused.

        Raises:
            IllegalAction: the action is no whole number, or no seat is left; nothing has changed.
        """
        raw = cast("TurnEnv", self.unwrapped)
        over = raw.terminations.get(raw.agent_selection)
        if over is None:
            raw.step(action)  # says what is wrong
        elif not over:
            action = whole_number(action)
            if not 0 <= action < raw.game.n_actions:  # PettingZoo would look it up in the mask, from the end too
                action, self._prev_obs = 0, {"action_mask": np.zeros(1, np.int8)}
        running = not self._terminated
        super().step(cast("int", action))
        if running and self._terminated:
            # PettingZoo sets both; learners that tell them apart need the one that is true.
            raw.truncations = dict.fromkeys(raw.agents, False)
            raw.infos = {seat: {"winner": None, "ending": ILLEGAL_ENDING} for seat in raw.agents}

    def clone(self) -> LosesIllegal:
        """An independent copy of the game in progress."""
        return copy.deepcopy(self)

    def set_state(self, saved: bytes) -> None:
        """As the environment's; the mask seen before it no longer counts."""
        raw = cast("TurnEnv", self.unwrapped)
        raw.set_state(saved)
        self._prev_obs = self._prev_info = None
        self._terminated = any(info.get("ending") == ILLEGAL_ENDING for info in raw.infos.values())


class Checked(OrderEnforcingWrapper[str, Observation, int]):
    """PettingZoo's order and bounds checks, that also know a copied or restored game as one begun."""

    def __init__(self, env: TurnEnv | LosesIllegal) -> None:
        super().__init__(AssertOutOfBoundsWrapper(env))
        self._inner = env

    # The next two do what PettingZoo's do, without asking wrapper after wrapper for every attribute.
    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not self._has_reset:
            return super().__getattr__(name)
        return getattr(self._inner, name)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """As the environment's."""
        return self._inner.last(observe) if self._has_reset else super().last(observe)

    def step(self, action: SupportsIndex | None) -> None:
        """As the environment's."""
        super().step(cast("int", action))  # None, which PettingZoo asks for after the end, is not in its type

    def clone(self) -> Checked:
        """An independent copy of the game in progress, as checked as this one."""
        return copy.deepcopy(self)

    def set_state(self, saved: bytes) -> None:
        """As the environment's; afterwards the game counts as begun."""
        self._inner.set_state(saved)
        self._has_reset = self._has_updated = True

    def __str__(self) -> str:
        return str(self.env)


def raw(kind: type[TurnEnv], illegal_moves: str = "raise", **arguments: Any) -> TurnEnv | LosesIllegal:
    """The environment without PettingZoo's checks.

    Args:
        kind: the game's environment.
        illegal_moves: "raise" (nothing changes) or "lose" (-1 for the offender, and the game is over).
        arguments: those of ``kind``.
    """
    chosen(f"{kind.game.name}: illegal_moves", illegal_moves, ILLEGAL_MOVES)
    env = kind(**arguments)
    return env if illegal_moves == "raise" else LosesIllegal(env)
