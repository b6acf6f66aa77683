"""Intervals of shares."""

from __future__ import annotations

from math import sqrt

NORMAL_95 = 1.959963984540054  # the normal distribution's 97.5 % point


def wilson(wins: int, games: int, z: float = NORMAL_95) -> tuple[float, float]:
    """Wilson's interval of a share, by default at 95 %.

    Raises:
        ValueError: no games, or more wins than games.
    """
    if games < 1 or not 0 <= wins <= games:
        raise ValueError(f"wilson: {wins} wins of {games} games; at least one game and 0 to {games} wins are needed")
    share = wins / games
    scale = 1 + z * z / games
    centre = (share + z * z / (2 * games)) / scale
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / scale
    return max(centre - half, 0.0), min(centre + half, 1.0)
