"""Sets of up to 31 things as the bits of an integer from 0."""

from __future__ import annotations

from reichenbach.envs.core.kernel import kernel


@kernel
def count(bits: int) -> int:
    """How many bits are set: by pairs, by fours, by eights, together."""
    pairs = bits - ((bits >> 1) & 0x55555555)
    fours = (pairs & 0x33333333) + ((pairs >> 2) & 0x33333333)
    eights = (fours + (fours >> 4)) & 0x0F0F0F0F
    return ((eights * 0x01010101) >> 24) & 0x3F


@kernel
def nth(bits: int, n: int) -> int:
    """The number of the set bit that has n set bits below it."""
    for _ in range(n):
        bits &= bits - 1
    return count((bits & -bits) - 1)
