"""The sections of an observation of The Manor, each with its length, meaning and who may know it."""

from __future__ import annotations

from reichenbach.envs.core.layout import Layout, Section
from reichenbach.envs.manor.actions import MAX_AREAS
from reichenbach.envs.manor.state import N_PAIRS, N_PAWNS

_ALL = ("sherlock", "watson", "moriarty", "irene")
_DETECTIVES = ("sherlock", "watson")
_VILLAINS = ("moriarty", "irene")

PAWN_FACTS = 10
SPOT_FACTS = 8
ACT_FACTS = 6 + MAX_AREAS + 9 + N_PAWNS + 1 + 7 + 1
ORDER_FACTS = MAX_AREAS + 9
AFTER_FEATURES = 10

BASE = (
    Section("role", 4, _ALL, "who observes: sherlock, watson, moriarty, irene"),
    Section("place", 4, _ALL, "the observer's seat, in the order of the table"),
    Section("table", 4, _ALL, "2p, 3p, 4p, 4p_roles"),
    Section("turn", 10, _ALL, "turn 1-10"),
    Section("phase", 5, _ALL, "slot 1-3; final turn; final deduction"),
    Section("commands_left", 1, _ALL, "the observer's commands that are left this turn, / 3"),
    Section("areas", N_PAWNS * MAX_AREAS, _ALL, "pawn by pawn: the area where it stands"),
    Section(
        "pawns",
        N_PAWNS * PAWN_FACTS,
        _ALL,
        "pawn by pawn: hungry, twice hungry, injured, critical, fatigued, armed, how far it may be ordered / 3, "
        "food / 2, medicine / 2, spray / 2 (items that the observer knows of)",
    ),
    Section(
        "spots",
        MAX_AREAS * SPOT_FACTS,
        _ALL,
        "area by area: a spot not emptied; what the observer knows it to hold: food, medicine, spray, weapon, "
        "fuse box, passage, nothing",
    ),
    Section("fuse_boxes", MAX_AREAS, _ALL, "by area: a fuse box that was found and not operated"),
    Section("passages", MAX_AREAS, _ALL, "by area: an end of the passage, once it is found"),
    Section("dark", MAX_AREAS, _ALL, "by area: its wing is dark this turn"),
    Section("gas", MAX_AREAS, _ALL, "by area: turns at whose end gas injures there, / 2"),
    Section("dog", MAX_AREAS + 3, _ALL, "the area of the wild dog; turns that it stays, 1-3"),
    Section(
        "acts",
        N_PAWNS * ACT_FACTS,
        _ALL,
        "the last action phase, pawn by pawn: its place in the order 1-6; the area it came from; what it did (nothing "
        "to fuse, assail); whom it fed or healed; moved 3 although fatigued; what it found as far as the observer saw; "
        "left it there",
    ),
    Section("answers", 6, _ALL, "night by night: within 3 areas, not within"),
    Section("chart", N_PAIRS, _ALL, "the pairs on the chart, villain by villain (with `exposure=side` the side's)"),
    Section("orders", N_PAWNS * ORDER_FACTS, _ALL, "the observer's commands of this turn, pawn by pawn: area, deed"),
    Section("last_orders", N_PAWNS * ORDER_FACTS, _ALL, "the observer's commands of the last turn, likewise"),
    Section("notices", N_PAWNS * 2, _DETECTIVES, "pawn by pawn: overridden by Moriarty, by another"),
    Section("ally_orders", N_PAWNS * ORDER_FACTS, _VILLAINS, "the other's commands of the last turn (4p_roles)"),
    Section("secret", 2 * N_PAWNS + 2 * MAX_AREAS, _VILLAINS, "villain, target, the area of each"),
)
OPTIONAL = (
    Section(
        "belief",
        N_PAIRS + 2 * N_PAWNS,
        _ALL,
        "the pairs that the observer cannot rule out; who may be villain, who target",
        "observe_belief",
    ),
    Section(
        "after",
        N_PAWNS * MAX_AREAS * AFTER_FEATURES,
        _ALL,
        "pawn by pawn and area by area, zeros where no command goes: see after.py",
        "observe_after",
    ),
)
BELIEF, AFTER = 1, 2  # their bits in `sections`
BASE_LAYOUT = Layout(BASE)


def layout(sections: int) -> Layout:
    """The base sections and the optional ones whose bits are set: 1 belief, 2 after."""
    return Layout(BASE + tuple(section for bit, section in enumerate(OPTIONAL) if (sections >> bit) & 1))
