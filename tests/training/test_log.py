from __future__ import annotations

import csv
import io
import math
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from reichenbach.training import cli, load, tracking
from reichenbach.training.log import Log, Progress, Table, clock
from tests.training import runs


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_rows_after_the_checkpoint_are_dropped(tmp_path: Path) -> None:
    table = Table(tmp_path / "t.csv", keep_to=0)
    for steps in (1, 2, 3):
        table.add({"steps": steps, "a": steps / 2})
    again = Table(tmp_path / "t.csv", keep_to=2)
    again.add({"steps": 3, "a": 9})
    assert rows(tmp_path / "t.csv") == [{"steps": str(n), "a": a} for n, a in ((1, "0.5"), (2, "1.0"), (3, "9"))]


@pytest.mark.parametrize("torn", ["2", "2,", "2,1,1", "x,1", ",1", "\x00"])
def test_a_row_torn_by_a_kill_is_dropped(tmp_path: Path, torn: str) -> None:
    table = Table(tmp_path / "t.csv", keep_to=0)
    table.add({"steps": 1, "a": 0.5})
    with (tmp_path / "t.csv").open("a", encoding="utf-8") as stream:
        stream.write(torn)
    again = Table(tmp_path / "t.csv", keep_to=2 if torn != "2," else 1)
    again.add({"steps": 3, "a": 9})
    assert rows(tmp_path / "t.csv") == [{"steps": "1", "a": "0.5"}, {"steps": "3", "a": "9"}]
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]


def test_tables_and_tensorboard(tmp_path: Path) -> None:
    log = Log(tmp_path, 0, tracking.opened(load.load(runs.write(tmp_path)), tmp_path, 0))
    log.iteration(512, {"win_rate": 0.25, "loss": math.nan})
    log.evaluated(512, {"sherlock against random": 0.5})
    log.close()
    assert rows(tmp_path / "progress.csv") == [{"steps": "512", "win_rate": "0.25", "loss": "nan"}]
    assert rows(tmp_path / "evaluation.csv") == [{"steps": "512", "sherlock against random": "0.5"}]
    assert [file for file in (tmp_path / "tensorboard").iterdir() if file.stat().st_size > 0]


class Failing:
    """A tracker whose server goes away."""

    def __init__(self) -> None:
        self.points: list[int] = []

    def add(self, steps: int, values: Mapping[str, float]) -> None:
        if steps == 2:
            raise ConnectionError("the server has gone\nfor good")
        self.points.append(steps)

    def close(self) -> None:
        raise TimeoutError


def test_a_tracker_that_fails_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failing = Failing()
    log = Log(tmp_path, 0, [failing])
    for steps in (1, 2, 3):
        log.iteration(steps, {"loss": 0.0})
    log.close()
    assert failing.points == [1]
    assert capsys.readouterr().err == "Failing: the server has gone; the run goes on without it\n"
    assert [row["steps"] for row in rows(tmp_path / "progress.csv")] == ["1", "2", "3"]
    Log(tmp_path, 3, [failing]).close()
    assert capsys.readouterr().err == "Failing: TimeoutError; the run goes on without it\n"


@pytest.mark.parametrize("name", ["wandb", "mlflow"])
def test_a_tracker_that_is_missing_is_named_before_anything_begins(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    config = str(runs.write(tmp_path))
    assert cli.main(["train", config, f"trackers.{name}={{}}", f"output={tmp_path / 'run'}"]) == 2
    assert capsys.readouterr().err == (
        f"reichenbach: {name} is missing; it comes with the extra {name}: pip install 'PATH_OF_THE_CHECKOUT[{name}]'\n"
    )
    assert not (tmp_path / "run").exists()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_one_line_is_written_over_on_a_terminal() -> None:
    stream = Terminal()
    progress = Progress("sherlock", 2_000_000, 0, stream)
    progress.show(500_000, 0.5)
    progress.judged = "  random 91.0 %"
    progress.show(1_000_000, 0.625)
    progress.end()
    lines = stream.getvalue().split("\r")
    assert stream.getvalue().count("\n") == 1
    assert lines[2].startswith("sherlock  1,000,000 of 2,000,000 steps  ")
    assert lines[2].rstrip().endswith("left  wins 62.5 %  random 91.0 %")


def test_plain_lines_come_now_and_then() -> None:
    stream = io.StringIO()
    progress = Progress("both", 100, 0, stream)
    progress.show(10, 0.5, always=True)
    progress.show(20, 0.5)
    progress.show(100, 0.5, always=True)
    progress.end()
    assert stream.getvalue().count("\n") == 2
    assert "\r" not in stream.getvalue()


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (59.6, "1:00"), (125, "2:05"), (3723, "1:02:03")])
def test_clock(seconds: float, text: str) -> None:
    assert clock(seconds) == text


@pytest.mark.parametrize("damage", ["[1, 2]", "null", "{}", '{"mlflow": 3}', '{"mlflow": {"settings": {}}}', "no json"])
def test_what_is_noted_of_trackers_may_be_damaged(damage: str, tmp_path: Path) -> None:
    """The run is a new one there, then."""
    file = tmp_path / tracking.TRACKED
    file.write_text(damage, encoding="utf-8")
    assert tracking._known(file, "mlflow", {}, lambda: "new") == "new"
    assert tracking._known(file, "mlflow", {}, lambda: "newer") == "new"
    assert tracking._known(file, "mlflow", {"uri": "x"}, lambda: "newer") == "newer"
