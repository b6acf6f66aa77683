"""Learning from an agent before learning from play: the learner is told what the agent would do in its seat.

In a part of the games the learner's own choices are played, so that it meets, and is told about, the positions that
these lead to ("A reduction of imitation learning and structured prediction to no-regret online learning", 2011).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from reichenbach.agents import registry
from reichenbach.agents.network import Network, masked, sample
from reichenbach.agents.setup import BadAgent
from reichenbach.envs.core import batch
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.lockstep import Lockstep
from reichenbach.envs.core.players import look, wrong_sections
from reichenbach.envs.core.seat import Agent, Views
from reichenbach.training.config import Config, Imitation
from reichenbach.training.vec_env import LockstepVecEnv


class Teacher:
    """The agent that is imitated, one for every seat that the learner plays; it sees what agents of its kind see."""

    def __init__(self, wanted: Imitation, config: Config, face: Face, seats: NDArray[np.int64]) -> None:
        """``seats``: the number of the learner's seat in every game.

        Raises:
            BadAgent: the agent cannot be made for this game, its options or one of the seats.
        """
        self.wanted, self._face = wanted, face
        self._rows = {seat: np.flatnonzero(seats == seat) for seat in np.unique(seats).tolist()}
        seeds = np.random.SeedSequence([config.seed, 3]).generate_state(len(self._rows))
        self.agents = [self._made(seat, int(seed)) for seat, seed in zip(self._rows, seeds, strict=True)]

    def _made(self, seat: int, seed: int) -> Agent:
        face = self._face
        try:
            agent = registry.make(
                self.wanted.agent, game=face.game, options=face.options, seat=face.seats[seat], seed=seed
            )
        except BadAgent as error:
            raise BadAgent(f"imitation.agent: {error}") from error
        if problem := wrong_sections(face.game, agent):
            raise BadAgent(f"imitation.agent: {problem}")
        return agent

    def act(self, games: Lockstep, first: NDArray[np.bool_]) -> NDArray[np.int64]:
        """What it does at the learner's move in every game, int64 (n,); ``first``: at the first move of a game.

        Raises:
            IllegalAction: not a legal action for every game, those included in which another will be played.
        """
        actions: NDArray[np.int64] = np.empty(len(first), np.int64)
        for agent, (seat, rows) in zip(self.agents, self._rows.items(), strict=True):
            views = _views(games, rows, seat, agent.sections, first[rows])
            try:
                actions[rows] = batch.legal_actions(games.game, games.states, games.tables, rows, agent.act(views))
            except IllegalAction as error:
                who = f"{type(agent).__name__}.act, seat {self._face.seats[seat]}"
                raise IllegalAction(f"imitation.agent: {who}: {error}") from error
        return actions


def _views(games: Lockstep, rows: NDArray[np.int64], seat: int, sections: int, first: NDArray[np.bool_]) -> Views:
    """What an agent with these sections sees; what the learner sees is not made twice."""
    if sections == games.sections:
        return Views(seat, games.observation[rows], games.action_mask[rows], rows, first)
    return look(games.game, games.states, games.tables, rows, seat, sections, first)


class Shown:
    """What the learner saw in so many moves of every game, what the teacher would have done, and what followed."""

    def __init__(self, steps: int, games: int, size: int, actions: int) -> None:
        self.observations: NDArray[np.float32] = np.empty((steps, games, size), np.float32)
        self.masks: NDArray[np.int8] = np.empty((steps, games, actions), np.int8)
        self.actions: NDArray[np.int64] = np.empty((steps, games), np.int64)
        self.rewards: NDArray[np.float32] = np.empty((steps, games), np.float32)
        self.done: NDArray[np.bool_] = np.empty((steps, games), np.bool_)

    def returns(self, last: NDArray[np.float32], gamma: float) -> NDArray[np.float32]:
        """What each move came to, discounted (steps, games); ``last`` (games,) stands for what is to come."""
        returns = np.empty_like(self.rewards)
        for step in reversed(range(len(returns))):
            last = self.rewards[step] + gamma * last * ~self.done[step]
            returns[step] = last
        return returns


def collect(model: Any, network: Network, env: LockstepVecEnv, teacher: Teacher) -> Shown:
    """Plays ``model.n_steps`` moves in every game, the teacher's or the learner's; the model goes on from their end."""
    games, size = model._last_obs.shape
    own = round(teacher.wanted.own * games)
    shown = Shown(model.n_steps, games, size, env.lockstep.game.n_actions)
    for step in range(model.n_steps):
        shown.observations[step], shown.masks[step] = model._last_obs, env.action_masks()
        shown.actions[step] = teacher.act(env.lockstep, model._last_episode_starts.astype(bool))
        played = shown.actions[step].copy()
        if own:
            played[:own] = _choices(network, shown.observations[step, :own], shown.masks[step, :own])
        stepped: Any = env.step(played)  # its observations may be mappings elsewhere
        model._last_obs, shown.rewards[step], done, _ = stepped
        shown.done[step] = model._last_episode_starts = done
    model.num_timesteps += shown.actions.size
    return shown


def _choices(network: Network, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """Actions drawn by the learner's own odds."""
    with torch.no_grad():
        chances = masked(network(torch.from_numpy(observations))[0], torch.from_numpy(masks))
        drawn: NDArray[np.int64] = sample(chances).numpy()
    return drawn


def returns(model: Any, network: Network, shown: Shown) -> NDArray[np.float32]:
    """What each move that was shown came to (steps, games), by the network's own judgment where games go on."""
    with torch.no_grad():
        last: NDArray[np.float32] = network(torch.from_numpy(model._last_obs))[1].numpy()
    return shown.returns(last, model.gamma)


def learn(model: Any, network: Network, shown: Shown, wanted: Imitation, rate: float) -> dict[str, float]:
    """Makes the teacher's actions likelier, and the values nearer to what they came to; what is to be logged."""
    optimizer: torch.optim.Optimizer = model.policy.optimizer
    for group in optimizer.param_groups:
        group["lr"] = rate
    count = shown.actions.size
    observations = torch.from_numpy(shown.observations.reshape(count, -1))
    masks = torch.from_numpy(shown.masks.reshape(count, -1))
    actions = torch.from_numpy(shown.actions.reshape(count))
    values = torch.from_numpy(returns(model, network, shown).reshape(count))
    logged: list[tuple[float, float]] = []
    for _ in range(wanted.epochs):
        order = torch.randperm(count)
        for start in range(0, count, wanted.batch_size):
            batch = order[start : start + wanted.batch_size]
            unlike, value = _losses(network, observations[batch], masks[batch], actions[batch], values[batch])
            optimizer.zero_grad()
            (unlike + model.vf_coef * value).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), model.max_grad_norm)
            optimizer.step()
            logged.append((unlike.item(), value.item()))
    unlike_mean, value_mean = np.mean(logged, axis=0).tolist()
    return {"imitation_loss": unlike_mean, "value_loss": value_mean, "learning_rate": rate}


def _losses(
    network: Network, observations: Tensor, masks: Tensor, actions: Tensor, returns: Tensor
) -> tuple[Tensor, Tensor]:
    """How unlike the teacher the policy is (cross-entropy), and the squared error of the values."""
    logits, values = network(observations)
    chosen = masked(logits, masks).gather(1, actions.unsqueeze(1))
    return -chosen.mean(), torch.nn.functional.mse_loss(values, returns)
