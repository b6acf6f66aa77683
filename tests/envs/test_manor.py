"""The faces of The Manor at all its tables: one game on every path, hidden orders, sides; what the libraries ask."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.test.state_test import state_test

from reichenbach.agents import seat as seats
from reichenbach.agents.random import Random
from reichenbach.envs import manor_v0, registry, vector
from reichenbach.envs.core import lockstep
from reichenbach.envs.core.aec import TurnEnv
from reichenbach.envs.core.errors import BadOption, IllegalAction
from reichenbach.envs.core.single import SeatEnv
from reichenbach.envs.manor.game import GAME
from tests.envs.playing import Chooser, LegalSlots, LegalTurns, Seen, choose, play_on, seen

TABLES = {"2p": 3, "3p": 2, "4p": 2, "4p_roles": 3}  # each with the slots of a turn
PASS = GAME.no_op
IDS = [(name, arguments) for entry in registry.ENTRIES for name, arguments in entry.gymnasium.items()][2:]
OWN_MAP = Path(__file__).parent.parent / "manor" / "cases" / "gull.yaml"


def turns(**arguments: Any) -> TurnEnv:
    """The environment itself."""
    env = manor_v0.raw_env(**arguments)
    assert isinstance(env, TurnEnv)
    return env


def has_choice(mask: NDArray[np.int8]) -> bool:
    """Whether anything but passing is legal."""
    return mask[PASS] == 0 or int(mask.sum()) > 1


# ---------------------------------------------------------------- one game on every path

Story = tuple[dict[str, list[list[Seen]]], list[Any]]  # by seat and game what it saw and chose; how the games ended
GAMES = 2


def in_turns(table: str, seed: int) -> Story:
    env = turns(table=table)
    moves: dict[str, list[list[Seen]]] = {seat: [] for seat in env.possible_agents}
    ends = []
    for game in range(GAMES):
        env.reset(seed=seed if game == 0 else None)
        for story in moves.values():
            story.append([])
        while not env.terminations[env.agent_selection]:
            seat = env.agent_selection
            view = env.observe(seat)
            action = choose(view["observation"], view["action_mask"])
            if has_choice(view["action_mask"]):
                moves[seat][-1].append(seen(view["observation"], view["action_mask"], action))
            env.step(action)
        ends.append(env.infos[env.agent_selection])
    return moves, ends


def in_slots(table: str, seed: int) -> Story:
    env = manor_v0.parallel_env(table=table)
    moves: dict[str, list[list[Seen]]] = {seat: [] for seat in env.possible_agents}
    ends: list[Any] = []
    for game in range(GAMES):
        views, infos = env.reset(seed=seed if game == 0 else None)
        for story in moves.values():
            story.append([])
        while env.agents:
            actions = {seat: choose(view["observation"], view["action_mask"]) for seat, view in views.items()}
            for seat, view in views.items():
                if has_choice(view["action_mask"]):
                    moves[seat][-1].append(seen(view["observation"], view["action_mask"], actions[seat]))
            views, _, _, _, infos = env.step(actions)
        ends.append(infos[env.possible_agents[0]])
    return moves, ends


def as_one_seat(table: str, seed: int, seat: str) -> tuple[list[list[Seen]], list[Any]]:
    others = {other: Chooser() for other in turns(table=table).possible_agents if other != seat}
    env = SeatEnv(GAME, seat, others, table=table)
    mine: list[list[Seen]] = []
    ends = []
    for game in range(GAMES):
        view, info = env.reset(seed=seed if game == 0 else None)
        mine.append([])
        while not info:
            action = choose(view["observation"], view["action_mask"])
            mine[-1].append(seen(view["observation"], view["action_mask"], action))
            view, _, _, _, info = env.step(action)
        ends.append(info)
    return mine, ends


def in_vector(table: str, seed: int, seat: str) -> tuple[list[list[Seen]], list[Any]]:
    """The first game of a vector of three."""
    others = {other: Chooser() for other in turns(table=table).possible_agents if other != seat}
    envs = vector.make("manor", seat=seat, opponents=others, num_envs=3, table=table)
    views, _ = envs.reset(seed=[seed, seed + 1, seed + 2])
    mine: list[list[Seen]] = [[]]
    ends: list[Any] = []
    while len(ends) < GAMES:
        rows = list(zip(views["observation"], views["action_mask"], strict=True))
        actions = [choose(row, mask) for row, mask in rows]
        assert all(has_choice(mask) for _, mask in rows)
        mine[-1].append(seen(*rows[0], actions[0]))
        views, _, ended, _, infos = envs.step(np.array(actions))
        if ended[0]:
            ends.append({name: infos["final_info"][name][0] for name in ("winner", "ending")})
            mine.append([])
    return mine[:GAMES], ends


@pytest.mark.parametrize("table", TABLES)
def test_one_seed_is_one_game_on_every_path(table: str) -> None:
    for seed in (50, 51, 52):
        moves, ends = in_turns(table, seed)
        assert in_slots(table, seed) == (moves, ends)
        for seat, mine in moves.items():
            assert as_one_seat(table, seed, seat) == (mine, ends), f"as {seat}"
            assert in_vector(table, seed, seat) == (mine, ends), f"vector as {seat}"


# ---------------------------------------------------------------- slots and sides


@pytest.mark.parametrize("table", TABLES)
def test_an_order_shows_to_nobody_else_before_the_turn_is_played(table: str) -> None:
    env = turns(table=table, observe_belief=True, observe_after=True)
    env.reset(seed=4)
    plies = 0
    turn = env._dealt()["turn"][0]
    while env._dealt()["turn"][0] == turn and not env.terminations[env.agent_selection]:
        seat = env.agent_selection
        before = {other: env.observe(other)["observation"].tobytes() for other in env.agents if other != seat}
        view = env.observe(seat)
        slot = env._dealt()["slot"][0]
        env.step(choose(view["observation"], view["action_mask"]))
        plies += 1
        if env._dealt()["turn"][0] == turn and env._dealt()["slot"][0] == slot:
            after = {other: env.observe(other)["observation"].tobytes() for other in before}
            assert after == before
    assert plies == TABLES[table] * len(env.possible_agents)


@pytest.mark.parametrize("table", TABLES)
def test_sides_win_together_and_all_pairs_are_dealt(table: str) -> None:
    options = GAME.resolve({"table": table})
    names, sides = GAME.seats(options), np.array(GAME.sides(options))
    agents = {seat: Random(number) for number, seat in enumerate(names)}
    results = lockstep.play(GAME, {"table": table}, agents, range(120), 50)
    for code, reward in zip(results.ending, results.reward, strict=True):
        winner = GAME.winner(int(code))
        assert reward.tolist() == ([0.0] * len(names) if winner is None else np.where(sides == winner, 1, -1).tolist())
    for values in results.facts.values():
        assert values.shape == (120,)
    first = results.facts["first in the alphabet"]
    assert np.count_nonzero(first == first[0]) == 60, "as often this way as that among the 30 pairs"


def test_a_slot_is_refused_whole() -> None:
    env = manor_v0.parallel_env(table="4p_roles")
    views, _ = env.reset(seed=1)
    saved = env.get_state()
    good = {seat: choose(view["observation"], view["action_mask"]) for seat, view in views.items()}
    with pytest.raises(IllegalAction, match=r"step: irene: action 'assail' of "):
        env.step({**good, "irene": GAME.action_from_text("assail")})
    with pytest.raises(IllegalAction, match="no action for watson"):
        env.step({seat: action for seat, action in good.items() if seat != "watson"})
    assert env.get_state() == saved


# ---------------------------------------------------------------- PettingZoo's own


class ManorTurns(LegalTurns):
    """In turns, with actions whose samples are legal."""

    game = GAME


class ManorSlots(LegalSlots):
    """In slots, likewise."""

    game = GAME


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.filterwarnings("ignore:We recommend agents to be named")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
def test_pettingzoos_own(table: str) -> None:
    api_test(manor_v0.env(table=table, observe_belief=True), num_cycles=150)
    parallel_api_test(manor_v0.parallel_env(table=table), num_cycles=100)
    seed_test(lambda: manor_v0.env(table=table), num_cycles=80)
    parallel_seed_test(lambda: ManorSlots(table=table), num_cycles=80)
    state_test(ManorTurns(table=table), ManorSlots(table=table), num_cycles=40)


@pytest.mark.parametrize("table", TABLES)
def test_spaces(table: str) -> None:
    env = turns(table=table)
    assert env.metadata["name"] == "manor_v0"
    env.reset(seed=1)
    for seat in env.possible_agents:
        assert env.observation_space(seat).contains(env.observe(seat))
        assert env.action_space(seat) == gymnasium.spaces.Discrete(1256)
        assert env.observation_space(seat) == env.observation_space(env.possible_agents[0])
    assert env.state_space.contains(env.state())
    with pytest.raises(BadOption, match="render_view: 'dog' is not allowed; allowed are: None, "):
        manor_v0.env(table=table, render_view="dog")


# ---------------------------------------------------------------- Gymnasium's own


@pytest.mark.parametrize(("identifier", "arguments"), IDS)
def test_gymnasiums_own(identifier: str, arguments: dict[str, str]) -> None:
    env: Any = gymnasium.make(identifier, illegal_moves="lose", render_mode="ansi", observe_belief=True)
    check_env(env.unwrapped)
    assert env.unwrapped.seat == arguments["seat"]
    envs = gymnasium.make_vec(identifier, num_envs=4, opponent=[("random", 0.5), ("greedy", 0.5)])
    views, _ = envs.reset(seed=3)
    won: dict[str, float] = {}
    for _ in range(70):
        assert all(has_choice(mask) for mask in views["action_mask"]), "never asked where there is nothing to choose"
        rows = zip(views["observation"], views["action_mask"], strict=True)
        views, rewards, ended, _, infos = envs.step(np.array([choose(*row) for row in rows]))
        for slot in np.flatnonzero(ended):
            won[str(infos["final_info"]["winner"][slot])] = float(rewards[slot])
    mine = "villains" if arguments["seat"] in ("moriarty", "irene") else "detectives"
    assert won
    assert all(reward == (0 if side == "None" else 1 if side == mine else -1) for side, reward in won.items())


def test_opponents_by_seat() -> None:
    with pytest.raises(ValueError, match="seat sherlock_1 has none"):
        seats.make("manor", "sherlock_0", {"moriarty": "greedy"}, table="3p").reset()
    env = seats.make("manor", "sherlock_0", {"moriarty": "greedy", "sherlock_1": "random"}, table="3p")
    view, info = env.reset(seed=2)
    assert not info
    assert has_choice(view["action_mask"])


# ---------------------------------------------------------------- copies

SAVERS: dict[str, Callable[[Any], Any]] = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("how", SAVERS)
def test_a_copy_goes_on_alike_on_a_users_own_map(how: str) -> None:
    env = turns(table="3p", map=str(OWN_MAP), observe_after=True)
    env.reset(seed=6)
    play_on(env, 17)
    twin = SAVERS[how](env)
    assert twin.get_state() == env.get_state()
    assert play_on(twin) == play_on(env)
    assert (twin.infos, twin.rewards) == (env.infos, env.rewards)
