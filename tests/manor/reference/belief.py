"""What a player cannot rule out (§14), found by looking for commands of the others that fit what it has seen.

A pair of villain and target stays possible after a turn if nobody would have been murdered under it (M24, see
murder.py), and if there are commands of the others - who ordered which pawns to do what - and outcomes of chance that
give what the player saw: every pawn's act, its own notices, and the exposures where the chart shows them.

The pair itself limits the commands in one way alone: Moriarty may not command the target, nor may Irene (M3). So it
is enough to look for commands target by target. Those on different pawns have nothing to do with each other but for
the number that each player has. Corner cases:

- Moriarty always has his two orders, on two pawns, neither the target: what he leaves unused is ordered at random
  (M15). A random order may be one that he could not give: a search of what he knows to be too much for full hands.
- An assail needs no thought here: it shows the pair to all, and if it never comes to pass the game is over.
- A forced move is his alone; so is what exposes a pawn, together with a different order of the detective side.
- Exposures are seen as pairs that are gone from the chart. One of a pawn that was forced too, or whose pairs were gone
  before or go by this night's answer, is seen by nobody.
- "Another" is an ally or Irene, and says that Moriarty did not command the pawn. An order of the player's own that
  brought no notice is the one that was obeyed.
- A pawn that nobody commanded acts at random, within the limit that it has when it acts: that may be further than
  any order could send it, if it was fed or healed in the meantime. Then nobody commanded it.
- A deed that was lost looks like nothing done (M12). So an order may be obeyed that differs from the player's own
  although the act looks just like it.
- What a player knows of spots decides which searches it may order with full hands (M17). The villain side knows food
  and weapons (M3). Of an ally's two food spots nobody else can know; that they are not one's own is known, so an
  ally may always have not known a spot, unless all know it since it was left.
"""

from __future__ import annotations

from itertools import product
from operator import sub

from tests.manor.reference.commands import orders_on, reachable
from tests.manor.reference.conflicts import contenders, is_exposed, notice_to
from tests.manor.reference.model import LETTERS, Game, Order, Pawn, Seat


def after_turn(game: Game) -> None:
    """Takes from every detective's belief what this turn rules out; the villain side knows the pair."""
    for seat in game.seats:
        if seat.side == "detectives":
            targets = Turn(game, seat).possible_targets()
            seat.belief = {pair for pair in seat.belief & game.side_chart if pair[1] in targets}


