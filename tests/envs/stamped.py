"""Record dtypes for games that live in the tests."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np


def stamped(dtype: np.dtype[np.void], file: str, *fields: str) -> np.dtype[np.void]:
    """The dtype with more int32 fields, and one that is named after the content of ``file``.

    Compiled loops are cached by their own sources and the type of the states; what a test registers for a type is no
    such source, so a change of it must change the type.
    """
    digest = hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]
    more: Any = [(name, np.int32) for name in (*fields, f"source_{digest}")]
    own: Any = [(name, *kind[:1]) for name, kind in (dtype.fields or {}).items()]
    return np.dtype((np.record, [*own, *more]))
