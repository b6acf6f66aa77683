"""Writes the pictures and lists of envs/manor/maps/MAPS.md: `make tables`; a test sees that they are up to date."""

from __future__ import annotations

from itertools import combinations
from statistics import mean

from reichenbach.envs.manor import graph
from reichenbach.envs.manor.map_file import FOLDER, SHIPPED, shipped
from reichenbach.envs.manor.map_types import Edge, Map
from reichenbach.envs.manor.tables import MAX_STARTS

PAGE = FOLDER / "MAPS.md"
WIDTH, HEIGHT = 8, 3  # of a cell with the walls on its left and above it

# Where areas lie, row by row; one that stands several times fills them all, and points are outside the house.
GRIDS: dict[str, str] = {
    "ottermarch": """
        L1 L2 L3 D1 D2 C1 C2
        S1 W1 W1 D3 K1 E2 C3
        S2 W2 W2 H1 K2 E1 B1
        .  .  .  H2 H3 B3 B2
    """,
    "wrenlatch": """
        L1 L2 D1 D2 K1
        L3 H1 H1 D3 K2
        M1 H2 H3 H3 K3
        M2 G1 G2 G2 P1
        M3 C1 C2 C3 P2
    """,
    "skerrowby": """
        L1 L2 L3 D1 D2 D3 K1 K2 K2
        W1 W2 W3 H1 H2 H3 E1 E2 E3
        S1 S2 M1 M2 P1 P2 C1 C2 C3
    """,
}


class Picture:
    """A house drawn with letters: walls, doors and dotted lines between the cells of a grid."""

    def __init__(self, house: Map) -> None:
        self.house = house
        rows = [line.split() for line in GRIDS[house.name].strip().splitlines()]
        self.cells = {
            (row, column): house.areas.index(name)
            for row, names in enumerate(rows)
            for column, name in enumerate(names)
            if name != "."
        }
        self.size = (len(rows), max(map(len, rows)))
        self.signs: dict[tuple[int, int], str] = {}
        self.edges: dict[Edge, list[tuple[int, int, bool]]] = {}  # where two areas touch; True: one above the other

    def text(self) -> str:
        """The picture; raises ValueError where an edge cannot be drawn."""
        for row in range(self.size[0] + 1):
            for column in range(self.size[1] + 1):
                self._side(row, column, above=True)
                self._side(row, column, above=False)
        self._doors()
        for row in range(self.size[0] + 1):
            for column in range(self.size[1] + 1):
                self._corner(row, column)
        self._names()
        height, width = (HEIGHT * self.size[0] + 1, WIDTH * self.size[1] + 1)
        lines = ("".join(self.signs.get((y, x), " ") for x in range(width)) for y in range(height))
        return "\n".join(line.rstrip() for line in lines)

    def _side(self, row: int, column: int, *, above: bool) -> None:
        """The line above a cell, or the one on its left."""
        here = self.cells.get((row, column))
        there = self.cells.get((row - 1, column) if above else (row, column - 1))
        if here == there:
            return
        sign = "-" if above else "|"
        if here is not None and there is not None:
            edge = (min(here, there), max(here, there))
            self.edges.setdefault(edge, []).append((row, column, above))
            if self.house.zone_of[here] == self.house.zone_of[there]:
                sign = "."
        for step in range(1, WIDTH if above else HEIGHT):
            place = (HEIGHT * row, WIDTH * column + step) if above else (HEIGHT * row + step, WIDTH * column)
            self.signs[place] = " " if sign == "." and above and step % 2 else sign

    def _doors(self) -> None:
        touching = {edge for edge in self.edges if self.house.zone_of[edge[0]] == self.house.zone_of[edge[1]]}
        if touching != {(min(edge), max(edge)) for edge in self.house.open}:
            raise ValueError(f"{self.house.name}: the open edges are not those areas of a zone that touch")
        for one, other in self.house.doors:
            sides = self.edges.get((min(one, other), max(one, other)))
            if sides is None:
                areas = f"{self.house.areas[one]} and {self.house.areas[other]}"
                raise ValueError(f"{self.house.name}: {areas} do not touch, but there is a door")
            row, column, above = sides[len(sides) // 2]
            y, x = HEIGHT * row, WIDTH * column
            door = {(y, x + 3): "]", (y, x + 4): " ", (y, x + 5): "["} if above else {(y + 1, x): "="}
            self.signs.update(door)

    def _corner(self, row: int, column: int) -> None:
        y, x = HEIGHT * row, WIDTH * column
        around = {self.signs.get(place, " ") for place in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))}
        self.signs[y, x] = "+" if around & {"-", "|"} else "." if "." in around else " "

    def _names(self) -> None:
        named: set[int] = set()
        for (row, column), area in self.cells.items():
            if area in named:
                continue
            named.add(area)
            ends = "".join(letter for letter, ends in zip("abcdef", self.house.passages, strict=False) if area in ends)
            marks = ("*" if area in self.house.spots else "") + ends + ("@" if area == self.house.entrance else "")
            for line, text in ((1, self.house.areas[area]), (2, marks)):
                for step, sign in enumerate(text):
                    self.signs[HEIGHT * row + line, WIDTH * column + 2 + step] = sign


