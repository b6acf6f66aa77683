"""What the parts of a map must be together: zones joined, a connected house, spots enough, places to start (M4-M7)."""

from __future__ import annotations

from reichenbach.envs.core.yaml_text import Path
from reichenbach.envs.manor import graph
from reichenbach.envs.manor.map_read import ALL, Draft
from reichenbach.envs.manor.map_types import Settings
from reichenbach.envs.manor.seats import TABLE_NAMES, detectives
from reichenbach.envs.manor.state import N_PAWNS
from reichenbach.envs.manor.tables import MAX_STARTS


def settings(draft: Draft) -> tuple[Settings, ...]:
    """What the map asks for, table by table: what it says of the table, of all tables, or else the rules' numbers."""
    possible = {"passages": min(1, len(draft.edges["passages"]))}
    return tuple(
        Settings(**{**possible, **draft.given.get(ALL, {}), **draft.given.get(table, {})}) for table in TABLE_NAMES
    )


def check(draft: Draft) -> None:
    """Notes what is wrong. What rests on a part that is itself faulty is passed over: it would only say so again."""
    faulty = draft.faulty()
    if not faulty & {"zones", "open"}:
        _zones_are_joined(draft)
    if not faulty & {"spots", "passages", "zones"}:
        _passages_end_at_spots(draft)
    if not faulty & {"tables", "spots", "zones", "passages"}:
        _contents_fit(draft)
    if not faulty & {"zones", "open", "doors"}:
        distance = graph.distances(len(draft.areas), [*draft.edges["open"], *draft.edges["doors"]])
        if _is_connected(draft, distance) and "tables" not in faulty:
            _pawns_can_start(draft, distance)


def _zones_are_joined(draft: Draft) -> None:
    distance = graph.distances(len(draft.areas), draft.edges["open"])
    for zone in draft.zones:
        away = [draft.areas[area] for area in zone.areas if distance[zone.areas[0]][area] == graph.FAR]
        if away:
            first = draft.areas[zone.areas[0]]
            message = (
                f"its open edges do not join {', '.join(away)} to {first}; they must join all areas of a zone (M4)"
            )
            draft.document.wrong(("zones", zone.name), message)


def _is_connected(draft: Draft, distance: list[list[int]]) -> bool:
    away = [name for name, far in zip(draft.areas, distance[0], strict=True) if far == graph.FAR]
    if away:
        message = f"no way without a passage leads from {draft.areas[0]} to {', '.join(away)}; a house is connected"
        draft.document.wrong(("doors",), message)
    return not away


def _passages_end_at_spots(draft: Draft) -> None:
    for area in sorted({area for ends in draft.edges["passages"] for area in ends} - set(draft.spots)):
        ends_here = next(edge for edge in draft.edges["passages"] if area in edge)
        path = draft.seen[min(ends_here), max(ends_here)]
        draft.document.wrong(path, f"{draft.areas[area]} has no spot; a passage is found at a spot at either end (M6)")


def _contents_fit(draft: Draft) -> None:
    """M6: spots for all contents, food for the detective side to know, at most one passage of those possible."""
    needed: dict[int, list[str]] = {}
    for table, asked in zip(TABLE_NAMES, settings(draft), strict=True):
        total = asked.food + asked.weapons + asked.medicine + asked.sprays + asked.fuse_boxes + asked.passages
        if total > len(draft.spots):
            needed.setdefault(total, []).append(table)
        least = 2 * detectives(table)
        if asked.food < least:
            message = f"{asked.food} at table {table}, at least {least} are needed: two for each detective (M3)"
            draft.document.wrong(_where(draft, table, "food"), message)
        if asked.passages > len(draft.edges["passages"]):
            message = f"{asked.passages} at table {table}, but no possible passage is named in passages"
            draft.document.wrong(_where(draft, table, "passages"), message)
    for total, tables in needed.items():
        message = f"{len(draft.spots)} spots, but at table {', '.join(tables)} {total} must hold something (M6)"
        draft.document.wrong(("spots",), message)


def _pawns_can_start(draft: Draft, distance: list[list[int]]) -> None:
    if len(draft.zones) < N_PAWNS:
        message = f"{len(draft.zones)} zones, at least {N_PAWNS} are needed: each pawn starts in another (M7)"
        draft.document.wrong(("zones",), message)
        return
    counted: dict[int, int] = {}
    for table, asked in zip(TABLE_NAMES, settings(draft), strict=True):
        least = asked.least_distance
        if least in counted:
            continue
        counted[least] = len(graph.starts(distance, draft.zone_of, least, MAX_STARTS + 1))
        if counted[least] == 0:
            message = f"there are no six areas of six zones, any two at least {least} apart, for pawns to start in (M7)"
            draft.document.wrong(_where(draft, table, "least_distance"), message)
        elif counted[least] > MAX_STARTS:
            message = f"with {least} there are more than {MAX_STARTS} ways to choose areas to start in; ask for more"
            draft.document.wrong(_where(draft, table, "least_distance"), message)


def _where(draft: Draft, table: str, setting: str) -> Path:
    """Where the map says the number; the setting's key under ``tables`` where it leaves it to the rules."""
    place = table if setting in draft.given.get(table, {}) else ALL
    return ("tables", place, setting)
