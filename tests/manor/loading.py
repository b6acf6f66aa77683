"""Short ways to positions, turns and answers, shared by the rule tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reichenbach.envs.core import chance, one
from reichenbach.envs.core.record import States
from reichenbach.envs.manor import actions, words
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.notation import names_of
from reichenbach.envs.manor.pairs import PAIRS
from reichenbach.envs.manor.reading import Names
from reichenbach.envs.manor.rules import tables_of
from reichenbach.envs.manor.state import WINNER, Ending
from reichenbach.envs.manor.words import LETTERS

CASES = Path(__file__).parent / "cases"
GULL = str(CASES / "gull.yaml")
Row = dict[str, Any]
Draw = tuple[int, int]  # how many outcomes there are, and which one comes

STANDING = "A:H1,B:G3,C:L1,D:K1,E:P1,F:S1"
BASE = {"table": "4p_roles", "map": GULL, "events": "false", "villain": "E", "target": "F", "turn": "4", "spots": "-"}
"""Six pawns far from each other, healthy, with empty hands, in a house where nothing is left to find."""


def rows(name: str) -> list[Row]:
    """The rows of a file of known answers."""
    found: list[Row] = json.loads((CASES / name).read_text())["rows"]
    return found


def load(text: str = "", pawns: str = "", **options: Any) -> States:
    """An array of one: `BASE`, the pawns that are named elsewhere than in `STANDING`, and whatever else is said."""
    given = dict(part.split("=", 1) for part in text.split())
    where = {entry[0]: entry for entry in STANDING.split(",")} | {entry[0]: entry for entry in pawns.split()}
    base = {name: value for name, value in BASE.items() if name not in options}
    both = {**base, "pawns": ",".join(where.values()), **given}
    return GAME.parse(" ".join(f"{name}={value}" for name, value in both.items()), **options)


# ---------------------------------------------------------------- playing


def turn(states: States, draws: Sequence[Draw] = (), rest: str = "stay", **orders: str) -> States:
    """Plays a whole turn and gives the same array back.

    Args:
        states: an array of one at the beginning of a turn.
        draws: what chance does, draw by draw; the turn must draw just so.
        rest: "stay": pawns that nobody is told to order are ordered to stay, as far as orders are left; "pass": not.
        orders: by seat, as ``sherlock="A>H2:search,B>G3"``.
    """
    names, tables = names_of(states), tables_of(states)
    given = {seat: [part for part in orders.pop(seat, "").split(",") if part] for seat in names.seats}
    assert not orders, f"no such seats: {', '.join(orders)}"
    if rest == "stay":
        _stay(states, names, given)
    chance.set_script(states, [outcome for _, outcome in draws])
    for slot in range(int(tables["slots"][0])):
        for seat in names.seats:
            play(states, number(states, given[seat][slot]) if slot < len(given[seat]) else actions.PASS)
    assert chance.recorded(states) == list(draws)
    assert states["script_used"][0] == len(draws)
    return states


def _stay(states: States, names: Names, given: dict[str, list[str]]) -> None:
    """Gives the orders that are left, Moriarty's first, to pawns that have none."""
    tables = tables_of(states)
    villain, target = LETTERS[states["villain"][0]], LETTERS[states["target"][0]]
    ordered = {villain if order == "assail" else order[0] for orders in given.values() for order in orders}
    free = [letter for letter in LETTERS if letter not in ordered]
    by_need = sorted(names.seats, key=lambda seat: (seat != "moriarty", seat != "irene"))
    for seat in by_need:
        left = int(tables["quota"][0, names.seats.index(seat)]) - len(given[seat])
        for letter in [each for each in free if each != target or seat not in ("moriarty", "irene")][:left]:
            area = names.areas[states["area"][0, LETTERS.index(letter)]]
            given[seat].append(f"{letter}>{area}")
            free.remove(letter)


def number(states: States, order: str) -> int:
    """The action of an order's text."""
    if order in ("assail", "pass"):
        return actions.ASSAIL if order == "assail" else actions.PASS
    found = words.orders("order", order, names_of(states).areas, int(states["villain"][0]))
    return next(pawn * actions.ORDERS + given for pawn, given in enumerate(found) if given >= 0)


