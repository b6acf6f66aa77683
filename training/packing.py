"""Nested plain values with arrays, bytes and tensors, as one JSON file and arrays beside it; no pickle."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

ARRAY, BYTES, CHECKSUM = "__array__", "__bytes__", "__crc32__"


def write(folder: Path, name: str, value: Any) -> None:
    """``name.json`` and, for every array in the value, ``name.path.npy``, into an existing folder."""
    plain = _pack(folder, name, value)
    (folder / f"{name}.json").write_text(json.dumps(plain) + "\n", encoding="utf-8")


def read(folder: Path, name: str) -> Any:
    """What ``write`` was given, tuples as lists.

    Raises:
        OSError, ValueError: a file is missing or damaged.
    """
    return _unpack(folder, json.loads((folder / f"{name}.json").read_text(encoding="utf-8")))


def _pack(folder: Path, path: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _pack(folder, f"{path}.{key}", item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_pack(folder, f"{path}.{i}", item) for i, item in enumerate(value)]
    if isinstance(value, bytes):
        return {BYTES: value.hex()}
    if isinstance(value, np.ndarray):
        np.save(folder / f"{path}.npy", value, allow_pickle=False)
        return {ARRAY: f"{path}.npy", CHECKSUM: zlib.crc32(value.tobytes())}
    return value.item() if isinstance(value, np.generic) else value


def _unpack(folder: Path, value: Any) -> Any:
    if isinstance(value, list):
        return [_unpack(folder, item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {ARRAY, CHECKSUM}:
        array = np.load(folder / value[ARRAY], allow_pickle=False)
        # Games are among these, and compiled code trusts the numbers in them.
        if zlib.crc32(array.tobytes()) != value[CHECKSUM]:
            raise ValueError(f"{folder / value[ARRAY]}: damaged: not as it was written")
        return array
    if set(value) == {BYTES}:
        return bytes.fromhex(value[BYTES])
    return {key: _unpack(folder, item) for key, item in value.items()}
