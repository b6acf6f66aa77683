"""`make bench`: measures every game beside its peers and prints what was reached and what is asked."""

from __future__ import annotations

import datetime
import importlib
import os
import platform
import sys
from collections.abc import Callable, Iterator

from reichenbach.envs import registry
from tests.bench import learning, ours, peers
from tests.bench.timing import Row, Work, at_least, rate, rates, ratio


def main() -> int:
    """Prints the table; 1 if a figure asked for was not reached, 0 otherwise, whatever was skipped."""
    print(f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"load at the start: {os.getloadavg()[0]:.2f} (a quiet machine is near 0)\n")
    print("| what | measured | asked | |\n|---|---|---|---|")
    missed = 0
    for row in who_is_moriarty():
        missed += row.holds is False
        verdict = {None: "", True: "yes", False: "NO"}[row.holds]
        print(f"| {row.what} | {row.figure} | {row.asked} | {verdict} |", flush=True)
    print(f"\nload at the end: {os.getloadavg()[0]:.2f}")
    return 1 if missed else 0


def who_is_moriarty() -> Iterator[Row]:
    """The rows of Who Is Moriarty."""
    game, v0 = registry.game("who_is_moriarty"), importlib.import_module("reichenbach.envs.who_is_moriarty_v0")
    yield from beside(
        ("batch kernel, masks and the mover's observation, one core", ours.UniformPlay(game, 0), 6e6),
        ("... over Pgx leduc_holdem, batch 8,192", lambda: peers.pgx("leduc_holdem"), 4),
    )
    yield at_least("batch kernel, masks alone", rate(ours.UniformPlay(game, -1)), 10e6)
    games, hashing = ours.two_threads_over_one(game)
    yield ratio("two threads over one", games, 1.8)
    yield Row("... and what two threads of plain hashing reach here", f"{hashing:.2f} x")
    yield from beside(
        ("raw_env(), AEC loop", ours.aec_cheapest(v0.raw_env()), 200_000),
        ("... over PettingZoo tictactoe", lambda: peers.pettingzoo_raw("tictactoe_v3"), 2),
    )
    yield from beside(
        ("env(), the documentation's loop", ours.aec_documented(v0.env()), None),
        ("... over PettingZoo connect_four", lambda: peers.pettingzoo_documented("connect_four_v3"), 2),
    )
    for seat, others in (("sherlock", ["moriarty"]), ("moriarty", ["sherlock"])):
        share = learning.learner_share(game, seat, others)
        yield Row(f"learning {seat} against greedy over instantaneous", f"{share:.0%}", ">= 80 %", share >= 0.8)
    yield seconds("import reichenbach, Numba not imported", ours.import_seconds(), 0.5)
    cold, warm = ours.first_step_seconds("who_is_moriarty_v0")
    yield seconds("first step of an environment, warm cache", warm, 2)
    yield seconds("the same, cold", cold, 30)
    yield seconds("cold compile of the batch loops", ours.compile_seconds("who_is_moriarty"), 30)
    mib = ours.UniformPlay(game, 0, games=4096).nbytes / 2**20
    yield Row("memory of 4,096 games with observations", f"{mib:.1f} MiB", "<= 20 MiB", mib <= 20)


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
