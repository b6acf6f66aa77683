"""Training and judging on Ray: the same configs, checkpoints and logs, with runners and drivers that are killed."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
import torch

from reichenbach.agents.network import Network
from reichenbach.envs import registry as games
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.training import cli, engines, imitation, load, loop, ppo
from reichenbach.training.config import ConfigError
from reichenbach.training.distributed import cluster as cluster_of_ray
from reichenbach.training.distributed import judging, runner
from reichenbach.training.distributed.cluster import TooSmall
from reichenbach.training.distributed.run import RayRun
from reichenbach.training.evaluate import Result
from reichenbach.training.run import Run
from tests.training import runs

# Ray's own.
pytestmark = [
    pytest.mark.filterwarnings(f"ignore::{kind}") for kind in ("ResourceWarning", "FutureWarning", "DeprecationWarning")
]

RAY = ("--engine", "ray")
TIMES = ("steps_per_second", "collect_share", "environment_share")


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """One for all runs of this process; processes of their own start their own."""
    ray.init(address="local", num_cpus=4, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()


def config(folder: Path, *overrides: str) -> Any:
    return load.load(runs.write(folder), [f"output={folder / 'run'}", *overrides])


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as stream:
        return [{k: v for k, v in row.items() if k not in TIMES} for row in csv.DictReader(stream)]


def begin(settings: Any) -> bool:
    return ppo.begin(settings, engine=engines.find("ray"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing interrupts: both seats, all kinds of opponents, past selves among them."""
    folder = tmp_path_factory.mktemp("whole")
    assert begin(config(folder, "total_steps=1536"))
    return folder / "run"


def test_what_a_run_leaves(whole: Path) -> None:
    """What one of the local engine leaves, but for what continuing it needs."""
    data = json.loads((whole / "latest" / "manifest.json").read_text(encoding="utf-8"))
    assert (data["engine"], data["steps"]) == ("ray", 1536)
    progress = rows(whole / "progress.csv")
    assert [row["steps"] for row in progress] == [str(256 * i) for i in range(1, 7)]
    assert {"win_rate", "value_loss", "approx_kl", "explained_variance", "learning_rate"} <= set(progress[0])
    assert all(np.isfinite(float(value)) for row in progress for value in row.values())
    assert rows(whole / "evaluation.csv")[-1]["steps"] == "1536"
    files = {file.suffix for file in whole.rglob("*") if file.is_file() and "tensorboard" not in file.parts}
    assert files == {".json", ".npy", ".safetensors", ".csv", ".yaml"}


