"""What a seat sees, as numbers, in the order that the observation's sections stand."""

from __future__ import annotations

from tests.marking import Numbers, marks
from tests.who_is_moriarty.reference.actions import ACTIONS
from tests.who_is_moriarty.reference.hidden import belief
from tests.who_is_moriarty.reference.model import COMPASS, DETECTIVES, LETTERS, Check, Game
from tests.who_is_moriarty.reference.play import change_board, legal, mover
from tests.who_is_moriarty.reference.sight import in_sight

SHERLOCK, MORIARTY, ALL_SEEING = "sherlock", "moriarty", "all-seeing"
SEATS = (SHERLOCK, MORIARTY, ALL_SEEING)
Sections = dict[str, Numbers]


def clipped(hourglasses: int) -> Numbers:
    """One-hot from 0 to 13, more counted as 13."""
    return marks(range(14), min(hourglasses, 13))


def share(count: int, most: int) -> float:
    """A count as a part of the most that play can bring; a made-up position may lead beyond."""
    return min(count / most, 1.0)


def checked(check: Check | None) -> Numbers:
    """One check as three numbers, zeros if there was none."""
    return [0.0] * 3 if check is None else [1.0, share(check.public, 13), share(check.cards, 4)]


def board(game: Game) -> Sections:
    """What lies on the table, for all to see."""
    per_tile = game.tiles
    return {
        "suspects": [mark for tile in per_tile for mark in marks(LETTERS, tile.suspect)],
        "face_up": [float(tile.face_up) for tile in per_tile],
        "walls": [mark for tile in per_tile for mark in marks(COMPASS, list(game.walls(tile)))],
        "turned": [float(tile.suspect in game.turned) for tile in per_tile],
        "detectives": [mark for name in DETECTIVES for mark in marks(range(12), game.detectives[name])],
        "tokens": [mark for token in game.tokens for mark in marks(range(2), token.up)]
        + [float(token.used) for token in game.tokens],
    }


def public(game: Game, seat: str) -> Sections:
    """What both players know."""
    drawn = len(game.sherlock_cards) + (game.choosing is not None)
    return {
        "seat": marks([SHERLOCK, MORIARTY], [SHERLOCK, MORIARTY] if seat == ALL_SEEING else seat),
        "mover": marks([SHERLOCK, MORIARTY], mover(game)),
        "round": marks(range(1, 9), game.round),
        "pick": marks(range(1, 5), game.pick()),
        **board(game),
        "hourglasses": clipped(game.won_unseen),
        "shown_cards": marks(LETTERS, [card.suspect for card in game.sherlock_cards if card.shown]),
        "card_counts": [share(drawn, 4), share(len(game.moriarty_cards), 4)],
        "chase": [float(game.chase)],
        "checks": checked(game.last_check) + checked(game.chase_check),
    }


def private(game: Game, seat: str) -> Sections:
    """What one player alone knows (W15, W16), zeros for the other."""
    cell = [tile.suspect for tile in game.tiles].index(game.identity)
    opened = game.options.moriarty_cards == "open"
    facts = {
        "kept_cards": marks(LETTERS, [card.suspect for card in game.sherlock_cards if not card.shown]),
        "choosing": marks(LETTERS, game.choosing),
        "identity": marks(LETTERS, game.identity),
        "identity_cell": marks(range(9), cell),
        "moriarty_cards": marks(LETTERS, game.moriarty_cards),
        "total_hourglasses": clipped(game.total()),
    }
    known = {
        SHERLOCK: {"kept_cards", "choosing"} | ({"moriarty_cards", "total_hourglasses"} if opened else set()),
        MORIARTY: {"identity", "identity_cell", "moriarty_cards", "total_hourglasses"},
        ALL_SEEING: set(facts),
    }[seat]
    return {name: facts[name] if name in known else [0.0] * len(facts[name]) for name in facts}


def after(game: Game, seat: str) -> Numbers:
    """For every legal action: suspects in and out of sight then, and whether Moriarty's would be seen."""
    actor = (mover(game) or SHERLOCK) if seat == ALL_SEEING else seat
    possible = legal(game, actor)
    numbers: Numbers = []
    for text in ACTIONS:
        if text not in possible:
            numbers += [0.0, 0.0, 0.0]
            continue
        then = game.copy()
        change_board(then, text)
        seen = in_sight(then)
        hidden = set(then.suspects_left()) - seen
        would_be_seen = seat != SHERLOCK and game.identity in seen
        numbers += [len(seen) / 9, len(hidden) / 9, float(would_be_seen)]
    return numbers


def observe(game: Game, seat: str, with_belief: bool = False, with_after: bool = False) -> Sections:
    """Every section that was asked for, in order."""
    sections = {**public(game, seat), **private(game, seat)}
    if with_belief:
        identity, total = belief(game, seat)
        sections["belief"] = [float(chance) for chance in (*identity, *total)]
    if with_after:
        sections["after"] = after(game, seat)
    return sections
