"""``make train`` in small."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from reichenbach.training import quickstart
from reichenbach.training.command import command

SMALL = ("total_steps=2048", "ppo.n_envs=64", "ppo.n_steps=16", "ppo.batch_size=256", "evaluation.games=10")


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(quickstart, "GAMES", dict.fromkeys(quickstart.GAMES, 20))
    monkeypatch.setattr(quickstart, "OVERRIDES", SMALL)


def test_they_learn_and_are_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """One seat of each game."""
    monkeypatch.setattr(quickstart, "JOBS", quickstart.JOBS[1:3])
    assert quickstart.main() == 0
    shown = capfd.readouterr().out
    assert [job.game for job in quickstart.JOBS] == ["who_is_moriarty", "manor"]
    for row in ("sherlock, trained", "sherlock, random", "moriarty, trained", "moriarty, greedy"):
        assert row in shown
    assert "against random" in shown
    for job in quickstart.JOBS:
        assert f"\n{job.game}: {job.seat}  1,024 of 2,048 steps" in shown
        assert (tmp_path / "runs" / "make_train" / job.game / job.seat / "best" / "manifest.json").is_file()
    assert f"Let them play: {command()} evaluate who_is_moriarty moriarty=policy:runs/make_train/who_is" in shown


def test_a_failure_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def start(config: str, output: Path) -> subprocess.Popen[str]:
        output.mkdir(parents=True)
        script = f"print('{config} fails'); raise SystemExit(1)"
        return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)

    monkeypatch.setattr(quickstart, "_start", start)
    assert quickstart.main() == 1
    shown = capfd.readouterr()
    assert "who_is_moriarty/moriarty/quick fails" in shown.out
    assert f"continue with: {command()} train --resume runs/make_train/who_is_moriarty/sherlock" in shown.err


WAITS = """
import signal, sys, time
stopped = []
signal.signal(signal.SIGINT, lambda number, frame: stopped.append(number))
print("waits", flush=True)
while not stopped:
    time.sleep(0.02)  # pause() would miss a signal that comes just before it
sys.exit(1)
"""


def test_no_more_than_two_learn_at_once_and_ctrl_c_stops_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three jobs two run; the signal reaches both, and the third is not begun."""
    begun: list[str] = []

    def start(config: str, output: Path) -> subprocess.Popen[str]:
        begun.append(config)
        process = subprocess.Popen([sys.executable, "-c", WAITS], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "waits\n"
        if len(begun) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return process

    monkeypatch.setattr(quickstart, "_start", start)
    monkeypatch.setattr(quickstart, "JOBS", tuple(quickstart.Job("x", seat) for seat in "abc"))
    codes = quickstart.Trainings(tmp_path).run()
    assert list(codes.values()) == [1, 1, 1]
    assert sorted(begun) == ["x/a/quick", "x/b/quick"]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    names = []
    for _ in range(3):
        folder = quickstart.free_folder(tmp_path, "x")
        folder.mkdir()
        names.append(folder.name)
    assert names == ["x", "x-2", "x-3"]
