"""Positions with known answers: the table of cases, what one turn does to each."""

from __future__ import annotations

from typing import Any

import pytest

from reichenbach.envs.core import chance
from reichenbach.envs.core.record import States
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.notation import names_of
from reichenbach.envs.manor.rules import tables_of
from reichenbach.envs.manor.sight import limit
from reichenbach.envs.manor.words import LETTERS
from tests.manor.loading import (
    GULL,
    Row,
    belief,
    chart,
    field,
    fields,
    legal,
    load,
    not_targets,
    number,
    order_of_action,
    pawn,
    play,
    result,
    rows,
    told,
    where,
)

pytestmark = pytest.mark.plain

MARKS = {"hungry": "hungry", "injured": "injured", "fatigued": "fatigued", "armed": "armed"}
SIDE = {"villain": "villains", "detectives": "detectives", "draw": "nobody"}
NOTICE = {"not_target": "moriarty", "overridden": "another"}
PARTS = ("night", "morning", "afternoon")


def text_of(row: Row) -> str:
    """The position of a row; what it does not say is as its file's head says."""
    position = row["position"]
    pawns: list[str] = []
    for letter, facts in position["pawns"].items():
        marks = [word for name, word in MARKS.items() if facts.get(name)] + facts.get("items", [])
        pawns.append(":".join([letter, facts["area"], *(["+".join(marks)] if marks else [])]))
    parts = {
        **{name: position[name] for name in ("villain", "target", "turn")},
        "pawns": ",".join(pawns),
        "spots": ",".join(f"{area}:{content}" for area, content in position.get("spots", {}).items()) or "-",
        "dark": ",".join(position.get("dark", [])) or "-",
    }
    return " ".join(f"{name}={value}" for name, value in parts.items())


def order_of(command: list[str]) -> str:
    """A row's command as this package writes it."""
    if command[0] in ("assail", "vote"):
        return command[0] if command[0] == "assail" else f"name {command[1]}"
    letter, area, deed = command
    return f"{letter}>{area}" + ("" if deed == "none" else f":{deed}")


def submit(states: States, commands: dict[str, list[list[str]]]) -> None:
    """Plays the row's commands slot by slot until they and the turn are over."""
    names, tables = names_of(states), tables_of(states)
    voting = bool(states["voting"][0])
    for slot in range(1 if voting else int(tables["slots"][0])):
        for seat in names.seats:
            given = [order_of(command) for command in commands.get(seat, [])]
            order = given[slot] if slot < len(given) else "pass"
            vote = order.startswith("name ")
            play(states, actions.VOTE + LETTERS.index(order[-1]) if vote else number(states, order))


def check(states: States, expect: dict[str, Any], lost: str) -> None:
    """Compares every expectation of a row but those judged before the commands."""
    standing = dict(zip(LETTERS, where(states).split(), strict=True))
    for letter, areas in expect.get("areas", {}).items():
        assert standing[letter] in ([areas] if isinstance(areas, str) else areas)
    if "not_target" in expect:
        assert lost == "".join(expect["not_target"])
    for letter, facts in expect.get("pawns", {}).items():
        check_pawn(states, letter, facts)
    if "chart_size" in expect:
        assert len(chart(states)) == expect["chart_size"]
    if "order" in expect:
        assert order_of_action(states) == expect["order"]
    if "turn" in expect:
        assert field(states, "turn") == str(expect["turn"])
    if "phase" in expect:
        assert PARTS[int(field(states, "turn")) % 3] == expect["phase"]
    if "answer" in expect:
        assert field(states, "answers").split(",")[-1] == ("near" if expect["answer"] else "far")
    for seat, notices in expect.get("notices", {}).items():
        heard = ",".join(f"{letter}:{NOTICE[kind]}" for kind, letter in notices)
        assert told(states).get(seat, "") == heard
    wanted = expect.get("result")
    assert result(states) == (None if wanted is None else (SIDE[wanted[0]], wanted[1]))
    for name in ("belief_with", "belief_without"):
        for seat, pairs in expect.get(name, {}).items():
            assert all((pair in belief(states, seat)) == (name == "belief_with") for pair in pairs)


def check_pawn(states: States, letter: str, facts: dict[str, Any]) -> None:
    """Compares a pawn's ailments, items and limit."""
    marks = pawn(states, letter).partition(":")[2].split("+")
    for name, value in facts.items():
        if name == "limit":
            assert limit(states[0], LETTERS.index(letter), False) == value
        elif name == "items":
            assert [mark for mark in marks if mark in ("food", "medicine", "spray")] == value
        elif name == "critical":
            assert (marks.count("hungry") + marks.count("injured") == 2) == value
        else:
            assert marks.count(name) == int(value)


@pytest.mark.parametrize("row", rows("turns.json"), ids=lambda row: str(row["id"]))
def test_turns(row: Row) -> None:
    chances = any(isinstance(areas, list) for areas in row["expect"].get("areas", {}).values())
    seen: set[str] = set()
    for seed in range(12) if chances else [row["seed"]]:
        states = load(text_of(row), map=GULL, table=row["table"], **row["options"])
        chance.seed(states, [seed])
        for seat, lists in row["expect"].get("legal", {}).items():
            allowed = legal(states, seat)
            assert {order_of(command) for command in lists.get("has", [])} <= allowed
            assert not {order_of(command) for command in lists.get("has_not", [])} & allowed
        before = not_targets(states)
        for commands in [row["commands"], *row.get("then", [])]:
            submit(states, commands)
        check(states, row["expect"], "".join(sorted(set(not_targets(states)) - set(before))))
        seen.add(where(states))
    if chances:
        ways = [areas for areas in row["expect"]["areas"].values() if isinstance(areas, list)]
        assert len(seen) == len(ways[0]), "each of the alternatives comes"


def test_fields_that_are_left_out_say_nothing() -> None:
    assert set(fields(load())) == {"table", "map", "villain", "target", "turn", "pawns", "spots", "events"}
