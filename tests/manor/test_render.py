"""The position as text: a whole drawing, what each view knows, and what comes up now and then."""

from __future__ import annotations

import pytest

from reichenbach.envs.core.record import States
from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.options import house_of
from tests.manor.loading import load, turn, vote

pytestmark = pytest.mark.plain

SHERLOCK, WATSON, MORIARTY, IRENE, ALL = range(5)
POSITION = (
    "turn=5 slot=2 spots=H1:food,L2:weapon,S2:passage,P2:medicine emptied=D1:food known=sherlock/H1 "
    "dark=north leak=kitchen:2 gas=H3 dog=H2:1 answers=far chart=A:BC,E:F "
    "orders=sherlock/A>H2;moriarty/B>H1 last_orders=sherlock/A>D1:search,B>H1;moriarty/B>G3,E>P1;irene/C>L2:heal_other "
    "acts=A:D1,B:G3:search:food:left,C:L1:heal_other:E,E:P3:forced notices=sherlock/B:moriarty,A:another"
)
PAWNS = "A:H1:hungry+injured+fatigued B:H1:fatigued C:L1:armed+food+food"
DRAWN = """\
The Manor, table 4p_roles, map gull: turn 5, afternoon of day 2
rules: events=false
sherlock gives an order, slot 2 of 3
you are sherlock

  hall           corridor  south  H1(food) AB – H2 dog – H3 gas
  gallery        corridor  north  G1 – G2 – G3   [dark]
  library        room      north  L1 C – L2(?) – L3   [dark]
  study          room      north  S1 F – S2(?)   [dark]
  dining         room      south  D1 – D2 – D3
  kitchen        room      south  K1 D – K2 – K3   [gas leak, 2 turns]
  parlour        room      south  P1 E – P2(?) – P3
  winter_garden  room      south  C1 – C2
  bedroom        room      north  B1 – B2   [dark]
  doors H1–D1 H2–G2 H3–P1 D3–K1 K3–C1 P3–C2 G1–L1 L3–S1 G3–B1 D2–L2
  passage not found; possible S2–K2 B2–C2
  the dog stays for 1 turn, this one included

  pawn       at    moves  carries                     is
  Agatha     H1    1                                  critical (hungry, injured), fatigued
  Berkeley   H1    2                                  fatigued
  Catherine  L1    3      weapon, food, food
  Dorothy    K1    3
  Ellery     P1    3
  Freeman    S1    3

  last turn, in the order of acting
    Agatha D1 -> H1
    Berkeley G3 -> H1, searched: food, left it there
    Catherine stayed at L1, healed Ellery
    Ellery P3 -> P1, ran although fatigued
  you are told: Agatha followed another's order instead
  you are told: Berkeley followed Moriarty's order instead

  your orders: A to H2 (1 of 3 given)
  your orders of the last turn: A to D1 and search, B to H1

  villain and target, night 1: farther than 3 areas
            chart            your belief
  target    A B C D E F      A B C D E F
  villain A   x x . . .        x x . . .
  villain B .   . . . .      .   . . . .
  villain C . .   . . .      . .   . . .
  villain D . . .   . .      . . .   . .
  villain E . . . .   x      . . . .   x
  villain F . . . . .        . . . . .

"""


def lines(state: States, view: int) -> list[str]:
    """The lines of a position's drawing."""
    text: str = GAME.render(state, view)
    return text.splitlines()


def named(state: States, view: int, word: str) -> list[str]:
    """The lines in which a word stands, without the spaces around."""
    return [line.strip() for line in lines(state, view) if word in line]


def test_a_whole_position() -> None:
    assert GAME.render(load(POSITION, PAWNS), SHERLOCK).startswith(DRAWN)


def test_each_view_knows_its_own() -> None:
    state = load(POSITION, PAWNS)
    secret = ["secret: the villain is Ellery at P1, the target Freeman at S1"]
    assert [named(state, view, "secret") for view in range(5)] == [[], [], secret, secret, secret]
    library = [named(state, view, "library")[0].partition("north  ")[2] for view in range(5)]
    assert library[:2] == ["L1 C – L2(?) – L3   [dark]"] * 2
    assert library[2:] == ["L1 C – L2(weapon) – L3   [dark]"] * 3
    parlour = [named(state, view, "parlour")[0].partition("south  ")[2] for view in range(5)]
    assert parlour == ["P1 E – P2(?) – P3"] * 4 + ["P1 E – P2(medicine) – P3"]
    assert named(state, MORIARTY, "Berkeley ")[0].split() == ["Berkeley", "H1", "3", "fatigued"], "he need not mind"
    assert named(state, WATSON, "told") == []
    assert named(state, ALL, "passage")[-1] == "passage S2–K2, not found"


