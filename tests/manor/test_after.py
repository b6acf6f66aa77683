"""The section ``after``: values worked out by hand on the small map, those of one command at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reichenbach.envs.core import one
from reichenbach.envs.core.record import States
from reichenbach.envs.manor import layout
from reichenbach.envs.manor.actions import MAX_AREAS
from reichenbach.envs.manor.notation import names_of
from reichenbach.envs.manor.rules import tables_of
from reichenbach.envs.manor.state import N_PAWNS
from reichenbach.envs.manor.words import LETTERS
from tests.manor.loading import load, number, play

pytestmark = pytest.mark.plain

NOW, NEXT, CHART, WEAPON, TO_WEAPON, COMPANY, TO_TARGET, STEPS, FOOD, POSSIBLE = range(layout.AFTER_FEATURES)
SHERLOCK, WATSON, MORIARTY, IRENE, EVERYONE = range(5)


def seen(state: States, seat: int) -> NDArray[np.float32]:
    """The whole section, (pawns, areas, values)."""
    everything = layout.layout(layout.AFTER)
    out = np.full(everything.size, np.nan, np.float32)
    one.observe(state, tables_of(state), seat, layout.AFTER, out)
    return out[everything.slice("after")].reshape(N_PAWNS, MAX_AREAS, -1)


def row(state: States, seat: int, command: str) -> list[float]:
    """What a command, as ``"A>H1"``, would leave."""
    letter, area = command.split(">")
    values: list[float] = seen(state, seat)[LETTERS.index(letter), names_of(state).areas.index(area)].tolist()
    return values


def values(state: States, seat: int, value: int, *commands: str) -> list[Any]:
    return [pytest.approx(row(state, seat, command)[value], abs=1e-6) for command in commands]


def test_a_move_and_where_it_leads() -> None:
    state = load()
    assert values(state, MORIARTY, STEPS, "A>H1", "A>G2", "A>L2") == [0, 2 / 3, 1]
    assert values(state, MORIARTY, POSSIBLE, "A>H1", "A>L2", "A>L3", "F>S1") == [1, 1, 0, 0]  # L3 is 4 away; M3
    # to S1: from H1 by D1, D2, L2, L3; for the villain too, who is at P1
    assert values(state, MORIARTY, TO_TARGET, "A>H1", "C>L3", "E>P1") == [0.5, 0.1, 0.8]
    assert values(state, SHERLOCK, COMPANY, "A>H3", "A>G2", "A>L2") == [0, 1 / 5, 1 / 5]


def test_critical_pawns_are_no_company() -> None:
    state = load(pawns="B:G3:hungry:injured")
    assert values(state, SHERLOCK, COMPANY, "A>H3", "A>G2") == [0, 0]


def test_danger_of_an_armed_villain_beside_a_lonely_target() -> None:
    state = load(pawns="E:L3:armed C:L1 F:S1")
    # Now: C acts before E, who acts before F. Sent to the study C is a witness there; sent elsewhere nobody is.
    assert values(state, MORIARTY, NOW, "A>H1", "C>S1", "E>S1") == [1, 0.35, 1]
    assert values(state, MORIARTY, NOW, "E>L3") == [0]  # not sent there he does not go
    assert values(state, MORIARTY, NEXT, "A>H1", "C>S1") == [1, 0.35]
    # From L1 it is 3 to S1; from G1 4: one beyond his reach.
    assert values(state, MORIARTY, NEXT, "E>L1", "E>G1") == [1, 0.4]


def test_a_target_that_acts_first_is_gone_by_then() -> None:
    """A acts before E: it may be sent into company, or out of his reach. F acts after him: nowhere is it safe now."""
    of_a = load("target=A chart=E:A", pawns="E:L3:armed A:L2 C:D3 F:H2")
    assert values(of_a, SHERLOCK, NOW, "A>L2", "A>D1", "A>H1") == [1, 0.35, 0]
    of_f = load("target=F chart=E:F", pawns="E:L3:armed A:H1 C:H2 F:L2")
    assert values(of_f, SHERLOCK, NOW, "F>L2", "F>D1") == [1, 1]


def test_a_villain_without_weapon_is_a_lesser_danger_and_none_now() -> None:
    state = load(pawns="E:L3 C:H2 F:S1")
    assert values(state, MORIARTY, NOW, "E>S1") == [0]
    assert values(state, MORIARTY, NEXT, "E>L3") == [0.2]


def test_a_detective_reckons_with_all_pairs_alike() -> None:
    """Thirty pairs; E alone is armed, and of its targets only F, in the study, is in reach of it."""
    state = load(pawns="E:L3:armed C:H2 D:K3 A:P3 B:C2 F:S1")
    assert values(state, SHERLOCK, NOW, "F>S1") == [1 / 30]
    narrowed = load("chart=E:AF", pawns="E:L3:armed C:H2 D:K3 A:P3 B:C2 F:S1")
    assert values(narrowed, SHERLOCK, NOW, "F>S1") == [1 / 2]


def test_own_commands_of_the_turn_are_taken_as_obeyed() -> None:
    state = load(pawns="E:L3:armed C:L1 F:S1")
    for seat_passes in (SHERLOCK, WATSON):
        play(state, number(state, "pass"))
        assert one.mover(state, tables_of(state)) == seat_passes + 1
    play(state, number(state, "C>S1"))
    assert not seen(state, MORIARTY).any(), "he waits for the others"
    play(state, number(state, "pass"))
    assert values(state, MORIARTY, NOW, "A>H1") == [0.35]
    assert not seen(state, MORIARTY)[LETTERS.index("C")].any()


def test_the_chart_at_night() -> None:
    # A at H1 and B at G3 are 3 apart, E and F 8.
    state = load("turn=3 chart=E:F,A:B")
    assert values(state, SHERLOCK, CHART, "A>H1", "A>D1") == [0.5, 1]
    assert values(state, MORIARTY, CHART, "A>H1", "A>D1") == [0.5, 1]
    assert values(load("turn=4 chart=E:F,A:B"), SHERLOCK, CHART, "A>H1", "A>D1") == [1, 1]


def test_weapons_and_food_as_far_as_the_seat_knows() -> None:
    state = load("spots=L2:weapon,H3:food,D1:nothing,P1:food known=sherlock/H3,P1", weapons=1)
    # Sherlock knows two of four spots to be food, so the weapon is in one of the two others.
    assert values(state, SHERLOCK, WEAPON, "A>D1", "C>L2", "A>H3") == [0.5, 0.5, 0]
    assert values(state, SHERLOCK, FOOD, "A>H3", "A>D1") == [1, 0]
    assert values(state, MORIARTY, WEAPON, "A>D1", "C>L2") == [0, 1]
    assert values(state, MORIARTY, TO_WEAPON, "A>H1", "C>L2") == [0.3, 0]
    armed = load("spots=L2:weapon,D1:nothing", pawns="C:L1:armed", weapons=2)
    assert values(armed, MORIARTY, WEAPON, "C>L2", "C>L1") == [0, 0]


@pytest.mark.parametrize("seat", [SHERLOCK, MORIARTY])
def test_nothing_where_no_command_is_left(seat: int) -> None:
    state = load("voting=yes turn=10")
    assert not seen(state, seat).any()
    assert not seen(load(), EVERYONE).any()
