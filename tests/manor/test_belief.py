"""What a detective cannot rule out (§14): cases apart from the enumeration in test_all_commands.py."""

from __future__ import annotations

import numpy as np
import pytest

from reichenbach.envs.core import chance, one
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.rules import tables_of
from tests.manor.loading import belief, number, play
from tests.manor.reference.model import Ask
from tests.manor.reference.worlds import any_chance
from tests.manor.side_by_side import BELIEF

pytestmark = pytest.mark.plain


def test_any_chance_leaves_nothing_out() -> None:
    fallen = []

    def run(ask: Ask) -> bool:
        first = ask(3)
        fallen.append((first, ask(2), ask(2)) if first else (first,))
        return False

    assert not any_chance(run)
    assert fallen == [(0,), *((first, second, third) for first in (1, 2) for second in (0, 1) for third in (0, 1))]
    assert any_chance(lambda ask: ask(5) == 4)


UNSHOWN = (
    "table=4p map=wrenlatch villain=A target={target} turn=6 pawns=A:G2:hungry,B:L3:hungry+medicine,C:M3:fatigued,"
    "D:C2:hungry+armed,E:C2:hungry+injured,F:K2:hungry+medicine spots=L2:food,H1:food,H3:food,D1:food,D2:spray,"
    "D3:spray,K1:food,M1:food,M2:weapon,P1:weapon emptied=L1:medicine,K2:medicine,M3:passage,"
    "C1:weapon,C3:medicine,P2:food known=sherlock_0/L2,D1;sherlock_1/K1,P2;sherlock_2/H1,M1 fuse=C2 passage=K1-M3:open "
    "answers=near chart=A:CDE,C:A,D:AE,E:AD,F:AC events=false weapons=3"
)


def test_an_exposure_that_no_chart_shows_says_nothing() -> None:
    """Of two turns that sherlock_1 cannot tell apart one exposed B, which was off the chart as target before (M27)."""
    views = []
    for target, ordered, second in (("D", "B>M1", "E>C2:fuse"), ("E", "E>C2:fuse", "D>G2")):
        state = GAME.parse(UNSHOWN.format(target=target))
        chance.set_script(state, [0] * 20)
        for order in ("C>M2:search", "C>K1:search", ordered, "B>L3", "pass", "pass", "pass", second):
            play(state, number(state, order))
        assert state["exposed"][0] == (0b10 if target == "D" else 0)
        view = np.empty(GAME.layout(BELIEF).size, np.float32)
        one.observe(state, tables_of(state), 1, BELIEF, view)
        views.append((view.tobytes(), GAME.render(state, 1), belief(state, "sherlock_1")))
    assert views[0] == views[1]
    assert {"AD", "AE"} <= views[0][2]