def play(states: States, action: int) -> States:
    """Plays one action of the seat whose submission comes next."""
    answer = one.step(states, tables_of(states), action, np.empty(actions.N_ACTIONS, np.int8))
    assert answer != -2, f"{actions.to_text(action)} is illegal in {GAME.format(states)}"
    return states


def vote(states: States, *letters: str, draws: Sequence[Draw] = ()) -> States:
    """The final deduction: each detective names a pawn, in the order of seats."""
    chance.set_script(states, [outcome for _, outcome in draws])
    tables, named = tables_of(states), iter(letters)
    for seat in range(int(tables["n_seats"][0])):
        detective = int(tables["detectives"][0]) >> seat & 1
        play(states, actions.VOTE + LETTERS.index(next(named)) if detective else actions.PASS)
    assert chance.recorded(states) == list(draws)
    return states


# ---------------------------------------------------------------- looking


def fields(states: States) -> dict[str, str]:
    """The fields of a position's text."""
    return dict(part.split("=", 1) for part in GAME.format(states).split())


def field(states: States, name: str) -> str:
    """One field of the text, ``-`` where it is left out because there is nothing to say."""
    return fields(states).get(name, "-")


def pawn(states: States, letter: str) -> str:
    """Where a pawn is and how, as ``H1`` or ``H1:hungry+armed``."""
    return next(entry[2:] for entry in field(states, "pawns").split(",") if entry[0] == letter)


def where(states: States) -> str:
    """The areas of the six pawns, divided by spaces."""
    return " ".join(pawn(states, letter).partition(":")[0] for letter in LETTERS)


def act(states: States, letter: str) -> str:
    """What a pawn did last turn: where it came from, and its deed, as ``H1:search:food``."""
    return next(entry[2:] for entry in field(states, "acts").split(",") if entry[0] == letter)


def order_of_action(states: States) -> str:
    """The letters of those that acted, in that order."""
    return "".join(entry[0] for entry in field(states, "acts").split(","))


def told(states: States) -> dict[str, str]:
    """The notices of each seat that has any, as ``{"watson": "A:moriarty"}``."""
    return dict(part.split("/") for part in field(states, "notices").split(";")) if "notices" in fields(states) else {}


def chart(states: States, name: str = "chart") -> set[str]:
    """The pairs that a chart leaves, as ``{"EF", "FE"}``."""
    return pairs(int(states[name][0]))


def belief(states: States, seat: str) -> set[str]:
    """The pairs that a seat cannot rule out."""
    return pairs(int(states["belief"][0, names_of(states).seats.index(seat)]))


def pairs(bits: int) -> set[str]:
    """A set of pairs from its bits."""
    return {LETTERS[villain] + LETTERS[target] for bit, (villain, target) in enumerate(PAIRS) if bits >> bit & 1}


def not_targets(states: States) -> str:
    """The letters of the pawns that are the target of no pair on the chart."""
    return "".join(letter for letter in LETTERS if letter not in {pair[1] for pair in chart(states)})


def legal(states: States, seat: str) -> set[str]:
    """What a seat may submit, as ``{"A>H2:search", "assail", "pass", "name A"}``."""
    names = names_of(states)
    mask: NDArray[np.int8] = np.empty(actions.N_ACTIONS, np.int8)
    one.legal(states, tables_of(states), names.seats.index(seat), mask)
    found: set[str] = set()
    for action in np.flatnonzero(mask).tolist():
        who, order = divmod(action, actions.ORDERS)
        found.add(words.order_text(who, order, names.areas) if action < actions.ASSAIL else actions.to_text(action))
    return found


def result(states: States) -> tuple[str, str] | None:
    """Who won and how, None while the game runs."""
    ending = Ending(int(states["ending"][0]))
    if ending == Ending.RUNNING:
        return None
    winner = WINNER[ending]
    return ("nobody" if winner < 0 else ("detectives", "villains")[winner]), ending.name.lower()
