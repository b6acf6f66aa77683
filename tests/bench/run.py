"""`make bench`: measures every game beside its peers and prints what was reached and what is asked.

Names of games as arguments measure these alone.
"""

from __future__ import annotations

import datetime
import importlib
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from reichenbach.envs import registry
from reichenbach.envs.core.game import Game
from tests.bench import learning, ours, peers
from tests.bench.asked import ASKED, IMPORT, Asked
from tests.bench.timing import Row, Work, at_least, rate, rates, ratio

HEAD = "\n{0}\n\n| what | measured | asked | |\n|---|---|---|---|"


def main() -> int:
    """Prints the tables; 1 if a figure asked for was not reached, 0 otherwise, whatever was skipped."""
    print(f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"load at the start: {os.getloadavg()[0]:.2f} (a quiet machine is near 0)")
    missed = shown("the package", [seconds("import reichenbach, Numba not imported", ours.import_seconds(), IMPORT)])
    for name in sys.argv[1:] or ASKED:
        game = registry.game(name)
        faces = importlib.import_module(next(entry.faces for entry in registry.ENTRIES if entry.name == name))
        asked = ASKED[name]
        missed += shown(name, chain(kernel(game, asked), faces_of(faces, asked), rest(game, asked)))
    print(f"\nload at the end: {os.getloadavg()[0]:.2f}")
    return 1 if missed else 0


def shown(title: str, rows: Iterable[Row]) -> int:
    """Prints a table row by row, as they come; how many figures were not reached."""
    print(HEAD.format(title), flush=True)
    missed = 0
    for row in rows:
        missed += row.holds is False
        verdict = {None: "", True: "yes", False: "NO"}[row.holds]
        print(f"| {row.what} | {row.figure} | {row.asked} | {verdict} |", flush=True)
    return missed


def kernel(game: Game, asked: Asked) -> Iterator[Row]:
    """The compiled loops over many games."""
    peer, least = asked.over_pgx
    yield from beside(
        ("batch kernel, masks and the mover's observation, one core", ours.UniformPlay(game, 0), asked.kernel),
        (f"... over Pgx {peer}, batch 8,192", lambda: peers.pgx(peer), least),
    )
    yield at_least("batch kernel, masks alone", rate(ours.UniformPlay(game, -1)), asked.blind)
    games, hashing = ours.two_threads_over_one(game)
    yield ratio("two threads over one", games, asked.two_threads)
    yield Row("... and what two threads of plain hashing reach here", f"{hashing:.2f} x")


def faces_of(faces: Any, asked: Asked) -> Iterator[Row]:
    """The environments of one game at a time."""
    loop = ("raw_env(), AEC loop", ours.aec_cheapest(faces.raw_env()), asked.raw_env)
    if asked.over_raw_env is None:
        yield at_least(loop[0], rate(loop[1]), loop[2])
    else:
        peer, least = asked.over_raw_env
        yield from beside(loop, (f"... over PettingZoo {peer}", lambda: peers.pettingzoo_raw(peer), least))
    other, least = asked.over_env
    yield from beside(
        ("env(), the documentation's loop", ours.aec_documented(faces.env()), None),
        (f"... over PettingZoo {other}", lambda: peers.pettingzoo_documented(other), least),
    )


def rest(game: Game, asked: Asked) -> Iterator[Row]:
    """Learning, processes from cold, memory."""
    seats = game.seats(game.resolve({}))
    for seat in seats:
        share = learning.learner_share(game, seat, [other for other in seats if other != seat])
        yield Row(
            f"learning {seat} against greedy over instantaneous",
            f"{share:.0%}",
            f">= {asked.learning:.0%}",
            share >= asked.learning,
        )
    cold, warm = ours.first_step_seconds(f"{game.name}_v{game.version}")
    yield seconds("first step of an environment, warm cache", warm, asked.first_step)
    yield seconds("the same, cold", cold, asked.cold)
    yield seconds("cold compile of the batch loops", ours.compile_seconds(game.name), asked.cold)
    mib = ours.UniformPlay(game, 0, games=4096).nbytes / 2**20
    yield Row(
        "memory of 4,096 games with observations", f"{mib:.1f} MiB", f"<= {asked.memory:g} MiB", mib <= asked.memory
    )


def beside(own: tuple[str, Work, float | None], peer: tuple[str, Callable[[], Work], float]) -> Iterator[Row]:
    """Our rate and its ratio to a peer's, each with its name and what is asked; why, if the peer was skipped."""
    name, work, least = own
    peer_name, make, least_ratio = peer
    try:
        rate_own, rate_peer = rates(work, make())
    except peers.Skipped as reason:
        yield at_least(name, rate(work), least)
        yield Row(peer_name, f"skipped ({reason})")
    else:
        yield at_least(name, rate_own, least)
        yield ratio(peer_name, rate_own / rate_peer, least_ratio)


def seconds(what: str, value: float, most: float) -> Row:
    """A time that must stay below a figure."""
    return Row(what, f"{value:.2f} s", f"<= {most:g} s", value <= most)


if __name__ == "__main__":
    sys.exit(main())
