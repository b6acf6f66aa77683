"""Why a seat may not give an action now, in words: from what that seat knows alone, whoever else has submitted."""

from __future__ import annotations

from collections.abc import Sequence

from reichenbach.envs.core import one
from reichenbach.envs.core.reasons import legal_texts
from reichenbach.envs.core.record import States, Tables
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.naming import with_names
from reichenbach.envs.manor.options import house_of
from reichenbach.envs.manor.play import may_not_command
from reichenbach.envs.manor.rules import tables_of
from reichenbach.envs.manor.seats import SEATS, TABLE_NAMES
from reichenbach.envs.manor.sight import limit, reach
from reichenbach.envs.manor.state import MORIARTY, NONE, PAWNS, State
from reichenbach.envs.manor.tables import ManorTables

# What a deed needs where it is wanted, in the order of the deeds (M12, M17-M19).
_LACKS = (
    "{pawn} may not be sent to {area}",
    "no spot is left at {area} that {pawn} could search, as far as the seat knows (M12, M17)",
    "{pawn} is not hungry, or has no food (M12)",
    "{pawn} has no food (M12)",
    "{pawn} is not injured, or has no medicine (M12)",
    "{pawn} has no medicine (M12)",
    "{pawn} has no spray (M12)",
    "no fuse box that still works was found at {area} (M12, M19)",
)


def why_illegal(state: States, action: int, seat: int) -> str:
    """Says why the seat may not give this action now; areas have the names of the map."""
    tables, areas = tables_of(state), house_of(state).areas
    if one.mover(state, tables) < 0:
        return f"action {with_names(action, areas)!r}: the game is over"
    name = SEATS[TABLE_NAMES[int(state["table"][0])]][seat].name
    if not 0 <= action < actions.N_ACTIONS:
        return f"action {action} of {name}: there is none; allowed are 0 to {actions.N_ACTIONS - 1}"
    allowed = legal_texts(state, tables, seat, actions.N_ACTIONS, lambda each: with_names(each, areas))
    reason = _reason(state, tables, action, seat, areas)
    return f"action {with_names(action, areas)!r} of {name}: {reason}; allowed are {allowed}"


def _reason(state: States, tables: Tables, action: int, seat: int, areas: Sequence[str]) -> str:
    one_state, house = state[0], tables[0]
    if not one.active(state, tables, seat):
        return "the seat is idle, it has submitted in this slot (M9)"
    if one_state.voting:
        return "in the final deduction a detective names a pawn and the villain side passes (M30)"
    if action >= actions.VOTE:
        return "pawns are named in the final deduction alone (M30)"
    if one_state.passed[seat] or one_state.used[seat] >= house.quota[seat]:
        return "the seat has no command left this turn (M2, M9)"
    if action == actions.ASSAIL:
        return "Moriarty alone may assail, with the villain armed, not yet commanded, and the target in reach (M25)"
    return _why_not_commanded(one_state, house, action, seat, areas)


def _why_not_commanded(state: State, tables: ManorTables, action: int, seat: int, areas: Sequence[str]) -> str:
    pawn, order = divmod(action, actions.ORDERS)
    area, deed = divmod(order, actions.N_DEEDS)
    name = PAWNS[pawn]
    if state.order[seat, pawn] != NONE:
        return f"{name} has this seat's command already (M9)"
    if may_not_command(state, tables, seat) >> pawn & 1:
        return f"{name} is the target (M3)"
    if area >= len(areas):
        return f"{area} is no area of this map, whose areas are 0 to {len(areas) - 1}"
    steps = limit(state, pawn, bool(tables.role[seat] == MORIARTY))
    if not (reach(state, tables, pawn, steps) >> area) & 1:
        return f"{areas[area]} is out of reach: {name} goes at most {steps} (M10, M11)"
    return _LACKS[deed].format(pawn=name, area=areas[area])
