"""From one turn to the next (M19, M21-M31): what gas, the dog and the night do, the charts, and how games end."""

from __future__ import annotations

from reichenbach.envs.core.bits import count, nth
from reichenbach.envs.core.chance import draw_apart as draw
from reichenbach.envs.core.fill import fill
from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.belief import Facts, believe_turn
from reichenbach.envs.manor.options import EXPOSURE_OVERRIDDEN, EXPOSURE_PUBLIC
from reichenbach.envs.manor.pairs import PAIRS, WITH_TARGET, pair, villains, with_villain
from reichenbach.envs.manor.sight import is_critical, is_murder, steps_between, toward
from reichenbach.envs.manor.state import (
    FOOD,
    FOUND,
    MAX_SEATS,
    N_PAIRS,
    N_PAWNS,
    NONE,
    OPEN,
    VILLAINS,
    WINNER,
    Ending,
    State,
)
from reichenbach.envs.manor.tables import ManorTables

_MURDER, _ASSAIL_FAILED = int(Ending.MURDER), int(Ending.ASSAIL_FAILED)
_IDENTIFIED, _NAMED, _WRONG_NAME = int(Ending.IDENTIFIED), int(Ending.NAMED), int(Ending.WRONG_NAME)
_ASSAIL_ORDER = actions.ASSAIL_ORDER
_NEAR = 3  # areas (M26)
_DOG_STEPS, _DOG_TURNS, _LEAK_TURNS = 2, 3, 2  # M21, M22


# ---------------------------------------------------------------- the end of a turn


@large_kernel
def end_turn(state: State, tables: ManorTables, facts: Facts, random_limits: int) -> None:
    """Everything between the last pawn's act and the next command, in the order of M24."""
    _injure_by_gas(state, tables)
    _move_dog(state, tables)
    if is_murder(state, tables):
        state.ending = _MURDER
        return
    charted = int(state.side_chart)
    _enter_exposures(state)
    last = state.turn == 3 * state.days + 1  # M8
    if state.obeyed[index(state.villain)] == _ASSAIL_ORDER:
        _reveal(state)
        _end_or_final_turn(state, last or state.final, _ASSAIL_FAILED)
    elif state.final:
        state.ending = _ASSAIL_FAILED if state.failed_assail else _IDENTIFIED  # M28
    else:
        _end_ordinary_turn(state, tables, facts, random_limits, charted, last)


@large_kernel
def _end_ordinary_turn(
    state: State, tables: ManorTables, facts: Facts, random_limits: int, charted: int, last: bool
) -> None:
    """``charted``: the pairs that stood on the detectives' chart before this turn's exposures."""
    night = state.turn % 3 == 0 and not last
    if night:
        charted &= _answer(state, tables)
    believe_turn(state, tables, facts, random_limits, charted)
    if count(villains(int(state.side_chart))) == 1:  # M28
        state.chart &= with_villain(int(state.villain))
        _end_or_final_turn(state, last, _IDENTIFIED)
    elif last:
        state.voting = True  # M30
        forget_orders(state)
    else:
        if night:
            _eat(state)
            if is_murder(state, tables):
                state.ending = _MURDER
                return
        _begin_turn(state, tables)


@large_kernel
def _end_or_final_turn(state: State, over: bool, ending: int) -> None:
    """A final turn follows at once, unless this was the last turn or one itself (M25, M28)."""
    if over:
        state.ending = ending
    else:
        state.final = True
        _pass_time(state)


@large_kernel
def _begin_turn(state: State, tables: ManorTables) -> None:
    """The next turn of a day and its events (M21, M22)."""
    _pass_time(state)
    state.turn += 1
    if not state.events:
        return
    if state.turn % 3 == 2 and draw(state, 100) < state.leak_chance:
        state.leak = tables.room[index(draw(state, int(tables.n_rooms)))]
        state.leak_turns = _LEAK_TURNS
    if (state.turn == 4 or state.turn == 7) and not state.dog_came and draw(state, 100) < state.dog_chance:
        state.dog_came = True
        state.dog = tables.entrance
        state.dog_turns = _DOG_TURNS


@large_kernel
def _pass_time(state: State) -> None:
    """What every new turn changes, a final one too (M19)."""
    state.dark = state.dark_next
    state.dark_next = 0
    if state.passage_is == FOUND:
        state.passage_is = OPEN
    forget_orders(state)


@large_kernel
def forget_orders(state: State) -> None:
    """No command is given yet."""
    state.slot = 0
    state.submitter = 0
    for seat in range(MAX_SEATS):
        fill(state.order[seat], NONE)
    fill(state.used, 0)
    fill(state.passed, 0)
    fill(state.vote, NONE)


@large_kernel
def forget_acts(state: State) -> None:
    """No pawn has acted yet."""
    fill(state.obeyed, NONE)
    fill(state.acted, NONE)
    fill(state.came_from, NONE)
    fill(state.did, 0)
    fill(state.helped, NONE)
    fill(state.forced, 0)
    fill(state.found, NONE)
    fill(state.left, 0)
    fill(state.find_seen, 0)
    fill(state.sprayed, NONE)
    for seat in range(MAX_SEATS):
        fill(state.notice[seat], 0)
    state.exposed = 0


# ---------------------------------------------------------------- gas, dog, night