def test_orders_are_shown_to_those_who_know_them() -> None:
    state = load(POSITION, PAWNS)
    assert named(state, MORIARTY, "orders") == [
        "your orders: B to H1 (1 of 2 given)",
        "your orders of the last turn: B to G3, E to P1",
        "irene's orders of the last turn: C to L2 and heal other",
    ]
    assert named(state, WATSON, "orders") == [
        "your orders: none (0 of 1 given, passed)",
        "your orders of the last turn: none",
    ]
    seats = ("sherlock", "watson", "moriarty", "irene")
    assert [line.partition("'")[0] for line in named(state, ALL, "'s orders: ")] == list(seats)
    assert named(state, ALL, "told to") == [
        "told to sherlock: Agatha followed another's order instead",
        "told to sherlock: Berkeley followed Moriarty's order instead",
    ]
    assert named(state, ALL, "sherlock knows") == ["sherlock knows what was to be found at H1"]


def test_charts_of_the_sides() -> None:
    state = load("chart=E:F,A:BC side_chart=E:F,A:B beliefs=watson/E:F", exposure="side")
    titles = [named(state, view, "chart  ") or named(state, view, "chart") for view in range(5)]
    assert titles[SHERLOCK][0].split("  ")[0] == "chart"
    assert named(state, SHERLOCK, "villain A") == ["villain A   x . . . .        x . . . ."]
    assert named(state, WATSON, "villain A") == ["villain A   x . . . .        . . . . ."]
    assert named(state, MORIARTY, "villain A") == ["villain A   x x . . ."]
    assert "the detectives'" in titles[ALL][0]


def test_private_inventories() -> None:
    state = load(
        "spots=- acts=A:D1:search:food,B:G3:search:food finds_seen=A:sherlock known_items=sherlock/A:food",
        "A:H1:food B:G3:food",
        inventory="private",
    )
    assert named(state, SHERLOCK, "searched") == ["Agatha D1 -> H1, searched: food", "Berkeley stayed at G3, searched"]
    assert named(state, WATSON, "searched") == ["Agatha D1 -> H1, searched", "Berkeley stayed at G3, searched"]
    carried = [named(state, view, "Agatha  ") + named(state, view, "Berkeley  ") for view in (SHERLOCK, WATSON, ALL)]
    assert [["food" in row for row in rows] for rows in carried] == [[True, False], [False, False], [True, True]]


def test_when_and_what_is_asked() -> None:
    assert lines(load("turn=3"), ALL)[0].endswith("turn 3, night of day 1")
    assert lines(load("turn=10"), ALL)[0].endswith("turn 10, morning of day 4")
    assert lines(load("final=yes chart=E:F"), ALL)[0].endswith("the final turn, after turn 4")
    state = load("turn=10 voting=yes submitter=watson votes=sherlock/A")
    assert lines(state, ALL)[0].endswith("the final deduction, after turn 10")
    assert "watson names a pawn" in lines(state, WATSON)
    assert [named(state, view, "vote") for view in (SHERLOCK, WATSON)] == [["your vote: Agatha"], []]
    vote_over = vote(load("turn=10 voting=yes", table="2p"), "A")
    assert "over: nobody wins; the target lives, and the wrong pawn was named" in lines(vote_over, SHERLOCK)
    murdered = turn(load(pawns="E:P1:armed F:P1"))
    assert "over: the villains win; the target was murdered" in lines(murdered, SHERLOCK)
    assert named(murdered, SHERLOCK, "secret") == [], "the end tells no more than the rules do"


def test_passages_and_fuse_boxes() -> None:
    state = load("passage=S2-K2:found fuse=G1 dark_next=south dog=left")
    assert named(state, SHERLOCK, "passage") == ["passage S2–K2, found, open from the next turn on"]
    assert named(state, SHERLOCK, "fuse box") == ["fuse box that works: G1"]
    assert len(named(state, SHERLOCK, "[dark next turn]")) == 5
    assert named(load("passage=S2-K2:open"), SHERLOCK, "passage") == ["passage S2–K2, open"]
    assert named(load(), SHERLOCK, "passage") == ["passage none"]


@pytest.mark.parametrize("name", ["ottermarch", "wrenlatch", "skerrowby"])
def test_the_maps_that_come_along(name: str) -> None:
    """Every area stands in one zone's line, and every way is shown once: by a dash, as one of its own, or as a door."""
    state = GAME.new(GAME.resolve({"map": name}))
    text = "\n".join(lines(state, 0))
    house = house_of(state)
    zones = text.split("  doors ")[0]
    dashes = zones.count(" – ")
    also = sum(part.split("   [")[0].count("–") for part in (line.partition("also ")[2] for line in zones.splitlines()))
    assert dashes + also == len(house.open)
    assert text.split("  doors ")[1].splitlines()[0].count("–") == len(house.doors)
