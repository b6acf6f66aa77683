"""A run on RLlib: runners that play (runner.py), learners that learn (learner.py), and this process between them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core import COMPONENT_LEARNER, COMPONENT_RL_MODULE, DEFAULT_MODULE_ID
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.env_runner_group import EnvRunnerGroup
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.policy.sample_batch import MultiAgentBatch, SampleBatch

from reichenbach.agents.network import Network
from reichenbach.envs import registry as games
from reichenbach.envs.core.face import Face, box, choices
from reichenbach.envs.core.problems import Problem
from reichenbach.training import diverging
from reichenbach.training.checkpoint import spec_of
from reichenbach.training.config import Config, ConfigError
from reichenbach.training.distributed import cluster
from reichenbach.training.distributed.learner import IMITATION_LOGS, PPO_LOGS, GamesLearner, GamesModule
from reichenbach.training.distributed.runner import Batch, Failed, GamesRunner, Order, Sampled
from reichenbach.training.league import League
from reichenbach.training.loop import RunError
from reichenbach.training.run import LOGGED, Diverged

PATIENCE = 60  # seconds in which runners that died must be back
ADVICE = "; go on from what was saved, with --resume"
NETWORK = "network."  # what the module calls it


class RayRun:
    """The same run as `run.Run`, its games shared out to runners.

    A runner that dies is made anew by RLlib, and plays new games from the iteration after; the others go on.
    """

    def __init__(self, config: Config) -> None:
        """Raises ConfigError where there are more runners than games, TooSmall than the cluster has processors."""
        if config.ray.runners > config.ppo.n_envs:
            wrong = f"{config.ray.runners} are more than ppo.n_envs = {config.ppo.n_envs}; each needs a game"
            raise ConfigError([Problem("engine ray", "ray.runners", wrong)])
        self.config = config
        self.iteration, self.steps, self.updates = 0, 0, 0
        self.face = Face.of(games.game(config.game), config.options)
        self.spec = spec_of(config, self.face)
        self.league = League(config, self.face, self.spec)  # its pool is the run's; who cannot be made, fails here
        with ExitStack() as held:
            held.enter_context(cluster.joined(config.ray.address, config.ray.runners + config.ray.learners))
            torch.set_num_threads(config.threads)
            torch.manual_seed(config.seed)
            np.random.seed(config.seed)  # noqa: NPY002  RLlib's learners draw their batches from it
            settings = self._settings()
            self.learners = settings.build_learner_group(rl_module_spec=self._module())
            held.callback(self.learners.shutdown)
            self.runners = EnvRunnerGroup(config=settings, local_env_runner=False)
            held.callback(self.runners.stop)
            self.network = Network(self.spec).requires_grad_(False)
            self.take_weights()
            self.snapshots: dict[int, Any] = {}  # by number, references to their weights
            self.league.pool.add(self.network)
            self._held = held.pop_all()  # where something failed before, it is given back

    def close(self) -> None:
        """Ends the runners, the learners, and the cluster if it was started for the run."""
        self._held.close()

    def take_weights(self) -> None:
        """The learners' weights, as they are now."""
        state = self.learners.get_state(components=f"{COMPONENT_LEARNER}/{COMPONENT_RL_MODULE}")
        weights = state[COMPONENT_LEARNER][COMPONENT_RL_MODULE][DEFAULT_MODULE_ID]
        self.network.load_state_dict(
            {name.removeprefix(NETWORK): torch.as_tensor(np.array(value)) for name, value in weights.items()}
        )

    def give_weights(self) -> None:
        """Gives the learners the weights of ``network``."""
        weights = {NETWORK + name: value.numpy() for name, value in self.network.state_dict().items()}
        self.learners.set_state({COMPONENT_LEARNER: {COMPONENT_RL_MODULE: {DEFAULT_MODULE_ID: weights}}})

    def iterate(self) -> dict[str, float]:
        """Has every runner play ``n_steps`` in each of its games, and the learners learn from it.

        Raises:
            Diverged: the learner is of no more use.
            RunError: an agent failed in a runner.
            Lost: no runner is left, or a learner has died.
        """
        start = time.perf_counter()
        imitation = self.config.imitation
        imitates = imitation is not None and self.steps < imitation.steps
        sampled = self._sample(imitates)
        collected = time.perf_counter()
        columns = _mixed([part.batch for part in sampled])
        with cluster.answers(ADVICE):
            logged = self._learn(columns, imitates)
            self.take_weights()
        self.steps += len(columns["obs"])
        if problem := diverging.problem(self.network, columns["obs"][:512], logged):
            raise Diverged(f"at step {self.steps}: {problem}")
        self.iteration += 1
        if self.iteration % self.config.snapshots.every == 0:
            self.league.pool.add(self.network)
        self.league.pool.prune(set().union(*(part.used for part in sampled)))
        return self._log(sampled, logged, time.perf_counter() - start, collected - start)

    def runner_states(self) -> dict[int, dict[str, Any]]:
        """Where the games of each runner that is up are, by its number."""
        found = self.runners.foreach_env_runner("get_state", local_env_runner=False)
        return {state.pop("runner"): state for state in found}

    def set_runner_states(self, states: dict[int, dict[str, Any]]) -> None:
        """Takes up what ``runner_states`` gave."""
        order = self._order(imitates=False)
        for index, state in states.items():
            refused = self.runners.foreach_env_runner(
                "set_state",
                kwargs={"state": {"runner": index, **state}, "order": order},
                local_env_runner=False,
                remote_worker_ids=[index],
            )
            for reason in refused:
                if reason is not None:
                    raise ValueError(f"runner {index}: {reason}")

    def _order(self, *, imitates: bool) -> Order:
        pool = self.league.pool
        self.snapshots = {
            number: self.snapshots.get(number) or ray.put(_arrays(network)) for number, network in pool.networks.items()
        }
        return Order(ray.put(_arrays(self.network)), self.snapshots, pool.recent, imitates)

    def _sample(self, imitates: bool) -> list[Sampled]:
        order = self._order(imitates=imitates)
        until: float | None = None
        while until is None or time.monotonic() < until:
            self.runners.probe_unhealthy_env_runners()
            found = list(self.runners.foreach_env_runner("sample", kwargs={"order": order}, local_env_runner=False))
            for part in found:
                if isinstance(part, Failed):
                    raise RunError(f"ray: a runner failed: {part.reason}")
            if found:
                return found
            until = until or time.monotonic() + PATIENCE
            time.sleep(1)
        raise cluster.Lost(f"ray: no runner has answered for {PATIENCE} seconds{ADVICE}")

    def _learn(self, columns: dict[str, Any], imitates: bool) -> dict[str, float]:
        """One update; what the learners say about it."""
        config, ppo, imitation = self.config, self.config.ppo, self.config.imitation
        wanted: dict[str, Any] = {
            "imitates": imitates,
            "learning_rate": ppo.learning_rate.at(self.steps, config.total_steps),
            "entropy": ppo.entropy.at(self.steps, config.total_steps),
        }
        epochs, size = ppo.epochs, ppo.batch_size
        if imitates and imitation is not None:
            epochs, size = imitation.epochs, imitation.batch_size
            wanted["learning_rate"] = imitation.learning_rate
        rows = len(columns["obs"])
        batch = MultiAgentBatch({DEFAULT_MODULE_ID: SampleBatch(columns)}, env_steps=rows)
        results = self.learners.update(
            batch=batch,
            timesteps=wanted,
            num_epochs=epochs,
            # Each learner takes so many rows of its own part, and all together a batch.
            minibatch_size=max(1, min(size, rows) // max(1, config.ray.learners)),
            shuffle_batch_per_epoch=True,
        )
        self.updates += epochs
        return {
            **_means(results, IMITATION_LOGS if imitates else PPO_LOGS),
            "learning_rate": wanted["learning_rate"],
            **self._about(columns, wanted, imitates),
        }

    def _about(self, columns: dict[str, Any], wanted: dict[str, Any], imitates: bool) -> dict[str, float]:
        if imitates:
            return {}
        returns = columns[Postprocessing.VALUE_TARGETS]
        spread = float(returns.var())
        unexplained = float(columns[Postprocessing.ADVANTAGES].var())  # returns less the values at the time
        return {
            "entropy_weight": wanted["entropy"],
            "explained_variance": 1 - unexplained / spread if spread else float("nan"),
            "n_updates": float(self.updates),
            "clip_range": self.config.ppo.clip_range,
        }

    def _log(
        self, sampled: list[Sampled], logged: dict[str, float], seconds: float, collecting: float
    ) -> dict[str, float]:
        ended, won = sum(part.games for part in sampled), sum(part.wins for part in sampled)
        rows = sum(len(part.batch["obs"]) for part in sampled)
        return {
            "steps_per_second": rows / seconds,
            "collect_share": collecting / seconds,
            "environment_share": max(part.environment_seconds for part in sampled) / seconds,
            "games": float(ended),
            "win_rate": won / ended if ended else float("nan"),
            "entropy_weight": self.config.ppo.entropy.start,
            **dict.fromkeys(LOGGED if self.config.imitation else (), float("nan")),
            **logged,
        }

    def _settings(self) -> PPOConfig:
        ppo, spread = self.config.ppo, self.config.ray
        return (
            PPOConfig()
            .environment(
                observation_space=box(self.face.size),
                action_space=choices(self.face.game.n_actions),
                env_config={"config": self.config.model_dump(mode="json")},
            )
            .env_runners(env_runner_cls=GamesRunner, num_env_runners=spread.runners, create_env_on_local_worker=False)
            .fault_tolerance(restart_failed_env_runners=True, delay_between_env_runner_restarts_s=1)
            .learners(num_learners=spread.learners, learner_class=GamesLearner)
            .training(
                lr=ppo.learning_rate.start,
                clip_param=ppo.clip_range,
                vf_loss_coeff=ppo.value_weight,
                grad_clip=ppo.max_grad_norm,
                grad_clip_by="global_norm",
                use_kl_loss=False,
            )
            .debugging(seed=self.config.seed, log_level="ERROR")
        )

    def _module(self) -> MultiRLModuleSpec:
        alone = RLModuleSpec(
            module_class=GamesModule,
            observation_space=box(self.face.size),
            action_space=choices(self.face.game.n_actions),
            model_config=self.spec.to_json(),
        )
        return MultiRLModuleSpec(rl_module_specs={DEFAULT_MODULE_ID: alone})


def _arrays(network: Network) -> dict[str, Any]:
    return {name: value.numpy().copy() for name, value in network.state_dict().items()}


def _mixed(parts: Sequence[Batch]) -> dict[str, Any]:
    """The rows of all runners in random order: RLlib goes through them as they are the first time."""
    order = np.random.permutation(sum(len(part["obs"]) for part in parts))  # noqa: NPY002  saved with the process's own
    return {name: np.concatenate([part[name] for part in parts])[order] for name in parts[0]}


def _means(results: list[dict[str, Any]], names: Sequence[str]) -> dict[str, float]:
    """What the learners logged under these names, in the mean over them."""
    found = [result[DEFAULT_MODULE_ID] for result in results]
    return {name: float(np.mean([part[name].peek() for part in found])) for name in names}
