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

from reichenbach.envs import vector
from reichenbach.envs.core import batch, chance
from reichenbach.envs.core.single import SeatEnv
from tests.envs.cases import CASES, Case, at_every_table
from tests.envs.playing import Chooser, Seen, choose, seen

GAMES = 3  # one seeded, and two that follow in its chain
# What each seat saw and did in a seed's games, and how these ended. Where a seat had nothing but the no-op is left out:
# seats that are idle in a slot, or have no command left, are not asked on every path.
Story = tuple[list[list[list[Seen]]], list[str]]


def note(case: Case, moves: list[list[list[Seen]]], seat: int, what: Seen) -> None:
    """Writes down a move of a seat in its last game, if it had a choice."""
    moves[seat][-1] += with_choice(case, [what])


def with_choice(case: Case, log: list[Seen]) -> list[Seen]:
    """The moves at which there was something else to do than the no-op."""
    idle = np.zeros(case.game.n_actions, np.int8)
    idle[case.game.no_op] = 1
    return [what for what in log if what[1] != idle.tobytes()]


def in_turns(case: Case, seed: int) -> Story:
    env = case.raw_env()
    moves: list[list[list[Seen]]] = [[] for _ in case.seats]
    endings = []
    for game in range(GAMES):
        env.reset(seed=seed if game == 0 else None)
        for seat in moves:
            seat.append([])
        for agent in env.agent_iter():
            observation, _, terminated, _, info = env.last()
            if terminated or observation is None:
                env.step(None)
                if agent == case.seats[-1]:
                    endings.append(info["ending"])
                continue
            action = choose(observation["observation"], observation["action_mask"])
            what = seen(observation["observation"], observation["action_mask"], action)
            note(case, moves, case.seats.index(agent), what)
            env.step(action)
    return moves, endings


def in_slots(case: Case, seed: int) -> Story:
    env = case.parallel_env()
    moves: list[list[list[Seen]]] = [[] for _ in case.seats]
    endings = []
    for game in range(GAMES):
        observations, infos = env.reset(seed=seed if game == 0 else None)
        for side in moves:
            side.append([])
        while env.agents:
            actions = {name: choose(view["observation"], view["action_mask"]) for name, view in observations.items()}
            for seat, (name, view) in enumerate(observations.items()):
                note(case, moves, seat, seen(view["observation"], view["action_mask"], actions[name]))
            observations, _, _, _, infos = env.step(actions)
        endings.append(infos[case.seats[0]]["ending"])
    return moves, endings


def as_one_seat(case: Case, seed: int, seat: str) -> Story:
    opponents = {other: Chooser() for other in case.seats if other != seat}
    env = SeatEnv(case.game, seat, opponents, **case.options)
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
    theirs = {name: [with_choice(case, log) for log in opponent.games[0]] for name, opponent in opponents.items()}
    return [mine if name == seat else theirs[name] for name in case.seats], endings


def in_vector(case: Case, seeds: Sequence[int], seat: str) -> list[Story]:
    opponents = {other: Chooser() for other in case.seats if other != seat}
    n = len(seeds)
    envs = vector.make(case.game, seat=seat, opponents=opponents, num_envs=n, **case.options)
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
        theirs = {
            name: [with_choice(case, log) for log in opponent.games[game][:GAMES]]
            for name, opponent in opponents.items()
        }
        moves = [mine[game][:GAMES] if name == seat else theirs[name] for name in case.seats]
        stories.append((moves, endings[game][:GAMES]))
    return stories


def in_batch(case: Case, seeds: Sequence[int]) -> list[Story]:
    game, n = case.game, len(seeds)
    options = game.resolve(case.options)
    tables, states = game.tables(options), game.new(options, n)
    rows = np.arange(n, dtype=np.int64)
    chance.seed(states, seeds)
    batch.deal(states, tables, rows)
    stories: list[Story] = [([[[]] for _ in case.seats], []) for _ in seeds]
    while len(rows):
        movers: NDArray[np.int64] = np.empty(n, np.int64)
        batch.movers(states, tables, movers)
        views = np.empty((len(rows), game.layout(0).size), np.float32)
        masks = np.empty((len(rows), game.n_actions), np.int8)
        batch.view(states, tables, rows, movers[rows], 0, views, masks)
        actions = np.array([choose(view, mask) for view, mask in zip(views, masks, strict=True)])
        for k, row in enumerate(rows):
            note(case, stories[row][0], int(movers[row]), seen(views[k], masks[k], int(actions[k])))
        batch.step(game, states, tables, rows, actions)
        batch.movers(states, tables, movers)
        over = rows[movers[rows] < 0]
        codes, rewards = np.empty(len(over), np.int64), np.empty((len(over), len(case.seats)))
        batch.results(states, tables, over, codes, rewards)
        for row, code in zip(over, codes, strict=True):
            stories[row][1].append(game.endings(int(code)).name.lower())
            for side in stories[row][0]:
                side.append([])
        batch.deal_next(states, tables, over)
        rows = np.array([row for row in rows if len(stories[row][1]) < GAMES], np.int64)
    return [([side[:GAMES] for side in sides], endings) for sides, endings in stories]


@pytest.mark.parametrize("case", [pytest.param(CASES[0], marks=pytest.mark.plain), *CASES[1:]], ids=str)
def test_one_seed_is_one_game_on_every_path(case: Case) -> None:
    seeds = range(40, 46 if case.game.name == "who_is_moriarty" else 42)
    expected = [in_turns(case, seed) for seed in seeds]
    assert [in_slots(case, seed) for seed in seeds] == expected
    for seat in case.seats:
        assert [as_one_seat(case, seed, seat) for seed in seeds] == expected, f"as {seat}"
        assert in_vector(case, seeds, seat) == expected, f"vector as {seat}"
    assert in_batch(case, seeds) == expected


@at_every_table
def test_seeds_differ_and_so_do_the_games_of_a_chain(case: Case) -> None:
    deals = {story[0][0][game][0][0] for story in (in_turns(case, 1), in_turns(case, 2)) for game in range(GAMES)}
    assert len(deals) == 2 * GAMES


def digest(seeds: Sequence[int]) -> str:
    """Of everything that the seeds' games showed, in every face and at every table."""
    stories = [
        [in_turns(case, seed) for seed in seeds]
        + [in_slots(case, seed) for seed in seeds]
        + in_vector(case, seeds, case.seats[0])
        for case in CASES
    ]
    return hashlib.sha256(repr(stories).encode()).hexdigest()


def test_processes_agree_whatever_their_hash_seed() -> None:
    program = "from tests.envs.test_same_game import digest; print(digest(range(7, 10)))"
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
    assert found == [digest(range(7, 10))] * 2
