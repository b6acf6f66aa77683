"""The action phase: pawns act one after another (M12, M14, M16-M20), an assailing villain last (M25)."""

from __future__ import annotations

from reichenbach.envs.core.bits import count, nth
from reichenbach.envs.core.chance import draw_apart as draw
from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import large_kernel
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.belief import facts_of_orders
from reichenbach.envs.manor.options import INVENTORY_PRIVATE
from reichenbach.envs.manor.orders import random_order, settle_orders
from reichenbach.envs.manor.sight import is_murder, limit, steps_between, toward
from reichenbach.envs.manor.state import (
    FOOD,
    FOUND,
    FUSE_BOX,
    MAX_SEATS,
    MEDICINE,
    N_PAWNS,
    NONE,
    PASSAGE,
    SPRAY,
    WEAPON,
    Ending,
    State,
)
from reichenbach.envs.manor.tables import ManorTables
from reichenbach.envs.manor.turn import end_turn, forget_acts, use_up

_SEARCH, _EAT, _FEED, _HEAL = actions.SEARCH, actions.EAT, actions.FEED, actions.HEAL
_HEAL_OTHER, _SPRAY, _FUSE, _ASSAILED = actions.HEAL_OTHER, actions.SPRAY, actions.FUSE, actions.ASSAILED
_ASSAIL_ORDER, _DEEDS = actions.ASSAIL_ORDER, actions.N_DEEDS
_QUEUE_END = 1
_MURDER, _ASSAIL = int(Ending.MURDER), int(Ending.ASSAIL)


@large_kernel
def play_turn(state: State, tables: ManorTables) -> None:
    """All commands are in: they are settled, all pawns act, the turn ends."""
    forget_acts(state)
    settle_orders(state, tables)
    facts = facts_of_orders(state, tables)
    queue, place, random_limits = _order_of_action(state), 0, 0
    while queue != _QUEUE_END:  # a count to six would have the compiler write all this down six times
        pawn = queue & 7
        random_limits |= limit(state, pawn, False) << (2 * pawn)
        _act(state, tables, pawn, place)
        if is_murder(state, tables):  # M24, M29: those that have not acted do not act
            state.ending = _ASSAIL if state.did[pawn] == _ASSAILED else _MURDER
            return
        queue, place = queue >> 3, place + 1
    end_turn(state, tables, facts, random_limits)


@large_kernel
def _order_of_action(state: State) -> int:
    """Three bits a pawn: by ailments, then by the alphabet; an assailing villain at the end (M16)."""
    queue, place, last = _QUEUE_END << (3 * N_PAWNS), 0, 0
    for ailments in range(3):
        for pawn in range(N_PAWNS):
            if state.hunger[pawn] + state.injured[pawn] == ailments:
                if state.obeyed[pawn] == _ASSAIL_ORDER:
                    last = pawn
                else:
                    queue |= pawn << (3 * place)
                    place += 1
    return queue | last << (3 * (N_PAWNS - 1)) if place < N_PAWNS else queue


@large_kernel
def _act(state: State, tables: ManorTables, pawn: int, place: int) -> None:
    """A pawn's whole command: its move, then its deed; what has become impossible is lost (M12)."""
    order = int(state.obeyed[pawn])
    seers = _obeyed_seats(state, tables, pawn)
    if order == NONE:
        order = random_order(state, tables, pawn)
    area, deed = order // _DEEDS, order % _DEEDS
    if order == _ASSAIL_ORDER:
        area, deed = _assailed_area(state, tables, pawn), _ASSAILED
    steps = steps_between(state, tables, int(state.area[pawn]), area)
    state.acted[pawn] = place
    state.came_from[pawn] = state.area[pawn]
    state.forced[pawn] = int(steps == 3 and state.fatigued[pawn] != 0 and deed != _ASSAILED)  # M10
    state.fatigued[pawn] = int(steps == 3)
    state.area[pawn] = area
    state.did[pawn] = deed if _carry_out(state, tables, pawn, deed, seers) else 0


@large_kernel
def _obeyed_seats(state: State, tables: ManorTables, pawn: int) -> int:
    """Bit s: seat s sees the pawn's items and finds: its order is obeyed, or they are public (M20)."""
    seats = 0
    for seat in range(tables.n_seats):
        own = state.order[seat, pawn] != NONE and state.order[seat, pawn] == state.obeyed[pawn]
        seats |= int(own or state.inventory != INVENTORY_PRIVATE) << seat
    return seats


