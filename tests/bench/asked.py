"""What is asked of each game's speed. Ratios to peers decide; absolute figures are those of a quiet machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Asked:
    """The least rates in steps a second, the least ratios with the peer's name, the most seconds and MiB."""

    kernel: float  # masks and the mover's observation, one core
    over_pgx: tuple[str, float]
    blind: float  # masks alone
    two_threads: float
    raw_env: float
    over_raw_env: tuple[str, float] | None  # of PettingZoo's classics
    over_env: tuple[str, float]
    learning: float  # over the same learner's rate above instantaneous environments
    first_step: float  # with a warm cache
    cold: float
    memory: float  # of 4,096 games with their observations


ASKED = {
    "who_is_moriarty": Asked(
        kernel=6e6,
        over_pgx=("leduc_holdem", 4),
        blind=10e6,
        two_threads=1.8,
        raw_env=200_000,
        over_raw_env=("tictactoe_v3", 2),
        over_env=("connect_four_v3", 2),
        learning=0.8,
        first_step=2,
        cold=30,
        memory=20,
    ),
    "manor": Asked(
        kernel=0.5e6,
        over_pgx=("hex", 1.5),
        blind=1e6,
        two_threads=1.8,
        raw_env=60_000,
        over_raw_env=None,
        over_env=("connect_four_v3", 1),
        learning=0.7,
        first_step=2,
        cold=60,
        memory=60,
    ),
}
IMPORT = 0.5  # seconds
