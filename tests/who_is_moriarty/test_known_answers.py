"""Positions with known answers: what detectives see, what the end of a round does, what actions do."""

from __future__ import annotations

import numpy as np
import pytest

from reichenbach.envs.core import one
from reichenbach.envs.who_is_moriarty import rules
from reichenbach.envs.who_is_moriarty.tables import TABLES
from tests.who_is_moriarty.loading import Row, fields, left, legal, letters, load, play, rows

pytestmark = pytest.mark.plain


def named(row: Row) -> str:
    return str(row["id"])


def board(row: Row, moriarty: str) -> str:
    tiles = row["grid"].replace(" ", ",")
    return f"tiles={tiles} moriarty={moriarty} detectives={','.join(map(str, row['detectives']))}"


@pytest.mark.parametrize("row", rows("sight.json"), ids=named)
def test_sight(row: Row) -> None:
    anyone = (row["visible"] + row["hidden"])[0]
    state = load(board=board(row, anyone))
    before = state.tobytes()
    assert letters(rules.sight(state)) == row["visible"]
    assert left(state) == "".join(sorted(row["visible"] + row["hidden"]))
    assert state.tobytes() == before, "looking changes nothing"


@pytest.mark.parametrize("row", rows("rounds.json"), ids=named)
def test_end_of_a_round(row: Row) -> None:
    expect = row["expect"]
    facts = f"round={row['round']} hourglasses={row['hourglasses']} chase={'yes' if row['chase'] else 'no'}"
    state = load(facts, board=board(row, row["moriarty"]))
    before = left(state)
    assert bool(rules.sight(state) >> "ABCDEFGHI".index(row["moriarty"]) & 1) == expect["moriarty_visible"]
    rules.end_round(state)
    after = fields(state)
    assert left(state) == expect["suspects_left"]
    assert sorted(set(before) - set(left(state))) == list(expect["cleared_now"])
    assert int(after["hourglasses"]) == expect["hourglasses"]
    assert after.get("winner") == expect["winner"]
    assert after["chase"] == ("yes" if expect["chase"] else "no")
    assert (rules.mover(state) == -1) == (expect["winner"] is not None)


@pytest.mark.parametrize("seed", range(20))
def test_the_start(seed: int) -> None:
    """W7, W8: all face up, nothing played or won, three detectives before a wall and so nobody in sight."""
    state = load(f"seed={seed} round=3 hourglasses=2 moriarty_cards=B sherlock_cards=C chase=yes turned=A")
    rules.deal(state)
    facts = fields(state)
    tiles = facts["tiles"].split(",")
    assert left(state) == "ABCDEFGHI"
    assert (tiles[0][1], tiles[2][1], tiles[7][1]) == ("W", "E", "S")
    assert facts["detectives"] == "11,3,7"
    assert rules.sight(state) == 0
    nothing = {"round": "1", "pick": "1", "played": "0,0,0,0", "turned": "-", "hourglasses": "0"}
    nothing |= {"moriarty_cards": "-", "sherlock_cards": "-", "chase": "no", "checks": "-"}
    assert {name: facts[name] for name in nothing} == nothing
    assert rules.mover(state) == 0


@pytest.mark.parametrize(("rewards", "expected"), [("zero_sum", (1.0, -1.0)), ("zp", (2.0, 0.0))])
@pytest.mark.parametrize(("moriarty", "winner"), [("A", 0), ("E", 1)])
def test_rewards(rewards: str, expected: tuple[float, float], moriarty: str, winner: int) -> None:
    """W24: nothing while the game runs, then the winner's and the loser's."""
    board = f"tiles=AW,bN,cN,dN,EN,fN,gN,h+,i+ moriarty={moriarty} detectives=0,0,0"
    state = load("round=8 hourglasses=6", board=board, rewards=rewards)
    assert [one.reward(state, TABLES, seat) for seat in (0, 1)] == [0, 0]
    rules.end_round(state)
    assert (one.reward(state, TABLES, winner), one.reward(state, TABLES, 1 - winner)) == expected


@pytest.mark.parametrize(("place", "steps", "reached"), [(11, 1, 0), (11, 2, 1), (7, 1, 8), (7, 2, 9), (10, 2, 0)])
def test_a_detective_walks_clockwise(place: int, steps: int, reached: int) -> None:
    state = play(load(f"detectives={place},5,6 tokens=jw,sherlock,joker,turn"), f"move sherlock by {steps}")
    assert fields(state)["detectives"] == f"{reached},5,6"


@pytest.mark.parametrize("steps", [0, 3])
def test_a_detective_walks_one_or_two_steps(steps: int) -> None:
    with pytest.raises(ValueError, match=f"move sherlock by {steps}"):
        play(load("tokens=jw,sherlock,joker,turn"), f"move sherlock by {steps}")


def test_each_detective_token_moves_its_own_detective() -> None:
    state = play(load("detectives=0,0,0 tokens=jw,sherlock,joker,turn"), "move jw by 1", "move sherlock by 2")
    assert fields(state)["detectives"] == "2,1,0"
    state = play(load("detectives=0,0,0 tokens=robbie,sherlock,joker,turn"), "move robbie by 2")
    assert fields(state)["detectives"] == "0,0,2"


def test_sherlocks_joker_has_three_moves() -> None:
    state = load("tokens=jw,card,joker,swap played=1,1,0,1 round=2")
    assert rules.mover(state) == 1  # Moriarty plays the last token of an even round
    state = load("tokens=jw,card,joker,swap played=1,1,0,1 round=1")
    assert legal(state) == ["joker sherlock", "joker jw", "joker robbie"]


