"""Many random games at once, played in lock-step through the batch loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import batch, chance
from reichenbach.envs.who_is_moriarty.actions import CARD, JOKER, N_ACTIONS, SWAP, TURN
from reichenbach.envs.who_is_moriarty.game import GAME
from reichenbach.envs.who_is_moriarty.state import WINNER
from reichenbach.envs.who_is_moriarty.tables import TABLES, TOKENS

Chooser = Callable[[NDArray[Any], NDArray[np.int8], np.random.Generator], NDArray[np.int64]]
Watcher = Callable[[NDArray[Any], NDArray[np.int8]], None]

# The actions of each face, in the tables' order: the detectives, joker, turn, swap, card.
BOUNDS = ((0, 2), (2, 4), (4, 6), (JOKER, TURN), (TURN, SWAP), (SWAP, CARD), (CARD, CARD + 1))
OF_FACE = np.array([[low <= action < high for action in range(N_ACTIONS)] for low, high in BOUNDS])


def _one_of(possible: NDArray[np.bool_], dice: np.random.Generator) -> NDArray[np.int64]:
    """In each row one of the possible columns, all with the same chance; the first if none is."""
    chosen: NDArray[np.int64] = np.argmax(dice.random(possible.shape) * possible, axis=1)
    return chosen


def flat(states: NDArray[Any], masks: NDArray[np.int8], dice: np.random.Generator) -> NDArray[np.int64]:
    """Uniform over the legal actions."""
    return _one_of(masks != 0, dice)


def by_token(states: NDArray[Any], masks: NDArray[np.int8], dice: np.random.Generator) -> NDArray[np.int64]:
    """Uniform over the tokens that are left and have an action, then over the token's actions."""
    faces = np.array(TOKENS)[np.arange(4), states["face"]]
    possible = OF_FACE[faces] & (masks != 0)[:, None, :] & (states["used"] == 0)[:, :, None]
    tokens = _one_of(possible.any(axis=2), dice)
    chosen = possible[np.arange(len(masks)), tokens]
    chosen = np.where(chosen.any(axis=1)[:, None], chosen, masks != 0)  # forced waits, clearing and keeping
    return _one_of(chosen, dice)


@dataclass(frozen=True)
class Games:
    """Finished games, one row each."""

    states: NDArray[Any]
    actions: NDArray[np.int64]
    sherlock_won: NDArray[np.bool_]


def play(n: int, seed: int, choose: Chooser = flat, watch: Watcher | None = None, **options: Any) -> Games:
    """Plays `n` games to the end; `watch` is shown the games that still run, with their masks, before each move."""
    states = GAME.new(GAME.resolve(options), n)
    chance.seed(states, range(seed * n, (seed + 1) * n))
    dice = np.random.default_rng(seed)
    everyone = np.arange(n)
    batch.deal(states, TABLES, everyone)
    actions, movers = np.zeros(n, np.int64), np.zeros(n, np.int64)
    views, masks = np.zeros((n, GAME.layout(0).size), np.float32), np.zeros((n, N_ACTIONS), np.int8)
    while True:
        batch.movers(states, TABLES, movers)
        rows = everyone[movers >= 0]
        if len(rows) == 0:
            winners = np.array(WINNER)[states["ending"]]
            return Games(states, actions, winners == 0)
        batch.view(states, TABLES, rows, movers[rows], 0, views, masks)
        if watch is not None:
            watch(states[rows], masks[: len(rows)])
        chosen = choose(states[rows], masks[: len(rows)], dice)
        batch.step(GAME, states, TABLES, rows, chosen)
        actions[rows] += 1
