"""A Stable-Baselines3 ``VecEnv`` over lock-step games: plain Box observations, masks through ``action_masks``.

envs = vec_env.make("who_is_moriarty", seat="sherlock", opponents={"moriarty": agent}, num_envs=512)
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from reichenbach.envs import registry
from reichenbach.envs.core.face import Face, box, choices, chosen
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.lockstep import Lockstep
from reichenbach.envs.core.opponents import OpponentMixture, by_seat, seated


@dataclass
class Tally:
    """Counted since the last ``clear``: finished games, those the learner won, and seconds inside the games."""

    games: int = 0
    wins: int = 0
    seconds: float = 0.0

    def clear(self) -> None:
        """Starts counting anew."""
        self.games, self.wins, self.seconds = 0, 0, 0.0


class LockstepVecEnv(VecEnv):
    """N games at once; an episode is one game of the learning seat, and a finished game is followed by the next.

    Observations are float32 (N, size), rewards float32 (N,). Where a game is done, its info holds
    ``terminal_observation``, ``ending`` (a word) and ``winner`` (a side, or None).
    """

    def __init__(self, lockstep: Lockstep) -> None:
        self.lockstep = lockstep
        self.tally = Tally()
        self._actions: NDArray[np.int64] = np.zeros(len(lockstep.seat), np.int64)
        self._running: list[dict[str, Any]] = [{} for _ in lockstep.seat]  # infos of games that go on
        size = lockstep.observation.shape[1]
        super().__init__(len(lockstep.seat), box(size), choices(lockstep.game.n_actions))

    def reset(self) -> NDArray[np.float32]:
        """Starts every game anew, by the seeds given to ``seed`` if any were; observations (N, size)."""
        seeds = [seed for seed in self._seeds if seed is not None]
        self.lockstep.reset(seeds or None)
        self._reset_seeds()
        return self.lockstep.observation

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Takes the actions (N,) of the coming step."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Plays the actions and the opponents' answers; raises IllegalAction, or RuntimeError before a reset."""
        start = time.perf_counter()
        steps = self.lockstep.step(self._actions)
        self.tally.seconds += time.perf_counter() - start
        self.tally.games += int(steps.done.sum())
        self.tally.wins += int((steps.done & (steps.reward > 0)).sum())
        infos = self._running.copy()
        game = self.lockstep.game
        for i in np.flatnonzero(steps.done).tolist():
            ending = int(steps.ending[i])
            infos[i] = {
                "terminal_observation": steps.final_observation[i],
                "ending": game.endings(ending).name.lower(),
                "winner": game.winner(ending),
            }
        return self.lockstep.observation, steps.reward, steps.done, infos

    def action_masks(self) -> NDArray[np.int8]:
        """The legal actions of all games at the learner's move, int8 (N, actions); RuntimeError before a reset."""
        self.lockstep.check_begun()
        return self.lockstep.action_mask

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """``action_masks`` alone: one row for each game asked for."""
        if method_name != "action_masks":
            raise AttributeError(f"the games have no method {method_name}; they have action_masks")
        masks = self.action_masks()
        return list(masks) if indices is None else [masks[i] for i in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether the games have such an attribute; MaskablePPO asks for ``action_masks``."""
        return attr_name in ("action_masks", "render_mode")

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """``render_mode`` alone, which is None: batches are not drawn."""
        if attr_name != "render_mode":
            raise AttributeError(f"the games have no attribute {attr_name}")
        return [None for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Games have no attributes to set."""
        raise AttributeError(f"the games have no attribute {attr_name} to set")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """False for each: there is no wrapper."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """None for each: batches are not drawn."""
        return [None] * self.num_envs

    def _get_indices(self, indices: VecEnvIndices) -> Iterable[int]:
        return range(self.num_envs) if indices is None else super()._get_indices(indices)

    def close(self) -> None:
        """Nothing is held open."""


def make(
    game: str | Game,
    *,
    seat: str,
    opponents: Mapping[str, OpponentMixture],
    num_envs: int,
    seed: int = 0,
    **arguments: Any,
) -> LockstepVecEnv:
    """N games in which the caller plays one seat.

    Args:
        game: its name, or the game itself.
        seat: the caller's.
        opponents: for every other seat, or side, who plays it, as in ``envs.vector.make``.
        num_envs: N.
        seed: of the games unless ``seed()`` gives others (a model's own seed does), of opponents that are made from
            one, and of the draws among several.
        arguments: rule options, and ``observe_<section>``.

    Raises:
        BadOption: an argument of unknown name, or out of its range.
        ValueError: no such game, or a seat without opponent.
    """
    found = registry.game_of(game)
    face = Face.of(found, arguments)
    chosen(f"{found.name}: seat", seat, face.seats)
    agents = seated(by_seat(found, face.options, seat, opponents), seed)
    return LockstepVecEnv(Lockstep(found, face.options, seat, agents, num_envs, face.sections, seed))
