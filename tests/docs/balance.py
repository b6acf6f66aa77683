"""Writes envs/manor/BALANCE.md: how scripted agents fare on each map at each table. `make balance`, some minutes."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from datetime import date

from reichenbach.envs.manor.game import GAME
from reichenbach.envs.manor.map_file import FOLDER, SHIPPED
from reichenbach.envs.manor.seats import TABLE_NAMES
from reichenbach.envs.manor.state import SIDES
from reichenbach.training.evaluate import Result, evaluate
from reichenbach.training.intervals import wilson

PAGE = FOLDER.parent / "BALANCE.md"
GAMES, SEED = 2000, 1
HEAD = """# Balance of The Manor

How the scripted agents fare: `make balance` plays it all and writes this page. {games} games a row, all thirty pairs of
villain and target as equally often as that allows, default rules; {date}, {machine}.

Wins of the detective side in per cent of decided games, in brackets the interval at 95 %; *before* and *after*: where
the villain stands before the target in the alphabet, and after.
"""
COLUMNS = "| {first} | table | detectives | draws | mean turns | before | after |"


def share(wins: int, losses: int) -> str:
    """Wins in per cent of decided games, with the interval."""
    low, high = wilson(wins, wins + losses)
    return f"{100 * wins / (wins + losses):.0f} % ({100 * low:.0f}-{100 * high:.0f})"


def played(table: str, house: str, detectives: str, villains: str) -> Result:
    """The games of one row."""
    agents: dict[str, str] = dict(zip(SIDES, (detectives, villains), strict=True))
    return evaluate(GAME, {"table": table, "map": house}, agents, games=GAMES, seed=SEED)


def cells(found: Result) -> str:
    """A row's figures."""
    wins: dict[str, int] = dict.fromkeys(("all", "villain", "target"), 0)
    losses = dict(wins)
    for name, group in found.get("by", {})["first in the alphabet"].items():
        for key in ("all", name):
            wins[key] += group["wins"][SIDES[0]]
            losses[key] += group["wins"][SIDES[1]]
    shares = {key: share(wins[key], losses[key]) for key in wins}
    draws = f"{100 * found['draws'] / found['games']:.0f} %"
    return f"{shares['all']} | {draws} | {found['mean_rounds']:.1f} | {shares['villain']} | {shares['target']} |"


def lines() -> Iterator[str]:
    """The page."""
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    yield HEAD.format(games=GAMES, date=date.today(), machine=machine)
    yield "## Greedy against greedy\n"
    yield COLUMNS.format(first="map")
    yield "|---|---|---|---|---|---|---|"
    for house in SHIPPED:
        for table in TABLE_NAMES:
            yield f"| {house} | {table} | {cells(played(table, house, 'greedy', 'greedy'))}"
    yield f"\n## With random players, on {SHIPPED[0]}\n"
    yield COLUMNS.format(first="detectives, villains")
    yield "|---|---|---|---|---|---|---|"
    for table in TABLE_NAMES:
        for detectives, villains in (("random", "greedy"), ("greedy", "random"), ("random", "random")):
            found = played(table, SHIPPED[0], detectives, villains)
            yield f"| {detectives}, {villains} | {table} | {cells(found)}"


if __name__ == "__main__":
    PAGE.write_text("\n".join(lines()) + "\n", encoding="utf-8")
