"""One seed, one game, byte for byte: in turns, in slots, as one seat, in a vector, in a batch, and in every process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from reichenbach.envs import vector, who_is_moriarty_v0
from reichenbach.envs.core import batch, chance
from reichenbach.envs.core.single import SeatEnv
from reichenbach.envs.who_is_moriarty.game import GAME
from tests.envs.playing import Chooser, Seen, choose, raw_env, seen

SEATS = ("sherlock", "moriarty")
GAMES = 3  # one seeded, and two that follow in its chain
# What each seat saw and did in a seed's games, and how these ended.
Story = tuple[list[list[list[Seen]]], list[str]]


def in_turns(seed: int) -> Story:
    env = raw_env()
    moves: list[list[list[Seen]]] = [[], []]
    endings = []
    for game in range(GAMES):
        env.reset(seed=seed if game == 0 else None)
        for side in moves:
            side.append([])
        for agent in env.agent_iter():
            observation, _, terminated, _, info = env.last()
            if terminated or observation is None:
                env.step(None)
                if agent == "moriarty":
                    endings.append(info["ending"])
                continue
            action = choose(observation["observation"], observation["action_mask"])
            moves[SEATS.index(agent)][game].append(seen(observation["observation"], observation["action_mask"], action))
            env.step(action)
    return moves, endings


def in_slots(seed: int) -> Story:
    env = who_is_moriarty_v0.parallel_env()
    moves: list[list[list[Seen]]] = [[], []]
    endings = []
    for game in range(GAMES):
        observations, infos = env.reset(seed=seed if game == 0 else None)
        for side in moves:
            side.append([])
        while env.agents:
            actions = {name: choose(view["observation"], view["action_mask"]) for name, view in observations.items()}
            for side, (name, view) in zip(moves, observations.items(), strict=True):
                if view["action_mask"][GAME.no_op] == 0:
                    side[game].append(seen(view["observation"], view["action_mask"], actions[name]))
            observations, _, _, _, infos = env.step(actions)
        endings.append(infos["sherlock"]["ending"])
    return moves, endings


def as_one_seat(seed: int, seat: str) -> Story:
    other = SEATS[1 - SEATS.index(seat)]
    opponent = Chooser()
    env = SeatEnv(GAME, seat, {other: opponent})
    mine: list[list[Seen]] = []
    endings = []
    for game in range(GAMES):
        view, info = env.reset(seed=seed if game == 0 else None)
        mine.append([])
        while not info:
            action = choose(view["observation"], view["action_mask"])
            mine[game].append(seen(view["observation"], view["action_mask"], action))
            view, _, _, _, info = env.step(action)
        endings.append(info["ending"])
    theirs = opponent.games[0]
    return ([mine, theirs] if seat == "sherlock" else [theirs, mine]), endings


def in_vector(seeds: Sequence[int], seat: str) -> list[Story]:
    other = SEATS[1 - SEATS.index(seat)]
    opponent = Chooser()
    n = len(seeds)
    envs = vector.make("who_is_moriarty", seat=seat, opponents={other: opponent}, num_envs=n)
    views, _ = envs.reset(seed=list(seeds))
    mine: list[list[list[Seen]]] = [[[]] for _ in seeds]
    endings: list[list[str]] = [[] for _ in seeds]
    while min(len(games) for games in endings) < GAMES:
        rows = list(zip(views["observation"], views["action_mask"], strict=True))
        actions = [choose(row, mask) for row, mask in rows]
        for games, (row, mask), action in zip(mine, rows, actions, strict=True):
            games[-1].append(seen(row, mask, action))
        views, _, ended, _, infos = envs.step(np.array(actions))
        for slot in np.flatnonzero(ended):
            endings[slot].append(infos["final_info"]["ending"][slot])
            mine[slot].append([])
    stories: list[Story] = []
    for game in range(n):
        sides = [mine[game][:GAMES], opponent.games[game][:GAMES]]
        stories.append((sides if seat == "sherlock" else sides[::-1], endings[game][:GAMES]))
    return stories


def in_batch(seeds: Sequence[int]) -> list[Story]:
    options = GAME.resolve({})
    tables, n = GAME.tables(options), len(seeds)
    states = GAME.new(options, n)
    rows = np.arange(n, dtype=np.int64)
    chance.seed(states, seeds)
    batch.deal(states, tables, rows)
    stories: list[Story] = [([[[]], [[]]], []) for _ in seeds]
    while len(rows):
        movers: NDArray[np.int64] = np.empty(n, np.int64)
        batch.movers(states, tables, movers)
        views = np.empty((len(rows), GAME.layout(0).size), np.float32)
        masks = np.empty((len(rows), GAME.n_actions), np.int8)
        batch.view(states, tables, rows, movers[rows], 0, views, masks)
        actions = np.array([choose(view, mask) for view, mask in zip(views, masks, strict=True)])
        for k, row in enumerate(rows):
            stories[row][0][movers[row]][-1].append(seen(views[k], masks[k], int(actions[k])))
        batch.step(GAME, states, tables, rows, actions)
        batch.movers(states, tables, movers)
        over = rows[movers[rows] < 0]
        codes, rewards = np.empty(len(over), np.int64), np.empty((len(over), 2))
        batch.results(states, tables, over, codes, rewards)
        for row, code in zip(over, codes, strict=True):
            stories[row][1].append(GAME.endings(int(code)).name.lower())
            for side in stories[row][0]:
                side.append([])
        batch.deal_next(states, tables, over)
        rows = np.array([row for row in rows if len(stories[row][1]) < GAMES], np.int64)
    return [([side[:GAMES] for side in sides], endings) for sides, endings in stories]


@pytest.mark.plain
def test_one_seed_is_one_game_on_every_path() -> None:
    seeds = range(40, 46)
    expected = [in_turns(seed) for seed in seeds]
    assert [in_slots(seed) for seed in seeds] == expected
    for seat in SEATS:
        assert [as_one_seat(seed, seat) for seed in seeds] == expected, f"as {seat}"
        assert in_vector(seeds, seat) == expected, f"vector as {seat}"
    assert in_batch(seeds) == expected


def test_seeds_differ_and_so_do_the_games_of_a_chain() -> None:
    deals = {story[0][0][game][0][0] for story in (in_turns(1), in_turns(2)) for game in range(GAMES)}
    assert len(deals) == 2 * GAMES


def digest(seeds: Sequence[int]) -> str:
    """Of everything that the seeds' games showed, in every face."""
    stories = [in_turns(seed) for seed in seeds] + [in_slots(seed) for seed in seeds] + in_vector(seeds, "sherlock")
    return hashlib.sha256(repr(stories).encode()).hexdigest()


def test_processes_agree_whatever_their_hash_seed() -> None:
    program = "from tests.envs.test_same_game import digest; print(digest(range(7, 12)))"
    found = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for hash_seed in ("1", "271828")
    ]
    assert found == [digest(range(7, 12))] * 2
