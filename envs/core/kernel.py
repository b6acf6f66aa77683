"""The decorators for compiled rules: they keep their types and cache by a hash of their sources."""

from __future__ import annotations

import hashlib
import importlib
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")

# The only use of Numba's private names; its types do not know them.
caching: Any = importlib.import_module("numba.core.caching")
config: Any = importlib.import_module("numba.core.config")
njit: Any = numba.njit
unliteral: Any = importlib.import_module("numba.core.types").unliteral

ROOT = Path(__file__).resolve().parent.parent

_IMPORT = re.compile(r"^from reichenbach\.envs\.([\w.]+) import (\([^)]*\)|.*)", re.MULTILINE)
_VERBS = ROOT / "core" / "verbs.py"


@cache
def _source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _imported(path: Path) -> frozenset[Path]:
    """The files of this package that a file imports from."""
    found: set[Path] = set()
    for module, names in _IMPORT.findall(_source(path)):
        place = ROOT.joinpath(*module.split("."))
        found.update((place.with_suffix(".py"), *(place / f"{name}.py" for name in re.findall(r"\w+", names))))
    return frozenset(file for file in found if file.is_file())


def _sources(start: Iterable[Path]) -> set[Path]:
    """These files and all that they import from, directly or not."""
    found: set[Path] = set()
    waiting = list(start)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path)
    return found


@cache
def _stamp(path: Path) -> str:
    """Hash of every file that a kernel in this one is built from, and of the bounds check, which Numba's cache ignores.

    Whoever calls the verbs is built from every game's rules, which register themselves for them.
    """
    sources = _sources([path])
    if _VERBS in sources:
        sources |= _sources(file for file in ROOT.rglob("*.py") if "verbs.register(" in _source(file))
    digest = hashlib.sha256(repr((numba.__version__, bool(config.BOUNDSCHECK))).encode())
    for file in sorted(sources):
        digest.update(f"{file.relative_to(ROOT)}\0{_source(file)}".encode())
    return digest.hexdigest()


class SourceHashLocator(caching._CacheLocator):  # type: ignore[misc]  # a private class of an untyped module
    """Puts compiled code where Numba would, but trusts it only under the stamp of its sources as they are.

    Numba looks at the function's own file alone, so a rule changed in another file would run stale code.
    The folder is ``NUMBA_CACHE_DIR`` if set, else ``__pycache__``, else (package not writable) the user's cache.
    """

    _folders: tuple[Any, ...] = (
        caching.UserProvidedCacheLocator,
        caching.InTreeCacheLocator,
        caching.UserWideCacheLocator,
    )

    def __init__(self, folder: Any, file: Path) -> None:
        self._folder, self._file = folder, file

    def get_cache_path(self) -> Any:
        """Numba's own choice of folder."""
        return self._folder.get_cache_path()

    def get_source_stamp(self) -> str:
        """Compiled code under any other stamp is stale."""
        return _stamp(self._file)

    def get_disambiguator(self) -> Any:
        """What tells functions of one name apart."""
        return self._folder.get_disambiguator()

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> SourceHashLocator | None:
        """The locator of a function, None for those that are not ours."""
        file = Path(py_file).resolve()
        if not file.is_relative_to(ROOT):
            return None
        for folder in cls._folders:
            located = folder.from_function(py_func, py_file)
            if located is not None:
                return cls(located, file)
        return None


if SourceHashLocator not in caching.CacheImpl._locator_classes:
    caching.CacheImpl._locator_classes.insert(0, SourceHashLocator)


_FLAGS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compiles a rule on its first call, without the GIL, into whatever compiled code calls it.

    With ``NUMBA_DISABLE_JIT=1`` it stays Python. Calls that are not inlined cost random play a quarter of its speed.
    A kernel may not make arrays: without Numba's reference counts, which cannot be left out where arrays are made,
    a call costs a third. Scratch space is an argument or a field of the state.
    """
    return cast("Callable[P, R]", _for_all_numbers(njit(forceinline=True, **_FLAGS)(function)))


def large_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel beside whose own work a call is nothing: it is compiled once, not into each caller."""
    return cast("Callable[P, R]", _for_all_numbers(njit(**_FLAGS)(function)))


def _for_all_numbers(dispatcher: Any) -> Any:
    """Lets a kernel that is called with a constant be compiled for any integer, where Numba would for each constant."""
    if config.DISABLE_JIT:
        return dispatcher
    template = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return template([unliteral(arg) for arg in args], {name: unliteral(arg) for name, arg in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher
