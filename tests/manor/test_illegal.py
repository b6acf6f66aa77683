"""Why an action is not allowed, reason by reason; areas have the names of the map."""

from __future__ import annotations

import pytest

from reichenbach.envs.manor.actions import DEEDS, N_ACTIONS, N_DEEDS, from_text
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.illegal import _LACKS

pytestmark = pytest.mark.plain

SHERLOCK, WATSON, MORIARTY, IRENE = range(4)
POSITION = (
    "map=ottermarch table=4p_roles villain=A target=B "
    "pawns=A:H1:armed,B:L1:hungry+food,C:K1:injured,D:B1:food+food,E:S1:medicine,F:W1:spray"
)
LAST = "turn=10 voting=yes"


def why(seat: int, action: int, more: str = "") -> str:
    """What the seat is told."""
    return GAME.why_illegal(GAME.parse(f"{POSITION} {more}"), action, seat)


@pytest.mark.parametrize(
    ("seat", "action", "more", "told"),
    [
        (
            SHERLOCK,
            "Agatha to 25",
            "",
            "'Agatha to 25' of sherlock: 25 is no area of this map, whose areas are 0 to 22",
        ),
        (
            SHERLOCK,
            "Agatha to 0",
            "",
            "'Agatha to L1' of sherlock: L1 is out of reach: Agatha goes at most 3 (M10, M11)",
        ),
        (
            *(WATSON, "Agatha to 8, search", ""),
            "'Agatha to H2, search' of watson: no spot is left at H2 that Agatha could search, as far as the seat",
        ),
        (SHERLOCK, "Agatha to 8, eat", "", "eat' of sherlock: Agatha is not hungry, or has no food (M12)"),
        (SHERLOCK, "Agatha to 8, feed", "", "feed' of sherlock: Agatha has no food (M12)"),
        (SHERLOCK, "Agatha to 8, heal", "", "heal' of sherlock: Agatha is not injured, or has no medicine (M12)"),
        (SHERLOCK, "Agatha to 8, heal other", "", "heal other' of sherlock: Agatha has no medicine (M12)"),
        (SHERLOCK, "Agatha to 8, spray", "", "spray' of sherlock: Agatha has no spray (M12)"),
        (SHERLOCK, "Agatha to 8, fuse", "", "sherlock: no fuse box that still works was found at H2 (M12, M19)"),
        (SHERLOCK, "assail", "", "'assail' of sherlock: Moriarty alone may assail"),
        (
            SHERLOCK,
            "name Agatha",
            "",
            "of sherlock: pawns are named in the final deduction alone (M30); allowed are 'A",
        ),
        (
            MORIARTY,
            "Berkeley to 0",
            "",
            "'Berkeley to L1' of moriarty: Berkeley is the target (M3); allowed are 'Agatha",
        ),
        (IRENE, "Berkeley to 0", "", "'Berkeley to L1' of irene: Berkeley is the target (M3)"),
        (
            *(SHERLOCK, "Agatha to 8", "slot=2 orders=sherlock/A>H2"),
            "of sherlock: Agatha has this seat's command already (M9); allowed are 'Berkeley to L1', ",
        ),
        (
            *(WATSON, "Berkeley to 0", "slot=3 orders=watson/A>H2"),
            "of watson: the seat has no command left this turn (M2, M9); allowed are 'pass'",
        ),
        (
            *(SHERLOCK, "Agatha to 8", "submitter=watson"),
            "of sherlock: the seat is idle, it has submitted in this slot (M9); allowed are 'pass'",
        ),
        (
            *(SHERLOCK, "pass", LAST),
            "'pass' of sherlock: in the final deduction a detective names a pawn and the villain side passes (M30)",
        ),
        (MORIARTY, "name Agatha", LAST, "of moriarty: in the final deduction a detective names a pawn"),
    ],
)
def test_reasons(seat: int, action: str, more: str, told: str) -> None:
    assert told in why(seat, from_text(action), more)


@pytest.mark.parametrize("number", [-1, N_ACTIONS, 2**63 - 1])
def test_numbers_that_are_no_action(number: int) -> None:
    assert why(IRENE, number) == f"action {number} of irene: there is none; allowed are 0 to {N_ACTIONS - 1}"


def test_whoever_orders_the_target_as_irene_may_is_told_of_other_reasons() -> None:
    told = why(IRENE, from_text("Berkeley to 22"), "irene_commands_target=true")
    assert "B3 is out of reach: Berkeley goes at most 1" in told


def test_every_deed_has_what_it_lacks() -> None:
    assert len(_LACKS) == len(DEEDS) == N_DEEDS
    assert not any("nothing there" in text for text in _LACKS)
