"""Greedy for The Manor: command by command, computed from the observation with its sections ``belief`` and ``after``.

Every command is worth a weighted sum of what it leaves (envs/manor/after.py) and of its deed, less what the pawn would
be worth in the mean over its reach: the pawn that gains most is commanded first. Detectives keep company around likely
targets and suspects apart from weapons, feed and heal, and split the chart at night; each takes pawns of its own (a
convention of the side). The villain side arms the villain, brings him alone to the target, and keeps the chart whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.agents.generator import Lots
from reichenbach.agents.setup import Setup
from reichenbach.envs.core.seat import Agent, Views
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.layout import AFTER, AFTER_FEATURES, BELIEF, PAWN_FACTS, layout
from reichenbach.envs.manor.pairs import PAIRS
from reichenbach.envs.manor.state import N_PAIRS, N_PAWNS

LAYOUT = layout(BELIEF | AFTER)
ROUNDING = 1e-6  # sums of equal parts differ in their last bits

# What the values of the section ``after`` are worth to each side, in their order.
DETECTIVES = np.array([-14.0, -4.6, -0.3, 0.0, 0.0, 0.2, -0.1, 0.1, 0.0, 0.0])
VILLAINS = np.array([8.0, 3.0, 0.5, 0.0, 0.0, -0.1, 0.0, -0.05, 0.0, 0.0])
# To the villain himself.
ON_HIS_WAY = np.array([8.0, 3.0, 0.5, 0.0, -4.0, -0.2, -2.0, -0.05, 0.0, 0.0])

# The pawns that a seat of the detective side takes.
SHARES: Mapping[str, tuple[str, ...]] = {
    "2p": ("ABCDEF",),
    "3p": ("ACE", "BDF"),
    "4p": ("AB", "CD", "EF"),
    "4p_roles": ("ABCD", "EF"),
}

Values = NDArray[np.float64]
Observations = NDArray[np.float32]


class Greedy:
    """What both sides share: the best of the commands that are worth most, by lots among equals."""

    sections = BELIEF | AFTER

    def __init__(self, seed: int) -> None:
        self._lots = Lots(seed)

    def act(self, views: Views) -> NDArray[np.int64]:
        """One action for each row of the views, int64 (k,)."""
        worth = np.where(views.action_mask != 0, self.worth(Seen(views)), -np.inf)
        best = worth >= worth.max(axis=1, keepdims=True) - ROUNDING
        return self._lots.among(best)

    def worth(self, seen: Seen) -> Values:
        """What every action is worth (k, actions)."""
        raise NotImplementedError

    def get_state(self) -> dict[str, Any]:
        """The generator's state, JSON-able."""
        return self._lots.get_state()

    def set_state(self, state: dict[str, Any]) -> None:
        """Takes up a state that ``get_state`` gave."""
        self._lots.set_state(state)


class Seen:
    """The parts of the views that greedy reads, by name."""

    def __init__(self, views: Views) -> None:
        self._observation = views.observation
        k = len(views.observation)
        self.mask = views.action_mask
        self.legal = views.action_mask[:, : actions.ASSAIL].reshape(k, N_PAWNS, actions.MAX_AREAS, actions.N_DEEDS) != 0
        self.after = self.part("after").reshape(k, N_PAWNS, actions.MAX_AREAS, AFTER_FEATURES)
        pawns = self.part("pawns").reshape(k, N_PAWNS, PAWN_FACTS)
        self.hungry, self.injured, self.armed = pawns[:, :, 0] > 0, pawns[:, :, 2] > 0, pawns[:, :, 5] > 0
        self.has_food = pawns[:, :, 7] > 0
        self.areas = self.part("areas").reshape(k, N_PAWNS, actions.MAX_AREAS)
        pairs = self.part("belief")[:, :N_PAIRS].astype(np.float64)
        pairs /= np.maximum(pairs.sum(axis=1, keepdims=True), 1)
        self.villain = pairs @ np.array([[villain == pawn for pawn in range(N_PAWNS)] for villain, _ in PAIRS])
        self.target = pairs @ np.array([[target == pawn for pawn in range(N_PAWNS)] for _, target in PAIRS])
        chart = self.part("chart").astype(np.float64)
        chart /= np.maximum(chart.sum(axis=1, keepdims=True), 1)
        self.chart_target = chart @ np.array([[target == pawn for pawn in range(N_PAWNS)] for _, target in PAIRS])
        phase = self.part("phase")
        self.last_chance = (phase[:, 3] > 0) | (self.part("turn")[:, 9] > 0)

    def part(self, name: str) -> Observations:
        """One section of the observation (k, length)."""
        return self._observation[:, LAYOUT.slice(name)]

    def needy_at(self, needy: NDArray[np.bool_]) -> Values:
        """For every pawn and area, whether another pawn that needs something stands there (k, pawns, areas)."""
        there = needy[:, :, None] * self.areas
        others: Values = (there.sum(axis=1, keepdims=True) - there > 0).astype(np.float64)
        return others


