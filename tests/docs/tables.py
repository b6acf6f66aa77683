"""The README's tables that come from the code: `make tables` writes them anew, a test sees that they are up to date."""

from __future__ import annotations

from pathlib import Path

from reichenbach.envs.who_is_moriarty import actions, layout

README = Path(__file__).parent.parent.parent / "README.md"


def observation_table() -> str:
    """Every section of an observation of Who Is Moriarty, the optional ones last."""
    everything = layout.layout(layout.BELIEF | layout.AFTER)
    return f"{everything.table()}\n\n{layout.BASE_LAYOUT.size} values, and {everything.size} with both options."


def action_table() -> str:
    """The actions of Who Is Moriarty, group by group."""
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
    for name, table in TABLES.items():
        begin, end = f"<!-- {name} table -->", f"<!-- end of {name} table -->"
        if begin not in text or end not in text:
            raise ValueError(f"README.md: the marks {begin!r} and {end!r} must stand around the {name} table")
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{table()}\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text()))
