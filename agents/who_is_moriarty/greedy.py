"""Greedy for Who Is Moriarty: one ply, computed from the observation with its section ``after``.

Sherlock takes what leaves the fewest suspects in the mean over Moriarty's possible identities: with v face-up suspects
in sight and h out of it, he is in sight in v of v + h cases and v stay, else h stay. Equal actions are drawn among.
Moriarty takes what leaves most suspects on his own side of the answer, an hourglass being worth ``HOURGLASS`` suspects:
he wins one for being out of sight, and by a card as many as the deck's cards hold in the mean. Of equal actions he
takes the first (detectives before turns before swaps), by which he beats random in 70 % of games; by lots it is 65 %.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.agents.generator import Lots
from reichenbach.agents.setup import Setup
from reichenbach.envs.core.seat import Agent, Views
from reichenbach.envs.who_is_moriarty.actions import CARD
from reichenbach.envs.who_is_moriarty.layout import AFTER, AFTER_FEATURES, layout
from reichenbach.envs.who_is_moriarty.tables import HOURGLASSES

HOURGLASS = 1.1  # in suspects; above 1, so that the hourglass is taken where it costs one suspect
SUSPECTS = 9
DECK = 8  # W17
CARDS = 4  # that one seat can draw; the observation gives counts as shares of it
ROUNDING = 1e-6  # sums of equal parts differ in their last bits

LAYOUT = layout(AFTER)
ROWS = LAYOUT.slice("after")

Values = NDArray[np.float64]
Observations = NDArray[np.float32]


class GreedySherlock:
    """The expected number of suspects left, as small as can be."""

    sections = AFTER

    def __init__(self, seed: int) -> None:
        self._lots = Lots(seed)

    def act(self, views: Views) -> NDArray[np.int64]:
        """One action for each row of the views, int64 (k,)."""
        return self._lots.among(best(-expected_left(views.observation), views.action_mask))

    def get_state(self) -> dict[str, Any]:
        """The generator's state, JSON-able."""
        return self._lots.get_state()

    def set_state(self, state: dict[str, Any]) -> None:
        """Takes up a state that ``get_state`` gave."""
        self._lots.set_state(state)


class GreedyMoriarty:
    """The suspects on his own side of the answer, and hourglasses, as many as can be."""

    sections = AFTER

    def act(self, views: Views) -> NDArray[np.int64]:
        """One action for each row of the views, int64 (k,)."""
        first: NDArray[np.int64] = np.argmax(best(own_side(views.observation), views.action_mask), axis=1)
        return first

    def get_state(self) -> dict[str, Any]:
        """Nothing: he remembers nothing and draws no lots."""
        return {}

    def set_state(self, state: dict[str, Any]) -> None:
        """Takes up nothing."""


def expected_left(observation: Observations) -> Values:
    """For every action, suspects left in the mean if the round ended after it (k, actions)."""
    seen, hidden, _ = _after(observation)
    left = _left(seen, hidden)
    v, h = seen[:, CARD], hidden[:, CARD]
    drawn = np.rint(_section(observation, "card_counts")[:, 0] * CARDS)
    # Every suspect but Moriarty has his card among those Sherlock has not drawn (W15, W17).
    hit = np.clip((v + h - 1) / np.maximum(DECK - drawn, 1), 0, 1)
    gone = (v * _left(v - 1, h) + h * _left(v, h - 1)) / np.maximum(v + h, 1)
    left[:, CARD] = (1 - hit) * left[:, CARD] + hit * gone
    return left


def own_side(observation: Observations) -> Values:
    """For every action, suspects left if the round ended after it, and hourglasses won, in suspects (k, actions)."""
    seen, hidden, visible = _after(observation)
    worth = np.where(visible, seen, hidden + HOURGLASS)
    out_of_deck = (
        _section(observation, "identity")
        + _section(observation, "shown_cards")
        + _section(observation, "moriarty_cards")
    )
    deck = 1 - np.minimum(out_of_deck, 1)
    worth[:, CARD] += HOURGLASS * (deck @ np.array(HOURGLASSES)) / np.maximum(deck.sum(axis=1), 1)
    return worth


def best(worth: Values, mask: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Which legal actions are worth as much as any (k, actions)."""
    legal = np.where(mask != 0, worth, -np.inf)
    ties: NDArray[np.bool_] = legal >= legal.max(axis=1, keepdims=True) - ROUNDING
    return ties


def _section(observation: Observations, name: str) -> Observations:
    return observation[:, LAYOUT.slice(name)]


def _after(observation: Observations) -> tuple[Values, Values, NDArray[np.bool_]]:
    """By action: suspects in sight, out of it, and whether Moriarty would be in sight, each (k, actions)."""
    rows = observation[:, ROWS].reshape(len(observation), -1, AFTER_FEATURES)
    counts = np.rint(rows[:, :, :2] * SUSPECTS).astype(np.float64)
    return counts[:, :, 0], counts[:, :, 1], rows[:, :, 2] > 0


def _left(seen: Values, hidden: Values) -> Values:
    """The expected number of suspects left after the answer: Moriarty is equally likely any of them."""
    left: Values = (seen * seen + hidden * hidden) / np.maximum(seen + hidden, 1)
    return left


def make(setup: Setup) -> Agent:
    """The greedy agent of the setup's seat."""
    return GreedySherlock(setup.seed) if setup.seat == "sherlock" else GreedyMoriarty()
