"""Nested plain values with arrays, bytes and tensors, as one JSON file and arrays beside it; no pickle."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from safetensors import SafetensorError
from safetensors.torch import save_file

ARRAY, BYTES = "__array__", "__bytes__"
Value = TypeVar("Value")


def write(folder: Path, name: str, value: Any) -> None:
    """``name.json`` and, for every array in the value, ``name.path.npy``, into an existing folder."""
    plain = _pack(folder, name, value)
    (folder / f"{name}.json").write_text(json.dumps(plain) + "\n", encoding="utf-8")


def read(content: Callable[[str], bytes], name: str) -> Any:
    """What ``write`` was given, tuples as lists.

    Args:
        content: gives the files by name, as they were written: games are among them, and compiled code trusts the
            numbers in them.
        name: as ``write`` had it.

    Raises:
        ValueError: the content is none that ``write`` made; what ``content`` raises comes through.
    """
    return _unpack(content, json.loads(content(f"{name}.json")))


def _pack(folder: Path, path: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _pack(folder, f"{path}.{key}", item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_pack(folder, f"{path}.{i}", item) for i, item in enumerate(value)]
    if isinstance(value, bytes):
        return {BYTES: value.hex()}
    if isinstance(value, np.ndarray):
        np.save(folder / f"{path}.npy", value, allow_pickle=False)
        return {ARRAY: f"{path}.npy"}
    return value.item() if isinstance(value, np.generic) else value


def _unpack(content: Callable[[str], bytes], value: Any) -> Any:
    if isinstance(value, list):
        return [_unpack(content, item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {ARRAY}:
        return np.load(io.BytesIO(content(value[ARRAY])), allow_pickle=False)
    if set(value) == {BYTES}:
        return bytes.fromhex(value[BYTES])
    return {key: _unpack(content, item) for key, item in value.items()}


def write_tensors(file: Path, tensors: Mapping[str, Any]) -> None:
    """A safetensors file.

    Raises:
        OSError: it cannot be written.
    """
    try:
        save_file({name: value.contiguous() for name, value in tensors.items()}, file)
    except SafetensorError as error:
        raise OSError(f"{file}: {error}") from error


def flat(parts: Mapping[int, Mapping[str, Value]]) -> dict[str, Value]:
    """Values by number and name, under the names ``number.name``."""
    return {f"{number}.{name}": value for number, part in parts.items() for name, value in part.items()}


def by_number(values: Mapping[str, Value]) -> dict[int, dict[str, Value]]:
    """The inverse of ``flat``; raises ValueError on a name that begins with no number."""
    parts: dict[int, dict[str, Value]] = {}
    for key, value in values.items():
        number, _, name = key.partition(".")
        parts.setdefault(int(number), {})[name] = value
    return parts
