"""Other contents of spots, other items and other knowledge of them, as far as a seat cannot tell (M3, M6, M17, M20)."""

from __future__ import annotations

from reichenbach.envs.core.bits import count, nth
from reichenbach.envs.core.chance import draw
from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import kernel, large_kernel
from reichenbach.envs.manor.options import INVENTORY_PRIVATE
from reichenbach.envs.manor.play import nth_left, spots_with
from reichenbach.envs.manor.state import (
    FOOD,
    HIDDEN,
    MEDICINE,
    N_PAWNS,
    NONE,
    NOTHING,
    PASSAGE,
    SPRAY,
    WEAPON,
    State,
)
from reichenbach.envs.manor.tables import MAX_SPOTS, ManorTables

_ITEMS = (1 << 15) - 1  # food, medicine, spray in a count of contents, five bits each


# ---------------------------------------------------------------- spots and items


@large_kernel
def redraw_spots(state: State, tables: ManorTables, seat: int) -> None:
    """The contents of spots that are left and that the seat does not know, in any order that the map allows (M6)."""
    unknown = ~(int(state.known[seat]) | int(state.gone)) & ((1 << int(tables.n_spots)) - 1)
    left = 0  # what is not laid yet: five bits for each content
    for spot in range(MAX_SPOTS):
        if (unknown >> spot) & 1 and state.content[spot] != PASSAGE:
            left += 1 << (5 * int(state.content[spot]))
    hidden = _redraw_passage(state, tables, unknown)
    if hidden != NONE:
        unknown &= ~(1 << hidden)
    for item in range(2):  # first the spots where the seat saw an item that was left, unseen by it (M17, M20)
        for spot in range(MAX_SPOTS):
            if (unknown >> spot) & 1 and _was_left(state, tables, spot) == (item == 0):
                among = left & _ITEMS if item == 0 else left
                content = nth_left(among, draw(state, _total(among)))
                state.content[spot] = content
                left -= 1 << (5 * content)


@kernel
def _redraw_passage(state: State, tables: ManorTables, unknown: int) -> int:
    """Another passage or its other end, if it is hidden in one of these spots; the spot, NONE if it is not."""
    if state.passage == NONE or state.passage_is != HIDDEN:
        return NONE
    ends, n_ends = 0, 0
    for i in range(2 * tables.n_passages):
        possible = (unknown >> int(tables.passage_spot[i // 2, i % 2])) & 1
        ends |= possible << i
        n_ends += possible
    chosen = nth(ends, draw(state, n_ends))
    spot = int(tables.passage_spot[chosen // 2, chosen % 2])
    state.passage = chosen // 2
    state.content[index(spot)] = PASSAGE
    return spot


@kernel
def _was_left(state: State, tables: ManorTables, spot: int) -> bool:
    """Whether a pawn left what it found there last turn."""
    found = False
    for pawn in range(N_PAWNS):
        found = found or (state.left[pawn] != 0 and state.area[pawn] == tables.spot_area[spot])
    return found


@kernel
def _total(left: int) -> int:
    total = 0
    for content in range(NOTHING + 1):
        total += (left >> (5 * content)) & 31
    return total


@large_kernel
def redraw_items(state: State, tables: ManorTables, seat: int) -> None:
    """With a private inventory: who carries the items that the seat does not know of, and what pawns found (M20)."""
    unknown = 0  # those items: five bits for each kind
    for pawn in range(N_PAWNS):
        for item in range(3):
            known = int(state.known_items[seat, pawn, item])
            unknown += (int(state.items[pawn, item]) - known) << (5 * item)
            state.items[pawn, item] = known
    for _ in range(_total(unknown)):
        free = 0
        for pawn in range(N_PAWNS):
            free |= int(_carried(state, pawn) < 2) << pawn
        item = nth_left(unknown, draw(state, _total(unknown)))
        unknown -= 1 << (5 * item)
        state.items[nth(free, draw(state, count(free))), item] += 1
    for pawn in range(N_PAWNS):
        _redraw_find(state, tables, seat, pawn)
        for other in range(tables.n_seats):
            if other != seat:
                for item in range(3):
                    state.known_items[other, pawn, item] = draw(state, int(state.items[pawn, item]) + 1)


@kernel
def _carried(state: State, pawn: int) -> int:
    return int(state.items[pawn, FOOD] + state.items[pawn, MEDICINE] + state.items[pawn, SPRAY])


@kernel
def _redraw_find(state: State, tables: ManorTables, seat: int, pawn: int) -> None:
    """A find that the seat did not see becomes what the pawn carries unknown to it, or nothing; and who else saw it."""
    found = int(state.found[pawn])
    if found == NONE or WEAPON <= found <= PASSAGE:
        return
    if not (state.find_seen[pawn] >> seat) & 1:
        spot = index(tables.spot[index(state.area[pawn])])
        state.found[pawn] = state.content[spot] if state.left[pawn] else NOTHING
        for item in range(3):
            if not state.left[pawn] and state.items[pawn, item] > state.known_items[seat, pawn, item]:
                state.found[pawn] = item
    for other in range(tables.n_seats):
        if other != seat:
            state.find_seen[pawn] &= ~(1 << other)
            state.find_seen[pawn] |= draw(state, 2) << other


@large_kernel
def redraw_knowledge(state: State, tables: ManorTables, seat: int) -> None:
    """What other seats know of spots: each detective two with food, the villain side their colours (M3)."""
    detective = bool((tables.detectives >> seat) & 1)
    private = state.inventory == INVENTORY_PRIVATE
    own = int(state.known[seat]) & ~int(state.gone)
    food, weapons = spots_with(state, FOOD, FOOD), spots_with(state, WEAPON, WEAPON)
    # What the seat knows of other spots it knows since a pawn left it there, which all saw (M17), or of weapons (M20).
    shared = own & ~food if detective else own & ~food & ~weapons
    shared &= weapons if private else -1
    free = food & ~int(state.known[seat]) if detective else food
    for other in range(tables.n_seats):
        if other != seat:
            known = shared
            if not (tables.detectives >> other) & 1:
                known |= food | weapons
            else:
                for _ in range(2):
                    among = free & ~known if free & ~known else food & ~known
                    known |= 1 << nth(among, draw(state, count(among))) if among else 0
                free &= ~known
            state.known[other] = known
