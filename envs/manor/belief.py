"""What a seat cannot rule out (§14): the pairs under which others' commands and chance give just what it has seen.

Each turn is judged by itself. The charts and the murders that did not happen are taken out where they come up
(turn.py, sight.py); here are the orders: which acts need one, and who may have given it.
"""

from __future__ import annotations

from reichenbach.envs.core.bits import count
from reichenbach.envs.core.index import index
from reichenbach.envs.core.kernel import large_kernel
from reichenbach.envs.core.record import States
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.options import EXPOSURE_OVERRIDDEN, INVENTORY_PRIVATE
from reichenbach.envs.manor.pairs import PAIRS, WITH_TARGET, pair
from reichenbach.envs.manor.sight import limit, steps_between
from reichenbach.envs.manor.state import (
    ALL_PAWNS,
    BY_ANOTHER,
    BY_MORIARTY,
    FOOD,
    MAX_SEATS,
    N_PAIRS,
    N_PAWNS,
    NONE,
    WATSON,
    State,
)
from reichenbach.envs.manor.tables import MAX_SPOTS, ManorTables

_SEARCH, _NOTHING = actions.SEARCH, actions.NOTHING

_SPOTS = (1 << MAX_SPOTS) - 1

# What was so when the commands were given: two bits a pawn, how far it could be sent, and how far by Moriarty; then by
# seat, a bit a spot, what it knew of the spots.
Facts = tuple[int, int, int, int, int, int]
# By pawn, one bit each, who may have had it act as it did: chance, Moriarty, a detective other than the seat, Irene.
Causes = tuple[int, int, int, int]


def belief(state: States, seat: int) -> set[tuple[int, int]]:
    """The pairs (villain, target) that the seat cannot rule out; the villain side and an all-seeing seat know the pair.

    Args:
        state: an array of one.
        seat: its number; one past the last is all-seeing.
    """
    known = pair(int(state["villain"][0]), int(state["target"][0]))
    pairs = int(state["belief"][0][seat]) if seat < MAX_SEATS else known
    return {PAIRS[bit] for bit in range(N_PAIRS) if (pairs >> bit) & 1}


@large_kernel
def facts_of_orders(state: State, tables: ManorTables) -> Facts:
    """What the commands of this turn were given on; to be asked before a pawn acts."""
    own, by_moriarty = 0, 0
    for pawn in range(N_PAWNS):
        own |= limit(state, pawn, False) << (2 * pawn)
        by_moriarty |= limit(state, pawn, True) << (2 * pawn)
    known = state.known  # cut to the spots, by which all six numbers are of one type in compiled code
    return own, by_moriarty, known[0] & _SPOTS, known[1] & _SPOTS, known[2] & _SPOTS, known[3] & _SPOTS


@large_kernel
def believe_turn(state: State, tables: ManorTables, facts: Facts, random_limits: int, charted: int) -> None:
    """Takes from each detective's belief what the turn's acts, notices and charts rule out.

    ``charted``: the pairs that would stand on their chart if nobody had been exposed or forced this turn.
    """
    shown = _shown_exposures(state, charted)
    for seat in range(tables.n_seats):
        if (tables.detectives >> seat) & 1:
            causes = _causes(state, tables, facts, random_limits, seat)
            pairs = 0
            for target in range(N_PAWNS):
                if _is_explained(state, tables, causes, shown, seat, target):
                    pairs |= WITH_TARGET[target]
            state.belief[seat] &= pairs & state.side_chart


# ---------------------------------------------------------------- who may have had a pawn act as it did


@large_kernel
def _causes(state: State, tables: ManorTables, facts: Facts, random_limits: int, seat: int) -> Causes:
    """As far as reach, and knowledge of spots, tell; ``random_limits``: two bits a pawn, its limit when it acted."""
    chance, moriarty, ally, irene = 0, 0, 0, 0
    for pawn in range(N_PAWNS):
        steps = steps_between(state, tables, int(state.came_from[pawn]), int(state.area[pawn]))
        plain = state.did[pawn] == _NOTHING or state.did[pawn] == _SEARCH  # M14
        orderly = steps <= (facts[0] >> (2 * pawn)) & 3
        in_reach = steps <= (facts[1] >> (2 * pawn)) & 3
        # Who knew that the pawn had no free place for what is there could not have it search (M17).
        spot = max(int(tables.spot[index(state.area[pawn])]), 0)
        withheld = state.left[pawn] != 0 and state.inventory != INVENTORY_PRIVATE
        villains_knew = withheld and (facts[2 + tables.moriarty] >> spot) & 1 != 0
        ally_knew = withheld and _ally_knew(state, tables, facts, seat, spot)
        chance |= int(plain and steps <= (random_limits >> (2 * pawn)) & 3) << pawn
        moriarty |= int((in_reach and not villains_knew) or (plain and orderly)) << pawn  # the latter by M15
        ally |= int(orderly and not ally_knew) << pawn
        irene |= int(orderly and not villains_knew) << pawn
    return chance, moriarty, ally, irene


