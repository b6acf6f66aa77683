"""Record dtypes for games that live in the tests."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np


def stamped(dtype: np.dtype[np.void], file: str) -> np.dtype[np.void]:
    """The dtype with one more field, named after the content of ``file``.

    Compiled loops are cached by their own sources and the type of the states; what a test registers for a type is no
    such source, so a change of it must change the type.
    """
    digest = hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]
    own: Any = [(name, kind[0]) for name, kind in (dtype.fields or {}).items()]
    return np.dtype((np.record, [*own, (f"source_{digest}", np.int32)]))
