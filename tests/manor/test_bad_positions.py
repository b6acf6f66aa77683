"""Texts that are no positions: each is refused with the field, what was wrong and what is allowed."""

from __future__ import annotations

from typing import Any

import pytest

from reichenbach.envs.core.errors import BadOption, BadPosition
from reichenbach.envs.manor.game import GAME
from tests.manor.loading import GULL, STANDING, load

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("villain=G", "villain: 'G' is no pawn; allowed are A to F"),
        ("villain=EF", "villain: 'EF' is no pawn"),
        ("target=E", "target: E is the villain too"),
        ("pawns=A:H1", "pawns: B is missing; each of A to F stands once"),
        (f"pawns={STANDING},A:H2", "pawns: A stands twice"),
        (f"pawns={STANDING},", "pawns: .*empty entry"),
        (STANDING.replace("A:H1", "pawns=A:X1"), "pawns, A: 'X1' is not allowed; did you mean"),
        (STANDING.replace("A:H1", "pawns=A"), "pawns: 'A' is not as it should be; expected PAWN:AREA"),
        (STANDING.replace("A:H1", "pawns=A:H1:tired"), "pawns, A: 'tired' is not allowed; allowed are hungry, injured"),
        (STANDING.replace("A:H1", "pawns=A:H1:food+food+spray"), "pawns, A: carries 3 items; two are allowed"),
        (STANDING.replace("A:H1", "pawns=A:H1:armed+armed"), "pawns, A: armed.*twice"),
        (STANDING.replace("A:H1", "pawns=A:H1:hungry+hungry"), "pawns, A: hungry stands 2 times.*stack_hunger"),
        (
            "stack_hunger=true " + STANDING.replace("A:H1", "pawns=A:H1:hungry+hungry+injured"),
            "pawns, A: more than two ailments; nothing is beyond critical",
        ),
        ("turn=0", "turn: '0' is out of range; allowed are 1 to 10"),
        ("turn=5 days=1", "turn: .*allowed are 1 to 4"),
        ("turn=four", "turn: 'four' is out of range"),
        ("turn=²", "turn: '²' is out of range"),
        ("slot=٣", "slot: '٣' is out of range"),
        ("leak=kitchen:²", "leak: '²' is out of range"),
        ("dog=H2:²", "dog: '²' is out of range"),
        ("seed=²", "seed: '²' is out of range"),
        ("slot=4", "slot: .*allowed are 1 to 3"),
        ("slot=3 table=4p", "slot: .*allowed are 1 to 2"),
        (
            "submitter=sherlock_0",
            "submitter: 'sherlock_0' is not allowed; allowed are sherlock, watson, moriarty, irene",
        ),
        ("final=maybe", "final: 'maybe' is not allowed; allowed are no, yes"),
        ("final=yes", "final: the chart leaves several villains"),
        ("final=yes turn=10 chart=E:F", "final: there is no final turn after the last turn"),
        ("failed_assail=yes", "failed_assail: the chart holds several pairs; allowed is E:F alone"),
        ("failed_assail=yes chart=E:F", "final: villain and target are known"),
        ("voting=yes", "voting: it is turn 4, slot 1; after turn 10 is allowed"),
        ("voting=yes turn=10 slot=2", "voting: it is turn 10, slot 2"),
        ("voting=yes turn=10 submitter=watson", "votes: sherlock has not named a pawn"),
        ("voting=yes turn=10 votes=sherlock/A", "votes: sherlock has named a pawn"),
        ("voting=yes turn=10 submitter=irene votes=sherlock/A;watson/B;moriarty/A", "votes: moriarty has named a pawn"),
        ("votes=sherlock/A", "votes: sherlock has named a pawn"),
        ("spots=H2:food", "spots: 'H2' is not allowed; did you mean"),
        ("spots=H1:gold", "spots, H1: 'gold' is not allowed; allowed are food, medicine"),
        ("spots=H1", "spots: 'H1' is not as it should be; expected AREA:CONTENT"),
        ("spots=H1:food,H1:food", "spots: H1 stands twice"),
        ("spots=H1:food emptied=H1:food", "spots: H1 is emptied too"),
        ("spots=H1:weapon,H3:weapon,G1:weapon", "spots: 3 × weapon.*allowed are 2"),
        ("weapons=0 spots=H1:weapon", "spots: 1 × weapon.*allowed are 0"),
        ("spots=H1:weapon,H3:weapon " + STANDING.replace("A:H1", "pawns=A:H1:armed"), "spots: 3 × weapon"),
        ("spots=H1:nothing,H3:nothing,G1:nothing", "spots: 3 × nothing.*allowed are 2"),
        ("fuse=H1 emptied=H1:food", "emptied: H1 is in fuse too"),
        ("fuse=H1,H3", "spots: 2 × fuse_box.*allowed are 1"),
        ("fuse=H1 spots=H1:fuse_box", "spots: H1 is emptied too"),
        ("spots=H1:passage", "passage: the spot H1 holds it; there is none"),
        ("spots=S2:passage passage=B2-C2", "passage: the spot S2 holds it; its ends are C2 and B2|B2 and C2"),
        ("spots=S2:passage passage=S2-K2:open", "passage: is hidden, or its spot is not emptied"),
        ("spots=- emptied=S2:passage passage=S2-K2", "passage: is hidden, or its spot is not emptied"),
        ("spots=- passage=S2-K2", "passage: is hidden, but no spot holds it"),
        ("spots=- passage=S2-K3", "passage: 'S2-K3' is not allowed; allowed are S2-K2, C2-B2|B2-C2"),
        ("spots=- passage=S2-K2:shut", "passage: 'shut' is not allowed; allowed are hidden, found, open"),
        ("spots=H1:food known=moriarty/-", "known: moriarty does not know H1; the villain side knows all food"),
        ("known=nobody/H1", "known: 'nobody' is not allowed; allowed are sherlock"),
        ("known=sherlock", "known: 'sherlock' is incomplete; expected SEAT/LIST"),
        ("known=sherlock/H1;sherlock/H3", "known: sherlock stands twice"),
        ("known=sherlock/H1,H1", "known: H1 stands twice"),
        ("known_items=sherlock/A:food", "known_items: all items are public; it needs inventory=private"),
        ("known_items=sherlock/A:food inventory=private", "known_items: sherlock knows of 1 × food; A has 0"),
        ("known_items=sherlock/A:weapon inventory=private", "known_items: 'weapon' is not allowed"),
        ("dark=west", "dark: 'west' is not allowed; allowed are south, north"),
        ("leak=hall:2", "leak: hall is no room; allowed are library, study"),
        ("leak=kitchen:3", "leak: '3' is out of range; allowed are 1 to 2"),
        ("leak=kitchen", "leak: 'kitchen' is not as it should be; expected ROOM:TURNS"),
        ("dog=H2:4", "dog: '4' is out of range"),
        ("dog=H2", "dog: 'H2' is not as it should be; expected AREA:TURNS"),
        ("gas=Z1", "gas: 'Z1' is not allowed"),
        ("answers=near,near,near,near", "answers: has more than 3 entries"),
        ("answers=close", "answers: 'close' is not allowed; allowed are far, near, none"),
        ("chart=A:BC", "chart: A:BC is without the true pair; E:F is always left"),
        ("chart=E:EF", "chart: E:E stands twice or is no pair"),
        ("chart=E:FF", "chart: E:F stands twice or is no pair"),
        ("chart=E", "chart: 'E' is not as it should be; expected VILLAIN:TARGETS"),
        ("side_chart=E:F", "side_chart: differs from the chart; it needs exposure=side"),
        ("side_chart=E:F,A:B chart=E:F,C:D exposure=side", "side_chart: A:B is ruled out; allowed are C:D,E:F"),
        ("beliefs=sherlock/A:B", "beliefs, sherlock: A:B is without the true pair"),
        ("beliefs=sherlock/E:F,A:B chart=E:F,C:D", "beliefs, sherlock: A:B is ruled out"),
        ("beliefs=moriarty/E:FA", "beliefs, moriarty: E:A is ruled out"),
        ("orders=sherlock/A>H1", "orders: sherlock gave 1; by slot 1 it can have given 0"),
        ("slot=3 orders=watson/A>H1,B>G3", "orders: watson gave 2; by slot 3 it can have given 1"),
        ("slot=2 orders=sherlock/A-H1", "orders: 'A-H1' is no order; expected PAWN>AREA"),
        ("slot=2 orders=sherlock/A>H9", "orders: 'H9' is not allowed"),
        ("slot=2 orders=sherlock/A>H1:dance", "orders: 'dance' is not allowed; allowed are nothing, search, eat"),
        ("slot=3 orders=sherlock/A>H1,A>H2", "orders: 'A>H2': A is ordered twice"),
        ("slot=2 orders=sherlock/A>S1", "orders: A>S1; action .*out of reach"),
        ("slot=2 orders=sherlock/A>H1:eat", "orders: A>H1:eat; action .*is not hungry"),
        ("slot=2 spots=- orders=sherlock/A>H1:search", "orders: A>H1:search; .*no spot is left at H1"),
        ("slot=2 orders=moriarty/F>S1", "orders: F>S1; .*is the target"),
        ("slot=2 orders=irene/F>S1", "orders: F>S1; .*is the target"),
        ("slot=2 orders=moriarty/assail", "orders: assail; .*assail, with the villain armed"),
        ("slot=2 orders=sherlock/assail", "orders: assail; "),
        ("acts=A:H1,A:H2", "acts: A stands twice"),
        ("acts=A", "acts: 'A' is not as it should be; expected PAWN:FROM"),
        ("acts=A:H1:dance", "acts, A: 'dance' is not allowed"),
        ("acts=A:H1:search", "acts, A: 'search' is not as it should be; expected DEED, search:CONTENT, or feed"),
        (
            "acts=A:H1:feed",
            "acts, A: 'feed' is not as it should be; expected DEED, search:CONTENT, or feed or heal_other",
        ),
        ("acts=A:H1:heal_other:G", "acts, A: 'G' is no pawn; allowed are A to F"),
        ("acts=A:H1:feed:A", "acts, A: fed or healed itself; feed and heal_other are for another pawn"),
        ("acts=A:H1:eat:food", "acts, A: 'eat:food' is not as it should be"),
        ("acts=A:H1:search:nothing:left", "acts, A: left what needs no free place"),
        ("finds_seen=A:sherlock", "finds_seen: A did not act"),
        ("notices=moriarty/A:another", "notices: moriarty is told something; the villain side is told nothing"),
        ("notices=sherlock/A:irene", "notices: 'irene' is not allowed; allowed are moriarty, another"),
        ("exposed=G", "exposed: 'G' is not allowed; allowed are A, B, C, D, E, F"),
        ("last_orders=sherlock/A", "last_orders: 'A' is no order"),
        ("seed=-1", "seed: '-1' is out of range"),
        ("winner=villains", "winner: the game is over"),
        ("rounds=5", "rounds: there is no such field; allowed are villain"),
        ("turn", "'turn': expected name=value"),
        ("turn=4 turn=4", "turn: is given twice"),
    ],
)
def test_refusals(change: str, reason: str) -> None:
    given = change.split()
    names = {part.partition("=")[0] for part in given}
    base = {"table": "4p_roles", "villain": "E", "target": "F", "turn": "4", "pawns": STANDING}
    rest = [f"{name}={value}" for name, value in base.items() if name not in names]
    with pytest.raises(BadPosition, match=f"position, {reason}"):
        GAME.parse(" ".join([*rest, *given]), map=GULL)