@large_kernel
def _ally_knew(state: State, tables: ManorTables, facts: Facts, seat: int, spot: int) -> bool:
    """All knew what is there; or there are four food spots, and the only ally knew the two that the seat did not."""
    common = facts[2] & facts[3] & (facts[4] if tables.n_seats > 2 else -1) & (facts[5] if tables.n_seats > 3 else -1)
    both = count(int(tables.detectives)) == 2 and tables.counts[FOOD] == 4 and state.content[spot] == FOOD  # M3
    return (common >> spot) & 1 != 0 or (both and (facts[2 + seat] >> spot) & 1 == 0)


# ---------------------------------------------------------------- whether orders are enough for it


@large_kernel
def _shown_exposures(state: State, charted: int) -> int:
    """Bit p: the chart shows that pawn p was exposed; a forced move or a chart without it as target hides that."""
    shown = 0
    if state.exposure != EXPOSURE_OVERRIDDEN:
        for pawn in range(N_PAWNS):
            struck = charted & WITH_TARGET[pawn] != 0 and state.forced[pawn] == 0
            shown |= int(struck and (state.exposed >> pawn) & 1 != 0) << pawn
    return shown


@large_kernel
def _is_explained(state: State, tables: ManorTables, causes: Causes, shown: int, seat: int, target: int) -> bool:
    """Whether Moriarty's two orders, never on the target (M3, M15), and those of the others can have done it all."""
    by_moriarty, by_another = _notices(state, seat, BY_MORIARTY), _notices(state, seat, BY_ANOTHER)
    must = shown | by_moriarty | _forced(state)
    may = causes[1] & ~by_another & ~(1 << target)
    if must & ~may or count(must) > 2:
        return False
    by_allies = count(shown & ~by_moriarty)  # an ally's order differed from Moriarty's
    for first in range(N_PAWNS):
        for second in range(first):
            his = 1 << first | 1 << second
            if not his & ~may and not must & ~his:
                others = _needed(state, causes, seat, by_another) & ~his
                if _are_enough(state, tables, causes, seat, target, others, by_another, by_allies):
                    return True
    return False


@large_kernel
def _notices(state: State, seat: int, kind: int) -> int:
    """Bit p: the seat was told so of pawn p."""
    pawns = 0
    for pawn in range(N_PAWNS):
        pawns |= int(state.notice[seat, pawn] == kind) << pawn
    return pawns


@large_kernel
def _forced(state: State) -> int:
    """Bit p: pawn p moved as only Moriarty can have it move (M10)."""
    pawns = 0
    for pawn in range(N_PAWNS):
        pawns |= int(state.forced[pawn] != 0) << pawn
    return pawns


@large_kernel
def _needed(state: State, causes: Causes, seat: int, by_another: int) -> int:
    """Pawns that someone other than the seat ordered: another overrode it, or chance does not act so."""
    agreed = 0
    for pawn in range(N_PAWNS):
        agreed |= int(state.last_order[seat, pawn] != NONE) << pawn
    return (ALL_PAWNS & ~causes[0] & ~(agreed & ~by_another)) | by_another


@large_kernel
def _are_enough(
    state: State,
    tables: ManorTables,
    causes: Causes,
    seat: int,
    target: int,
    others: int,
    by_another: int,
    by_allies: int,
) -> bool:
    """Whether allies and Irene can have ordered these pawns, beside ``by_allies`` orders of allies on Moriarty's."""
    allies, beaten = 0, False
    for ally in range(tables.n_seats):
        if (tables.detectives >> ally) & 1 and ally != seat:
            allies += int(tables.quota[ally])
            beaten = bool(state.sherlock_beats_watson and tables.role[ally] == WATSON)
    ordered_by_ally = causes[2] & ~by_another if beaten else causes[2]
    irene = others & causes[3] if tables.irene != NONE else 0
    if not state.irene_commands_target:
        irene &= ~(1 << target)  # M3
    hers = others & ~ordered_by_ally
    if hers:
        return not hers & ~irene and count(hers) == 1 and count(others) - 1 + by_allies <= allies
    return count(others) + by_allies <= allies + int(irene != 0)
