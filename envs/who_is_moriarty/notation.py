"""A position as text, for tests, traces, replays and `reset`: writing it, and reading it with every error named.

    tiles=AW,bN,cN,dN,EN,fN,gN,h+,i+ detectives=0,0,0 round=5 pick=1 tokens=jw,card,joker,turn played=0,0,0,0
    turned=- moriarty=E hourglasses=5 moriarty_cards=- sherlock_cards=- chase=no checks=-

``RULES.md`` explains the fields. Only ``tiles`` and ``moriarty`` are needed.
"""

from __future__ import annotations

from typing import Any

from reichenbach.envs.core.errors import BadPosition
from reichenbach.envs.core.position import EMPTY, Notation, entries, number, one_letter, word
from reichenbach.envs.core.record import States, plain
from reichenbach.envs.who_is_moriarty.check import check_position
from reichenbach.envs.who_is_moriarty.options import OPTIONS
from reichenbach.envs.who_is_moriarty.state import NONE, OPEN, SEATS, STATE, SUSPECTS, WINNER, Ending
from reichenbach.envs.who_is_moriarty.tables import FACES, HOURGLASSES, TOKENS

WALLS = "NESW+"
# The field `moriarty_cards` is the list of his cards; the option of that name is told by its value.
NOTATION = Notation(
    STATE,
    OPTIONS,
    needed=("tiles", "moriarty"),
    defaults={
        "detectives": "11,3,7",
        "round": "1",
        "tokens": "jw,sherlock,joker,turn",
        "played": "0,0,0,0",
        "turned": EMPTY,
        "moriarty_cards": EMPTY,
        "sherlock_cards": EMPTY,
        "chase": "no",
        "checks": EMPTY,
        "choosing": EMPTY,
    },
    others=("pick", "hourglasses"),
)


def parse(text: str, **option_values: Any) -> States:
    """Reads a position; options stand in the text or are given by name.

    Returns:
        An array of one state. ``seed=`` sets its key, otherwise the key is that of seed 0.

    Raises:
        BadPosition: the text is no position; says which field, what was wrong and what is allowed.
        BadOption: an option of unknown name or out of range.
    """
    # Some letters beyond ASCII have capitals among A to I.
    if not isinstance(text, str) or not text.isascii():  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BadPosition(f"position, {text!r}: expected a text of ASCII letters, digits and signs")
    state, given = NOTATION.begin(text, option_values)
    _read_board(given, state)
    _read_round(given, state)
    _read_cards(given, state)
    _read_checks(given, state)
    check_position(state)
    return state


def _suspect(field: str, text: str) -> int:
    return one_letter(field, text, SUSPECTS, "suspect")


# ---------------------------------------------------------------- reading fields into the state


def _read_board(given: dict[str, str], state: States) -> None:
    for cell, tile in enumerate(entries("tiles", given["tiles"], 9)):
        where = f"tiles, cell {cell}"
        if len(tile) != 2 or tile[1] not in WALLS:
            raise BadPosition(f"position, {where}: {tile!r} is no tile; expected a letter A-I and one of N, E, S, W, +")
        suspect, wall, cleared = _suspect(where, tile[0].upper()), WALLS.index(tile[1]), tile[0].islower()
        crossroads = bool((int(state["crossroads"][0]) >> suspect) & 1)
        if suspect in state["suspect"][0][:cell]:
            raise BadPosition(f"position, {where}: suspect {SUSPECTS[suspect]} stands twice and another is missing")
        if wall == OPEN and not cleared:
            raise BadPosition(f"position, {where}: + on {tile[0]}, which is face up; only cleared crossroads are open")
        if wall == OPEN and not crossroads:
            raise BadPosition(f"position, {where}: + on {tile[0]}, which is no crossroads under these options")
        if wall != OPEN and cleared and crossroads:
            raise BadPosition(f"position, {where}: a wall on {tile[0]}, a cleared crossroads; expected +")
        state["suspect"][0][cell], state["wall"][0][cell] = suspect, wall
        state["cleared"] |= cleared << suspect
    for detective, place in enumerate(entries("detectives", given["detectives"], 3)):
        state["detective"][0][detective] = number("detectives", place, 0, 11)


def _read_round(given: dict[str, str], state: States) -> None:
    state["round_number"] = number("round", given["round"], 1, int(state["max_rounds"][0]))
    for token, face in enumerate(entries("tokens", given["tokens"], 4)):
        sides = tuple(FACES[play] for play in TOKENS[token])
        state["face"][0][token] = word(f"tokens, token {token + 1}", face, sides)
    for token, used in enumerate(entries("played", given["played"], 4)):
        state["used"][0][token] = word(f"played, token {token + 1}", used, ("0", "1"))
    pick = 1 + int(state["used"][0].sum())
    state["pick"] = number("pick", given.get("pick", str(pick)), 1, 4)
    if state["pick"][0] != pick:
        raise BadPosition(f"position, pick: {given['pick']} with {pick - 1} tokens played; expected {pick}")
    for entry in entries("turned", given["turned"]):
        suspect = _suspect("turned", entry)
        if (state["turned"][0] >> suspect) & 1:
            raise BadPosition(f"position, turned: {entry} stands twice")
        state["turned"] |= 1 << suspect


