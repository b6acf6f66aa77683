"""How the kernels run in this process: as plain Python, or with index checks; both are slow."""

from __future__ import annotations

import os

PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"
SLOW = PLAIN or os.environ.get("NUMBA_BOUNDSCHECK") == "1"
