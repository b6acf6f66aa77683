"""Lines of sight, walked tile by tile with rows and columns (W4-W6)."""

from __future__ import annotations

from tests.who_is_moriarty.reference.model import Game

# A look's heading: row step, column step, the side by which it enters a tile, the side by which it leaves.
SOUTH = (1, 0, "N", "S")
WEST = (0, -1, "E", "W")
NORTH = (-1, 0, "S", "N")
EAST = (0, 1, "W", "E")


def first_tile(place: int) -> tuple[int, int, tuple[int, int, str, str]]:
    """W4: row and column of the tile next to a place, and the heading of the look from there."""
    side, along = divmod(place, 3)
    if side == 0:  # above the columns, from left to right
        return 0, along, SOUTH
    if side == 1:  # right of the rows, from top to bottom
        return along, 2, WEST
    if side == 2:  # below the columns, from right to left
        return 2, 2 - along, NORTH
    return 2 - along, 0, EAST  # left of the rows, from bottom to top


def cells_seen(game: Game, place: int) -> list[int]:
    """W6: the cells that a detective at a place sees, near to far."""
    row, column, (down, right, near, far) = first_tile(place)
    seen: list[int] = []
    while 0 <= row <= 2 and 0 <= column <= 2:
        cell = 3 * row + column
        walls = game.walls(game.tiles[cell])
        if near in walls:
            return seen
        seen.append(cell)
        if far in walls:
            return seen
        row, column = row + down, column + right
    return seen


def in_sight(game: Game) -> set[str]:
    """The face-up suspects that at least one detective sees."""
    cells = {cell for place in game.detectives.values() for cell in cells_seen(game, place)}
    return {game.tiles[cell].suspect for cell in cells if game.tiles[cell].face_up}
