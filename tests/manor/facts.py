"""The reference's game as the fields of the kernel's record."""

from __future__ import annotations

from typing import Any

from reichenbach.envs.manor import state as fields
from reichenbach.envs.manor.actions import ASSAIL as ASSAIL_ACTION
from reichenbach.envs.manor.actions import ASSAIL_ORDER, ASSAILED, MAX_AREAS, N_DEEDS, command
from reichenbach.envs.manor.actions import PASS as PASS_ACTION
from reichenbach.envs.manor.actions import VOTE as VOTE_ACTION
from tests.manor.reference.commands import PASS, VOTE, Action
from tests.manor.reference.model import ASSAIL, CONTENTS, DEEDS, ENDINGS, ITEMS, LETTERS, PAIRS, Act, Game, Order, Pair

NONE = fields.NONE
Facts = dict[str, Any]
PASSAGE_IS = {"hidden": fields.HIDDEN, "found": fields.FOUND, "open": fields.OPEN}
BIT = {pair: 1 << number for number, pair in enumerate(PAIRS)}
NOTICES = {None: fields.NO_NOTICE, "moriarty": fields.BY_MORIARTY, "another": fields.BY_ANOTHER}


def action_number(game: Game, action: Action) -> int:
    """The number of an action."""
    if isinstance(action, str):
        return PASS_ACTION if action == PASS else VOTE_ACTION + LETTERS.index(action.removeprefix(VOTE))
    letter, order = action
    if order == ASSAIL:
        return ASSAIL_ACTION
    return command(LETTERS.index(letter), game.house.number[order.area], DEEDS.index(order.deed))


def action_of(game: Game, number: int) -> Action:
    """The action of a number that is legal in the game."""
    if number == PASS_ACTION:
        return PASS
    if number >= VOTE_ACTION:
        return VOTE + LETTERS[number - VOTE_ACTION]
    if number == ASSAIL_ACTION:
        return game.villain, ASSAIL
    letter, order = divmod(number, N_DEEDS * MAX_AREAS)
    area, deed = divmod(order, N_DEEDS)
    return LETTERS[letter], Order(game.house.areas[area], DEEDS[deed])


def bits(numbers: list[int]) -> int:
    """A set of numbers as bits."""
    return sum(1 << number for number in numbers)


def order_number(game: Game, order: Order | None) -> int:
    """An order on a pawn as the record has it."""
    if order is None:
        return NONE
    if order == ASSAIL:
        return ASSAIL_ORDER
    return game.house.number[order.area] * N_DEEDS + DEEDS.index(order.deed)


def pair_bits(pairs: set[Pair]) -> int:
    """Pairs of villain and target as bits."""
    return sum(BIT[pair] for pair in pairs)


def facts(game: Game) -> Facts:
    """The value of every field but those of chance and options; lists as long as the map and the table ask for."""
    return {**pawn_facts(game), **house_facts(game), **clock_facts(game), **act_facts(game), **ending_facts(game)}


def pawn_facts(game: Game) -> Facts:
    pawns = list(game.pawns.values())
    return {
        "area": [game.house.number[pawn.area] for pawn in pawns],
        "hunger": [pawn.hunger for pawn in pawns],
        "injured": [int(pawn.injured) for pawn in pawns],
        "fatigued": [int(pawn.fatigued) for pawn in pawns],
        "armed": [int(pawn.armed) for pawn in pawns],
        "items": [[pawn.items.count(item) for item in ITEMS] for pawn in pawns],
        "known_items": [
            [
                [(seat.known_items[pawn.letter] if game.private() else pawn.items).count(item) for item in ITEMS]
                for pawn in pawns
            ]
            for seat in game.seats
        ],
    }


def house_facts(game: Game) -> Facts:
    house = game.house
    zones = [zone.name for zone in house.zones]
    return {
        "content": [CONTENTS.index(game.spots[area].content) for area in house.spots],
        "gone": bits([s for s, area in enumerate(house.spots) if game.spots[area].gone]),
        "known": [bits([house.spots.index(area) for area in seat.known]) for seat in game.seats],
        "fuse_boxes": bits([house.spots.index(area) for area in game.fuse_boxes]),
        "passage": NONE if game.passage is None else game.passage,
        "passage_is": PASSAGE_IS[game.passage_is],
        "dark": bits([house.wings.index(wing) for wing in game.dark]),
        "dark_next": bits([house.wings.index(wing) for wing in game.dark_next]),
        "leak": NONE if game.leak is None else zones.index(game.leak),
        "leak_turns": game.leak_turns,
        "gas": bits([house.number[area] for area in game.gas]),
        "sprayed": [house.number[game.sprayed[letter]] if letter in game.sprayed else NONE for letter in LETTERS],
        "dog": NONE if game.dog is None else house.number[game.dog],
        "dog_turns": game.dog_turns,
        "dog_came": game.dog_came,
    }


def clock_facts(game: Game) -> Facts:
    return {
        "turn": game.turn,
        "final": game.final,
        "voting": game.voting,
        "slot": game.slot,
        "submitter": game.submitter,
        "order": [[order_number(game, seat.orders.get(letter)) for letter in LETTERS] for seat in game.seats],
        "used": [seat.used for seat in game.seats],
        "passed": [int(seat.passed) for seat in game.seats],
        "vote": [NONE if seat.vote is None else LETTERS.index(seat.vote) for seat in game.seats],
        "last_order": [[order_number(game, seat.last_orders.get(letter)) for letter in LETTERS] for seat in game.seats],
    }


def act_facts(game: Game) -> Facts:
    columns = [_act(game, game.acts.get(letter)) for letter in LETTERS]
    return {
        "obeyed": [order_number(game, game.obeyed.get(letter)) for letter in LETTERS],
        **{name: [column[name] for column in columns] for name in columns[0]},
        "notice": [[NOTICES[seat.notices.get(letter)] for letter in LETTERS] for seat in game.seats],
        "exposed": bits([LETTERS.index(letter) for letter in game.exposed]),
    }


def _act(game: Game, act: Act | None) -> dict[str, int]:
    if act is None:
        blank = dict.fromkeys(("acted", "came_from", "helped", "found"), NONE)
        return {**blank, "did": 0, "forced": 0, "left": 0, "find_seen": 0}
    return {
        "acted": act.place,
        "came_from": game.house.number[act.came_from],
        "did": ASSAILED if act.did == "assail" else DEEDS.index(act.did),
        "helped": NONE if act.helped is None else LETTERS.index(act.helped),
        "found": NONE if act.found is None else CONTENTS.index(act.found),
        "forced": int(act.forced),
        "left": int(act.left),
        "find_seen": bits(list(act.find_seen)),
    }


def ending_facts(game: Game) -> Facts:
    return {
        "villain": LETTERS.index(game.villain),
        "target": LETTERS.index(game.target),
        "answer": [NONE if given is None else int(given) for given in game.answers],
        "chart": pair_bits(game.chart),
        "side_chart": pair_bits(game.side_chart),
        "belief": [pair_bits(seat.belief) for seat in game.seats],
        "failed_assail": game.failed_assail,
        "ending": ENDINGS.index(game.ending),
    }