@pytest.mark.parametrize("missing", ["villain", "target", "pawns"])
def test_what_is_needed(missing: str) -> None:
    rest = " ".join(
        part for part in f"villain=E target=F pawns={STANDING}".split() if not part.startswith(f"{missing}=")
    )
    with pytest.raises(BadPosition, match=f"{missing}: is missing"):
        GAME.parse(rest, map=GULL)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("hungry_reach=3", "hungry_reach.*1 to 2"),
        ("table=5p", "table.*2p, 3p, 4p, 4p_roles"),
        ("map=nowhere", "map"),
        ("stack_hunger=perhaps", "stack_hunger.*false, true"),
        ("food=3", "food.*at least 4"),
    ],
)
def test_refused_options(change: str, reason: str) -> None:
    with pytest.raises(BadOption, match=reason):
        load(change)


def test_options_that_contradict_each_other() -> None:
    with pytest.raises(BadPosition, match="days: the text says 1, the argument 2"):
        load("days=1", days=2)
    with pytest.raises(BadOption, match="dayz"):
        load("", dayz=2)


@pytest.mark.parametrize("text", [None, 5, b"villain=E"])
def test_what_is_no_text(text: Any) -> None:
    with pytest.raises(BadPosition, match="expected a text"):
        GAME.parse(text)


def test_numbers_of_any_length_are_out_of_range() -> None:
    for name in ("seed", "turn", "slot"):
        with pytest.raises(BadPosition, match=f"{name}: .*allowed are"):
            load(f"{name}={'1' * 5000}")