@large_kernel
def _assailed_area(state: State, tables: ManorTables, villain: int) -> int:
    """The target's area if it is within reach, else as near to it as the villain can (M25)."""
    there = int(state.area[index(state.target)])
    return toward(state, tables, int(state.area[villain]), there, limit(state, villain, True))


# ---------------------------------------------------------------- deeds


@large_kernel
def _carry_out(state: State, tables: ManorTables, pawn: int, deed: int, seers: int) -> bool:
    """Whether the deed was possible; then it is done."""
    if deed == _SEARCH:
        return _search(state, tables, pawn, seers)
    if deed in (_EAT, _FEED):
        eater = pawn if deed == _EAT else _random_neighbour(state, pawn, FOOD)
        return eater != NONE and _give(state, pawn, FOOD, eater)
    if deed in (_HEAL, _HEAL_OTHER):
        healed = pawn if deed == _HEAL else _random_neighbour(state, pawn, MEDICINE)
        return healed != NONE and _give(state, pawn, MEDICINE, healed)
    if deed == _SPRAY:
        possible = state.items[pawn, SPRAY] > 0
        if possible:
            use_up(state, pawn, SPRAY)
            state.sprayed[pawn] = state.area[pawn]
        return bool(possible)
    if deed == _FUSE:
        return _operate_fuse_box(state, tables, pawn)
    return True


@large_kernel
def _search(state: State, tables: ManorTables, pawn: int, seers: int) -> bool:
    """Takes what the spot holds; with no free place it is found and stays (M17)."""
    spot = int(tables.spot[index(state.area[pawn])])
    if spot == NONE or (state.gone >> spot) & 1:
        return False
    content = int(state.content[index(spot)])
    if content in (WEAPON, FUSE_BOX, PASSAGE):
        seers = (1 << int(tables.n_seats)) - 1  # M20: these are public always
    state.found[pawn] = content
    state.find_seen[pawn] = seers
    carried = state.items[pawn, FOOD] + state.items[pawn, MEDICINE] + state.items[pawn, SPRAY]
    if (content <= SPRAY and carried >= 2) or (content == WEAPON and state.armed[pawn]):
        state.left[pawn] = 1
        for seat in range(MAX_SEATS):
            state.known[seat] |= ((seers >> seat) & 1) << spot
        return True
    state.gone |= 1 << spot
    if content <= SPRAY:
        state.items[pawn, content] += 1
        for seat in range(MAX_SEATS):
            state.known_items[seat, pawn, content] += (seers >> seat) & 1
    elif content == WEAPON:
        state.armed[pawn] = 1
    elif content == FUSE_BOX:
        state.fuse_boxes |= 1 << spot
    elif content == PASSAGE:
        state.passage_is = FOUND
    return True


@large_kernel
def _random_neighbour(state: State, pawn: int, item: int) -> int:
    """Another pawn in the area that the item would help, a random one of several (M18); NONE: there is none."""
    if state.items[pawn, item] == 0:
        return NONE
    needy = 0
    for other in range(N_PAWNS):
        needs = state.hunger[other] > 0 if item == FOOD else state.injured[other] > 0
        needy |= int(needs and other != pawn and state.area[other] == state.area[pawn]) << other
    return nth(needy, draw(state, count(needy))) if needy != 0 else NONE


@large_kernel
def _give(state: State, pawn: int, item: int, taker: int) -> bool:
    """Food removes all hunger, medicine the injury (M18)."""
    needs = state.hunger[taker] > 0 if item == FOOD else state.injured[taker] > 0
    if state.items[pawn, item] == 0 or not needs:
        return False
    use_up(state, pawn, item)
    if taker != pawn:
        state.helped[pawn] = taker
    if item == FOOD:
        state.hunger[taker] = 0
    else:
        state.injured[taker] = 0
    return True


@large_kernel
def _operate_fuse_box(state: State, tables: ManorTables, pawn: int) -> bool:
    """Darkens the wing from the start of the next turn; once (M19)."""
    spot = int(tables.spot[index(state.area[pawn])])
    if spot == NONE or not (state.fuse_boxes >> spot) & 1:
        return False
    state.fuse_boxes &= ~(1 << spot)
    state.dark_next |= 1 << int(tables.wing[index(state.area[pawn])])
    return True
