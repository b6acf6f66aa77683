"""What holds in every game of The Manor, whatever the table, the options and the moves."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reichenbach.envs import manor_v0
from reichenbach.envs.core.aec import TurnEnv
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.map_file import SHIPPED
from reichenbach.envs.manor.pairs import PAIRS
from reichenbach.envs.manor.state import FOOD, NONE, SPRAY, STATE, WEAPON, WINNER

# Options of which every combination is a game.
RULES = {
    **{"table": ("2p", "3p", "4p", "4p_roles"), "map": SHIPPED, "inventory": ("public", "private")},
    **{"exposure": ("public", "side", "overridden"), "days": (1, 2, 3), "hungry_reach": (1, 2)},
    **{"leak_chance": (0, 100), "dog_chance": (0, 100), "medicine": ("map", 0), "weapons": ("map", 2)},
    **{"injury_slows": (False, True), "stack_hunger": (False, True), "sherlock_beats_watson": (False, True)},
    **{"irene_commands_target": (False, True), "events": (False, True)},
}
OPTIONS = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in RULES.items()})
SEEDS = st.integers(0, 2**40)
MOVES = st.lists(st.integers(0, 10**6), min_size=30, max_size=160)
CONSTANT = ("villain", "target", "passage", "table", "map")
GROWS = ("gone", "turn", "dog_came", "failed_assail", "final")
Facts = dict[str, Any]


def facts(env: TurnEnv) -> Facts:
    """The state's fields as plain values, and the tables'."""
    states, tables = env._dealt(), env.face.tables
    found = {name: states[name][0].tolist() for name in STATE.names or ()}
    return {**found, "house": {name: tables[name][0].tolist() for name in tables.dtype.names or () if name != "starts"}}


def choose(mask: np.ndarray[Any, np.dtype[np.int8]], number: int) -> int:
    """A legal action: one in three times assail, one in six a deed other than nothing, where there is one."""
    legal = np.flatnonzero(mask)
    assail = GAME.action_from_text("assail")
    if mask[assail] and number % 3 == 0:
        return assail
    deeds = legal[(legal < assail) & (legal % 8 > 0)]
    among = deeds if len(deeds) and number % 6 == 1 else legal
    return int(among[number // 6 % len(among)])


# ---------------------------------------------------------------- what holds


def check_pawns(now: Facts) -> None:
    """Places, ailments and what is carried (M17, M20, M23)."""
    house = now["house"]
    for pawn in range(6):
        assert 0 <= now["area"][pawn] < house["n_areas"]
        assert now["hunger"][pawn] in ((0, 1, 2) if now["stack_hunger"] else (0, 1))
        assert now["hunger"][pawn] + now["injured"][pawn] <= 2, "nothing is worse than critical"
        assert {now["injured"][pawn], now["fatigued"][pawn], now["armed"][pawn]} <= {0, 1}
        assert sum(now["items"][pawn]) <= 2
        for seat in range(house["n_seats"]):
            known = now["known_items"][seat][pawn]
            assert all(0 <= k <= n for k, n in zip(known, now["items"][pawn], strict=True))
            assert now["inventory"] or known == now["items"][pawn], "a public inventory hides nothing"


def check_spots(now: Facts) -> None:
    """Nothing comes from nowhere (M6, M17, M18): what was laid is there, was taken and is carried, or was used up."""
    house = now["house"]
    spots = range(house["n_spots"])
    for content, count in enumerate(house["counts"]):
        laid = [spot for spot in spots if now["content"][spot] == content]
        assert len(laid) == count
        taken = sum(now["gone"] >> spot & 1 for spot in laid)
        if content == WEAPON:
            assert sum(now["armed"]) == taken
        if FOOD <= content <= SPRAY:
            assert sum(items[content] for items in now["items"]) <= taken
    assert now["fuse_boxes"] & ~now["gone"] == 0


def check_knowledge(now: Facts) -> None:
    """Nobody rules out the truth; charts say no more than beliefs (§14, M27)."""
    true = 1 << PAIRS.index((now["villain"], now["target"]))
    assert now["chart"] & true
    assert now["side_chart"] & true
    assert now["side_chart"] & ~now["chart"] == 0
    for seat in range(now["house"]["n_seats"]):
        assert now["ending"] or now["belief"][seat] & true
        if now["house"]["detectives"] >> seat & 1:
            assert now["slot"] or now["ending"] or now["belief"][seat] & ~now["side_chart"] == 0
        else:
            assert now["ending"] or now["belief"][seat] == true
    assert not now["failed_assail"] or now["chart"] == true


def check_clock(now: Facts) -> None:
    """Turns, slots and who has given how much (M2, M8, M9)."""
    house = now["house"]
    assert 1 <= now["turn"] <= 3 * now["days"] + 1
    assert 0 <= now["slot"] <= house["slots"]
    assert 0 <= now["submitter"] < house["n_seats"]
    for seat in range(house["n_seats"]):
        given = sum(order != NONE for order in now["order"][seat])
        assert given == now["used"][seat] or now["ending"], "the random ones of the last turn are orders too"
        assert now["used"][seat] <= house["quota"][seat]


def check_step(before: Facts, now: Facts) -> None:
    """What a step keeps, or changes in one direction."""
    for name in CONSTANT:
        assert now[name] == before[name]
    for name in GROWS:
        assert now[name] >= before[name], name
    assert now["gone"] & before["gone"] == before["gone"]
    assert now["content"] == before["content"]
    for chart in ("chart", "side_chart"):
        assert now[chart] & ~before[chart] == 0, "pairs do not come back"
    for seat in range(now["house"]["n_seats"]):
        assert now["belief"][seat] & ~before["belief"][seat] == 0
        assert now["known"][seat] & before["known"][seat] == before["known"][seat]


def check_end(env: TurnEnv, now: Facts) -> None:
    """What the ending says is so (M25-M31)."""
    winner = WINNER[now["ending"]]
    for number, seat in enumerate(env.possible_agents):
        side = 0 if now["house"]["detectives"] >> number & 1 else 1
        assert env.rewards[seat] == (0.0 if winner == NONE else 1.0 if winner == side else -1.0)
    name = GAME.endings(now["ending"]).name
    together = now["area"][now["villain"]] == now["area"][now["target"]]
    if name in ("MURDER", "ASSAIL"):
        assert together
        assert now["armed"][now["villain"]]
    if name == "ASSAIL":
        assert now["did"][now["villain"]] == 8
    assert (name in ("NAMED", "WRONG_NAME")) == now["voting"]
    if name == "IDENTIFIED":
        assert len({PAIRS[bit][0] for bit in range(30) if now["side_chart"] >> bit & 1}) == 1
    assert (name == "ASSAIL_FAILED") <= now["failed_assail"]


# Two Sherlocks, of whom none is beaten: who is told that another's order was followed must think of the other one.
@example({"table": "3p", "sherlock_beats_watson": True}, 1, [0] * 19 + [1] + [0] * 10)
@settings(max_examples=150)
@given(options=OPTIONS, seed=SEEDS, moves=MOVES)
def test_any_game_under_any_options(options: dict[str, Any], seed: int, moves: list[int]) -> None:
    env = manor_v0.raw_env(**options)
    assert isinstance(env, TurnEnv)
    env.reset(seed=seed)
    now = facts(env)
    for number in moves:
        check_pawns(now)
        check_spots(now)
        check_knowledge(now)
        check_clock(now)
        if now["ending"]:
            check_end(env, now)
            break
        action = choose(env.observe(env.agent_selection)["action_mask"], number)
        before = now
        env.step(action)
        now = facts(env)
        check_step(before, now)