def _read_cards(given: dict[str, str], state: States) -> None:
    state["moriarty"] = _suspect("moriarty", given["moriarty"])
    state["sherlock_card"] = state["moriarty_card"] = state["choosing"] = NONE
    mine, his = (entries(field, given[field]) for field in ("sherlock_cards", "moriarty_cards"))
    for i, letter in enumerate(mine[:8]):
        card = _suspect("sherlock_cards", letter.upper())
        optional = bool(state["card_clears"][0])
        # Kept from Moriarty: what was not cleared, and, in small letters, what was cleared otherwise (optional only).
        state["sherlock_shown"][0][i] = not optional or (letter.isupper() and bool((state["cleared"][0] >> card) & 1))
        state["sherlock_card"][0][i] = card
        if letter.islower() and not optional:
            raise BadPosition(f"position, sherlock_cards: {letter!r} is a secret card; needs card_clears=optional")
    for i, letter in enumerate(his[:8]):
        state["moriarty_card"][0][i] = _suspect("moriarty_cards", letter)
    state["sherlock_cards"], state["moriarty_cards"] = len(mine), len(his)
    if given["choosing"] != EMPTY:
        state["choosing"] = _suspect("choosing", given["choosing"])
    held = sum(HOURGLASSES[int(card)] for card in state["moriarty_card"][0] if card != NONE)
    total = number("hourglasses", given.get("hourglasses", str(held)), 0, 13)
    if total < held:
        raise BadPosition(f"position, hourglasses: {total}, fewer than the {held} on Moriarty's cards")
    state["won_unseen"] = total - held  # what no card explains


def _read_checks(given: dict[str, str], state: States) -> None:
    state["chase"] = word("chase", given["chase"], ("no", "yes"))
    state["last_check"] = state["chase_check"] = NONE
    last, _, chase = given["checks"].partition("/")
    for name, check in (("last_check", last), ("chase_check", chase or EMPTY)):
        if check != EMPTY:
            hourglasses, _, cards = check.partition(":")
            state[name][0] = [number("checks", hourglasses, 0, 21), number("checks", cards, 0, 8)]


# ---------------------------------------------------------------- writing


def format(state: States) -> str:
    """The text of an array of one; `parse` reads it back. The key, from which future chance comes, is left out.

    A finished game ends with ``winner=`` and ``ending=`` and cannot be read back as a position.
    """
    one = plain(state)
    cards: list[int] = [card for card in one.moriarty_card if card != NONE]
    faces: list[int] = one.face
    parts = {
        "tiles": ",".join(_tile(one, cell) for cell in range(9)),
        "detectives": ",".join(str(place) for place in one.detective),
        "round": str(one.round_number),
        "pick": str(one.pick),
        "tokens": ",".join(FACES[sides[up]] for sides, up in zip(TOKENS, faces, strict=True)),
        "played": ",".join(str(used) for used in one.used),
        "turned": ",".join(SUSPECTS[i] for i in range(9) if (one.turned >> i) & 1) or EMPTY,
        "moriarty": SUSPECTS[one.moriarty],
        "hourglasses": str(one.won_unseen + sum(HOURGLASSES[card] for card in cards)),
        "moriarty_cards": ",".join(SUSPECTS[card] for card in cards) or EMPTY,
        "sherlock_cards": ",".join(_sherlock_card(one, i) for i in range(one.sherlock_cards)) or EMPTY,
        "chase": "yes" if one.chase else "no",
        "checks": _checks(one),
    }
    if one.choosing != NONE:
        parts["choosing"] = SUSPECTS[one.choosing]
    ending = int(one.ending)
    over = {"winner": SEATS[WINNER[ending]], "ending": Ending(ending).name.lower()} if ending else {}
    return NOTATION.write(state, parts, over)


def _tile(one: Any, cell: int) -> str:
    suspect = one.suspect[cell]
    letter = SUSPECTS[suspect]
    return (letter.lower() if (one.cleared >> suspect) & 1 else letter) + WALLS[one.wall[cell]]


def _sherlock_card(one: Any, i: int) -> str:
    card = one.sherlock_card[i]
    kept_though_cleared = (one.cleared >> card) & 1 and not one.sherlock_shown[i]
    return SUSPECTS[card].lower() if kept_though_cleared else SUSPECTS[card]


def _checks(one: Any) -> str:
    last = EMPTY if one.last_check[0] == NONE else f"{one.last_check[0]}:{one.last_check[1]}"
    return last if one.chase_check[0] == NONE else f"{last}/{one.chase_check[0]}:{one.chase_check[1]}"
