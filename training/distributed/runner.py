"""RLlib's runner over the batch kernel: its share of the run's games, played by the learner's latest weights."""

from __future__ import annotations

import time
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

from reichenbach.training import imitation, load, resume
from reichenbach.training.config import Config
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
        batch: columns of rows in random order.
        games: that ended; ``wins``: of them.
        seconds: that it took; ``environment_seconds``: of them, in the games.
        used: numbers of the snapshots that play a game now.
    """

    batch: Batch
    games: int
    wins: int
    seconds: float
    environment_seconds: float
    used: set[int]


def share(config: Config, place: int, runners: int) -> Config:
    """The config of one runner among several: its part of the games, and a seed of its own."""
    games = len(range(place, config.ppo.n_envs, runners))
    seed = int(np.random.SeedSequence([config.seed, 4, place]).generate_state(1)[0])
    return config.model_copy(update={"ppo": config.ppo.model_copy(update={"n_envs": games}), "seed": seed})


class GamesRunner(EnvRunner):  # type: ignore[misc]  # RLlib has no types
    """A run that plays but does not learn; games go on from one order to the next."""

    def __init__(self, *, config: Any, **others: Any) -> None:
        super().__init__(config=config, **others)
        whole = load.from_values(self.config.env_config["config"], "the run's config")
        self.run = Run(share(whole, self.worker_index - 1, self.num_workers))

    def sample(self, order: Order, **others: Any) -> Sampled:
        """``n_steps`` moves in every game."""
        begin = time.perf_counter()
        run = self.run
        run.network.load_state_dict(_tensors(ray.get(order.weights)))
        self._take_snapshots(order)
        run.env.tally.clear()
        batch = self._imitate() if order.imitates else self._play()
        run.league.prune()
        mixed = torch.randperm(len(batch[Columns.ACTIONS])).numpy()
        return Sampled(
            {name: column[mixed] for name, column in batch.items()},
            run.env.tally.games,
            run.env.tally.wins,
            time.perf_counter() - begin,
            run.env.tally.seconds,
            run.league.used(),
        )

    def _take_snapshots(self, order: Order) -> None:
        """Those of the run that this runner has not yet; its own are those of the run."""
        pool = self.run.league.pool
        for number in sorted(set(order.snapshots) - set(pool.networks)):
            pool.put(number, _tensors(ray.get(order.snapshots[number])))
        pool.recent = order.recent

    def _play(self) -> Batch:
        model, steps = self.run.model, self.run.config.ppo.n_steps
        model.collect_rollouts(self.run.env, self.run.nothing, model.rollout_buffer, steps)
        buffer: Any = model.rollout_buffer
        rows = steps * self.run.config.ppo.n_envs
        return {
            Columns.OBS: buffer.observations.reshape(rows, -1),
            MASK: buffer.action_masks.reshape(rows, -1).astype(np.int8),
            Columns.ACTIONS: buffer.actions.reshape(rows).astype(np.int64),
            Columns.ACTION_LOGP: buffer.log_probs.reshape(rows),
            Postprocessing.ADVANTAGES: buffer.advantages.reshape(rows),
            Postprocessing.VALUE_TARGETS: buffer.returns.reshape(rows),
        }

    def _imitate(self) -> Batch:
        run = self.run
        if run.teacher is None:
            raise RuntimeError("there is nobody to imitate")
        shown = imitation.collect(run.model, run.network, run.env, run.teacher)
        rows = shown.actions.size
        return {
            Columns.OBS: shown.observations.reshape(rows, -1),
            MASK: shown.masks.reshape(rows, -1),
            Columns.ACTIONS: shown.actions.reshape(rows),
            Postprocessing.VALUE_TARGETS: imitation.returns(run.model, run.network, shown).reshape(rows),
        }

    def get_state(self, *components: Any, **others: Any) -> dict[str, Any]:
        """Where the games are: what ``resume.playing`` says, and the snapshots in play."""
        return {
            "runner": self.worker_index,
            **resume.playing(self.run),
            "snapshots": sorted(self.run.league.pool.networks),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Takes up what ``get_state`` gave; ``weights`` of its snapshots, by number, come with it."""
        pool = self.run.league.pool
        for number in state["snapshots"]:
            pool.put(number, _tensors(state["weights"][number]))
        resume.play_on(self.run, state)

    def get_spaces(self) -> dict[str, Any]:
        """RLlib does not ask for them: the module's are given to it."""
        return {}

    def assert_healthy(self) -> None:
        """A runner that could be built is healthy."""


def _tensors(weights: Weights) -> dict[str, torch.Tensor]:
    """Copies: what comes from Ray's store cannot be written."""
    return {name: torch.from_numpy(value.copy()) for name, value in weights.items()}
