"""The rules in the rulebook's order of play: set-up, whose turn, what is legal, what an action does."""

from __future__ import annotations

from tests.who_is_moriarty.reference.actions import ACTIONS
from tests.who_is_moriarty.reference.ending import after_action, end_of_round
from tests.who_is_moriarty.reference.model import (
    COMPASS,
    DETECTIVES,
    LETTERS,
    TOKEN_SIDES,
    WINNER,
    Ask,
    Card,
    Game,
    Options,
    Tile,
    Token,
)

STANDARD_PLACES = {"sherlock": 11, "jw": 3, "robbie": 7}  # W8
STANDARD_WALLS = {0: "W", 2: "E", 7: "S"}  # W8


def draw_one(letters: list[str], ask: Ask) -> str:
    """One of the letters by chance; a single one needs no chance."""
    return letters[0] if len(letters) == 1 else letters[ask(len(letters))]


def deal(options: Options, ask: Ask) -> Game:
    """Set up a game (W7, W8) and toss the tokens of round 1 (W10)."""
    standard = options.start == "standard"
    identity = draw_one(list(LETTERS), ask)
    suspects: list[str] = []
    while len(suspects) < 9:
        suspects.append(draw_one([letter for letter in LETTERS if letter not in suspects], ask))
    walls = [STANDARD_WALLS[cell] if standard and cell in STANDARD_WALLS else COMPASS[ask(4)] for cell in range(9)]
    places = dict(STANDARD_PLACES) if standard else {name: ask(12) for name in DETECTIVES}
    tiles = [Tile(suspect, wall) for suspect, wall in zip(suspects, walls, strict=True)]
    return Game(options, identity, tiles, places, [Token(sides, ask(2)) for sides in TOKEN_SIDES])


def mover(game: Game) -> str | None:
    """W9: the starter takes the first and the last token, the other player the two between."""
    if game.ending != "RUNNING":
        return None
    starter, other = ("sherlock", "moriarty") if game.round % 2 == 1 else ("moriarty", "sherlock")
    return [starter, other, other, starter][game.pick() - 1]


def turn_is_legal(game: Game, cell: int) -> bool:
    """W13."""
    tile = game.tiles[cell]
    if game.is_cleared_crossroads(tile) and not game.options.turn_crossroads:
        return False
    return game.options.turn_tile_twice or tile.suspect not in game.turned


def face_for(text: str) -> str:
    """The token face that an action needs."""
    words = text.split()
    if words[0] == "move":
        return words[1]
    return {"draw": "card"}.get(words[0], words[0])


FACE_FOR = {text: face_for(text) for text in ACTIONS}


def is_legal_for_mover(game: Game, text: str, faces: list[str]) -> bool:
    """W11-W16, for an action other than wait; `faces` are those of the tokens that are left."""
    if text in ("clear", "keep"):
        return game.choosing is not None
    if game.choosing is not None or FACE_FOR[text] not in faces:
        return False
    if text == "joker nobody":
        return mover(game) == "moriarty"  # W12
    if text == "draw card":
        return bool(game.deck())
    if text.startswith("turn"):
        return turn_is_legal(game, int(text.split()[2]))
    return True


def legal(game: Game, seat: str) -> list[str]:
    """The seat's legal actions; who has none waits."""
    if mover(game) != seat:
        return ["wait"]
    faces = [token.face for token in game.tokens if not token.used]
    return [text for text in ACTIONS if text != "wait" and is_legal_for_mover(game, text, faces)] or ["wait"]


def move_detective(game: Game, name: str, steps: int) -> None:
    """W4: clockwise around the board."""
    game.detectives[name] = (game.detectives[name] + steps) % 12


def change_board(game: Game, text: str) -> None:
    """What an action changes on the board (W11-W14, and W15's clearing when Sherlock chooses it)."""
    words = text.split()
    match words[0]:
        case "move":
            move_detective(game, words[1], int(words[3]))
        case "joker" if words[1] != "nobody":
            move_detective(game, words[1], 1)
        case "turn":
            tile = game.tiles[int(words[2])]
            tile.wall = COMPASS[(COMPASS.index(tile.wall) + int(words[4]) // 90) % 4]
            game.turned.add(tile.suspect)
        case "swap":
            one, other = int(words[2]), int(words[4])
            game.tiles[one], game.tiles[other] = game.tiles[other], game.tiles[one]
        case "clear":
            assert game.choosing is not None
            game.tile_of(game.choosing).face_up = False


def draw_card(game: Game, ask: Ask) -> None:
    """W15 for Sherlock, W16 for Moriarty."""
    drawn = draw_one(game.deck(), ask)
    if mover(game) == "moriarty":
        game.moriarty_cards.append(drawn)
    elif game.options.card_clears == "optional":
        game.choosing = drawn
    else:
        game.sherlock_cards.append(Card(drawn, shown=True))
        game.tile_of(drawn).face_up = False


def use_token(game: Game, text: str) -> None:
    """The first token that offers the action is used up; for a forced wait the first that is left."""
    left = [token for token in game.tokens if not token.used]
    if text == "wait":
        left[0].used = True
    else:
        next(token for token in left if token.face == FACE_FOR[text]).used = True


def play(game: Game, text: str, ask: Ask) -> None:
    """The mover plays an action; if it was the round's last, the round ends and the next one begins."""
    seat = mover(game)
    assert seat is not None
    assert text in legal(game, seat), f"{text} is illegal for {seat}"
    if text == "draw card":
        draw_card(game, ask)
        if game.choosing is not None:
            return  # the action is complete when Sherlock has chosen
    else:
        change_board(game, text)
    if game.choosing is not None:
        game.sherlock_cards.append(Card(game.choosing, shown=text == "clear"))
        game.choosing = None
        use_token(game, "draw card")
    else:
        use_token(game, text)
    after_action(game)
    if game.ending == "RUNNING" and game.pick() == 5:
        end_of_round(game)
        if game.ending == "RUNNING":
            next_round(game, ask)


def next_round(game: Game, ask: Ask) -> None:
    """W9, W10: even rounds turn all four tokens over, odd rounds toss them."""
    game.round += 1
    game.turned.clear()
    for token in game.tokens:
        token.used = False
        token.up = 1 - token.up if game.round % 2 == 0 else ask(2)


def reward(game: Game, seat: str) -> float:
    """W24: what the ending is worth to a seat."""
    if game.ending == "RUNNING":
        return 0.0
    won = WINNER[game.ending] == seat
    if game.options.rewards == "zp":
        return 2.0 if won else 0.0
    return 1.0 if won else -1.0
