"""The README's tables that come from the code: `make tables` writes them anew, a test sees that they are up to date."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from reichenbach.envs import registry

README = Path(__file__).parent.parent.parent / "README.md"


def observation_table(name: str) -> str:
    """Every section of an observation of a game, the optional ones last."""
    game = registry.game(name)
    base, everything = game.layout(0), game.layout((1 << len(game.optional_sections)) - 1)
    return f"{everything.table()}\n\n{base.size:,} values, and {everything.size:,} with all options."


def action_table(name: str) -> str:
    """The actions of a game, group by group."""
    actions: Any = importlib.import_module(f"reichenbach.envs.{name}.actions")
    rows = ["| action | text | meaning |", "|---|---|---|"]
    for first, last, text, meaning in actions.GROUPS:
        numbers = str(first) if first == last else f"{first}-{last}"
        rows.append(f"| {numbers} | `{text}` | {meaning} |")
    return "\n".join(rows)


TABLES = {"observation": observation_table, "action": action_table}


def with_tables(text: str) -> str:
    """The text with what stands between its table marks written anew.

    Raises:
        ValueError: a table's marks are missing.
    """
    for game in registry.GAMES:
        for kind, table in TABLES.items():
            name = f"{game} {kind} table"
            begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
            if begin not in text or end not in text:
                raise ValueError(f"README.md: the marks {begin!r} and {end!r} must stand around the {name}")
            before, _, rest = text.partition(begin)
            text = f"{before}{begin}\n{table(game)}\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text()))
