"""The Gymnasium vector environment: one seat in each of N games, the other seats being played by agents in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from reichenbach.envs.core.face import INT8, Face, Observation, chosen, reset_options, seed_number
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.lockstep import Lockstep, Steps
from reichenbach.envs.core.opponents import OpponentMixture, by_seat, seated

Batch = tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class SeatVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """One seat in each of N games; after every step that seat has something to choose in all of them (`SeatEnv`).

    A game that ends is followed by the next in the same step (``AutoresetMode.SAME_STEP``): infos then hold
    ``final_obs`` and ``final_info`` (``winner``, ``ending``) of those that ended. Observations are dicts of
    ``observation`` float32 (N, size) and ``action_mask`` int8 (N, actions), new arrays after every step.

    Args:
        game: the game.
        seat: name of the seat that the caller plays.
        opponents: an agent, a function of a seed that makes one, or a weighted mixture, for every other seat or side.
        num_envs: N.
        render_mode: None or "ansi" (``render`` returns a text for each game).
        arguments: the game's rule options, and ``observe_<section>`` for its optional sections.

    Raises:
        BadOption: an argument of unknown name, or out of its range.
        ValueError: a seat without opponent, an opponent for no seat, or N is no number of games.
    """

    def __init__(
        self,
        game: Game,
        seat: str,
        opponents: Mapping[str, OpponentMixture],
        num_envs: int,
        *,
        render_mode: str | None = None,
        **arguments: Any,
    ) -> None:
        self.face = Face.of(game, arguments)
        chosen(f"{game.name}: seat", seat, self.face.seats)
        chosen(f"{game.name}: render_mode", render_mode, (None, "ansi"))
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"], "render_fps": 1}
        self.opponents = by_seat(game, self.face.options, seat, opponents)
        self.seat, self.num_envs = seat, _count(game, num_envs)
        self.render_mode = render_mode
        seen, played = self.face.observation_space(seat), self.face.action_space(seat)
        self.single_observation_space, self.single_action_space = seen, played
        self.observation_space, self.action_space = (
            batch_space(seen, self.num_envs),
            batch_space(played, self.num_envs),
        )
        self._games = self._new_games(None)

    def _new_games(self, seed: int | None) -> Lockstep:
        draws = np.random.SeedSequence(seed).generate_state(3)  # the first two words are a game's own key
        return Lockstep(
            self.face.game,
            self.face.options,
            self.seat,
            seated(self.opponents, seed),
            self.num_envs,
            self.face.sections,
            int(draws[2]),
        )

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts new games everywhere.

        Args:
            seed: game i is seeded with ``seed + i``, or by its entry in a list; opponents that are made from a seed
                are made anew. None continues all generators.
            options: ignored, but for ``position``, which is for environments of one game.

        Raises:
            ValueError: a list of another length than N, options that are no mapping, or a position.
        """
        if "position" in reset_options(options):
            raise ValueError("reset: a position is for environments of one game; this one has many")
        seeds = self._seeds(seed)
        if seeds is not None:
            super().reset(seed=seeds[0])
            self._games = self._new_games(seeds[0])
        elif not self._games.begun:
            seeds = [None] * self.num_envs
        self._games.reset(seeds)
        return self._observation(), {}

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None] | None:
        if seed is None:
            return None
        if not isinstance(seed, Sequence | np.ndarray):
            first = seed_number(seed) or 0
            return [first + game for game in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"reset: {len(seed)} seeds for {self.num_envs} games; one each is needed")
        return [seed_number(each) for each in seed]

    def step(self, actions: NDArray[np.int64]) -> Batch:
        """Plays the caller's action (N,) in every game, and the others' answers.

        Raises:
            IllegalAction: names the game, or says that N whole numbers are needed; nothing has changed anywhere.
            RuntimeError: there was no reset before.
        """
        steps = self._games.step(actions)
        infos = self._infos(steps) if steps.done.any() else {}
        truncations = np.zeros(self.num_envs, np.bool_)
        return self._observation(), steps.reward.astype(np.float64), steps.done, truncations, infos

    def _observation(self) -> Observation:
        return {"observation": self._games.observation, "action_mask": self._games.action_mask}

    def _infos(self, steps: Steps) -> dict[str, Any]:
        """What ended, in Gymnasium's form: an array for each key, and under ``_key`` the games it is of."""
        done, game = steps.done, self.face.game
        observations, winners, endings = (np.full(self.num_envs, None, object) for _ in range(3))
        for row in np.flatnonzero(done):
            mask = np.zeros(game.n_actions, INT8)
            mask[game.no_op] = 1
            observations[row] = {"observation": steps.final_observation[row].copy(), "action_mask": mask}
            ended = self.face.ended(int(steps.ending[row]))
            winners[row], endings[row] = ended["winner"], ended["ending"]
        final = {"winner": winners, "_winner": done.copy(), "ending": endings, "_ending": done.copy()}
        return {
            "final_obs": observations,
            "_final_obs": done.copy(),
            "final_info": final,
            "_final_info": done.copy(),
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as bool (N, actions)."""
        self._games.check_begun()
        return self._games.action_mask.astype(np.bool_)

    def render(self) -> tuple[str, ...] | None:
        """With "ansi", a text for each game as the caller's seat knows it."""
        if self.render_mode is None:
            return None
        self._games.check_begun()
        states = self._games.states
        return tuple(self.face.render(states[row : row + 1], self.seat) for row in range(self.num_envs))


def _count(game: Game, num_envs: object) -> int:
    if not isinstance(num_envs, int | np.integer) or isinstance(num_envs, bool) or num_envs < 1:
        raise ValueError(f"{game.name}: num_envs: {num_envs!r} is not allowed; a whole number from 1 on is needed")
    return int(num_envs)  # pyright: ignore[reportUnknownArgumentType]  # a NumPy integer of any width