class Turn:
    """A turn as one player of the detective side saw it."""

    def __init__(self, game: Game, viewer: Seat) -> None:
        self.game, self.viewer = game, viewer
        self.others = [seat for seat in game.seats if seat is not viewer]
        self.known = {seat.number: self._surely_known(seat) for seat in self.others}
        self.shown = {letter for letter in LETTERS if self._would_be_shown(letter)}

    def possible_targets(self) -> set[str]:
        """Pawns that may be the target as far as commands tell."""
        orderers = {letter: self._orderers(letter) for letter in LETTERS}
        return {target for target in LETTERS if self._some_commands(target, orderers)}

    def _some_commands(self, target: str, orderers: dict[str, list[set[int]]]) -> bool:
        """Are there commands of the others, pawn by pawn, of which none has more than it may?

        `orderers` are the sets of other players that may have commanded a pawn. Moriarty must have none left.
        """
        left = {tuple(seat.quota for seat in self.others)}  # what each may have left after the pawns so far
        for letter in LETTERS:
            allowed = [those for those in orderers[letter] if self._may_command(those, letter, target)]
            taken = [[int(seat.number in those) for seat in self.others] for those in allowed]
            left = {tuple(map(sub, numbers, used)) for numbers in left for used in taken}
            left = {numbers for numbers in left if min(numbers) >= 0}
        moriarty = self.others.index(self.game.moriarty)
        return any(numbers[moriarty] == 0 for numbers in left)

    def _orderers(self, letter: str) -> list[set[int]]:
        """Every set of others of which it can be that they, and no more of them, commanded the pawn."""
        choices = {seat.number: self._choices(seat, letter) for seat in self.others}
        found = []
        for chosen in product((False, True), repeat=len(choices)):
            those = [number for number, taken in zip(choices, chosen, strict=True) if taken]
            if self._explains(letter, {number: choices[number] for number in those}):
                found.append(set(those))
        return found

    def _may_command(self, numbers: set[int], letter: str, target: str) -> bool:
        """M3."""
        roles = {self.game.seats[number].role for number in numbers}
        forbidden = {"moriarty"} if self.game.options.irene_commands_target else {"moriarty", "irene"}
        return letter != target or not roles & forbidden

    def _explains(self, letter: str, choices: dict[int, list[Order]]) -> bool:
        """Does the act fit, with some of the orders that these others can have given the pawn?"""
        own = {self.viewer.number: self.viewer.orders[letter]} if letter in self.viewer.orders else {}
        if not own and not choices:
            return self._random_act_fits(letter)
        given = (dict(zip(choices, orders, strict=True)) for orders in product(*choices.values()))
        return any(self._fits(letter, own | orders) for orders in given)

    def _random_act_fits(self, letter: str) -> bool:
        """M14. Nothing can have been overridden or exposed."""
        act, then = self.game.acts[letter], self.game.at_act[letter]
        within = act.area in reachable(then, then.pawns[letter])
        return within and act.did in ("nothing", "search") and self._exposed_as_seen(letter, exposed=False)

    def _would_be_shown(self, letter: str) -> bool:
        """Does the chart tell whether the pawn was exposed?"""
        game, before = self.game, self.game.at_command
        assert before is not None
        if game.options.exposure == "overridden" or game.acts[letter].forced:
            return False
        return any(pair[1] == letter and game.answers_as_heard(pair) for pair in before.side_chart)

    def _exposed_as_seen(self, letter: str, exposed: bool) -> bool:
        return letter not in self.shown or exposed == (letter in self.game.exposed)

    def _choices(self, seat: Seat, letter: str) -> list[Order]:
        """Orders that the other may have given the pawn: all that would look like the act, the player's own, and one
        of the rest, since for all of the rest nothing is different.
        """
        possible = self._possible_orders(seat, letter)
        special = [o for o in possible if self._looks_like_act(letter, o) or o == self.viewer.orders.get(letter)]
        rest = [o for o in possible if o not in special]
        return special + rest[:1]

    def _possible_orders(self, seat: Seat, letter: str) -> list[Order]:
        """Orders that were legal for the other, as far as the player can know, and those of M15."""
        before = self.game.at_command
        assert before is not None
        possible = orders_on(before, seat, letter, self.known[seat.number])
        if seat.role == "moriarty":
            areas = reachable(before, before.pawns[letter])
            searches = [Order(area, "search") for area in areas if before.spot_left(area)]
            possible += [order for order in searches if order not in possible]
        return possible

    def _surely_known(self, seat: Seat) -> set[str]:
        """Areas of whose spots the other certainly knew what they hold when commands were given."""
        before = self.game.at_command
        assert before is not None
        known = {area for area in before.spots if all(area in any_seat.known for any_seat in before.seats)}
        if seat.side == "villains":
            known |= {area for area, spot in before.spots.items() if spot.content in ("food", "weapon")}
        return known

    def _fits(self, letter: str, orders: dict[int, Order]) -> bool:
        """Can these be all orders on the pawn?"""
        game = self.game
        if not self._exposed_as_seen(letter, is_exposed(game, orders)):
            return False
        notice = self.viewer.notices.get(letter)
        return any(
            self._looks_like_act(letter, obeyed) and notice_to(game, self.viewer, orders, obeyed) == notice
            for obeyed in (orders[seat.number] for seat in contenders(game, letter, orders))
        )

    def _looks_like_act(self, letter: str, order: Order) -> bool:
        """Can the order, if obeyed, have looked like the pawn's act?"""
        act = self.game.acts[letter]
        return order.area == act.area and act.did in self._looks(self.game.at_act[letter], letter, order)

    def _looks(self, then: Game, letter: str, order: Order) -> set[str]:
        """What an order may have looked like: its deed, nothing if it may have been lost (M12), or either."""
        pawn = then.pawns[letter]
        there = [other for other in then.pawns.values() if other is not pawn and other.area == order.area]
        match order.deed:
            case "nothing":
                return {"nothing"}
            case "search":
                possible = {then.spot_left(order.area)}
            case "eat":
                possible = self._has(pawn, "food") if pawn.hunger else {False}
            case "feed":
                possible = self._has(pawn, "food") if any(other.hunger for other in there) else {False}
            case "heal":
                possible = self._has(pawn, "medicine") if pawn.injured else {False}
            case "heal other":
                possible = self._has(pawn, "medicine") if any(other.injured for other in there) else {False}
            case "spray":
                possible = self._has(pawn, "spray")
            case "fuse":
                possible = {order.area in then.fuse_boxes}
            case _:
                raise AssertionError(order)
        return {order.deed if carried_out else "nothing" for carried_out in possible}

    def _has(self, pawn: Pawn, item: str) -> set[bool]:
        """M20: whether a pawn had an item when it acted; both where the player cannot know."""
        if not self.game.private():
            return {item in pawn.items}
        known = self.game.at_act[pawn.letter].seats[self.viewer.number].known_items[pawn.letter]
        if item in known:
            return {True}
        return {False} if len(known) == 2 else {False, True}