def of_commands(seen: Seen, moves: Values, deeds: Values) -> Values:
    """The worth of commands (k, pawns, areas, deeds), less the mean of the pawn's moves, as a row of actions."""
    possible = seen.legal[:, :, :, 0]
    number = np.maximum(possible.sum(axis=2), 1)
    mean = (moves * possible).sum(axis=2) / number
    worth = (moves - mean[:, :, None])[:, :, :, None] + deeds
    whole = np.full((len(worth), actions.N_ACTIONS), -1000.0)
    whole[:, : actions.ASSAIL] = worth.reshape(len(worth), -1)
    whole[:, actions.PASS] = -100.0
    return whole


class GreedyDetective(Greedy):
    """A seat of the detective side; it commands its own pawns alone."""

    def __init__(self, seed: int, pawns: str) -> None:
        super().__init__(seed)
        self._others = np.array([letter not in pawns for letter in "ABCDEF"])

    def worth(self, seen: Seen) -> Values:
        """What every action is worth (k, actions)."""
        moves = np.asarray(seen.after @ DETECTIVES, np.float64)
        deeds = np.zeros(seen.legal.shape)
        suspicion = (seen.villain * N_PAWNS)[:, :, None]
        food = seen.after[..., 8] * (1 - seen.has_food[:, :, None]) * 0.9
        deeds[..., actions.SEARCH] = 0.2 + food + seen.after[..., 3] * (10.0 - 1.5 * suspicion)
        deeds[..., actions.EAT] = 0.5
        deeds[..., actions.FEED] = 0.4 * seen.needy_at(seen.hungry) - 0.1
        deeds[..., actions.HEAL] = 1.0
        deeds[..., actions.HEAL_OTHER] = 0.1 * seen.needy_at(seen.injured) - 0.2
        deeds[..., actions.SPRAY] = -1.0
        deeds[..., actions.FUSE] = -1.0
        whole = of_commands(seen, moves, deeds)
        commands = whole[:, : actions.ASSAIL].reshape(len(whole), N_PAWNS, -1)
        commands[:, self._others] -= 50.0
        whole[:, actions.VOTE :] = seen.villain
        return whole


class GreedyVillain(Greedy):
    """Moriarty or Irene, who know villain and target."""

    def worth(self, seen: Seen) -> Values:
        """What every action is worth (k, actions)."""
        villain = seen.villain[:, :, None] > 0
        moves = np.where(villain, seen.after @ ON_HIS_WAY, seen.after @ VILLAINS)
        # An order that a detective's collides with shows that the pawn is not the target: best where all know.
        moves = moves - 0.3 * seen.chart_target[:, :, None]
        deeds = np.zeros(seen.legal.shape)
        weapon = seen.after[..., 3]
        food = seen.after[..., 8] * (1 - seen.has_food[:, :, None])
        deeds[..., actions.SEARCH] = np.where(villain, 6.0 * weapon + 0.3 * food + 0.05, -2.0 * weapon + 0.1 * food)
        deeds[..., actions.EAT] = np.where(villain, 1.0, -0.5)
        deeds[..., actions.FEED] = -0.5
        deeds[..., actions.HEAL] = np.where(villain, 0.7, -0.5)
        deeds[..., actions.HEAL_OTHER] = -0.5
        deeds[..., actions.SPRAY] = np.where(villain, -0.2, 0.2)
        deeds[..., actions.FUSE] = 0.3
        whole = of_commands(seen, moves, deeds)
        # The villain acts as well as commands can have him; an assail shows who he is.
        best = whole[:, : actions.ASSAIL].max(axis=1, where=seen.mask[:, : actions.ASSAIL] != 0, initial=-1000.0)
        whole[:, actions.ASSAIL] = np.where(seen.last_chance, best + 1, -500.0)
        return whole


def make(setup: Setup) -> Agent:
    """The greedy agent of the setup's seat."""
    if setup.seat in ("moriarty", "irene"):
        return GreedyVillain(setup.seed)
    table = setup.options["table"]
    seats = setup.game.seats(setup.options)
    return GreedyDetective(setup.seed, SHARES[table][seats.index(setup.seat)])
