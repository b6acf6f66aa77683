"""One turn under every pair, with all commands of the other players and everything that chance may bring.

Commands are gone through pawn by pawn, and dropped as soon as the player would have seen something else; what is left
is played out. Nothing is known here of what commands tell about the target, nor which deeds may have been lost.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from tests.manor.reference.commands import legal, reachable
from tests.manor.reference.conflicts import contenders, is_exposed, notice_to
from tests.manor.reference.ending import end_of_turn
from tests.manor.reference.model import LETTERS, Ask, Game, Order, Pair, Seat
from tests.manor.reference.play import action_phase
from tests.manor.reference.watch import Sections, act_seen, observe

Orders = dict[int, Order]  # on one pawn, by number of seat
Done = tuple[Order | None, bool]  # what a pawn obeyed, and whether it was exposed
Fitting = tuple[tuple[int, ...], Done]  # and before that, who commanded it
View = tuple[Sections, str]


def view(game: Game, viewer: Seat, follows: str) -> View:
    """What a player of the detective side knows at the end of a turn; `follows` says what follows it."""
    sections = observe(game, viewer)
    del sections["phase"], sections["commands_left"]  # the worlds do not go through the slots
    return sections, follows


def any_chance(run: Callable[[Ask], bool]) -> bool:
    """Runs with everything that chance may bring, one after the other; true as soon as a run is true."""
    path: list[int] = []
    while True:
        asked: list[tuple[int, int]] = []

        def ask(n: int, path: list[int] = path, asked: list[tuple[int, int]] = asked) -> int:
            asked.append((n, path[len(asked)] if len(asked) < len(path) else 0))
            return asked[-1][1]

        if run(ask):
            return True
        while asked and asked[-1][1] == asked[-1][0] - 1:
            asked.pop()
        if not asked:
            return False
        path = [outcome for _, outcome in asked]
        path[-1] += 1


class Worlds:
    """The worlds of one turn.

    Args:
        before: the game at the beginning of the turn, before any command.
        after: the same turn as it was played, at its end.
        number: the player's seat, of the detective side.
        follows: what follows the turn, as `end_of_turn` says it.
    """

    def __init__(self, before: Game, after: Game, number: int, follows: str) -> None:
        self.before, self.after, self.number = before, after, number
        self.viewer = after.seats[number]
        self.seen = view(after, self.viewer, follows)
        self.acts = {letter: act_seen(after, act, self.viewer) for letter, act in after.acts.items()}

    def belief(self) -> set[Pair]:
        """The pairs, of those that were possible before, under which some world looks like the turn."""
        return {pair for pair in self.before.seats[self.number].belief if self.possible(pair)}

    def possible(self, pair: Pair) -> bool:
        """Is there a world with this villain and target?"""
        self.world = self.before.copy()
        self.world.villain, self.world.target = pair
        self._forget_hidden_knowledge()
        others = [seat for seat in self.world.seats if seat.number != self.number]
        self.legal = {seat.number: legal(self.world, seat) for seat in others}
        self.fitting = {letter: self._fitting(letter, others) for letter in LETTERS}
        self.tried: dict[tuple[Done, ...], bool] = {}
        self.dead_ends: set[tuple[object, ...]] = set()
        return self._go_on((), {seat.number: seat.quota for seat in others})

    def _forget_hidden_knowledge(self) -> None:
        """Nobody can know which two food spots an ally knows: it may be two that are emptied by now."""
        common = set.intersection(*(seat.known for seat in self.world.seats))
        for seat in self.world.seats:
            if seat.side == "detectives" and seat.number != self.number:
                seat.known = common

    def _fitting(self, letter: str, others: list[Seat]) -> list[Fitting]:
        """Goes through all commands of the others on one pawn: who gave those that may have been, what came of it."""
        choices = [[None, *self._all_orders(seat, letter)] for seat in others]
        found: dict[Fitting, None] = {}
        for given in product(*choices):
            orders = {seat.number: order for seat, order in zip(others, given, strict=True) if order is not None}
            orderers = tuple(orders)
            if letter in self.viewer.orders:
                orders[self.number] = self.viewer.orders[letter]
            exposed = self.world.options.exposure != "overridden" and is_exposed(self.world, orders)
            if exposed and any(target == letter for _, target in self.after.side_chart):
                continue
            for obeyed in self._may_be_obeyed(letter, orders):
                if self._looks_right(letter, orders, obeyed):
                    found[orderers, (obeyed, exposed)] = None
        return list(found)

    def _all_orders(self, seat: Seat, letter: str) -> list[Order]:
        """What a player may have ordered a pawn to do; for Moriarty also what may have come at random (M15)."""
        orders = [action[1] for action in self.legal[seat.number] if isinstance(action, tuple) and action[0] == letter]
        if seat.role == "moriarty" and letter != self.world.target:
            areas = reachable(self.world, self.world.pawns[letter])
            searches = [Order(area, "search") for area in areas if self.world.spot_left(area)]
            orders += [order for order in searches if order not in orders]
        return orders

    def _go_on(self, done: tuple[Done, ...], left: dict[int, int]) -> bool:
        """Goes through all commands on the pawns from this one on; `left` is how many each player has left.

        Moriarty must use all of his (M15).
        """
        if len(done) == len(LETTERS):
            return left[self.world.moriarty.number] == 0 and self._plays_the_same(done)
        place = (*done, *left.values())  # what comes of it does not depend on how one got there
        if place in self.dead_ends:
            return False
        for orderers, does in self.fitting[LETTERS[len(done)]]:
            if all(left[number] > 0 for number in orderers):
                rest = {number: n - (number in orderers) for number, n in left.items()}
                if self._go_on((*done, does), rest):
                    return True
        self.dead_ends.add(place)
        return False

    def _may_be_obeyed(self, letter: str, orders: Orders) -> list[Order | None]:
        if not orders:
            return [None]
        return [orders[seat.number] for seat in contenders(self.world, letter, orders)]

    def _looks_right(self, letter: str, orders: Orders, obeyed: Order | None) -> bool:
        """Would the player have heard what it heard, and seen the pawn go where it went (M12: moves are not lost)?"""
        act = self.after.acts[letter]
        if obeyed is not None:
            if obeyed.area != act.area or act.did not in ("nothing", obeyed.deed):
                return False
            return notice_to(self.world, self.viewer, orders, obeyed) == self.viewer.notices.get(letter)
        return True

    def _plays_the_same(self, done: tuple[Done, ...]) -> bool:
        """What the pawns obey, and who is exposed, decides all that follows, but for chance."""
        if done not in self.tried:
            self.tried[done] = any_chance(lambda ask: self._play(done, ask))
        return self.tried[done]

    def _play(self, done: tuple[Done, ...], ask: Ask) -> bool:
        game = self.world.copy()
        viewer = game.seats[self.number]
        viewer.orders, viewer.notices = dict(self.viewer.orders), dict(self.viewer.notices)
        viewer.last_orders = dict(self.viewer.last_orders)
        both = dict(zip(LETTERS, done, strict=True))
        game.obeyed = {letter: order for letter, (order, _) in both.items() if order is not None}
        game.acts, game.sprayed, game.exposed = {}, {}, {letter for letter, (_, exposed) in both.items() if exposed}
        for letter in action_phase(game, ask, remember=False):
            if game.ending != "RUNNING" or act_seen(game, game.acts[letter], viewer) != self.acts[letter]:
                return False
        follows = end_of_turn(game, ask, conclude=lambda game: None)
        return game.ending == "RUNNING" and view(game, viewer, follows) == self.seen
