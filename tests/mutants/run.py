"""`make mutants`: plants every game's rule mistakes, one at a time, and sees that its rule tests find each.

It prints a table and exits with 1 if a mistake survives. Names of games as arguments run these alone.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from types import ModuleType

from tests.manor import mutants as manor
from tests.mutants.plant import copy_sources, failing_test, is_found
from tests.who_is_moriarty import mutants as who_is_moriarty

GAMES: dict[str, ModuleType] = {"who_is_moriarty": who_is_moriarty, "manor": manor}


def main() -> int:
    """1 if a mistake survives, or if a test fails without any."""
    failures = [name for name in sys.argv[1:] or GAMES if not run(GAMES[name])]
    return 1 if failures else 0


def run(game: ModuleType) -> bool:
    """Whether all mistakes of a game are found."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        copy_sources(tree)
        spoilt = failing_test(tree, game.TESTS)
        if spoilt is not None:
            print(f"{game.KERNEL}: {spoilt} fails without any mistake planted")
            return False
        found = sum(is_found(mistake, tree, game.KERNEL, game.TESTS) for mistake in game.MISTAKES)
    print(f"{game.KERNEL}: {found} of {len(game.MISTAKES)} mistakes found")
    return bool(found == len(game.MISTAKES))


if __name__ == "__main__":
    sys.exit(main())