def edge_list(house: Map, edges: tuple[Edge, ...]) -> str:
    """Edges in one line."""
    return ", ".join(f"{house.areas[one]}-{house.areas[other]}" for one, other in edges) or "none"


def comparison() -> str:
    """The maps side by side in numbers."""
    rows = [
        "| map | areas | zones | wings | doors | between wings | mean distance | within 3 | widest | starts |",
        f"|---|{'---:|' * 9}",
    ]
    for house in map(shipped, SHIPPED):
        distance = graph.distances(len(house.areas), [*house.open, *house.doors])
        pairs = [distance[one][other] for one, other in combinations(range(len(house.areas)), 2)]
        wing = [house.zones[zone].wing for zone in house.zone_of]
        between = sum(wing[one] != wing[other] for one, other in house.doors)
        starts = len(graph.starts(distance, house.zone_of, house.settings[0].least_distance, MAX_STARTS))
        near = sum(far <= 3 for far in pairs) / len(pairs)
        rows.append(
            f"| {house.name} | {len(house.areas)} | {len(house.zones)} | {len(house.wings)} | {len(house.doors)} "
            f"| {between} | {mean(pairs):.1f} | {near:.0%} | {max(pairs)} | {starts} |"
        )
    return "\n".join(rows)


def section(house: Map) -> str:
    """Picture, zones and edges of one map."""
    zones = ["| zone | kind | wing | areas |", "|---|---|---|---|"]
    for zone in house.zones:
        areas = ", ".join(house.areas[area] for area in zone.areas)
        kind = "room" if zone.is_room else "corridor"
        zones.append(f"| {zone.name} | {kind} | {house.wings[zone.wing]} | {areas} |")
    passages = (f"{letter} {edge_list(house, (ends,))}" for letter, ends in zip("abcdef", house.passages, strict=False))
    lists = [
        f"- open: {edge_list(house, house.open)}",
        f"- doors: {edge_list(house, house.doors)}",
        f"- possible passages: {', '.join(passages) or 'none'}",
        f"- spots: {', '.join(house.areas[area] for area in house.spots)}",
        f"- entrance: {house.areas[house.entrance]}",
    ]
    return f"```\n{Picture(house).text()}\n```\n\n" + "\n".join(zones) + "\n\n" + "\n".join(lists)


def with_lists(text: str) -> str:
    """The page with what stands between its marks written anew.

    Raises:
        ValueError: a mark is missing.
    """
    for name, content in {"comparison": comparison(), **{name: section(shipped(name)) for name in SHIPPED}}.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        if begin not in text or end not in text:
            raise ValueError(f"MAPS.md: the marks {begin!r} and {end!r} must stand around what is generated")
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{content}\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    PAGE.write_text(with_lists(PAGE.read_text()))
