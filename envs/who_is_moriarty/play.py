"""The rules in the order of play (W7-W17): the deal, whose move it is, what is legal, one step.

Everything here works on one state record inside compiled code; rules.py has it for Python.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from reichenbach.envs.core.chance import draw
from reichenbach.envs.core.fill import fill, fill_part
from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.who_is_moriarty import actions
from reichenbach.envs.who_is_moriarty.goals import check_goals, end_round
from reichenbach.envs.who_is_moriarty.options import CARD_OPTIONAL, GOALS_IMMEDIATE, START_RANDOM
from reichenbach.envs.who_is_moriarty.sight import clear
from reichenbach.envs.who_is_moriarty.state import (
    ALL_SUSPECTS,
    EAST,
    MORIARTY,
    NONE,
    OPEN,
    SHERLOCK,
    SOUTH,
    WEST,
    State,
)
from reichenbach.envs.who_is_moriarty.tables import (
    PLAY_CARD,
    PLAY_JOKER,
    PLAY_SWAP,
    PLAY_TURN,
    BoardTables,
)

_CARD, _CLEAR, _KEEP, _WAIT = actions.CARD, actions.CLEAR, actions.KEEP, actions.WAIT
_JOKER, _JOKER_NOBODY, _TURN, _SWAP = actions.JOKER, actions.JOKER_NOBODY, actions.TURN, actions.SWAP


# ---------------------------------------------------------------- set-up


@large_kernel
def deal(state: State, tables: BoardTables) -> None:
    """A new game under the state's options (W7, W8)."""
    state.moriarty = draw(state, 9)  # W7; the other eight cards are the deck
    _lay_tiles(state)
    _place_detectives(state)
    fill(state.sherlock_card, NONE)
    fill(state.sherlock_shown, 0)
    state.sherlock_cards = 0
    state.choosing = NONE
    fill(state.moriarty_card, NONE)
    state.moriarty_cards = 0
    state.won_unseen = 0
    state.chase = False
    state.ending = 0
    fill(state.last_check, NONE)
    fill(state.chase_check, NONE)
    state.round_number = 0
    begin_round(state)


@kernel
def _lay_tiles(state: State) -> None:
    """Tiles in random cells (W7): each cell takes one of the suspects not laid yet, counted from A."""
    left = 0x876543210  # the suspects not laid yet, four bits each, A lowest
    for cell in range(9):
        place = 4 * draw(state, 9 - cell)
        before = left & ((1 << place) - 1)
        state.suspect[cell] = (left >> place) & 15
        left = before | ((left >> (place + 4)) << place)
    state.cleared = 0


@kernel
def _nth_missing(bits: int, n: int) -> int:
    """The suspect that has n others before it among those whose bit is not set."""
    for suspect in range(9):
        if not (bits >> suspect) & 1:
            if n == 0:
                return suspect
            n -= 1
    return NONE


@kernel
def _place_detectives(state: State) -> None:
    """Random walls (W7); detectives left, right and below, each before a wall (W8)."""
    standard = state.start != START_RANDOM
    for cell in range(9):
        if not (standard and (cell == 0 or cell == 2 or cell == 7)):
            state.wall[cell] = draw(state, 4)
    if standard:
        state.wall[0], state.wall[2], state.wall[7] = WEST, EAST, SOUTH
        state.detective[0], state.detective[1], state.detective[2] = 11, 3, 7
    else:
        for detective in range(3):
            state.detective[detective] = draw(state, 12)


@large_kernel
def begin_round(state: State) -> None:
    """The next round: tokens are tossed in odd rounds and turned over in even ones (W9, W10)."""
    state.round_number += 1
    state.pick = 1
    state.turned = 0
    fill(state.used, 0)
    for token in range(4):
        if state.round_number & 1:
            state.face[token] = draw(state, 2)
        else:
            state.face[token] = 1 - state.face[token]


# ---------------------------------------------------------------- whose move


@kernel
def mover(state: State, tables: BoardTables) -> int:
    """Sherlock starts odd rounds; the starter plays the first and the last token, the other two between (W9)."""
    if state.ending != 0:
        return NONE
    starter = SHERLOCK if state.round_number & 1 else MORIARTY
    return starter if state.pick == 1 or state.pick == 4 else 1 - starter


@kernel
def active(state: State, tables: BoardTables, seat: int) -> bool:
    """Only the mover may submit: this is a game of turns."""
    return mover(state, tables) == seat


# ---------------------------------------------------------------- legal actions


@kernel
def legal(state: State, tables: BoardTables, seat: int, mask: NDArray[Any]) -> None:
    """The seat's legal actions over the whole mask (int8, float32 in after.py); whoever does not move may only wait."""
    if mover(state, tables) != seat:
        fill(mask, 0)
        mask[_WAIT] = 1
    elif state.choosing != NONE:
        fill(mask, 0)
        mask[_CLEAR] = 1
        mask[_KEEP] = 1
    else:
        _write_legal(state, seat, _faces_up(state, tables), mask)


@kernel
def _faces_up(state: State, tables: BoardTables) -> int:
    """Bit p: a token that is not played yet has the face p up."""
    up = 0
    for token in range(4):
        up |= (1 - state.used[token]) << tables.token[token, index(state.face[token])]
    return up


