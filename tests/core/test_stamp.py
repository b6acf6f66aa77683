"""What compiled code is trusted by: the sources that it is built from, and no others."""

from __future__ import annotations

import pytest

from reichenbach.envs.core import kernel

ROOT = kernel.ROOT


def sources(file: str) -> set[str]:
    return {str(path.relative_to(ROOT)) for path in kernel._sources([ROOT / file])}


def test_a_kernel_is_built_from_what_its_file_imports_directly_or_not() -> None:
    found = sources("who_is_moriarty/goals.py")
    assert {"who_is_moriarty/sight.py", "who_is_moriarty/tables.py", "core/kernel.py", "core/chance.py"} <= found
    assert not found & {"who_is_moriarty/notation.py", "who_is_moriarty/render.py", "core/batch.py"}


def test_the_stamp_follows_an_imported_file(monkeypatch: pytest.MonkeyPatch) -> None:
    goals, notation = (ROOT / "who_is_moriarty" / name for name in ("goals.py", "notation.py"))
    kernel._stamp.cache_clear()
    before = kernel._stamp(goals)
    read = kernel._source
    for changed, same in ((ROOT / "who_is_moriarty/sight.py", False), (notation, True)):
        monkeypatch.setattr(kernel, "_source", lambda path, of=changed: read(path) + "# changed" * (path == of))
        kernel._stamp.cache_clear()
        assert (kernel._stamp(goals) == before) is same
    monkeypatch.undo()
    kernel._stamp.cache_clear()


@pytest.mark.parametrize("rules", ["who_is_moriarty/sight.py", "manor/sight.py"])
def test_loops_over_games_follow_every_games_rules(monkeypatch: pytest.MonkeyPatch, rules: str) -> None:
    loops = ROOT / "core" / "batch.py"
    kernel._stamp.cache_clear()
    before = kernel._stamp(loops)
    read = kernel._source
    monkeypatch.setattr(kernel, "_source", lambda path: read(path) + "# changed" * (path == ROOT / rules))
    kernel._stamp.cache_clear()
    assert kernel._stamp(loops) != before
    monkeypatch.undo()
    kernel._stamp.cache_clear()
