"""Sets of pairs of villain and target as bits (state.py says which bit is which)."""

from __future__ import annotations

from reichenbach.envs.core.kernel import kernel
from reichenbach.envs.manor.state import N_PAIRS, N_PAWNS

PAIRS = tuple((villain, target) for villain in range(N_PAWNS) for target in range(N_PAWNS) if villain != target)
WITH_TARGET = tuple(sum(1 << bit for bit in range(N_PAIRS) if PAIRS[bit][1] == target) for target in range(N_PAWNS))
_OF_ONE_VILLAIN = 0b11111


@kernel
def pair(villain: int, target: int) -> int:
    """The bit of one pair."""
    return 1 << (5 * villain + target - int(target > villain))


@kernel
def with_villain(villain: int) -> int:
    """The five pairs of one villain."""
    return _OF_ONE_VILLAIN << (5 * villain)


@kernel
def villains(pairs: int) -> int:
    """Bit p: pawn p is the villain of one of the pairs."""
    found = 0
    for villain in range(N_PAWNS):
        found |= int(pairs & (_OF_ONE_VILLAIN << (5 * villain)) != 0) << villain
    return found
