"""Rule mistakes to be planted in the kernel of The Manor (`make mutants`), and the tests that must find them."""

from __future__ import annotations

from tests.mutants.plant import Mistake

KERNEL = "envs/manor"
_BY_HAND = ("known_answers", "conflicts", "deeds", "ailments", "murders", "endings", "belief")
TESTS = tuple(f"tests/manor/test_{name}.py" for name in (*_BY_HAND, "reference", "all_commands"))
MISTAKES = (
    # whose order is obeyed, and who is told
    Mistake(
        "M13",
        "Moriarty's order is one among the others",
        "orders.py",
        "    if state.order[moriarty, pawn] != NONE:\n        return",
        "    if state.order[moriarty, pawn] < NONE:\n        return",
    ),
    Mistake(
        "M13", "whoever gave the order that is obeyed is told too", "orders.py", " and order != state.obeyed[pawn]", ""
    ),
    Mistake(
        "M13",
        "an ally's order exposes a pawn",
        "orders.py",
        "        if overridden and moriarty:",
        "        if overridden:",
    ),
    Mistake(
        "M13", "Watson has his part beside Sherlock", "orders.py", "        seats &= ~by_watson", "        seats &= -1"
    ),
    Mistake(
        "M15",
        "the target may get an order that Moriarty left unused",
        "orders.py",
        "    pawns = ALL_PAWNS & ~(1 << int(state.target))",
        "    pawns = ALL_PAWNS",
    ),
    Mistake(
        "M14",
        "a random order does not mind fatigue",
        "orders.py",
        "reach(state, tables, pawn, limit(state, pawn, False))",
        "reach(state, tables, pawn, limit(state, pawn, True))",
    ),
    # the order of action, and how far pawns go
    Mistake(
        "M16",
        "pawns act in the order of the alphabet alone",
        "acting.py",
        "            if state.hunger[pawn] + state.injured[pawn] == ailments:",
        "            if ailments == 0:",
    ),
    Mistake(
        "M16",
        "an assailing villain acts in its place",
        "acting.py",
        "                if state.obeyed[pawn] == _ASSAIL_ORDER:",
        "                if state.obeyed[pawn] < NONE:",
    ),
    Mistake(
        "M10",
        "Moriarty must mind fatigue, and others need not",
        "sight.py",
        "    if state.fatigued[pawn] and not forcing:",
        "    if state.fatigued[pawn] and forcing:",
    ),
    Mistake(
        "M11",
        "a critical pawn goes as far as its ailments let it",
        "sight.py",
        "    return 1 if is_critical(state, pawn) else most",
        "    return most",
    ),
    Mistake(
        "M10",
        "every move of three areas counts as forced",
        "acting.py",
        "int(steps == 3 and state.fatigued[pawn] != 0 and",
        "int(steps == 3 and",
    ),
    # deeds
    Mistake(
        "M12",
        "a deed that was lost shows as done",
        "acting.py",
        " if _carry_out(state, tables, pawn, deed, seers) else 0",
        " + 0 * _carry_out(state, tables, pawn, deed, seers)",
    ),
    Mistake(
        "M17",
        "a pawn carries three items",
        "acting.py",
        "(content <= SPRAY and carried >= 2)",
        "(content <= SPRAY and carried >= 3)",
    ),
    Mistake(
        "M17",
        "what is left is not known",
        "acting.py",
        "            state.known[seat] |= ((seers >> seat) & 1) << spot",
        "            state.known[seat] |= 0",
    ),
    Mistake("M18", "nobody sees who is helped", "acting.py", "state.helped[pawn] = taker", "state.helped[pawn] = NONE"),
    Mistake("M18", "a pawn feeds itself", "acting.py", "int(needs and other != pawn and", "int(needs and"),
    Mistake(
        "M18",
        "food takes one hunger away",
        "acting.py",
        "        state.hunger[taker] = 0",
        "        state.hunger[taker] -= 1",
    ),
    Mistake("M18", "a spray injures its user", "turn.py", "int(user != pawn and state.sprayed", "int(state.sprayed"),
    Mistake(
        "M19",
        "a passage is open at once",
        "acting.py",
        "        state.passage_is = FOUND",
        "        state.passage_is = FOUND + 1",
    ),
    Mistake(
        "M19",
        "a fuse box darkens its wing at once",
        "acting.py",
        "    state.dark_next |= 1 <<",
        "    state.dark |= 1 <<",
    ),
    Mistake(
        "M20",
        "all see what one's pawn finds in private",
        "acting.py",
        "int(own or state.inventory != INVENTORY_PRIVATE)",
        "int(own or state.inventory >= 0)",
    ),
    # gas, dog, night
    Mistake("M21", "a gas leak lasts for one turn", "turn.py", "_LEAK_TURNS = 2, 3, 2", "_LEAK_TURNS = 2, 3, 1"),
    Mistake("M22", "the dog goes three areas", "turn.py", "_LEAK_TURNS = 2, 3, 2", "_LEAK_TURNS = 3, 3, 2"),
    Mistake("M22", "the dog comes again", "turn.py", "and not state.dog_came and", "and"),
    Mistake(
        "M23",
        "a critical pawn is injured",
        "turn.py",
        "    if not state.injured[pawn] and not is_critical(state, pawn):",
        "    if not state.injured[pawn]:",
    ),
    Mistake(
        "M23",
        "a critical pawn gets hungry",
        "turn.py",
        "(state.hunger[pawn] == 0 or state.stack_hunger) and not is_critical(state, pawn)",
        "state.hunger[pawn] == 0 or state.stack_hunger",
    ),
    # murder and assail
    Mistake("M19", "a dark wing hides nothing", "sight.py", "(not dark and", "("),
    Mistake(
        "M24",
        "a critical pawn is a witness",
        "sight.py",
        "    if is_critical(state, pawn):\n        return False\n",
        "",
    ),
    Mistake(
        "M24",
        "a murder is possible at the end of the turn alone",
        "acting.py",
        "        if is_murder(state, tables):",
        "        if place == N_PAWNS - 1 and is_murder(state, tables):",
    ),
    Mistake(
        "M24",
        "there is no murder after the meal",
        "turn.py",
        "            _eat(state)\n            if is_murder(state, tables):",
        "            _eat(state)\n            if state.turn < 0:",
    ),
    Mistake(
        "M25",
        "an assail must mind fatigue",
        "play.py",
        "    return (reach(state, tables, villain, limit(state, villain, True))",
        "    return (reach(state, tables, villain, limit(state, villain, False))",
    ),
    Mistake(
        "M25",
        "a failed assail reveals nothing",
        "turn.py",
        "        _reveal(state)\n",
        "        state.failed_assail = True\n",
    ),
    # charts and endings
    Mistake("M26", "near is two areas", "turn.py", "_NEAR = 3  # areas", "_NEAR = 2  # areas"),
    Mistake(
        "M27",
        "a forced move leaves the chart as it is",
        "turn.py",
        "        forced = state.forced[pawn] != 0",
        "        forced = state.forced[pawn] < 0",
    ),
    Mistake(
        "M27", "who hides exposures hides them in vain", "turn.py", " and state.exposure != EXPOSURE_OVERRIDDEN", ""
    ),
    Mistake(
        "M28",
        "one pair must be left, not one villain",
        "turn.py",
        "count(villains(int(state.side_chart))) == 1",
        "count(int(state.side_chart)) == 1",
    ),
    Mistake(
        "M28",
        "there is no final turn",
        "turn.py",
        "    if over:\n        state.ending = ending",
        "    if over or ending > 0:\n        state.ending = ending",
    ),
    Mistake(
        "M8",
        "there is an eleventh turn",
        "turn.py",
        "    last = state.turn == 3 * state.days + 1",
        "    last = state.turn == 3 * state.days + 2",
    ),
    Mistake(
        "M30",
        "of tied pawns the first is named",
        "turn.py",
        "        tied |= int(votes == most) << pawn",
        "        tied |= int(votes == most and tied == 0) << pawn",
    ),
    Mistake(
        "M31",
        "a wrong name is a win for the villains",
        "turn.py",
        "_NAMED if named == state.villain else _WRONG_NAME",
        "_NAMED if named == state.villain else _MURDER",
    ),
    # the deal, masks, belief
    Mistake(
        "M3",
        "a detective knows one food spot",
        "play.py",
        "            for _ in range(2):",
        "            for _ in range(1):",
    ),
    Mistake(
        "M9",
        "a seat may command a pawn twice",
        "play.py",
        "        free = state.order[seat, pawn] == NONE and not",
        "        free = not",
    ),
    Mistake(
        "M17",
        "a search is offered that would leave the find",
        "play.py",
        "spots & ~(items * int(full))",
        "spots & ~(items * 0)",
    ),
    Mistake(
        "M30",
        "the villain side votes",
        "play.py",
        "    votes = state.voting and (tables.detectives >> seat) & 1",
        "    votes = state.voting",
    ),
    Mistake(
        "§14",
        "a murder that did not happen rules nothing out",
        "sight.py",
        "        state.belief[seat] &= ~pairs",
        "        state.belief[seat] &= -1",
    ),
    Mistake(
        "§14",
        "a detective forgets that chance acts plainly",
        "belief.py",
        "~causes[0] & ~(agreed & ~by_another)",
        "~(agreed & ~by_another)",
    ),
    Mistake(
        "§14",
        "an exposure counts that no chart shows",
        "belief.py",
        "struck = charted & WITH_TARGET[pawn] != 0 and state.forced[pawn] == 0",
        "struck = True",
    ),
)
