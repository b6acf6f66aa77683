"""The leak audit catches a leak of each kind: what is planted here tells a seat what The Manor hides from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reichenbach.envs.core import batch
from reichenbach.envs.core.audit import Leak, audit
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.record import States
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.layout import AFTER_FEATURES, SPOT_FACTS
from reichenbach.envs.manor.rules import tables_of
from reichenbach.envs.manor.state import FOOD, NONE, NOTHING, WEAPON
from tests.envs.leaking import Leaky, plant

LAYOUT = GAME.layout(3)
ROLES = {"table": "4p_roles"}
SHERLOCK, WATSON, MORIARTY, IRENE, EVERYONE = range(5)


def add(states: States, views: NDArray[np.float32], told: NDArray[np.bool_], section: str, column: Any) -> None:
    """Marks a column of a section, one for each state, where it is told."""
    views[told, LAYOUT.start(section) + np.broadcast_to(column, len(states))[told]] += 0.5


# ---------------------------------------------------------------- observations


def the_villain(states: States, seats: Any, views: Any, masks: Any) -> None:
    add(states, views, seats < MORIARTY, "secret", states["villain"])


def the_target_after_the_first_turn(states: States, seats: Any, views: Any, masks: Any) -> None:
    add(states, views, (seats < MORIARTY) & (states["turn"] > 1), "secret", 6 + states["target"])


def an_order_that_is_pending(states: States, seats: Any, views: Any, masks: Any) -> None:
    add(states, views, (seats == WATSON) & (states["order"][:, SHERLOCK, 0] != NONE), "orders", 0)


def how_many_orders_another_gave(states: States, seats: Any, views: Any, masks: Any) -> None:
    add(states, views, (seats == IRENE) & (states["used"][:, MORIARTY] == 1), "commands_left", 0)


def what_a_spot_holds(states: States, seats: Any, views: Any, masks: Any) -> None:
    area = int(tables_of(states[:1])["spot_area"][0, 0])
    add(states, views, (seats == SHERLOCK) & (states["content"][:, 0] == FOOD), "spots", area * SPOT_FACTS + 1)


def an_allys_notices(states: States, seats: Any, views: Any, masks: Any) -> None:
    for pawn in range(6):
        add(states, views, (seats == SHERLOCK) & (states["notice"][:, WATSON, pawn] > 0), "notices", 2 * pawn)


def moriartys_orders_of_the_last_turn(states: States, seats: Any, views: Any, masks: Any) -> None:
    add(states, views, (seats == WATSON) & (states["last_order"][:, MORIARTY, 2] != NONE), "ally_orders", 0)


def belief_from_the_true_pair(states: States, seats: Any, views: Any, masks: Any) -> None:
    """Only pairs with the true villain, as a belief that peeked would have it."""
    part = views[:, LAYOUT.slice("belief")]
    for row in np.flatnonzero(seats < MORIARTY):
        villain = int(states["villain"][row])
        part[row, :30] *= np.arange(30) // 5 == villain


def an_after_state_that_knows_the_weapons(states: States, seats: Any, views: Any, masks: Any) -> None:
    tables = tables_of(states[:1])
    after = views[:, LAYOUT.slice("after")].reshape(len(states), 6, actions.MAX_AREAS, AFTER_FEATURES)
    for row in np.flatnonzero(seats == WATSON):
        weapons = tables["spot_area"][0, np.flatnonzero(states["content"][row] == WEAPON)]
        after[row, :, weapons, 3] *= 0.5


def the_passage(states: States, seats: Any, views: Any, masks: Any) -> None:
    add(states, views, (seats == MORIARTY) & (states["passage"] == 0), "passages", 0)


def the_generator(states: States, seats: Any, views: Any, masks: Any) -> None:
    add(states, views, (seats == EVERYONE) & (states["chance_key"][:, 0] > 0), "dog", 0)


def a_private_item(states: States, seats: Any, views: Any, masks: Any) -> None:
    add(states, views, (seats == SHERLOCK) & (states["items"][:, 0].sum(axis=1) > 0), "pawns", 7)


def another_exposure(states: States, seats: Any, views: Any, masks: Any) -> None:
    add(states, views, (seats == IRENE) & (states["exposed"] & 1 == 1), "chart", 0)


def the_detectives_chart(states: States, seats: Any, views: Any, masks: Any) -> None:
    add(states, views, (seats == MORIARTY) & (states["side_chart"] != states["chart"]), "chart", 0)


# ---------------------------------------------------------------- masks


def no_search_where_nothing_is(states: States, seats: Any, views: Any, masks: Any) -> None:
    area = int(tables_of(states[:1])["spot_area"][0, 3])
    for pawn in range(6):
        masks[states["content"][:, 3] == NOTHING, actions.command(pawn, area, actions.SEARCH)] = 0


def no_order_on_the_target(states: States, seats: Any, views: Any, masks: Any) -> None:
    for row in np.flatnonzero(seats == SHERLOCK):
        first = int(states["target"][row]) * actions.ORDERS
        masks[row, first : first + actions.ORDERS] = 0


def no_order_that_will_collide(states: States, seats: Any, views: Any, masks: Any) -> None:
    for row in np.flatnonzero(seats == IRENE):
        for pawn in np.flatnonzero(states["order"][row, SHERLOCK] != NONE):
            masks[row, pawn * actions.ORDERS : (pawn + 1) * actions.ORDERS] = 0


OBSERVED = [
    (the_villain, {}, "ply 0, seat sherlock: observation, section secret depends"),
    (the_target_after_the_first_turn, {}, r"ply \d+, seat sherlock: observation, section secret depends"),
    (an_order_that_is_pending, {}, "ply [1-4], seat watson: observation, section orders depends"),
    (how_many_orders_another_gave, {}, r"ply \d, seat irene: observation, section commands_left depends"),
    (what_a_spot_holds, {}, "ply 0, seat sherlock: observation, section spots depends"),
    (an_allys_notices, {}, r"ply \d+, seat sherlock: observation, section notices depends"),
    (moriartys_orders_of_the_last_turn, {}, r"ply 1[2-9], seat watson: observation, section ally_orders depends"),
    (belief_from_the_true_pair, {}, "ply 0, seat sherlock: observation, section belief depends"),
    (an_after_state_that_knows_the_weapons, {}, "ply 0, seat watson: observation, section after depends"),
    (the_passage, {}, "ply 0, seat moriarty: observation, section passages depends"),
    (the_generator, {}, "ply 0, seat all-seeing: observation, section dog depends"),
    (a_private_item, {"inventory": "private"}, r"ply \d+, seat sherlock: observation, section pawns depends"),
    (another_exposure, {"exposure": "overridden"}, r"ply \d+, seat irene: observation, section chart depends"),
    (the_detectives_chart, {"exposure": "side"}, r"ply \d+, seat moriarty: observation, section chart depends"),
    (no_search_where_nothing_is, {}, r"ply \d, seat \w+: mask, action '\w+ to [A-Z]\d, search' depends"),
    (no_order_on_the_target, {}, "ply 0, seat sherlock: mask, action '.* to .*' depends"),
    (no_order_that_will_collide, {}, r"ply \d, seat irene: mask, action '.* to .*' depends"),
]


@pytest.mark.parametrize(("leak", "options", "message"), OBSERVED, ids=lambda part: getattr(part, "__name__", ""))
def test_a_leak_in_what_is_seen_is_caught(
    leak: Leaky, options: Mapping[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(leak, monkeypatch)
    with pytest.raises(Leak, match=message):
        audit(GAME, 4, options={**ROLES, **options}, keys=1, renders=1)


# ---------------------------------------------------------------- beside the observation


def test_a_leak_in_the_rendering_is_caught() -> None:
    def render(states: States, view: int) -> str:
        return GAME.render(states, view) + (f"\n{states['villain'][0]}" if view == WATSON else "")

    with pytest.raises(Leak, match=r"ply 0, seat watson: rendering depends on hidden facts: '\d'"):
        audit(dataclasses.replace(GAME, render=render), 1, options=ROLES, keys=1, renders=20)


def test_a_rendering_of_an_order_that_is_pending_is_caught() -> None:
    def render(states: States, view: int) -> str:
        return GAME.render(states, view) + (f"\n{states['used'][0, SHERLOCK]} orders" if view == IRENE else "")

    with pytest.raises(Leak, match=r"seat irene: rendering depends on hidden facts: '\d orders'"):
        audit(dataclasses.replace(GAME, render=render), 1, options=ROLES, keys=1, renders=20, render_every=1)


def test_a_leak_in_the_info_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Face, "info", lambda self, states: {"target": int(states["target"][0])})
    with pytest.raises(Leak, match=r"ply 0, seat sherlock: info \{'target'"):
        audit(GAME, 1, options=ROLES, keys=1)


@pytest.mark.parametrize("what", ["reward", "ending"])
def test_rewards_and_endings_that_come_too_early_are_caught(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reward for what is hidden, paid before the end, would tell it."""
    honest = batch.results

    def results(states: States, tables: Any, rows: Any, endings: Any, rewards: Any) -> None:
        honest(states, tables, rows, endings, rewards)
        met = states["area"][rows, states["villain"][rows]] == states["area"][rows, states["target"][rows]]
        if what == "reward":
            rewards[met] += 0.01
        else:
            endings[met] += 1

    monkeypatch.setattr(batch, "results", results)
    with pytest.raises(Leak, match=rf"ply \d+, seat \w+: the {what} depends on hidden facts"):
        audit(GAME, 4, options=ROLES, keys=1)
