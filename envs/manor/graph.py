"""Ways through a house: which areas neighbour, how far apart areas are, and where six pawns may start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reichenbach.envs.manor.state import N_PAWNS

FAR = 99  # the distance of areas that no way joins


def neighbours(n_areas: int, edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The areas next to each area."""
    near: list[list[int]] = [[] for _ in range(n_areas)]
    for one, other in edges:
        near[one].append(other)
        near[other].append(one)
    return near


def distances(n_areas: int, edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The shortest distance of every two areas, FAR where there is no way."""
    near = neighbours(n_areas, edges)
    return [_distances_from(area, near) for area in range(n_areas)]


def _distances_from(start: int, near: Sequence[Sequence[int]]) -> list[int]:
    distance = [FAR] * len(near)
    distance[start] = 0
    waiting = [start]
    for area in waiting:  # grows while it is gone through
        for other in near[area]:
            if distance[other] == FAR:
                distance[other] = distance[area] + 1
                waiting.append(other)
    return distance


def starts(distance: Sequence[Sequence[int]], zone_of: Sequence[int], least: int, most: int) -> list[int]:
    """The sets of areas where six pawns may start (M7): in six zones, any two at least ``least`` apart.

    Each set has a bit for each of its areas; they stand in lexicographic order of the sorted areas. After ``most`` sets
    the search ends.
    """
    n_areas = len(zone_of)
    after = [
        sum(
            1 << other
            for other in range(area + 1, n_areas)
            if zone_of[other] != zone_of[area] and distance[area][other] >= least
        )
        for area in range(n_areas)
    ]
    found: list[int] = []

    def choose(chosen: int, allowed: int, missing: int) -> None:
        if missing == 0:
            found.append(chosen)
            return
        while allowed.bit_count() >= missing and len(found) < most:
            lowest = allowed & -allowed
            allowed ^= lowest
            choose(chosen | lowest, allowed & after[lowest.bit_length() - 1], missing - 1)

    choose(0, (1 << n_areas) - 1, N_PAWNS)
    return found
