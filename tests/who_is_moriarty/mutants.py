"""Rule mistakes to be planted in the kernel of Who Is Moriarty (`make mutants`), and the tests that must find them."""

from __future__ import annotations

from tests.mutants.plant import Mistake

KERNEL = "envs/who_is_moriarty"
TESTS = tuple(
    f"tests/who_is_moriarty/test_{name}.py" for name in ("known_answers", "mistakes", "belief", "notation", "reference")
)
MISTAKES = (
    # the mistakes of other implementations (specification §11)
    Mistake(
        "W21",
        "one suspect left after the last round is Moriarty's",
        "goals.py",
        "    elif one_suspect:",
        "    elif one_suspect and state.round_number < state.max_rounds:",
    ),
    Mistake("W22", "no chase", "goals.py", "state.chase = True", "state.ending = _BOTH_UNSEEN"),
    Mistake(
        "W19",
        "visibility is looked up again while clearing",
        "goals.py",
        "    clear(state, face_up(state) & ~in_sight if visible else in_sight)\n",
        "    for suspect in range(9):\n"
        "        if ((seen_by_any(state, tables) >> suspect) & 1 == 1) != visible:\n"
        "            clear(state, face_up(state) & 1 << suspect)\n",
    ),
    Mistake("W3", "crossroads keep their wall", "sight.py", "suspects & state.crossroads", "suspects & 0"),
    Mistake(
        "W16",
        "Moriarty's card is public",
        "observe.py",
        "knows_cards = int(seat != SHERLOCK or state.moriarty_open)",
        "knows_cards = 1",
    ),
    Mistake(
        "W20",
        "the goal is met by exactly six hourglasses",
        "goals.py",
        "hourglasses = total_hourglasses(state, tables) >= state",
        "hourglasses = total_hourglasses(state, tables) == state",
    ),
    Mistake(
        "W13",
        "a tile may be turned twice",
        "play.py",
        "state.turned |= 1 << state.suspect[cell]",
        "state.turned |= 0",
    ),
    Mistake(
        "W12",
        "Sherlock may pass on the joker",
        "play.py",
        "mask[_JOKER_NOBODY] = joker & seat",
        "mask[_JOKER_NOBODY] = joker",
    ),
    Mistake("W17", "the identity card is in the deck", "play.py", "drawn = 1 << state.moriarty", "drawn = 0"),
    Mistake(
        "§8",
        "Sherlock's belief peeks at the identity",
        "belief.py",
        "    if seat != SHERLOCK:",
        "    if state.round_number > 0:",
    ),
    # and others
    Mistake("W5", "two lines from the left are exchanged", "tables.py", "(3, 4, 5), (0, 1, 2)", "(0, 1, 2), (3, 4, 5)"),
    Mistake(
        "W6",
        "a wall on the far side hides the tile",
        "tables.py",
        "wall == near_side:",
        "wall in (near_side, far_side):",
    ),
    Mistake(
        "W8", "a detective sees into the board at the start", "play.py", "= WEST, EAST, SOUTH", "= WEST, EAST, NORTH"
    ),
    Mistake(
        "W9",
        "the starter plays the first two tokens",
        "play.py",
        "state.pick == 1 or state.pick == 4",
        "state.pick <= 2",
    ),
    Mistake("W10", "tokens are tossed in even rounds", "play.py", "= 1 - state.face[token]", "= draw(state, 2)"),
    Mistake(
        "W11", "detectives walk anticlockwise", "play.py", "[detective] + steps) % 12", "[detective] - steps) % 12"
    ),
    Mistake("W13", "tiles turn anticlockwise", "play.py", "[cell] + quarters) % 4", "[cell] - quarters) % 4"),
    Mistake(
        "W13",
        "a cleared crossroads may be turned",
        "play.py",
        "turnable &= ~(state.cleared & state.crossroads)",
        "turnable &= ALL_SUSPECTS",
    ),
    Mistake(
        "W13",
        "the cell, not the tile, may not be turned twice",
        "play.py",
        "state.turned |= 1 << state.suspect[cell]",
        "state.turned |= 1 << cell",
    ),
    Mistake(
        "W14",
        "a swap leaves the directions where they were",
        "play.py",
        "state.suspect[second], state.wall[second] = suspect, wall",
        "state.suspect[second], state.wall[first] = suspect, wall",
    ),
    Mistake(
        "W15",
        "keeping a card clears its tile",
        "play.py",
        "if clears:",
        "if card != NONE:",
    ),
    Mistake("W17", "Moriarty's cards come again", "play.py", "drawn |= 1 << state.moriarty_card[i]", "drawn |= 0"),
    Mistake("W19", "an hourglass for being seen", "goals.py", "    if not visible:", "    if visible:"),
    Mistake(
        "W22",
        "the chase does not end with the last round",
        "goals.py",
        "    elif last_round:\n        state.ending = _CHASE_UNSEEN",
        "    elif last_round and visible:\n        state.ending = _CHASE_UNSEEN",
    ),
    Mistake("W22", "both goals: who is seen wins", "goals.py", "        if visible:", "        if not visible:"),
    Mistake("W24", "the winner scores 1 ZP", "goals.py", "return 2.0 if winner", "return 1.0 if winner"),
    Mistake(
        "§8",
        "a goal check allows a total at the goal",
        "belief.py",
        "state.last_check[0] + held >= state",
        "state.last_check[0] + held > state",
    ),
    Mistake(
        "§9",
        "goals are checked at once in the chase too",
        "play.py",
        "state.goal_check == GOALS_IMMEDIATE and not state.chase",
        "state.goal_check == GOALS_IMMEDIATE",
    ),
)