def test_its_policy_is_played(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seats = [f"sherlock=policy:{whole}", f"moriarty=policy:{whole}?mode=sample"]
    assert cli.main(["evaluate", "who_is_moriarty", *seats, "--games", "20"]) == 0
    assert "sherlock" in capsys.readouterr().out


def test_another_number_of_runners_goes_on(whole: Path, tmp_path: Path) -> None:
    begun = config(tmp_path, "total_steps=512")
    assert begin(begun)
    with_three = load.load(tmp_path / "run" / "config.yaml", ["total_steps=1024", "ray.runners=3"])
    assert ppo.go_on(tmp_path / "run", with_three)
    assert [row["steps"] for row in rows(tmp_path / "run" / "progress.csv")] == ["256", "512", "768", "1024"]


def test_a_run_goes_on_from_every_checkpoint(tmp_path: Path) -> None:
    """Also where a snapshot has just been forgotten."""
    kept = ("snapshots={every: 1, keep: 1}", "save_every=1", "total_steps=768")
    assert begin(config(tmp_path, *kept))
    assert ppo.go_on(tmp_path / "run", load.load(tmp_path / "run" / "config.yaml", ["total_steps=1024"]))


def test_snapshots_are_the_runs(tmp_path: Path) -> None:
    """Every runner plays against the same past selves, the learner as it began among them."""
    run = RayRun(config(tmp_path, "snapshots={every: 1, keep: 3}"))
    try:
        for _ in range(3):
            run.iterate()
            mine = {number: _sum(network) for number, network in run.league.pool.networks.items()}
            for theirs in run.runners.foreach_env_runner(_snapshots, local_env_runner=False):
                assert {**theirs, **mine} == {**mine, **theirs}
                assert 0 in mine or 0 not in theirs
    finally:
        run.close()


def _sum(network: Network) -> float:
    return float(sum(value.double().abs().sum() for value in network.state_dict().values()))


def _snapshots(runner: Any) -> dict[int, float]:
    return {number: _sum(network) for number, network in runner.run.league.pool.networks.items()}


def test_seats_are_shared_out_equally(tmp_path: Path) -> None:
    """Not by each runner for itself: of 3 games of 3 runners all would be Sherlock's."""
    run = RayRun(config(tmp_path, "ppo.n_envs=3", "ray.runners=3", "ppo.batch_size=8"))
    try:
        run.iterate()
        seats = run.runners.foreach_env_runner(lambda runner: runner.run.learner_seats(), local_env_runner=False)
    finally:
        run.close()
    assert sorted(seats) == [["moriarty"], ["sherlock"], ["sherlock"]]


def test_an_agent_that_fails_is_named(tmp_path: Path) -> None:
    """Not only that no runner answers."""
    run = RayRun(config(tmp_path, "seat=sherlock", 'opponents=[{agent: "tests.agents.owned:idle"}]'))
    try:
        with pytest.raises(
            loop.RunError, match=r"ray: a runner failed: IllegalAction: Idle\.act, seat moriarty: row 0"
        ):
            run.iterate()
    finally:
        run.close()
    agents = {"sherlock": "random", "moriarty": "tests.agents.owned:idle"}
    with pytest.raises(IllegalAction, match=r"^Idle\.act, seat moriarty: row 0"):
        judging.evaluate(games.game("who_is_moriarty"), {}, agents, games=10, seed=1)


@pytest.mark.parametrize("imitates", [False, True])
def test_learners_learn_as_the_local_engine_does(imitates: bool, tmp_path: Path) -> None:
    """The same weights and rows in one batch: the same weights after it."""
    one = ("ppo.epochs=1", "ppo.batch_size=256", "imitation={agent: greedy, steps: 256, epochs: 1, batch_size: 256}")
    settings = config(tmp_path, *one, "ray.runners=1")
    local, spread = Run(settings), RayRun(settings)
    try:
        spread.network.load_state_dict(local.network.state_dict())
        spread.give_weights()
        before = {name: value.clone() for name, value in local.network.state_dict().items()}
        if imitates and local.teacher:
            found = imitation.collect(local.model, local.network, local.env, local.teacher)
            columns = runner.rows_of(local, found)
            imitation.learn(local.model, local.network, found, local.teacher.wanted, local.teacher.wanted.learning_rate)
        else:
            columns = runner.played(local)
            local.model.lr_schedule = lambda _: settings.ppo.learning_rate.start
            local.model.train()
        spread._learn(columns, imitates)
        spread.take_weights()
        for name, value in local.network.state_dict().items():
            moved = (value - before[name]).abs().max()
            assert torch.allclose(spread.network.state_dict()[name], value, atol=1e-3 * float(moved)), name
        assert any(not torch.equal(value, before[name]) for name, value in local.network.state_dict().items())
    finally:
        spread.close()


def test_a_runner_is_killed(tmp_path: Path) -> None:
    """The run goes on with the others, and the runner comes back."""
    run = RayRun(config(tmp_path))
    try:
        run.iterate()
        victim, *_ = run.runners.foreach_env_runner(lambda runner: os.getpid(), local_env_runner=False)
        os.kill(victim, signal.SIGKILL)
        for _ in range(2):
            run.iterate()
        assert 256 + 2 * 128 <= run.steps <= 3 * 256
        until = time.monotonic() + 60
        while run.runners.num_healthy_remote_workers() < 2 and time.monotonic() < until:
            run.iterate()
        before = run.steps
        run.iterate()
        assert run.steps - before == 256
        pids = run.runners.foreach_env_runner(lambda runner: os.getpid(), local_env_runner=False)
        assert victim not in pids
    finally:
        run.close()


def test_a_learner_is_killed(tmp_path: Path) -> None:
    """It has what was learned since the last checkpoint: the run ends, in a line."""
    run = RayRun(config(tmp_path, "ray.runners=1", "ray.learners=1"))
    try:
        run.iterate()
        (victim,) = run.learners.foreach_learner(lambda learner, **_: os.getpid())
        os.kill(victim.get(), signal.SIGKILL)
        with pytest.raises(cluster_of_ray.Lost, match=r"^ray: .*; go on from what was saved, with --resume$"):
            run.iterate()
    finally:
        run.close()


def test_the_driver_is_killed(whole: Path, tmp_path: Path) -> None:
    """A process of its own, with a cluster of its own; `--resume` makes of it the run that was not, to the bit."""
    folder = tmp_path / "run"
    ended = runs.signalled(signal.SIGKILL, 4, runs.write(tmp_path), f"output={folder}", "total_steps=1536", *RAY)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert runs.iterations(folder) == 4
    assert json.loads((folder / "latest" / "manifest.json").read_text(encoding="utf-8"))["steps"] == 3 * 256
    command = [sys.executable, "-m", "reichenbach", "train", "--resume", str(folder)]
    again = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert again.returncode == 0, again.stderr
    assert rows(folder / "progress.csv") == rows(whole / "progress.csv")
    for name in ("policy.safetensors", "resume/optimiser.safetensors", "resume/state.runners.2.games.npy"):
        assert (folder / "latest" / name).read_bytes() == (whole / "latest" / name).read_bytes(), name


def test_imitation_and_a_learner_of_its_own(tmp_path: Path) -> None:
    overrides = ("imitation={agent: greedy, steps: 512, batch_size: 64}", "total_steps=1024", "ray.learners=1")
    assert begin(config(tmp_path, *overrides))
    progress = rows(tmp_path / "run" / "progress.csv")
    assert [row["imitation_loss"] != "nan" for row in progress] == [True, True, False, False]
    assert float(progress[1]["imitation_loss"]) < float(progress[0]["imitation_loss"])
    assert [row["policy_gradient_loss"] != "nan" for row in progress] == [False, False, True, True]


def test_more_runners_than_games(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"ray\.runners: 33 are more than ppo\.n_envs = 32; each needs a game"):
        begin(config(tmp_path, "ray.runners=33"))
    assert not (tmp_path / "run").exists()


def test_more_processes_than_the_cluster_has(tmp_path: Path) -> None:
    with pytest.raises(TooSmall, match="ray: 9 processes are asked for, but the cluster has 4 processors"):
        begin(config(tmp_path, "ray.runners=9"))
    assert not (tmp_path / "run").exists()


def test_a_cluster_that_is_there(tmp_path: Path) -> None:
    """Begun by Ray's own command and found by its address; it is still there after the run."""
    begin_one = ["start", "--head", "--port=26379", "--num-cpus=2", "--include-dashboard=false", "--block"]
    there = subprocess.Popen([Path(sys.executable).with_name("ray"), *begin_one], stdout=subprocess.DEVNULL)
    train = [sys.executable, "-m", "reichenbach", "train", str(runs.write(tmp_path)), f"output={tmp_path / 'run'}"]
    here = ["ray.address=127.0.0.1:26379", "total_steps=256", *RAY]
    try:
        ended = subprocess.run([*train, *here], capture_output=True, text=True, check=False, timeout=120)
        until = time.monotonic() + 60
        while ended.returncode != 0 and time.monotonic() < until:  # it is not there at once
            ended = subprocess.run([*train, *here], capture_output=True, text=True, check=False, timeout=120)
        assert ended.returncode == 0, ended.stderr
        assert there.poll() is None
        assert len(rows(tmp_path / "run" / "progress.csv")) == 1
    finally:
        there.terminate()
        there.wait(60)


def test_no_cluster_is_there(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "reichenbach", "train", str(runs.write(tmp_path)), f"output={tmp_path / 'run'}"]
    ended = subprocess.run(
        [*command, "ray.address=127.0.0.1:1", *RAY], capture_output=True, text=True, check=False, timeout=120
    )
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith("reichenbach: ray.address: 127.0.0.1:1: ")


def test_an_engine_is_named(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="engine: 'spark'; allowed are local, ray"):
        engines.find("spark")
    assert cli.main(["train", "--resume", str(whole), *RAY]) == 2
    assert "what was begun goes on by the engine that began it" in capsys.readouterr().err
    with pytest.raises(loop.RunError, match="holds a run already"):
        begin(load.load(whole / "config.yaml"))


def plain(result: Result) -> dict[str, Any]:
    return {name: value for name, value in result.items() if name != "games_per_second"}


@pytest.mark.parametrize(
    ("name", "agents"),
    [
        ("who_is_moriarty", {"sherlock": "greedy", "moriarty": "random"}),
        ("manor", {"detectives": "random", "villains": "greedy"}),
    ],
)
def test_an_evaluation_is_the_same_with_any_number_of_workers(name: str, agents: dict[str, str]) -> None:
    game = games.game(name)
    one, three = (judging.evaluate(game, {}, agents, games=2500, seed=3, workers=workers) for workers in (1, 3))
    assert plain(one) == plain(three)
    assert one["games"] == 2500
    other = judging.evaluate(game, {}, agents, games=2500, seed=4, workers=3)
    assert plain(other) != plain(one)


def test_pairs_are_dealt_equally_often_over_all_parts() -> None:
    game = games.game("manor")
    found = judging.evaluate(game, {}, {"detectives": "random", "villains": "random"}, games=3000, seed=1, workers=2)
    assert {group["games"] for group in found.get("by", {})["first in the alphabet"].values()} == {1500}


def test_evaluate_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    seats = ["sherlock=random", "moriarty=random"]
    assert cli.main(["evaluate", "who_is_moriarty", *seats, "--games", "100", *RAY, "--workers", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 100
    assert cli.main(["evaluate", "who_is_moriarty", *seats, "--workers", "2"]) == 2
    assert "--workers and --address are for --engine ray" in capsys.readouterr().err