@large_kernel
def _injure(state: State, pawn: int) -> None:
    """No second injury, nothing beyond critical (M23)."""
    if not state.injured[pawn] and not is_critical(state, pawn):
        state.injured[pawn] = 1


@large_kernel
def _injure_by_gas(state: State, tables: ManorTables) -> None:
    """The leak, sprays of the turn before, and sprays of this turn but for their users (M18, M21)."""
    gas = int(state.gas)
    if state.leak != NONE:
        gas |= int(tables.zone_areas[index(state.leak)])
    sprayed = 0
    for pawn in range(N_PAWNS):
        area = state.area[pawn]
        breathes = (gas >> area) & 1
        for user in range(N_PAWNS):
            breathes |= int(user != pawn and state.sprayed[user] == area)
        if breathes:
            _injure(state, pawn)
        sprayed |= 1 << state.sprayed[pawn] if state.sprayed[pawn] != NONE else 0
    state.gas = sprayed
    if state.leak != NONE:
        state.leak_turns -= 1
        if state.leak_turns == 0:
            state.leak = NONE


@large_kernel
def _move_dog(state: State, tables: ManorTables) -> None:
    """Up to two areas toward the nearest pawn, then it bites one of its area, perhaps in vain (M22)."""
    if state.dog == NONE:
        return
    nearest, least = 0, 1 << 20
    for pawn in range(N_PAWNS):
        away = steps_between(state, tables, int(state.dog), int(state.area[pawn]))
        if away < least:
            nearest, least = pawn, away
    state.dog = toward(state, tables, int(state.dog), int(state.area[nearest]), _DOG_STEPS)
    there = 0
    for pawn in range(N_PAWNS):
        there |= int(state.area[pawn] == state.dog) << pawn
    if there != 0:
        _injure(state, nth(there, draw(state, count(there))))
    state.dog_turns -= 1
    if state.dog_turns == 0:
        state.dog = NONE


@large_kernel
def use_up(state: State, pawn: int, item: int) -> None:
    """One less; all see it, so whoever knew of some knows of one less (M20)."""
    state.items[pawn, item] -= 1
    for seat in range(MAX_SEATS):
        state.known_items[seat, pawn, item] = max(0, int(state.known_items[seat, pawn, item]) - 1)


@large_kernel
def _eat(state: State) -> None:
    """The day's end: who has food eats it, who has none gets hungry (M18, M23)."""
    for pawn in range(N_PAWNS):
        if state.items[pawn, FOOD] > 0:
            use_up(state, pawn, FOOD)
            state.hunger[pawn] = 0
        elif (state.hunger[pawn] == 0 or state.stack_hunger) and not is_critical(state, pawn):
            state.hunger[pawn] += 1


# ---------------------------------------------------------------- the charts


@large_kernel
def _enter_exposures(state: State) -> None:
    """Exposures and forced moves leave out the pairs with that target, when all pawns have acted (M10, M13, M27)."""
    for pawn in range(N_PAWNS):
        forced = state.forced[pawn] != 0
        told_side = (state.exposed >> pawn) & 1 != 0 and state.exposure != EXPOSURE_OVERRIDDEN
        if forced or (told_side and state.exposure == EXPOSURE_PUBLIC):
            state.chart &= ~WITH_TARGET[pawn]
        if forced or told_side:
            state.side_chart &= ~WITH_TARGET[pawn]


@large_kernel
def _answer(state: State, tables: ManorTables) -> int:
    """Whether villain and target are within three areas; the pairs that are as they are, all others fall out (M26)."""
    near = 0
    for bit in range(N_PAIRS):
        villain, target = PAIRS[bit]
        away = steps_between(state, tables, int(state.area[villain]), int(state.area[target]))
        near |= int(away <= _NEAR) << bit
    true = pair(int(state.villain), int(state.target))
    answer = near & true != 0
    state.answer[index(state.turn) // 3 - 1] = int(answer)
    left = near if answer else ~near
    state.chart &= left
    state.side_chart &= left
    return left


@large_kernel
def _reveal(state: State) -> None:
    """A failed assail: everybody knows villain and target (M25)."""
    true = pair(int(state.villain), int(state.target))
    state.failed_assail = True
    state.chart = true
    state.side_chart = true
    fill(state.belief, true)


# ---------------------------------------------------------------- the end


@large_kernel
def count_votes(state: State, tables: ManorTables) -> None:
    """The plurality names the villain, of a tie a random one (M30, M31)."""
    most, tied = 0, 0
    for pawn in range(N_PAWNS):
        votes = 0
        for seat in range(tables.n_seats):
            votes += int(state.vote[seat] == pawn)
        if votes > most:
            most, tied = votes, 0
        tied |= int(votes == most) << pawn
    named = nth(tied, draw(state, count(tied)))
    state.ending = _NAMED if named == state.villain else _WRONG_NAME


@kernel
def outcome(state: State, tables: ManorTables) -> int:
    """The Ending, 0 while the game runs."""
    return int(state.ending)


@kernel
def reward(state: State, tables: ManorTables, seat: int) -> float:
    """+1 for the winning side, -1 for the other, 0 for a draw."""
    winner = WINNER[index(state.ending)]
    if winner == NONE:
        return 0.0
    side = VILLAINS if not (tables.detectives >> seat) & 1 else 1 - VILLAINS
    return 1.0 if winner == side else -1.0
