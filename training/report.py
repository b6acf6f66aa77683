"""Results as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reichenbach.training.evaluate import Group, Result


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns of equal width, the first row being the head; the first column left, the others right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(_cell(text, widths[i], i) for i, text in enumerate(row)).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _cell(text: str, width: int, column: int) -> str:
    return text.ljust(width) if column == 0 else text.rjust(width)


def percent(share: float) -> str:
    """A share as ``61.8 %``."""
    return f"{100 * share:.1f} %"


def between(interval: Sequence[float]) -> str:
    """An interval of shares as ``60.9 - 62.7 %``."""
    return f"{100 * interval[0]:.1f} - {100 * interval[1]:.1f} %"


def result(found: Result) -> str:
    """The outcome of an evaluation: tables of seats and sides, two lines, and a table for every break-down."""
    rows = [["seat", "agent", "wins", "win rate", "95 % interval"]]
    for seat, of_seat in found["seats"].items():
        rate, interval = percent(of_seat["win_rate"]), between(of_seat["interval"])
        rows.append([seat, of_seat["agent"], str(of_seat["wins"]), rate, interval])
    parts = [f"{found['game']}: {found['games']} games, seed {found['seed']}", table(rows)]
    if "sides" in found:
        rows = [["side", "wins", "win rate", "95 % interval"]]
        for side, of_side in found["sides"].items():
            rate, interval = percent(of_side["win_rate"]), between(of_side["interval"])
            rows.append([side, str(of_side["wins"]), rate, interval])
        parts.append(f"\n{table(rows)}\n")
    endings = ", ".join(f"{name} {count}" for name, count in found["endings"].items())
    parts += [
        f"draws {found['draws']}, mean rounds {found['mean_rounds']:.2f}, {found['games_per_second']:.0f} games/s",
        f"endings: {endings}",
    ]
    parts += [f"\n{_by(name, groups)}" for name, groups in found.get("by", {}).items()]
    return "\n".join(parts)


def _by(name: str, groups: Mapping[str, Group]) -> str:
    """A break-down: value by value the games, and the share of them that each side won, and nobody."""
    sides = list(next(iter(groups.values()))["wins"])
    rows = [[name, "games", *sides, "draws"]]
    for value, group in groups.items():
        shares = [percent(count / group["games"]) for count in (*group["wins"].values(), group["draws"])]
        rows.append([value, str(group["games"]), *shares])
    return table(rows)
