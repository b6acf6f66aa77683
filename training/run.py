"""The parts of one training run, built from its config: games, opponents, environment and learner."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from reichenbach.agents.network import Network
from reichenbach.envs import registry as games
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.lockstep import Lockstep
from reichenbach.training import diverging, imitation
from reichenbach.training.checkpoint import spec_of
from reichenbach.training.config import BOTH, Config
from reichenbach.training.league import League
from reichenbach.training.learner import MaskedPolicy
from reichenbach.training.vec_env import LockstepVecEnv

# What the library, and imitation, log of an update.
LOGGED = (
    *("imitation_loss", "learning_rate", "entropy_loss", "policy_gradient_loss", "value_loss", "approx_kl"),
    *("clip_fraction", "loss", "explained_variance", "n_updates", "clip_range"),
)


class Diverged(ArithmeticError):
    """Learning has run away; says at which step, and what shows it."""


class Run:
    """A learner among its games, driven one iteration at a time.

    The loop of the library is taken apart because its schedules start anew when it is called again: here every
    schedule follows from the number of steps done and the run's total.
    """

    def __init__(
        self,
        config: Config,
        slots: Sequence[int] | None = None,
        snapshots: tuple[Mapping[str, torch.Tensor], list[int]] | None = None,
    ) -> None:
        """A run, or the part of one that another process learns from.

        Args:
            config: of the run; ``ppo.n_envs`` is the number of games here.
            slots: the numbers of these games in the whole run, all of them unless given.
            snapshots: weights and recent numbers of the run's pool, as ``Pool.restore`` takes them; a new pool with the
                learner as it begins unless given.
        """
        torch.set_num_threads(config.threads)
        self.config = config
        self.slots = range(config.ppo.n_envs) if slots is None else slots
        self.iteration = 0
        self.face = Face.of(games.game(config.game), config.options)
        self.spec = spec_of(config, self.face)
        self.league = League(config, self.face, self.spec)
        self.lockstep = Lockstep(
            self.face.game,
            self.face.options,
            learner=self.learner_seats(),
            opponents=self.league.opponents,
            allies=self.league.allies,
            n=config.ppo.n_envs,
            sections=self.face.sections,
            seed=int(np.random.SeedSequence([config.seed, 0]).generate_state(1)[0]),
        )
        self.env = LockstepVecEnv(self.lockstep)
        self.teacher = (
            imitation.Teacher(config.imitation, config, self.face, self.lockstep.seat) if config.imitation else None
        )
        self.model = self._model()
        if snapshots is None:
            self.league.pool.add(self.network)
        else:
            self.league.pool.restore(*snapshots)
        # Starts the games, and gives the callback that collecting asks for; it does nothing.
        _, self.no_callback = self.model._setup_learn(config.total_steps, None)

    @property
    def network(self) -> Network:
        """The learner's network."""
        return cast("Network", self.model.policy.network)

    @property
    def steps(self) -> int:
        """Learner steps done."""
        return int(self.model.num_timesteps)

    def close(self) -> None:
        """Holds nothing of the machine."""

    def learner_seats(self) -> list[str]:
        """The learner's seat in each slot."""
        seats = self.face.seats if self.config.seat == BOTH else (self.config.seat,)
        return [seats[slot % len(seats)] for slot in self.slots]

    def iterate(self) -> dict[str, float]:
        """Plays ``n_steps`` in every game and updates the learner; what is to be logged about it.

        Raises:
            Diverged: the learner is of no more use.
        """
        start = time.perf_counter()
        self.env.tally.clear()
        # A run that is resumed has the teacher where it was; after the imitation nobody asks him.
        imitates = self.teacher is not None and self.steps < self.teacher.wanted.steps
        try:
            collected = self._imitate() if imitates else self._play()
        except IllegalAction:
            self.check_numbers()  # odds that are no numbers have any action drawn
            raise
        self.check_numbers()
        self.iteration += 1
        if self.iteration % self.config.snapshots.every == 0:
            self.league.pool.add(self.network)
        self.league.prune()
        return self._log(time.perf_counter() - start, collected - start)

    def check_numbers(self) -> None:
        """Raises Diverged where the learner's numbers have run away."""
        if problem := diverging.problem(self.network, self.lockstep.observation, self.model.logger.name_to_value):
            raise Diverged(f"at step {self.steps}: {problem}")

    def _play(self) -> float:
        """One iteration of PPO; when the games of it were played."""
        config, model = self.config, self.model
        model.collect_rollouts(self.env, self.no_callback, model.rollout_buffer, config.ppo.n_steps)
        collected = time.perf_counter()
        # The schedules' values for this update follow from the steps before it.
        before = self.steps - config.steps_per_iteration
        rate = config.ppo.learning_rate.at(before, config.total_steps)
        model.lr_schedule = lambda _: rate
        model.ent_coef = config.ppo.entropy.at(before, config.total_steps)
        model.train()
        return collected

    def _imitate(self) -> float:
        """One iteration of imitation; when the games of it were played."""
        teacher = self.teacher
        if teacher is None:
            raise RuntimeError("there is nobody to imitate")
        shown = imitation.collect(self.model, self.network, self.env, teacher)
        collected = time.perf_counter()
        wanted = teacher.wanted
        self.model.logger.name_to_value.update(
            imitation.learn(self.model, self.network, shown, wanted, wanted.learning_rate)
        )
        return collected

    def _log(self, seconds: float, collecting: float) -> dict[str, float]:
        logged: dict[str, Any] = self.model.logger.name_to_value
        tally = self.env.tally
        found = {
            "steps_per_second": self.config.steps_per_iteration / seconds,
            "collect_share": collecting / seconds,
            "environment_share": tally.seconds / seconds,
            "games": float(tally.games),
            "win_rate": tally.wins / tally.games if tally.games else float("nan"),
            "entropy_weight": float(self.model.ent_coef),
            # A table's columns are those of its first row, which is one of imitation.
            **dict.fromkeys(LOGGED if self.teacher else (), float("nan")),
        }
        for name, value in logged.items():
            found[name.removeprefix("train/")] = float(value)
        logged.clear()
        return found

    def _model(self) -> MaskablePPO:
        ppo = self.config.ppo
        model = MaskablePPO(
            MaskedPolicy,
            self.env,
            learning_rate=ppo.learning_rate.start,
            n_steps=ppo.n_steps,
            batch_size=ppo.batch_size,
            n_epochs=ppo.epochs,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip_range,
            ent_coef=ppo.entropy.start,
            vf_coef=ppo.value_weight,
            max_grad_norm=ppo.max_grad_norm,
            policy_kwargs={"spec": self.spec},
            seed=self.config.seed,
            device="cpu",
        )
        model.set_logger(Logger(folder=None, output_formats=[]))
        return model
