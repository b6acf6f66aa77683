"""What must agree between the fields of a position that was read from text."""

from __future__ import annotations

from typing import Any

from reichenbach.envs.core.errors import BadPosition
from reichenbach.envs.core.record import States
from reichenbach.envs.who_is_moriarty.play import mover
from reichenbach.envs.who_is_moriarty.state import NONE, SHERLOCK, SUSPECTS
from reichenbach.envs.who_is_moriarty.tables import FACES, HOURGLASSES, PLAY_CARD, TABLES, TOKENS


def check_position(state: States) -> None:
    """Refuses a position whose fields contradict each other; whether play could have led there is not asked.

    Raises:
        BadPosition: names the field, what is wrong and what is allowed.
    """
    one = state[0]
    if (one.cleared >> one.moriarty) & 1:
        raise BadPosition(f"position, moriarty: the tile of {SUSPECTS[one.moriarty]} is cleared; it must be face up")
    _check_cards(one)
    if one.choosing != NONE:
        _check_choosing(state)
    _check_checks(one)


def _check_cards(one: Any) -> None:
    """W17: a card lies in one place, the identity card in none, and at most four are ever drawn."""
    if one.sherlock_cards + one.moriarty_cards + (one.choosing != NONE) > 4:
        raise BadPosition("position, cards: more than 4 cards are drawn; at most 4 are allowed in all")
    places = {one.moriarty: "moriarty"}
    held = [("sherlock_cards", card) for card in one.sherlock_card]
    held += [("moriarty_cards", card) for card in one.moriarty_card]
    for field, card in [*held, ("choosing", one.choosing)]:
        if card == NONE:
            continue
        if card == one.moriarty:
            raise BadPosition(f"position, {field}: {SUSPECTS[card]} is the identity, whose card is never in the deck")
        if card in places:
            raise BadPosition(f"position, {field}: {SUSPECTS[card]} is in {places[card]} too; a card lies in one place")
        places[card] = field


def _check_choosing(state: States) -> None:
    one: Any = state[0]
    if not one.card_clears:
        raise BadPosition("position, choosing: needs card_clears=optional")
    up: list[str] = [FACES[TOKENS[token][one.face[token]]] for token in range(4) if not one.used[token]]
    if mover(one, TABLES[0]) != SHERLOCK or FACES[PLAY_CARD] not in up:
        raise BadPosition("position, choosing: Sherlock must be to move and the card token up and not played")


def _check_checks(one: Any) -> None:
    """What is said of past goal checks must fit Moriarty's true cards."""
    for name, check in (("before the slash", one.last_check), ("after the slash", one.chase_check)):
        hourglasses, cards = int(check[0]), int(check[1])
        if hourglasses == NONE:
            continue
        if hourglasses > one.won_unseen or cards > one.moriarty_cards:
            raise BadPosition(
                f"position, checks, {name}: {hourglasses}:{cards} is more than now; "
                f"at most {one.won_unseen}:{one.moriarty_cards} is allowed"
            )
        drawn: list[int] = one.moriarty_card[:cards].tolist()
        total = hourglasses + sum(HOURGLASSES[card] for card in drawn)
        below = total < one.hourglasses_to_win
        if below == (name == "after the slash"):
            raise BadPosition(
                f"position, checks, {name}: Moriarty's total was {total} then; expected "
                f"{'below' if not below else 'at least'} the goal of {one.hourglasses_to_win}"
            )
    if one.chase_check[0] != NONE and not one.chase:
        raise BadPosition("position, checks: a check began the chase, but chase=no")
