"""The board as text, as one seat knows it.

A tile's wall is drawn inside it, on its side. A capital is a suspect, a small letter a cleared tile; signs after it:
``*`` in sight of a detective, ``'`` turned this round, ``+`` an open crossroads. Detectives stand at their places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from reichenbach.envs.core import options
from reichenbach.envs.core.record import States, plain
from reichenbach.envs.who_is_moriarty import rules
from reichenbach.envs.who_is_moriarty.belief import belief
from reichenbach.envs.who_is_moriarty.options import OPTIONS
from reichenbach.envs.who_is_moriarty.state import (
    EAST,
    EVERYONE,
    MORIARTY,
    NONE,
    NORTH,
    OPEN,
    SEATS,
    SHERLOCK,
    SOUTH,
    SUSPECTS,
    WEST,
    WINNER,
    Ending,
    State,
)
from reichenbach.envs.who_is_moriarty.tables import FACES, HOURGLASSES, TOKENS

_WIDTH = 11  # of a tile inside its frame
_MARGIN = 14  # left of the board
_LEGEND = "A suspect, a cleared, a+ open crossroads; * in sight, ' turned this round; walls stand inside their tiles"
_SHORT = ("Sh", "JW", "Ro")  # the detectives at their places


def render(states: States, view: int) -> str:
    """The position as text.

    Args:
        states: an array of one.
        view: the seat whose knowledge is drawn (0 sherlock, 1 moriarty); 2 knows everything but what chance will do.

    Returns:
        Lines of text without a newline at the end.
    """
    state: State = plain(states)
    seen = rules.sight(states)
    lines = [*_headline(states, state), "", *_board(state, seen), "", *_facts(states, state, view, seen), "", _LEGEND]
    return "\n".join(line.rstrip() for line in lines)


# ---------------------------------------------------------------- the board


def _board(state: State, seen: int) -> Iterator[str]:
    """Rows of the board with the places around it (W4)."""
    edge = " " * _MARGIN
    above, below = (0, 1, 2), (8, 7, 6)
    yield edge + _columns([_standing(state, place) for place in above])
    yield edge + _columns(above)
    yield edge + _frame("┌┬┐")
    for row in range(3):
        yield from _row(state, seen, row)
        yield edge + _frame("├┼┤" if row < 2 else "└┴┘")
    yield edge + _columns(below)
    yield edge + _columns([_standing(state, place) for place in below])


def _columns(words: Iterable[object]) -> str:
    return "".join(f" {word!s:^{_WIDTH}}" for word in words)


def _frame(corners: str) -> str:
    return corners[0] + corners[1].join(["─" * _WIDTH] * 3) + corners[2]


def _row(state: State, seen: int, row: int) -> Iterator[str]:
    """The three lines of a row of tiles, with the places left (9-11) and right (3-5) of it."""
    left, right = 11 - row, 3 + row
    tiles = [_tile(state, seen, 3 * row + column) for column in range(3)]
    for line in range(3):
        before, after = "", ""
        if line == 1:
            before, after = f"{_standing(state, left)} {left:2} ", f" {right} {_standing(state, right)}"
        yield f"{before:>{_MARGIN}}│{'│'.join(tile[line] for tile in tiles)}│{after}"


def _standing(state: State, place: int) -> str:
    return " ".join(_SHORT[detective] for detective in range(3) if state.detective[detective] == place)


def _tile(state: State, seen: int, cell: int) -> tuple[str, ...]:
    suspect, wall = state.suspect[cell], state.wall[cell]
    letter = SUSPECTS[suspect].lower() if (state.cleared >> suspect) & 1 else SUSPECTS[suspect]
    signs = "*" if seen >> suspect & 1 else ""
    signs += "'" if (state.turned >> suspect) & 1 else ""
    signs += "+" if wall == OPEN else ""
    return _drawn(cell, letter + signs, wall)


@cache
def _drawn(cell: int, text: str, wall: int) -> tuple[str, ...]:
    """Three lines: the cell's number, the suspect with its signs, and the wall on its side."""
    inside = _WIDTH - 2
    lines = [" " * inside, f"{cell}   {text}".ljust(inside), " " * inside]
    lines = [f"{'┃' if wall == WEST else ' '}{line}{'┃' if wall == EAST else ' '}" for line in lines]
    if wall == NORTH:
        lines[0] = "━" * _WIDTH
    if wall == SOUTH:
        lines[2] = "━" * _WIDTH
    return tuple(lines)


