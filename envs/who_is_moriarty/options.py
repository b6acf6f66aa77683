"""The options of the rules (§9) and their numbers in the state."""

from __future__ import annotations

from reichenbach.envs.core.options import Choice, Flag, Number, Option, Subset
from reichenbach.envs.who_is_moriarty.state import SUSPECTS

# Numbers that the rules compare with: places in the lists below.
START_RANDOM = 1
GOALS_IMMEDIATE = 1
BOTH_SHERLOCK, BOTH_MORIARTY = 1, 2
CARD_OPTIONAL = 1
ZP = 1

OPTIONS: tuple[Option, ...] = (
    Subset("crossroads", SUSPECTS, ("H", "I")),  # W3
    Flag("turn_crossroads"),  # W13; a turn of an open crossroads has no effect
    Flag("turn_tile_twice"),  # W13
    Choice("start", ("standard", "random")),  # W8
    Choice("goal_check", ("end_of_round", "immediate")),  # §7
    Choice("both_goals", ("chase", "sherlock", "moriarty")),  # W22
    Choice("card_clears", ("always", "optional")),  # W15
    Choice("moriarty_cards", ("secret", "open"), state_field="moriarty_open"),  # W16
    Choice("rewards", ("zero_sum", "zp")),  # W24
    Number("max_rounds", 8, 1, 8),  # W9
    Number("hourglasses_to_win", 6, 1, 12),  # W20
)
