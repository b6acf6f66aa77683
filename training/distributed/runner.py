"""RLlib's runner over the batch kernel: its share of the run's games, played by the learner's latest weights."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import ray
import torch
from numpy.typing import NDArray
from ray.rllib.core.columns import Columns
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.evaluation.postprocessing import Postprocessing

from reichenbach.envs.core.problems import first_line
from reichenbach.training import imitation, load, packing, resume
from reichenbach.training.distributed.learner import MASK
from reichenbach.training.run import Run

Weights = dict[str, NDArray[Any]]
Batch = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Order:
    """What a runner is asked for.

    Attributes:
        weights: a reference to those of the learner's network, by name.
        snapshots: references to the weights of past learners, by number.
        recent: which of them may be drawn.
        imitates: whether the teacher is followed.
    """

    weights: Any
    snapshots: Mapping[int, Any]
    recent: list[int]
    imitates: bool


@dataclass(frozen=True)
class Sampled:
    """What a runner played.

    Attributes:
        batch: columns of rows.
        games: that ended; ``wins``: of them.
        environment_seconds: that were spent in the games.
        used: numbers of the snapshots that play a game now.
    """

    batch: Batch
    games: int
    wins: int
    environment_seconds: float
    used: set[int]


@dataclass(frozen=True)
class Failed:
    """Why a runner could not play: an agent's mistake, say. Raised, it would end the runner unheard."""

    reason: str


class GamesRunner(EnvRunner):  # type: ignore[misc]  # RLlib has no types
    """A run that plays but does not learn; games go on from one order to the next."""

    def __init__(self, *, config: Any, **others: Any) -> None:
        super().__init__(config=config, **others)
        whole = load.from_values(self.config.env_config["config"], "the run's config")
        place = self.worker_index - 1
        self.slots: list[int] = np.array_split(np.arange(whole.ppo.n_envs), self.num_workers)[place].tolist()
        seed = int(np.random.SeedSequence([whole.seed, 4, place]).generate_state(1)[0])
        games = whole.ppo.model_copy(update={"n_envs": len(self.slots)})
        self.share = whole.model_copy(update={"ppo": games, "seed": seed})
        self.run: Run | None = None  # begun by the first order: the snapshots that may play come with it

    def sample(self, order: Order, **others: Any) -> Sampled | Failed:
        """``n_steps`` moves in every game."""
        try:
            return self._sampled(self._begun(order), order.imitates)
        except Exception as error:  # whatever agents, also a user's, raise
            return Failed(_said(error))

    def _sampled(self, run: Run, imitates: bool) -> Sampled:
        run.env.tally.clear()
        batch = shown(run) if imitates else played(run)
        run.league.prune()
        tally = run.env.tally
        return Sampled(batch, tally.games, tally.wins, tally.seconds, run.league.used())

    def _begun(self, order: Order) -> Run:
        """The run with the weights of the order, begun if it was not."""
        wanted = {number: order.snapshots[number] for number in sorted(order.snapshots)}
        if self.run is None:
            weights = {number: _tensors(ray.get(reference)) for number, reference in wanted.items()}
            self.run = Run(self.share, self.slots, (packing.flat(weights), order.recent))
        pool = self.run.league.pool
        for number in set(wanted) - set(pool.networks):
            pool.put(number, _tensors(ray.get(wanted[number])))
        pool.recent = order.recent
        self.run.network.load_state_dict(_tensors(ray.get(order.weights)))
        return self.run

    def get_state(self, *components: Any, **others: Any) -> dict[str, Any]:
        """Where the games are, as ``resume.playing`` says; nothing where they have not begun."""
        return {"runner": self.worker_index, **(resume.playing(self.run) if self.run else {})}

    def set_state(self, state: dict[str, Any], order: Order | None = None) -> str | None:
        """Takes up what ``get_state`` gave, or says why it cannot; the order has the snapshots in play."""
        if order is not None and len(state) > 1:
            try:
                resume.play_on(self._begun(order), state)
            except Exception as error:  # whatever the agents make of wrong content
                return _said(error)
        return None

    def get_spaces(self) -> dict[str, Any]:
        """RLlib does not ask for them: the module's are given to it."""
        return {}

    def assert_healthy(self) -> None:
        """A runner that could be built is healthy."""


def played(run: Run) -> Batch:
    """``n_steps`` moves in every game, as rows with their advantages."""
    model, rows = run.model, run.config.steps_per_iteration
    model.collect_rollouts(run.env, run.no_callback, model.rollout_buffer, run.config.ppo.n_steps)
    buffer: Any = model.rollout_buffer
    return {
        Columns.OBS: buffer.observations.reshape(rows, -1),
        MASK: buffer.action_masks.reshape(rows, -1).astype(np.int8),
        Columns.ACTIONS: buffer.actions.reshape(rows).astype(np.int64),
        Columns.ACTION_LOGP: buffer.log_probs.reshape(rows),
        Postprocessing.ADVANTAGES: buffer.advantages.reshape(rows),
        Postprocessing.VALUE_TARGETS: buffer.returns.reshape(rows),
    }


def shown(run: Run) -> Batch:
    """``n_steps`` moves in every game, as rows with what the teacher would have done."""
    if run.teacher is None:
        raise RuntimeError("there is nobody to imitate")
    return rows_of(run, imitation.collect(run.model, run.network, run.env, run.teacher))


def rows_of(run: Run, found: imitation.Shown) -> Batch:
    """What was shown, as rows."""
    rows = found.actions.size
    return {
        Columns.OBS: found.observations.reshape(rows, -1),
        MASK: found.masks.reshape(rows, -1),
        Columns.ACTIONS: found.actions.reshape(rows),
        Postprocessing.VALUE_TARGETS: imitation.returns(run.model, run.network, found).reshape(rows),
    }


def _said(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {first_line(error)} ({place.filename}:{place.lineno})"


def _tensors(weights: Weights) -> dict[str, torch.Tensor]:
    """Copies: what comes from Ray's store cannot be written."""
    return {name: torch.from_numpy(value.copy()) for name, value in weights.items()}
