"""The sections of an observation of Who Is Moriarty, each with its length, meaning and who may know it."""

from __future__ import annotations

from reichenbach.envs.core.layout import Layout, Section
from reichenbach.envs.who_is_moriarty.actions import N_ACTIONS

_ALL = ("sherlock", "moriarty")
_SHERLOCK = ("sherlock",)
_MORIARTY = ("moriarty",)

TOTALS = 14  # hourglasses as one-hot: 0 to 12, and 13 or more (8 unseen + 5 on four cards)
AFTER_FEATURES = 3

BASE = (
    Section("seat", 2, _ALL, "who observes: sherlock, moriarty"),
    Section("mover", 2, _ALL, "who moves; zeros when the game is over"),
    Section("round", 8, _ALL, "round 1-8"),
    Section("pick", 4, _ALL, "pick 1-4 of the round"),
    Section("suspects", 81, _ALL, "cell by cell: which suspect's tile lies there, A-I"),
    Section("face_up", 9, _ALL, "by cell: the tile is face up"),
    Section("walls", 36, _ALL, "cell by cell: the wall, N E S W; zeros on a cleared crossroads"),
    Section("turned", 9, _ALL, "by cell: the tile was turned this round"),
    Section("detectives", 36, _ALL, "sherlock, jw, robbie: place 0-11"),
    Section("tokens", 12, _ALL, "token by token: first side up, second side up; then: used, for the four"),
    Section("hourglasses", TOTALS, _ALL, "Moriarty's hourglasses from staying unseen, 0-13"),
    Section("shown_cards", 9, _ALL, "by suspect: Sherlock's cards that both know"),
    Section("card_counts", 2, _ALL, "cards drawn by Sherlock and by Moriarty, each / 4"),
    Section("chase", 1, _ALL, "the chase is on"),
    Section(
        "checks",
        6,
        _ALL,
        "last goal check below the goal: 1, hourglasses / 13, Moriarty's cards / 4; then the one that began the chase",
    ),
    Section("kept_cards", 9, _SHERLOCK, "by suspect: cards that Sherlock drew and did not show"),
    Section("choosing", 9, _SHERLOCK, "the card that Sherlock may clear or keep"),
    Section("identity", 9, _MORIARTY, "which suspect Moriarty is"),
    Section("identity_cell", 9, _MORIARTY, "the cell where his tile lies"),
    Section(
        "moriarty_cards",
        9,
        _MORIARTY,
        "by suspect: Moriarty's cards (known to all with `moriarty_cards=open`)",
    ),
    Section("total_hourglasses", TOTALS, _MORIARTY, "Moriarty's hourglasses in all, 0-13 (known likewise)"),
)
OPTIONAL = (
    Section(
        "belief",
        9 + TOTALS,
        _ALL,
        "the seat's exact belief: identity A-I, hourglasses in all 0-13",
        "observe_belief",
    ),
    Section(
        "after",
        N_ACTIONS * AFTER_FEATURES,
        _ALL,
        "action by action, zeros where illegal: suspects in sight / 9 and out of sight / 9 after it, "
        "and for Moriarty whether he would be in sight",
        "observe_after",
    ),
)
BELIEF, AFTER = 1, 2  # their bits in `sections`
BASE_LAYOUT = Layout(BASE)


def layout(sections: int) -> Layout:
    """The base sections and the optional ones whose bits are set: 1 belief, 2 after."""
    return Layout(BASE + tuple(section for bit, section in enumerate(OPTIONAL) if (sections >> bit) & 1))
