"""What a seat sees, written section by section (layout.py) over a float32 array; rules §8 says who knows what.

Values are computed and stored rather than stored under an if: random play makes the processor guess branches wrong.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core.fill import fill
from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel
from reichenbach.envs.who_is_moriarty.after import write_after
from reichenbach.envs.who_is_moriarty.belief import write_belief
from reichenbach.envs.who_is_moriarty.goals import total_hourglasses
from reichenbach.envs.who_is_moriarty.layout import AFTER, BASE_LAYOUT, BELIEF, TOTALS
from reichenbach.envs.who_is_moriarty.play import mover
from reichenbach.envs.who_is_moriarty.sight import cell_of
from reichenbach.envs.who_is_moriarty.state import EVERYONE, MORIARTY, NONE, SHERLOCK, State
from reichenbach.envs.who_is_moriarty.tables import BoardTables

_SIZE = BASE_LAYOUT.size
_SEAT, _MOVER, _ROUND, _PICK = (BASE_LAYOUT.start(name) for name in ("seat", "mover", "round", "pick"))
_SUSPECTS, _FACE_UP = BASE_LAYOUT.start("suspects"), BASE_LAYOUT.start("face_up")
_WALLS, _TURNED = BASE_LAYOUT.start("walls"), BASE_LAYOUT.start("turned")
_DETECTIVES, _TOKENS = BASE_LAYOUT.start("detectives"), BASE_LAYOUT.start("tokens")
_HOURGLASSES, _CHECKS = BASE_LAYOUT.start("hourglasses"), BASE_LAYOUT.start("checks")
_SHOWN_CARDS, _CARD_COUNTS = BASE_LAYOUT.start("shown_cards"), BASE_LAYOUT.start("card_counts")
_CHASE, _KEPT_CARDS = BASE_LAYOUT.start("chase"), BASE_LAYOUT.start("kept_cards")
_CHOOSING, _IDENTITY = BASE_LAYOUT.start("choosing"), BASE_LAYOUT.start("identity")
_IDENTITY_CELL, _MORIARTY_CARDS = (BASE_LAYOUT.start(name) for name in ("identity_cell", "moriarty_cards"))
_TOTAL = BASE_LAYOUT.start("total_hourglasses")


@kernel
def observe(state: State, tables: BoardTables, seat: int, sections: int, out: NDArray[np.float32]) -> None:
    """Writes the seat's whole observation; seat EVERYONE sees all."""
    fill(out, 0)
    _write_turn(state, tables, seat, out)
    _write_board(state, out)
    _write_cards(state, seat, out)
    _write_score(state, out)
    knows_moriarty = int(seat != SHERLOCK)
    out[_IDENTITY + index(state.moriarty)] = knows_moriarty
    out[_IDENTITY_CELL + index(cell_of(state, state.moriarty))] = knows_moriarty
    knows_cards = int(seat != SHERLOCK or state.moriarty_open)
    for i in range(state.moriarty_cards):
        out[_MORIARTY_CARDS + index(state.moriarty_card[i])] = knows_cards
    out[_TOTAL + index(min(total_hourglasses(state, tables), TOTALS - 1))] = knows_cards
    start = _SIZE
    if sections & BELIEF:
        write_belief(state, tables, seat, out[start : start + 9 + TOTALS])
        start += 9 + TOTALS
    if sections & AFTER:
        write_after(state, tables, seat, out[start:])


@kernel
def _write_turn(state: State, tables: BoardTables, seat: int, out: NDArray[np.float32]) -> None:
    if seat == EVERYONE:
        out[_SEAT] = 1
        out[_SEAT + 1] = 1
    else:
        out[_SEAT + seat] = 1
    moving = mover(state, tables)
    if moving != NONE:
        out[_MOVER + moving] = 1
    out[_ROUND - 1 + index(state.round_number)] = 1  # a game not yet dealt is in round 0, pick 0
    if state.pick <= 4:  # 5 when the game ended with the fourth token
        out[_PICK - 1 + index(state.pick)] = 1
    for token in range(4):
        out[_TOKENS + 2 * token + index(state.face[token])] = 1
        out[_TOKENS + 8 + token] = state.used[token]


@kernel
def _write_board(state: State, out: NDArray[np.float32]) -> None:
    cleared, turned = state.cleared, state.turned
    for cell in range(9):
        suspect, wall = index(state.suspect[cell]), state.wall[cell]
        out[_SUSPECTS + 9 * cell + suspect] = 1
        out[_FACE_UP + cell] = 1 - ((cleared >> suspect) & 1)
        out[_WALLS + 4 * cell + (wall & 3)] = 1 - (wall >> 2)  # OPEN, which is 4, is none of the sides
        out[_TURNED + cell] = (turned >> suspect) & 1
    for detective in range(3):
        out[_DETECTIVES + 12 * detective + index(state.detective[detective])] = 1


@kernel
def _write_cards(state: State, seat: int, out: NDArray[np.float32]) -> None:
    """Sherlock's cards; those that he keeps (card_clears=optional) Moriarty does not know."""
    knows_kept = int(seat != MORIARTY)
    for i in range(state.sherlock_cards):
        card, shown = index(state.sherlock_card[i]), state.sherlock_shown[i]
        out[_SHOWN_CARDS + card] = shown
        out[_KEPT_CARDS + card] = knows_kept * (1 - shown)
    if state.choosing != NONE:
        out[_CHOOSING + state.choosing] = knows_kept


@kernel
def _write_score(state: State, out: NDArray[np.float32]) -> None:
    """Hourglasses, numbers of cards and checks, which both know."""
    out[_HOURGLASSES + index(min(state.won_unseen, TOTALS - 1))] = 1
    drawn = state.sherlock_cards + int(state.choosing != NONE)
    out[_CARD_COUNTS] = min(drawn / 4, 1.0)  # more than four only in a loaded position
    out[_CARD_COUNTS + 1] = min(state.moriarty_cards / 4, 1.0)
    out[_CHASE] = int(state.chase)
    _write_check(state.last_check, out[_CHECKS : _CHECKS + 3])
    _write_check(state.chase_check, out[_CHECKS + 3 : _CHECKS + 6])


@kernel
def _write_check(check: NDArray[np.int32], out: NDArray[np.float32]) -> None:
    if check[0] != NONE:
        out[0] = 1
        out[1] = min(check[0] / 13, 1.0)
        out[2] = min(check[1] / 4, 1.0)