@kernel
def _write_legal(state: State, seat: int, up: int, mask: NDArray[Any]) -> None:
    """What the faces that are up let the seat do; written without branches, which random play mispredicts."""
    for move in range(6):  # W11
        mask[move] = (up >> (move // 2)) & 1
    joker = (up >> PLAY_JOKER) & 1  # W12: Sherlock must move a detective, Moriarty may
    for action in range(_JOKER, _JOKER_NOBODY):
        mask[action] = joker
    mask[_JOKER_NOBODY] = joker & seat
    turnable = _turnable(state) if (up >> PLAY_TURN) & 1 else 0
    for cell in range(9):
        possible = (turnable >> state.suspect[cell]) & 1
        for quarter in range(3):
            mask[_TURN + 3 * cell + quarter] = possible
    fill_part(mask, _SWAP, 36, (up >> PLAY_SWAP) & 1)  # W14
    mask[_CARD] = (up >> PLAY_CARD) & 1  # W15, W16
    mask[_CLEAR] = 0
    mask[_KEEP] = 0
    # Only turns are left and no tile may be turned: the token is spent in vain.
    mask[_WAIT] = 1 if turnable == 0 and up == 1 << PLAY_TURN else 0


@kernel
def _turnable(state: State) -> int:
    """Bit i: suspect i's tile may be turned: no cleared crossroads, none twice in a round (W13)."""
    turnable = ALL_SUSPECTS
    if not state.turn_crossroads:
        turnable &= ~(state.cleared & state.crossroads)
    if not state.turn_tile_twice:
        turnable &= ~state.turned
    return turnable


# ---------------------------------------------------------------- one step


@kernel
def step(state: State, tables: BoardTables, action: int) -> None:
    """Plays a legal action; after a round's last token the round ends and the next begins."""
    token = _token_of(state, tables, action)
    _play(state, tables, action)
    if state.choosing != NONE:  # Sherlock is asked first; the card is not played yet
        return
    state.used[token] = 1
    state.pick += 1
    if state.goal_check == GOALS_IMMEDIATE and not state.chase:
        check_goals(state, tables)
    if state.ending == 0 and state.pick == 5:
        end_round(state, tables)
        if state.ending == 0:
            begin_round(state)


@kernel
def _token_of(state: State, tables: BoardTables, action: int) -> int:
    """The first unused token that has the action's face up."""
    face = index(tables.plays[index(action)])
    first, last = index(tables.bearers[face, 0]), index(tables.bearers[face, 1])
    fits = not state.used[first] and tables.token[first, index(state.face[first])] == face
    return first if fits else last


@kernel
def _play(state: State, tables: BoardTables, action: int) -> None:
    if action < _JOKER:  # W11
        _walk(state, action // 2, action % 2 + 1)
    elif action < _JOKER_NOBODY:  # W12
        _walk(state, action - _JOKER, 1)
    elif action in (_JOKER_NOBODY, _WAIT):
        pass
    elif action < _SWAP:
        _turn(state, (action - _TURN) // 3, (action - _TURN) % 3 + 1)
    elif action < _CARD:
        swap(state, tables, action)
    elif action == _CARD:
        _draw_card(state, tables)
    else:
        _keep_card(state, action == _CLEAR)


@kernel
def _walk(state: State, detective: int, steps: int) -> None:
    """Clockwise around the board (W11)."""
    state.detective[detective] = (state.detective[detective] + steps) % 12


@kernel
def _turn(state: State, cell: int, quarters: int) -> None:
    """Clockwise by quarters (W13); an open crossroads has no wall to turn."""
    if state.wall[cell] != OPEN:
        state.wall[cell] = (state.wall[cell] + quarters) % 4
    state.turned |= 1 << state.suspect[cell]


@kernel
def swap(state: State, tables: BoardTables, action: int) -> None:
    """The action's two tiles change places, each with its direction and what lies on it (W14)."""
    first, second = index(tables.pair[action - _SWAP, 0]), index(tables.pair[action - _SWAP, 1])
    suspect, wall = state.suspect[first], state.wall[first]
    state.suspect[first], state.wall[first] = state.suspect[second], state.wall[second]
    state.suspect[second], state.wall[second] = suspect, wall


@kernel
def _draw_card(state: State, tables: BoardTables) -> None:
    """A card from the deck, to the mover (W15, W16)."""
    drawn = 1 << state.moriarty  # W17: the identity card is never in the deck
    left = 8
    for i in range(state.sherlock_cards):
        drawn |= 1 << state.sherlock_card[i]
        left -= 1
    for i in range(state.moriarty_cards):
        drawn |= 1 << state.moriarty_card[i]
        left -= 1
    card = _nth_missing(drawn, draw(state, left))
    if mover(state, tables) == MORIARTY:
        state.moriarty_card[state.moriarty_cards] = card  # W16: its hourglasses count from now on
        state.moriarty_cards += 1
    else:
        state.choosing = card
        if state.card_clears != CARD_OPTIONAL:
            _keep_card(state, True)  # W15: drawn openly and cleared at once


@kernel
def _keep_card(state: State, clears: bool) -> None:
    """Sherlock's card joins those he drew; what he clears is known to all (W15)."""
    card = state.choosing
    state.choosing = NONE
    state.sherlock_card[state.sherlock_cards] = card
    state.sherlock_shown[state.sherlock_cards] = 1 if clears else 0
    state.sherlock_cards += 1
    if clears:
        clear(state, 1 << card)
