"""Nothing is ever half written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reichenbach.training import folders, packing


def content(folder: Path) -> str:
    return (folder / "a").read_text(encoding="utf-8")


def put(folder: Path, text: str) -> None:
    with folders.replacing(folder) as new:
        (new / "a").write_text(text, encoding="utf-8")


def test_replacing(tmp_path: Path) -> None:
    put(tmp_path / "x", "one")
    put(tmp_path / "x", "two")
    assert content(tmp_path / "x") == "two"
    assert [file.name for file in tmp_path.iterdir()] == ["x"]


def test_an_error_leaves_what_was(tmp_path: Path) -> None:
    put(tmp_path / "x", "one")
    with pytest.raises(FileNotFoundError), folders.replacing(tmp_path / "x") as new:
        new.joinpath("a").write_bytes((tmp_path / "missing").read_bytes())
    assert content(tmp_path / "x") == "one"
    put(tmp_path / "x", "two")
    assert content(tmp_path / "x") == "two"


def test_killed_between_the_renames(tmp_path: Path) -> None:
    put(tmp_path / "x", "one")
    (tmp_path / "x").rename(tmp_path / "x.old")
    (tmp_path / "x.new").mkdir()
    folders.settle(tmp_path / "x")
    assert content(tmp_path / "x") == "one"
    assert [file.name for file in tmp_path.iterdir()] == ["x"]


def test_killed_before_the_old_one_was_removed(tmp_path: Path) -> None:
    put(tmp_path / "x", "two")
    put(tmp_path / "x.old", "one")
    folders.settle(tmp_path / "x")
    assert content(tmp_path / "x") == "two"
    assert not (tmp_path / "x.old").exists()


def test_files(tmp_path: Path) -> None:
    folders.write_text(tmp_path / "f", "1")
    folders.write_text(tmp_path / "f", "2")
    assert (tmp_path / "f").read_text(encoding="utf-8") == "2"
    assert [file.name for file in tmp_path.iterdir()] == ["f"]


def test_packing_gives_back_what_it_was_given(tmp_path: Path) -> None:
    record = np.zeros(3, np.dtype([("a", np.int32), ("b", np.bool_, (2,))]))
    record["a"] = [1, 2, 3]
    value = {
        "array": np.arange(6, dtype=np.float32).reshape(2, 3),
        "record": record,
        "words": b"\x00\xff",
        "deep": [{"big": 2**127, "none": None}, (1, 2.5, np.int64(7), np.bool_(True))],
    }
    packing.write(tmp_path, "state", value)
    found = packing.read(lambda name: (tmp_path / name).read_bytes(), "state")
    assert found["array"].tobytes() == value["array"].tobytes()  # type: ignore[attr-defined]
    assert found["record"].dtype == record.dtype
    assert found["record"].tobytes() == record.tobytes()
    assert found["words"] == b"\x00\xff"
    assert found["deep"] == [{"big": 2**127, "none": None}, [1, 2.5, 7, True]]


def test_packing_reads_nothing_but_what_it_is_given(tmp_path: Path) -> None:
    packing.write(tmp_path, "state", {"games": np.arange(6)})
    asked: list[str] = []

    def content(name: str) -> bytes:
        asked.append(name)
        return (tmp_path / name).read_bytes()

    assert packing.read(content, "state")["games"].tolist() == [0, 1, 2, 3, 4, 5]
    assert asked == ["state.json", "state.games.npy"]
    with pytest.raises(ValueError, match=r"pickle|magic"):
        packing.read(lambda name: content(name) if name.endswith("json") else b"no array", "state")


def test_a_folder_is_one_process_own(tmp_path: Path) -> None:
    with (
        folders.locked(tmp_path),
        pytest.raises(folders.InUse, match="another process is training in it"),
        folders.locked(tmp_path),
    ):
        pass
    with folders.locked(tmp_path):
        pass


def test_arrays_of_objects_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        packing.write(tmp_path, "state", np.array([{}], dtype=object))
