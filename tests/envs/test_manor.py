"""What only The Manor has: orders that are given at once and hidden, sides of several seats, maps of a user's own."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reichenbach.agents import seat as seats
from reichenbach.agents.random import Random
from reichenbach.envs import manor_v0
from reichenbach.envs.core import lockstep
from reichenbach.envs.core.aec import TurnEnv
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.manor.game import GAME
from tests.envs.cases import legal
from tests.envs.playing import choice, play_on

TABLES = {"2p": 3, "3p": 2, "4p": 2, "4p_roles": 3}  # each with the slots of a turn
PASS = GAME.no_op
OWN_MAP = Path(__file__).parent.parent / "manor" / "cases" / "gull.yaml"
# Ten turns are over, and a vote is due.
VOTING = "villain=E target=F turn=10 voting=yes pawns=A:H1,B:G3,C:L1,D:K1,E:P1,F:S1 spots=-"


def turns(**arguments: Any) -> TurnEnv:
    """The environment itself."""
    env = manor_v0.raw_env(**arguments)
    assert isinstance(env, TurnEnv)
    return env


def views(env: Any, seats: list[str]) -> dict[str, tuple[bytes, bytes]]:
    """What seats see and may do."""
    found = {seat: env.observe(seat) for seat in seats}
    return {seat: (view["observation"].tobytes(), view["action_mask"].tobytes()) for seat, view in found.items()}


# ---------------------------------------------------------------- slots


@pytest.mark.parametrize("table", TABLES)
def test_an_order_shows_to_nobody_else_before_the_turn_is_played(table: str) -> None:
    env = turns(table=table, observe_belief=True, observe_after=True, render_mode="ansi")
    env.reset(seed=4)
    plies = 0
    turn = env._dealt()["turn"][0]
    while env._dealt()["turn"][0] == turn and not env.terminations[env.agent_selection]:
        seat = env.agent_selection
        others = [other for other in env.agents if other != seat]
        before, slot = views(env, others), env._dealt()["slot"][0]
        env.step(choice(env.observe(seat)))
        plies += 1
        if env._dealt()["turn"][0] == turn and env._dealt()["slot"][0] == slot:
            assert views(env, others) == before
    assert plies == TABLES[table] * len(env.possible_agents)


@pytest.mark.parametrize("table", TABLES)
def test_a_slot_of_turns_asks_every_seat_once_and_then_leaves_it_alone(table: str) -> None:
    env = turns(table=table)
    env.reset(seed=4)
    for _ in range(TABLES[table]):
        for number, seat in enumerate(env.possible_agents):
            assert env.agent_selection == seat
            idle = [legal(env.observe(other)) == [PASS] for other in env.possible_agents[:number]]
            assert all(idle), "who has submitted waits for the others"
            env.step(choice(env.observe(seat)))


@pytest.mark.parametrize("table", TABLES)
def test_a_slot_of_all_at_once_is_that_slot_in_turns(table: str) -> None:
    """All masks of a slot are known at its beginning: no order makes another's illegal."""
    slots, env = manor_v0.parallel_env(table=table), turns(table=table)
    seen, _ = slots.reset(seed=9)
    env.reset(seed=9)
    for _ in range(12):
        actions = {seat: choice(view) for seat, view in seen.items()}
        for seat, action in actions.items():
            assert env.observe(seat)["action_mask"].tobytes() == seen[seat]["action_mask"].tobytes()
            env.step(action)
        seen, _, _, _, _ = slots.step(actions)
        if not slots.agents:
            break
        assert slots._dealt().tobytes() == env._dealt().tobytes()


def test_a_slot_is_refused_whole() -> None:
    env = manor_v0.parallel_env(table="4p_roles")
    seen, _ = env.reset(seed=1)
    saved = env.get_state()
    good = {seat: choice(view) for seat, view in seen.items()}
    with pytest.raises(IllegalAction, match=r"step: irene: action 'assail' of "):
        env.step({**good, "irene": GAME.action_from_text("assail")})
    with pytest.raises(IllegalAction, match="no action for watson"):
        env.step({seat: action for seat, action in good.items() if seat != "watson"})
    assert env.get_state() == saved


# ---------------------------------------------------------------- the final deduction


def test_the_final_deduction_is_one_slot() -> None:
    """Both detectives vote, unseen by each other; the villain side passes."""
    env = manor_v0.parallel_env(table="4p_roles", map=str(OWN_MAP))
    seen, _ = env.reset(seed=1, options={"position": f"table=4p_roles map={OWN_MAP} {VOTING}"})
    votes = list(range(GAME.action_from_text("name Agatha"), GAME.n_actions))
    assert {seat: legal(view) for seat, view in seen.items()} == {
        **{"sherlock": votes, "watson": votes},
        **{"moriarty": [PASS], "irene": [PASS]},
    }
    ellery, agatha = GAME.action_from_text("name Ellery"), GAME.action_from_text("name Agatha")
    actions = {"sherlock": ellery, "watson": ellery, "moriarty": PASS, "irene": PASS}
    with pytest.raises(IllegalAction, match=r"moriarty: .*a detective names a pawn and the villain side passes"):
        env.step({**actions, "moriarty": ellery})
    _, rewards, ended, _, infos = env.clone().step(actions)
    assert rewards == {"sherlock": 1.0, "watson": 1.0, "moriarty": -1.0, "irene": -1.0}
    assert all(ended.values())
    assert infos["irene"] == {"winner": "detectives", "ending": "named"}
    _, rewards, _, _, infos = env.step({**actions, "sherlock": agatha, "watson": agatha})
    assert set(rewards.values()) == {0.0}
    assert infos["watson"] == {"winner": None, "ending": "wrong_name"}


def test_in_turns_a_vote_shows_to_nobody() -> None:
    env = turns(table="4p_roles", map=str(OWN_MAP), observe_belief=True, observe_after=True)
    env.reset(seed=1, options={"position": f"table=4p_roles map={OWN_MAP} {VOTING}"})
    others = ["watson", "moriarty", "irene"]
    before = views(env, others)
    env.step(GAME.action_from_text("name Ellery"))
    assert views(env, others) == before
    assert env.agent_selection == "watson"
    assert legal(env.observe("sherlock")) == [PASS]


# ---------------------------------------------------------------- sides


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


def test_opponents_of_two_kinds() -> None:
    with pytest.raises(ValueError, match="seat sherlock_1 has none"):
        seats.make("manor", "sherlock_0", {"moriarty": "greedy"}, table="3p").reset()
    env = seats.make("manor", "sherlock_0", {"moriarty": "greedy", "sherlock_1": "random"}, table="3p")
    view, info = env.reset(seed=2)
    assert not info
    assert legal(view) != [PASS]


# ---------------------------------------------------------------- a user's own map

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
