"""The end of a round and of the game (W18-W23), and the goal check after an action."""

from __future__ import annotations

from tests.who_is_moriarty.reference.model import Check, Game
from tests.who_is_moriarty.reference.sight import in_sight


def goals(game: Game) -> tuple[bool, bool]:
    """W20: has Sherlock reached his goal, has Moriarty reached his."""
    return len(game.suspects_left()) == 1, game.total() >= game.options.hourglasses_to_win


def check_now(game: Game) -> Check:
    """The public facts of a goal check that happens now."""
    return Check(game.won_unseen, len(game.moriarty_cards))


def after_action(game: Game) -> None:
    """Option goal_check=immediate: a check after every completed action, though not in the chase."""
    if game.options.goal_check != "immediate" or game.chase:
        return
    sherlock, moriarty = goals(game)
    if sherlock and moriarty:
        both_reached(game)  # with both_goals=chase the end of the round decides; no play leads here, a position may
    elif sherlock:
        game.ending = "ONE_SUSPECT"
    elif moriarty:
        game.ending = "HOURGLASSES"
    else:
        game.last_check = check_now(game)


def both_reached(game: Game) -> None:
    """Options both_goals=sherlock and both_goals=moriarty: that seat wins."""
    if game.options.both_goals != "chase":
        game.ending = f"BOTH_OPTION_{game.options.both_goals.upper()}"


def end_of_round(game: Game) -> None:
    """W18-W23, whatever was played; the next round is not set up here."""
    seen = in_sight(game)
    visible = game.identity in seen  # W18
    game.answer = visible
    for tile in game.tiles:  # W19: by what was seen before anything was cleared
        if tile.face_up and (tile.suspect in seen) != visible:
            tile.face_up = False
    if not visible:
        game.won_unseen += 1
    if game.chase:
        decide_chase(game, visible)
    else:
        decide_goals(game, visible)


def decide_chase(game: Game, visible: bool) -> None:
    """W22, second half."""
    if visible:
        game.ending = "CHASE_SEEN"
    elif game.round == game.options.max_rounds:
        game.ending = "CHASE_UNSEEN"


def decide_goals(game: Game, visible: bool) -> None:
    """W20-W23."""
    last_round = game.round == game.options.max_rounds
    sherlock, moriarty = goals(game)
    if sherlock and moriarty:
        both_reached(game)
        if game.ending != "RUNNING":
            return
        if visible:
            game.ending = "BOTH_SEEN"
        elif last_round:
            game.ending = "BOTH_UNSEEN"
        else:
            game.chase = True
            game.chase_check = check_now(game)
    elif sherlock:
        game.ending = "ONE_SUSPECT"
    elif moriarty:
        game.ending = "HOURGLASSES"
    else:
        game.last_check = check_now(game)
        if last_round:
            game.ending = "TIME"
