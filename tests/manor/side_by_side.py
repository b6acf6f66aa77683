"""The kernel and the reference playing the same game, compared after every move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from reichenbach.envs.core import chance, one
from reichenbach.envs.core.chance import Chance
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.map_file import FOLDER, SHIPPED
from reichenbach.envs.manor.state import STATE, Ending
from tests.manor.facts import action_number, facts
from tests.manor.reference import play as rules
from tests.manor.reference.commands import Action, legal
from tests.manor.reference.deal import deal
from tests.manor.reference.ending import reward
from tests.manor.reference.house import House, read_house
from tests.manor.reference.model import Game, Options, Seat
from tests.manor.reference.watch import observe
from tests.who_is_moriarty.reference.chance import Told

BELIEF = 1
CHANCE = set(Chance.__annotations__)
OPTIONS = {option.field for option in GAME.options}


@cache
def lengths(sections: int) -> dict[str, int]:
    """The sections of an observation, in order."""
    return {section.name: section.length for section in GAME.layout(sections).sections}


@cache
def house_at(name: str, table: str) -> House:
    """The house of a map that comes along, or of a map file."""
    file = FOLDER / f"{name}.yaml" if name in SHIPPED else Path(name)
    return read_house(yaml.safe_load(file.read_text()), table)


def option_values(options: Options, house: House) -> dict[str, Any]:
    """The options as the game takes them; counts that are the map's own are left to the map."""
    values = asdict(options)
    return {name: "map" if house.counts.get(name) == value else value for name, value in values.items()}


class SideBySide:
    """One game twice: `state` is the kernel's, `game` the reference's.

    Args:
        options: the rules.
        seed: of the kernel's chance.
        house_name: the map, one that comes along or a file's path.
        position: begins there instead of with a deal.
    """

    def __init__(self, options: Options, seed: int, house_name: str = SHIPPED[0], position: Game | None = None) -> None:
        house = house_at(house_name, options.table)
        values = GAME.resolve({**option_values(options, house), "map": house_name})
        self.tables = GAME.tables(values)
        self.state = GAME.new(values)
        chance.seed(self.state, [seed])
        one.deal(self.state, self.tables)
        if position is not None:
            self.game = position
            write(self.state, position)
            return
        told = Told(chance.recorded(self.state))
        self.game = deal(options, house, told)
        told.finish()

    def outcomes(self) -> list[tuple[int, int]]:
        """What chance brought at the kernel's last move."""
        return chance.recorded(self.state)

    def play(self, action: Action) -> None:
        """The mover's action, by the kernel, then by the reference with the chance that the kernel had."""
        mask = np.zeros(GAME.n_actions, np.int8)
        code = one.step(self.state, self.tables, action_number(self.game, action), mask)
        assert code != -2, f"the kernel refuses {action}"
        told = Told(self.outcomes())
        rules.play(self.game, action, told)
        told.finish()

    def compare(self, sections: int = 0, seats: list[int] | None = None) -> None:
        """Every fact, mover, endings and rewards; legal actions and view of every seat, or of those named.

        The number of seats stands for the observer who sees all.
        """
        self._compare_facts()
        mover = rules.mover(self.game)
        assert one.mover(self.state, self.tables) == (-1 if mover is None else mover), f"the mover is not {mover}"
        assert Ending(one.outcome(self.state, self.tables)).name == self.game.ending
        for seat in self.game.seats:
            assert one.active(self.state, self.tables, seat.number) == rules.active(self.game, seat.number)
            assert one.reward(self.state, self.tables, seat.number) == reward(self.game, seat)
        for number in range(len(self.game.seats) + 1) if seats is None else seats:
            seat_or_all = self.game.seats[number] if number < len(self.game.seats) else None
            if seat_or_all is not None:
                self._compare_legal(seat_or_all)
            self._compare_view(number, seat_or_all, sections)

    def _compare_facts(self) -> None:
        expected = facts(self.game)
        assert set(expected) == set(STATE.names or ()) - CHANCE - OPTIONS
        differences = [
            f"{name}: kernel {found.tolist()}, reference {expected[name]}"
            for name, found in fields(self.state, self.game)
            if found.tolist() != expected[name]
        ]
        assert not differences, "; ".join(differences)

    def _compare_legal(self, seat: Seat) -> None:
        mask = np.full(GAME.n_actions, 7, np.int8)
        one.legal(self.state, self.tables, seat.number, mask)
        expected = np.zeros(GAME.n_actions, np.int8)
        expected[[action_number(self.game, action) for action in legal(self.game, seat)]] = 1
        wrong = [GAME.action_text(int(action)) for action in np.flatnonzero(mask != expected)]
        assert not wrong, f"legal actions of seat {seat.number} differ: {', '.join(wrong[:10])}"

    def _compare_view(self, number: int, seat: Seat | None, sections: int) -> None:
        layout = GAME.layout(sections)
        view = np.full(layout.size, np.nan, np.float32)
        before = self.state.tobytes()
        one.observe(self.state, self.tables, number, sections, view)
        assert self.state.tobytes() == before, "observing changes nothing"
        expected = observe(self.game, seat, bool(sections & BELIEF))
        assert lengths(sections) == {name: len(numbers) for name, numbers in expected.items()}
        flat = np.fromiter(chain.from_iterable(expected.values()), np.float64)
        if not np.all(np.abs(view - flat) < 1e-6):
            wrong = [name for name in expected if np.any(~(np.abs(view - flat)[layout.slice(name)] < 1e-6))]
            raise AssertionError(f"what seat {number} sees differs in {', '.join(wrong)}")


def fields(state: NDArray[Any], game: Game) -> Iterator[tuple[str, NDArray[Any]]]:
    """The kernel's fields but for chance and options, cut to the seats and spots of the game."""
    n_seats, n_spots = len(game.seats), len(game.house.spots)
    for name in STATE.names or ():
        if name in CHANCE or name in OPTIONS:
            continue
        value = state[name][0]
        if name in PER_SEAT:
            value = value[:n_seats]
        elif name == "content":
            value = value[:n_spots]
        elif name == "gone":  # spots that the map lacks are gone
            value = value & ((1 << n_spots) - 1)
        yield name, value


PER_SEAT = ("known_items", "known", "order", "used", "passed", "vote", "notice", "last_order", "belief")


def write(state: NDArray[Any], game: Game) -> None:
    """Puts the reference's position into a state that was dealt under the same options."""
    for name, value in facts(game).items():
        if name in PER_SEAT or name == "content":
            state[name][0, : len(value)] = value
        elif name == "gone":
            mask = (1 << len(game.house.spots)) - 1
            state[name][0] = (state[name][0] & ~mask) | value
        else:
            state[name][0] = value
