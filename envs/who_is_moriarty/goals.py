"""The end of a round and of the game (W18-W24)."""

from __future__ import annotations

from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.who_is_moriarty.options import (
    BOTH_MORIARTY,
    BOTH_SHERLOCK,
    ZP,
)
from reichenbach.envs.who_is_moriarty.sight import clear, count, face_up, seen_by_any
from reichenbach.envs.who_is_moriarty.state import NONE, WINNER, Ending, State
from reichenbach.envs.who_is_moriarty.tables import BoardTables

# Members of an IntEnum are no compile-time constants for Numba; these are.
_RUNNING = int(Ending.RUNNING)
_ONE_SUSPECT = int(Ending.ONE_SUSPECT)
_HOURGLASSES = int(Ending.HOURGLASSES)
_BOTH_SEEN = int(Ending.BOTH_SEEN)
_BOTH_UNSEEN = int(Ending.BOTH_UNSEEN)
_BOTH_OPTION_SHERLOCK = int(Ending.BOTH_OPTION_SHERLOCK)
_BOTH_OPTION_MORIARTY = int(Ending.BOTH_OPTION_MORIARTY)
_CHASE_SEEN = int(Ending.CHASE_SEEN)
_CHASE_UNSEEN = int(Ending.CHASE_UNSEEN)
_TIME = int(Ending.TIME)


@kernel
def outcome(state: State, tables: BoardTables) -> int:
    """The Ending, 0 while the game runs."""
    return state.ending


@kernel
def reward(state: State, tables: BoardTables, seat: int) -> float:
    """The seat's reward for the whole game (W24), 0 while it runs."""
    winner = WINNER[state.ending]
    if winner == NONE:
        return 0.0
    if state.rewards == ZP:
        return 2.0 if winner == seat else 0.0
    return 1.0 if winner == seat else -1.0


@kernel
def total_hourglasses(state: State, tables: BoardTables) -> int:
    """Moriarty's hourglasses in all: won unseen and on his cards (W16, W19)."""
    total = int(state.won_unseen)
    for i in range(state.moriarty_cards):
        total += int(tables.hourglasses[index(state.moriarty_card[i])])
    return total


@large_kernel
def end_round(state: State, tables: BoardTables) -> None:
    """The answer, clearing, the hourglass, and who has won (W18-W23), whatever has been played."""
    in_sight = seen_by_any(state, tables)  # W19: fixed before anything is cleared
    visible = (in_sight >> state.moriarty) & 1 == 1  # W18
    clear(state, face_up(state) & ~in_sight if visible else in_sight)
    if not visible:
        state.won_unseen += 1
    last_round = state.round_number == state.max_rounds
    if not state.chase:
        _check_goals_at_end(state, tables, visible, last_round)
    elif visible:
        state.ending = _CHASE_SEEN  # W22
    elif last_round:
        state.ending = _CHASE_UNSEEN


@kernel
def _check_goals_at_end(state: State, tables: BoardTables, visible: bool, last_round: bool) -> None:
    check_goals(state, tables)
    if state.ending != _RUNNING:
        return
    if both_goals_reached(state, tables):  # W22, and both_goals=chase
        if visible:
            state.ending = _BOTH_SEEN
        elif last_round:
            state.ending = _BOTH_UNSEEN
        else:
            state.chase = True
            state.chase_check[0] = state.won_unseen
            state.chase_check[1] = state.moriarty_cards
    elif last_round:
        state.ending = _TIME  # W23


@kernel
def both_goals_reached(state: State, tables: BoardTables) -> bool:
    """One suspect is left and Moriarty has his hourglasses (W20)."""
    return count(face_up(state)) == 1 and total_hourglasses(state, tables) >= state.hourglasses_to_win


@kernel
def check_goals(state: State, tables: BoardTables) -> None:
    """A goal check (W20, W21); both goals at once are left to the round's end unless an option decides them."""
    one_suspect = count(face_up(state)) == 1
    hourglasses = total_hourglasses(state, tables) >= state.hourglasses_to_win
    if one_suspect and hourglasses:
        if state.both_goals == BOTH_SHERLOCK:
            state.ending = _BOTH_OPTION_SHERLOCK
        elif state.both_goals == BOTH_MORIARTY:
            state.ending = _BOTH_OPTION_MORIARTY
    elif one_suspect:
        state.ending = _ONE_SUSPECT
    elif hourglasses:
        state.ending = _HOURGLASSES
    else:  # what Sherlock concludes from it is in belief.py (§8)
        state.last_check[0] = state.won_unseen
        state.last_check[1] = state.moriarty_cards
