"""Whole numbers in texts that people write: positions, the command line, keys of a config."""

from __future__ import annotations

MOST_DIGITS = 99  # Python refuses to read thousands of them


def whole(text: str) -> int | None:
    """The number that a text of the digits 0 to 9 is, None for any other text: int() knows other digits and signs."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None
