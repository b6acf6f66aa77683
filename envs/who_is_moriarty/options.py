"""The options of the rules (§9) and their numbers in the state."""

from __future__ import annotations

from reichenbach.envs.core.options import Option, choice, flag, number, subset
from reichenbach.envs.who_is_moriarty.state import SUSPECTS

# Numbers that the rules compare with: places in the lists below.
START_RANDOM = 1
GOALS_IMMEDIATE = 1
BOTH_SHERLOCK, BOTH_MORIARTY = 1, 2
CARD_OPTIONAL = 1
ZP = 1

OPTIONS: tuple[Option, ...] = (
    subset("crossroads", SUSPECTS, ("H", "I")),  # W3
    flag("turn_crossroads"),  # W13; a turn of an open crossroads has no effect
    flag("turn_tile_twice"),  # W13
    choice("start", ("standard", "random")),  # W8
    choice("goal_check", ("end_of_round", "immediate")),  # §7
    choice("both_goals", ("chase", "sherlock", "moriarty")),  # W22
    choice("card_clears", ("always", "optional")),  # W15
    choice("moriarty_cards", ("secret", "open"), field="moriarty_open"),  # W16
    choice("rewards", ("zero_sum", "zp")),  # W24
    number("max_rounds", 8, 1, 8),  # W9
    number("hourglasses_to_win", 6, 1, 12),  # W20
)
