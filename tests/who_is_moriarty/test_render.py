"""The board as text."""

from __future__ import annotations

from typing import Any

from reichenbach.envs.who_is_moriarty import notation, rules
from reichenbach.envs.who_is_moriarty.render import render

SHERLOCK, MORIARTY, ALL = 0, 1, 2
POSITION = (
    "tiles=AW,bN,cN,dN,EN,fS,GE,h+,i+ detectives=0,0,4 round=5 pick=2 tokens=jw,card,joker,turn played=1,0,0,0 "
    "turned=A moriarty=E hourglasses=5 moriarty_cards=A sherlock_cards=B,C checks=1:0"
)
DRAWN = """\
Who Is Moriarty, round 5 of 8, which sherlock started
moriarty to move, pick 2 of 4

                  Sh JW
                    0           1           2
              ┌───────────┬───────────┬───────────┐
              │┃          │━━━━━━━━━━━│━━━━━━━━━━━│
           11 │┃0   A*'   │ 1   b     │ 2   c     │ 3
              │┃          │           │           │
              ├───────────┼───────────┼───────────┤
              │━━━━━━━━━━━│━━━━━━━━━━━│           │
           10 │ 3   d     │ 4   E*    │ 5   f     │ 4 Ro
              │           │           │━━━━━━━━━━━│
              ├───────────┼───────────┼───────────┤
              │          ┃│           │           │
            9 │ 6   G    ┃│ 7   h+    │ 8   i+    │ 5
              │          ┃│           │           │
              └───────────┴───────────┴───────────┘
                    8           7           6


suspects     3 left: A E G; in sight: A E
tokens       [jw]  card  joker  turn   (then: robbie sherlock turn swap)
hourglasses  3 won unseen; 6 in all are needed
cards        sherlock drew B, C; moriarty drew 1
"""


def lines(text: str, view: int, **options: Any) -> list[str]:
    """The lines of a position's drawing."""
    return render(notation.parse(text, **options), view).splitlines()


def fact(text: str, view: int, name: str) -> list[str]:
    """The lines that begin with a word."""
    return [line for line in lines(text, view) if line.startswith(name)]


def test_a_whole_board() -> None:
    assert render(notation.parse(POSITION), SHERLOCK).startswith(DRAWN)


def test_each_view_knows_its_own() -> None:
    secret = ["secret       moriarty is E, on tile 4"]
    assert fact(POSITION, SHERLOCK, "secret") == []
    assert fact(POSITION, MORIARTY, "secret") == fact(POSITION, ALL, "secret") == secret
    cards = "             moriarty's cards: A (2); hourglasses in all: 5"
    assert [cards in lines(POSITION, view) for view in (SHERLOCK, MORIARTY, ALL)] == [False, True, True]
    assert cards in lines(f"{POSITION} moriarty_cards=open", SHERLOCK)
    belief = ["belief       sherlock: A 33%  E 33%  G 33%"]
    assert fact(POSITION, SHERLOCK, "belief") == fact(POSITION, ALL, "belief") == belief
    assert fact(POSITION, MORIARTY, "belief") == []


def test_cards_that_sherlock_keeps() -> None:
    board = "tiles=AN,BN,CN,dN,EN,FN,GN,HN,IN moriarty=E round=5 tokens=jw,card,joker,turn"
    kept = f"{board} sherlock_cards=B,d card_clears=optional choosing=F"
    assert fact(kept, SHERLOCK, "cards") == [
        "cards        sherlock drew B (secret), D (secret); moriarty drew none; sherlock clears or keeps F"
    ]
    assert fact(kept, MORIARTY, "cards") == [
        "cards        sherlock drew one in secret, one in secret; moriarty drew none; sherlock clears or keeps a card"
    ]
    assert lines(kept, SHERLOCK)[1] == "rules: card_clears=optional"


def test_even_rounds_chase_and_end() -> None:
    board = "tiles=aN,bN,cN,dN,EN,fN,gN,h+,i+ moriarty=E hourglasses=6 round=6"
    chase = f"{board} chase=yes detectives=9,9,9 pick=4 played=1,1,1,0 tokens=jw,sherlock,joker,turn"
    text = "\n".join(lines(chase, MORIARTY))
    assert "which moriarty started" in text
    assert "(then:" not in text
    assert "chase        sherlock wins when moriarty is seen" in text
    state = notation.parse(chase.replace("detectives=9,9,9", "detectives=10,10,10").replace("round=6", "round=7"))
    rules.step(state, 10)
    over = render(state, ALL).splitlines()
    assert over[1] in ("over: sherlock wins, chase_seen", "sherlock to move, pick 1 of 4")
    rules.end_round(state)
    assert not [line for line in render(state, ALL).splitlines() if line.startswith("belief") and state["ending"][0]]