def test_moriartys_joker_may_move_nobody() -> None:
    state = load("tokens=jw,card,joker,swap played=1,0,0,0 detectives=4,5,6")
    assert [text for text in legal(state) if "joker" in text] == [
        "joker sherlock",
        "joker jw",
        "joker robbie",
        "joker nobody",
    ]
    before = fields(state)
    after = fields(play(state, "joker nobody"))
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"pick", "played"}
    assert after["played"] == "1,0,1,0"


@pytest.mark.parametrize(("detective", "places"), [("sherlock", "5,5,6"), ("jw", "4,6,6"), ("robbie", "4,5,7")])
def test_the_joker_moves_one_step(detective: str, places: str) -> None:
    state = play(load("tokens=jw,card,joker,swap detectives=4,5,6"), f"joker {detective}")
    assert fields(state)["detectives"] == places


@pytest.mark.parametrize(("degrees", "wall"), [(90, "N"), (180, "E"), (270, "S")])
def test_a_turn_is_clockwise(degrees: int, wall: str) -> None:
    state = load("tokens=jw,card,turn,swap", board="tiles=AN,BN,CN,DN,EW,FN,GN,HN,IN moriarty=E")
    after = fields(play(state, f"turn tile 4 by {degrees}"))
    assert after["tiles"] == f"AN,BN,CN,DN,E{wall},FN,GN,HN,IN"
    assert after["turned"] == "E"


def turns(state: np.ndarray[tuple[int, ...], np.dtype[np.void]]) -> int:
    return sum("turn" in text for text in legal(state))


def test_how_many_turns_are_legal() -> None:
    faces = "tokens=jw,card,turn,turn"
    crossroads = "tiles=AN,BN,CN,DN,EN,FN,GN,h+,IN moriarty=E"
    assert turns(load(faces)) == 27
    assert turns(play(load(faces), "turn tile 4 by 90")) == 24
    assert turns(load(faces, board=crossroads)) == 24
    assert turns(load(faces, board=crossroads, turn_crossroads=True)) == 27
    assert turns(play(load(faces, turn_tile_twice=True), "turn tile 4 by 90")) == 27


@pytest.mark.parametrize("tiles", ["AN,BN,CN,DN,EN,FN,GN,HN,IN", "aN,BN,cS,DN,EN,FN,GN,h+,i+"])
def test_36_swaps_are_always_legal(tiles: str) -> None:
    state = load("tokens=jw,card,turn,swap", board=f"tiles={tiles} moriarty=E")
    swaps = [text for text in legal(state) if "swap" in text]
    assert len(swaps) == len(set(swaps)) == 36


def test_a_swap_keeps_directions_and_faces() -> None:
    state = load("tokens=jw,card,turn,swap", board="tiles=aW,BN,CN,DN,EN,FN,GN,h+,IN moriarty=E")
    assert fields(play(state, "swap tiles 0 and 7"))["tiles"] == "h+,BN,CN,DN,EN,FN,GN,aW,IN"


@pytest.mark.parametrize(
    ("tokens", "count"),
    [("jw,card,joker,turn", 33), ("jw,sherlock,turn,swap", 67), ("jw,card,joker,swap", 42)],
)
def test_legal_actions_at_the_start(tokens: str, count: int) -> None:
    assert len(legal(load(f"tokens={tokens}"))) == count


def test_even_rounds_turn_all_tokens_over() -> None:
    state = load("round=1 tokens=jw,card,turn,swap played=1,1,1,0")
    after = fields(play(state, "swap tiles 0 and 1"))
    assert after["round"] == "2"
    assert after["tokens"] == "robbie,sherlock,joker,turn"
    assert after["played"] == "0,0,0,0"
    assert after["pick"] == "1"


def test_movers_of_two_rounds() -> None:
    state = load("tokens=jw,card,joker,swap detectives=3,3,3")
    seen = ""
    for text in ("move jw by 1", "draw card", "joker nobody", "swap tiles 0 and 1"):
        seen += "SM"[rules.mover(state)]
        play(state, text)
    for text in ("move robbie by 1", "move sherlock by 1", "turn tile 0 by 90", "turn tile 1 by 90"):
        seen += "SM"[rules.mover(state)]
        play(state, text)
    assert seen == "SMMSMSSM"
    assert fields(state)["round"] == "3"


@pytest.mark.parametrize(
    ("place", "seen"),
    list(enumerate(["ADG", "BEH", "CFI", "CBA", "FED", "IHG", "IFC", "HEB", "GDA", "GHI", "DEF", "ABC"])),  # W5
)
def test_lines_of_sight(place: int, seen: str) -> None:
    """With only sideways walls on the line a detective sees it whole; the near wall hides the first tile."""
    across = "E" if place // 3 in (0, 2) else "N"
    tiles = ",".join(letter + across for letter in "ABCDEFGHI")
    state = load(f"detectives={place},{place},{place}", board=f"tiles={tiles} moriarty=E")
    assert letters(rules.sight(state)) == "".join(sorted(seen))
    near = "NESW"[place // 3]
    blocked = tiles.replace(seen[1] + across, seen[1] + near)
    state = load(f"detectives={place},{place},{place}", board=f"tiles={blocked} moriarty=E")
    assert letters(rules.sight(state)) == seen[0]