# ---------------------------------------------------------------- what stands beside it


def _headline(states: States, state: State) -> Iterator[str]:
    starter = SEATS[SHERLOCK if state.round_number % 2 == 1 else MORIARTY]  # W9
    yield f"Who Is Moriarty, round {state.round_number} of {state.max_rounds}, which {starter} started"
    changed = options.changed(OPTIONS, options.read(OPTIONS, states))
    if changed:
        yield "rules: " + " ".join(f"{name}={value}" for name, value in changed.items())
    if state.ending:
        yield f"over: {SEATS[WINNER[state.ending]]} wins, {Ending(state.ending).name.lower()}"
    else:
        yield f"{SEATS[rules.mover(states)]} to move, pick {state.pick} of 4"


def _facts(states: States, state: State, view: int, in_sight: int) -> Iterator[str]:
    left = [suspect for suspect in range(9) if not (state.cleared >> suspect) & 1]
    seen = [suspect for suspect in left if in_sight >> suspect & 1]
    yield f"suspects     {len(left)} left: {_letters(left)}; in sight: {_letters(seen)}"
    yield f"tokens       {_tokens(state)}"
    yield f"hourglasses  {state.won_unseen} won unseen; {state.hourglasses_to_win} in all are needed"
    yield f"cards        {_cards(state, view)}"
    if state.chase:
        yield "chase        sherlock wins when moriarty is seen, moriarty if he never is"
    if view != SHERLOCK:
        cell = list(state.suspect).index(state.moriarty)
        yield f"secret       moriarty is {SUSPECTS[state.moriarty]}, on tile {cell}"
    if view != SHERLOCK or state.moriarty_open:
        yield f"             {_moriarty_cards(state)}"
    if view != MORIARTY and not state.ending:
        yield f"belief       sherlock: {_belief(states)}"


def _letters(suspects: list[int]) -> str:
    return " ".join(SUSPECTS[suspect] for suspect in suspects) or "none"


def _tokens(state: State) -> str:
    """The faces, those played in brackets; in odd rounds the other sides too, which come next (W10)."""
    faces = [_face(token, state.face[token]) for token in range(4)]
    now = "  ".join(f"[{face}]" if state.used[token] else face for token, face in enumerate(faces))
    if state.round_number % 2 == 0:
        return now
    return f"{now}   (then: {' '.join(_face(token, 1 - state.face[token]) for token in range(4))})"


def _face(token: int, side: int) -> str:
    return FACES[TOKENS[token][side]]


def _cards(state: State, view: int) -> str:
    knows = view in (SHERLOCK, EVERYONE)
    drawn = [
        SUSPECTS[state.sherlock_card[i]] + ("" if state.sherlock_shown[i] else " (secret)")
        if knows or state.sherlock_shown[i]
        else "one in secret"
        for i in range(state.sherlock_cards)
    ]
    text = f"sherlock drew {', '.join(drawn) or 'none'}; moriarty drew {state.moriarty_cards or 'none'}"
    if state.choosing != NONE:
        text += f"; sherlock clears or keeps {SUSPECTS[state.choosing] if knows else 'a card'}"
    return text


def _moriarty_cards(state: State) -> str:
    cards = [int(state.moriarty_card[i]) for i in range(state.moriarty_cards)]
    total = state.won_unseen + sum(HOURGLASSES[card] for card in cards)
    drawn = ", ".join(f"{SUSPECTS[card]} ({HOURGLASSES[card]})" for card in cards) or "none"
    return f"moriarty's cards: {drawn}; hourglasses in all: {total}"


def _belief(states: States) -> str:
    """Sherlock's: who Moriarty may be, in per cent."""
    identity = belief(states, SHERLOCK).identity
    return "  ".join(f"{SUSPECTS[i]} {100 * identity[i]:.0f}%" for i in range(9) if identity[i] > 0)
