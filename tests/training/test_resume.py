"""A run that was stopped or killed and continued is, to the last bit, the run that was not."""

from __future__ import annotations

import csv
import json
import re
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reichenbach.agents import stored
from reichenbach.agents.setup import BadAgent
from reichenbach.training import folders, load, loop, ppo
from reichenbach.training.command import command
from reichenbach.training.config import ConfigError
from tests.training import runs

WEIGHTS = ("policy.safetensors", "resume/optimiser.safetensors", "resume/snapshots.safetensors")
ARRAYS = ("resume/state.games.npy", "resume/state.last_observation.npy", "resume/state.torch.npy")
TIMES = ("steps_per_second", "collect_share", "environment_share")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing interrupts."""
    folder = tmp_path_factory.mktemp("whole")
    config = load.load(runs.write(folder), [f"output={folder / 'run'}"])
    assert ppo.begin(config)
    return folder / "run"


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as stream:
        return [{k: v for k, v in row.items() if k not in TIMES} for row in csv.DictReader(stream)]


def same(one: Path, other: Path) -> None:
    for name in (*WEIGHTS, *ARRAYS):
        assert (one / "latest" / name).read_bytes() == (other / "latest" / name).read_bytes(), name
    assert rows(one / "progress.csv") == rows(other / "progress.csv")
    assert rows(one / "evaluation.csv") == rows(other / "evaluation.csv")
    assert (one / "best" / WEIGHTS[0]).read_bytes() == (other / "best" / WEIGHTS[0]).read_bytes()


@pytest.mark.parametrize("iteration", [2, 6, 10])
def test_killed_and_continued(whole: Path, tmp_path: Path, iteration: int) -> None:
    folder = tmp_path / "run"
    ended = runs.signalled(signal.SIGKILL, iteration, runs.write(tmp_path), f"output={folder}")
    assert ended.returncode == -signal.SIGKILL
    assert runs.iterations(folder) == iteration
    assert ppo.go_on(folder, None)
    same(whole, folder)


def test_asked_to_stop_and_continued(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    ended = runs.signalled(signal.SIGTERM, 4, runs.write(tmp_path), f"output={folder}")
    assert ended.returncode == 1
    assert f"continue with: {command()} train --resume {folder}" in ended.stderr
    steps = json.loads((folder / "latest" / "manifest.json").read_text(encoding="utf-8"))["steps"]
    assert steps == 4 * 256
    assert ppo.go_on(folder, None)
    same(whole, folder)


def test_the_total_may_change(whole: Path, tmp_path: Path) -> None:
    config = load.load(runs.write(tmp_path), [f"output={tmp_path / 'run'}", "total_steps=512"])
    assert ppo.begin(config)
    assert ppo.go_on(tmp_path / "run", load.load(tmp_path / "run" / "config.yaml", ["total_steps=1024"]))
    data = json.loads((tmp_path / "run" / "latest" / "manifest.json").read_text(encoding="utf-8"))
    assert data["steps"] == 1024
    assert data["parent"].endswith("latest at step 512")
    assert data["config"]["total_steps"] == 1024
    assert load.load(tmp_path / "run" / "config.yaml").total_steps == 1024


def test_nothing_else_may_change(whole: Path) -> None:
    overrides = ["ppo.gamma=0.5", "seed=6", "opponents.0.weight=3", "output=elsewhere", "total_steps=9999"]
    with pytest.raises(ConfigError) as error:
        ppo.go_on(whole, load.load(whole / "config.yaml", overrides))
    assert {problem.key for problem in error.value.problems} == {"ppo.gamma", "seed", "opponents", "output"}
    assert "0.5 now, 1.0 when the run began; only total_steps, ray and trackers may change on resume" in str(
        error.value
    )


def test_a_file_among_the_options_may_not_have_changed(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "run")
    file = tmp_path / "run" / "latest" / "manifest.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    data["options"]["max_rounds"] = {"name": "eight", "sha256": 64 * "0", "text": "8"}
    file.write_text(json.dumps(stored.signed(data)), encoding="utf-8")
    with pytest.raises(ConfigError, match=r": options.max_rounds: 8 now, 'eight@000000000000' when the run began$"):
        ppo.go_on(tmp_path / "run", None)


def test_a_run_is_not_begun_twice(whole: Path) -> None:
    with pytest.raises(loop.RunError, match="holds a run already; continue it with --resume"):
        ppo.begin(load.load(whole / "config.yaml"))


def test_nothing_to_continue(tmp_path: Path) -> None:
    with pytest.raises(loop.RunError, match="there is no latest/resume in it"):
        ppo.go_on(tmp_path, None)


def test_a_damaged_checkpoint_is_refused(whole: Path, tmp_path: Path) -> None:
    config = load.load(runs.write(tmp_path), [f"output={tmp_path / 'run'}", "total_steps=512"])
    assert ppo.begin(config)
    latest = tmp_path / "run" / "latest"
    files = [file for file in latest.rglob("*") if file.is_file()]
    assert len(files) >= 6
    for file in files:
        content = file.read_bytes()
        flipped = [content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :] for at in (len(content) // 2, -3)]
        for wrong in (content[:100], b"", b"{}", *flipped, None):
            file.unlink() if wrong is None else file.write_bytes(wrong)
            with pytest.raises((loop.RunError, BadAgent), match=rf"{re.escape(file.name)}: .*damaged|manifest\.json"):
                ppo.go_on(tmp_path / "run", None)
        file.write_bytes(content)
    data = json.loads((latest / "manifest.json").read_text(encoding="utf-8"))
    for wrong_config in ("null", "[]", "3"):
        text = json.dumps(stored.signed({**data, "config": json.loads(wrong_config)}))
        (latest / "manifest.json").write_text(text, encoding="utf-8")
        with pytest.raises(loop.RunError, match="its manifest has no config"):
            ppo.go_on(tmp_path / "run", None)


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state.update(steps=-5),
        lambda state: state.update(iteration="x"),
        lambda state: state["players"].update(assigned=[[99, 99]] * 32),
        lambda state: state["extra"].update(best=2.0),
        lambda state: state.update(recent_snapshots=[77]),
    ],
)
def test_an_edited_state_is_refused(whole: Path, tmp_path: Path, change: Callable[[Any], object]) -> None:
    """By its digest: most of these are numbers like others, and one had the run wait for ever."""
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    file = folder / "latest" / "resume" / "state.json"
    state = json.loads(file.read_text(encoding="utf-8"))
    change(state)
    file.write_text(json.dumps(state), encoding="utf-8")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(
        loop.RunError, match=r"^--resume .*/state\.json: missing or damaged: it is not as it was written"
    ):
        ppo.go_on(folder, None)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_every_file_of_a_checkpoint_has_its_digest(whole: Path) -> None:
    for name in ("latest", "best"):
        data = json.loads((whole / name / "manifest.json").read_text(encoding="utf-8"))
        files = {file.relative_to(whole / name).as_posix() for file in (whole / name).rglob("*") if file.is_file()}
        assert {*data["files"]} == files - {"manifest.json"}
        assert stored.signed(data) == data


def test_a_run_of_an_older_version_is_refused(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "run")
    file = tmp_path / "run" / "latest" / "manifest.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    del data["files"], data["digest"]
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(BadAgent, match=r"manifest\.json: files: missing"):
        ppo.go_on(tmp_path / "run", None)


def test_a_run_that_could_not_be_built_leaves_the_way_free(tmp_path: Path) -> None:
    arguments = [f"output={tmp_path / 'run'}", "total_steps=256"]
    broken = [*arguments, 'opponents=[{agent: "tests.agents.owned:broken"}]']
    with pytest.raises(BadAgent, match="the factory failed"):
        ppo.begin(load.load(runs.write(tmp_path), broken))
    assert not (tmp_path / "run").exists()
    deep = [*broken, f"output={tmp_path / 'over' / 'the' / 'run'}"]
    with pytest.raises(BadAgent, match="the factory failed"):
        ppo.begin(load.load(runs.write(tmp_path), deep))
    assert not (tmp_path / "over").exists()
    assert ppo.begin(load.load(runs.write(tmp_path), arguments))


def test_two_processes_in_one_folder(tmp_path: Path) -> None:
    config = load.load(runs.write(tmp_path), [f"output={tmp_path / 'run'}", "total_steps=256"])
    (tmp_path / "run").mkdir()
    with folders.locked(tmp_path / "run"), pytest.raises(folders.InUse):
        ppo.begin(config)
    assert ppo.begin(config)
    with folders.locked(tmp_path / "run"), pytest.raises(folders.InUse):
        ppo.go_on(tmp_path / "run", None)
