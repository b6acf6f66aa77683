"""Opponents and allies of a run: the agents of its mixtures, and past snapshots of the learner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from reichenbach.agents import registry
from reichenbach.agents.network import Network, NetworkSpec, masked, sample
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.seat import Agent, Views
from reichenbach.training import packing
from reichenbach.training.config import BOTH, SELF, Config, Opponent


class Pool:
    """The last few snapshots of the learner, by number; older ones stay while a game still uses them."""

    def __init__(self, spec: NetworkSpec, keep: int) -> None:
        self.spec = spec
        self.keep = keep
        self.networks: dict[int, Network] = {}
        self.recent: list[int] = []

    def add(self, network: Network) -> None:
        """Takes a copy of the learner as the newest snapshot."""
        number = self.recent[-1] + 1 if self.recent else 0
        self.put(number, network.state_dict())
        self.recent = [*self.recent, number][-self.keep :]

    def put(self, number: int, weights: Mapping[str, torch.Tensor]) -> None:
        """Takes a copy of these weights as the snapshot of that number, which is no recent one by that."""
        self.networks[number] = self._copy(weights)

    def prune(self, used: set[int]) -> None:
        """Forgets snapshots that are neither recent nor in use."""
        for number in set(self.networks) - used - set(self.recent):
            del self.networks[number]

    def weights(self) -> dict[str, torch.Tensor]:
        """All weights of all snapshots, named ``number.weight``."""
        return packing.flat({number: network.state_dict() for number, network in sorted(self.networks.items())})

    def restore(self, weights: Mapping[str, torch.Tensor], recent: list[int]) -> None:
        """Takes up what ``weights`` and ``recent`` gave.

        Raises:
            ValueError: a recent snapshot has no weights, or there is none.
        """
        parts = packing.by_number(weights)
        if not isinstance(recent, list) or not recent or not all(number in parts for number in recent):
            numbers = ", ".join(map(str, sorted(parts)))
            raise ValueError(f"recent snapshots: {recent!r} is not allowed; some of {numbers} are")
        self.networks = {number: self._copy(part) for number, part in sorted(parts.items())}
        self.recent = recent

    def _copy(self, weights: Mapping[str, torch.Tensor]) -> Network:
        with torch.random.fork_rng(devices=[]):  # the learner's generator must not notice
            network = Network(self.spec)
        network.load_state_dict(dict(weights))
        return network.requires_grad_(False)


class PastSelf:
    """Plays each game by one snapshot of the pool, drawn at the game's first move and kept to its end."""

    def __init__(self, pool: Pool, sections: int, slots: int, seed: int) -> None:
        self.sections = sections
        self._pool = pool
        self._snapshot: NDArray[np.int64] = np.full(slots, -1, np.int64)  # by slot; -1: no game yet
        self._choices = np.random.default_rng(seed)
        self._generator = torch.Generator().manual_seed(seed)

    def act(self, views: Views) -> NDArray[np.int64]:
        """One action for each row of the views, int64 (k,)."""
        new = views.game[views.first]
        self._snapshot[new] = self._choices.choice(self._pool.recent, len(new))
        mine = self._snapshot[views.game]
        actions: NDArray[np.int64] = np.empty(len(mine), np.int64)
        for number in np.unique(mine).tolist():
            rows = np.flatnonzero(mine == number)
            with torch.no_grad():
                logits, _ = self._pool.networks[number](torch.from_numpy(views.observation[rows]))
                chances = masked(logits, torch.from_numpy(views.action_mask[rows]))
                actions[rows] = sample(chances, self._generator).numpy()
        return actions

    def used(self) -> set[int]:
        """Numbers of the snapshots that play a game now."""
        return set(self._snapshot.tolist()) - {-1}

    def get_state(self) -> dict[str, Any]:
        """Generators and snapshots in play, JSON-able."""
        return {
            "snapshot": self._snapshot.tolist(),
            "choices": self._choices.bit_generator.state,
            "torch": self._generator.get_state().numpy().tobytes().hex(),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Takes up a state that ``get_state`` gave.

        Raises:
            ValueError: not a snapshot of the pool for each game.
        """
        snapshot: NDArray[Any] = np.array(state["snapshot"])
        there = [-1, *sorted(self._pool.networks)]
        whole = snapshot.shape == self._snapshot.shape and snapshot.dtype == self._snapshot.dtype
        if not whole or not np.isin(snapshot, there).all():
            raise ValueError(
                f"self: snapshots of shape {snapshot.shape} and type {snapshot.dtype} are not allowed; "
                f"shape {self._snapshot.shape}, of {', '.join(map(str, there))}, is"
            )
        self._snapshot = snapshot
        self._choices.bit_generator.state = state["choices"]
        words = np.frombuffer(bytes.fromhex(state["torch"]), np.uint8).copy()
        self._generator.set_state(torch.from_numpy(words))


class League:
    """Who plays with the learner: by seat, the weighted agents that may sit there across from it, or beside it.

    Attributes:
        opponents: for every seat of a side that is not the learner's, or not always.
        allies: for every seat that is on the learner's side, now and then or always.
    """

    def __init__(self, config: Config, face: Face, spec: NetworkSpec) -> None:
        self.pool = Pool(spec, config.snapshots.keep)
        sides = dict(zip(face.seats, face.game.sides(face.options), strict=True))
        learners = face.seats if config.seat == BOTH else (config.seat,)
        seeds = np.random.SeedSequence([config.seed, 1])
        self.opponents = {
            seat: self._mixture(config.opponents, config, face, seat, seeds)
            for seat in face.seats
            if any(sides[learner] != sides[seat] for learner in learners)
        }
        self.allies = {
            seat: self._mixture(config.ally_mixture, config, face, seat, seeds)
            for seat in face.seats
            if any(sides[learner] == sides[seat] and learner != seat for learner in learners)
        }

    def _mixture(
        self, entries: Sequence[Opponent], config: Config, face: Face, seat: str, seeds: np.random.SeedSequence
    ) -> list[tuple[Agent, float]]:
        numbers = seeds.spawn(1)[0].generate_state(len(entries))
        return [
            (self._agent(entry.agent, config, face, seat, int(number)), entry.weight)
            for entry, number in zip(entries, numbers, strict=True)
        ]

    def _agent(self, text: str, config: Config, face: Face, seat: str, seed: int) -> Agent:
        if text == SELF:
            return PastSelf(self.pool, face.sections, config.ppo.n_envs, seed)
        return registry.make(text, game=face.game, options=face.options, seat=seat, seed=seed)

    @property
    def agents(self) -> list[Agent]:
        """All agents, opponents first, seat by seat in the order of the mixture."""
        mixtures = (*self.opponents.values(), *self.allies.values())
        return [agent for mixture in mixtures for agent, _ in mixture]

    def prune(self) -> None:
        """Lets the pool forget what no game uses any more."""
        self.pool.prune(self.used())

    def used(self) -> set[int]:
        """Numbers of the snapshots that play a game now."""
        return set().union(*(agent.used() for agent in self.agents if isinstance(agent, PastSelf)))
