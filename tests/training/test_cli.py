"""The command line: results, exit codes, and errors that are one line without a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import reichenbach
from reichenbach.training import cli
from tests.training import runs

GAME = "who_is_moriarty"
BOTH_RANDOM = ("sherlock=random", "moriarty=random")


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--help"])
    assert end.value.code == 0
    shown = capsys.readouterr().out
    assert "reichenbach evaluate who_is_moriarty sherlock=policy:runs/mine moriarty=greedy" in shown
    assert "reichenbach train --resume runs/mine" in shown


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"reichenbach {reichenbach.__version__}\n"


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["list"]) == 0
    shown = capsys.readouterr().out
    for line in ("who_is_moriarty: seats sherlock, moriarty", "policy:FOLDER: ", "who_is_moriarty/sherlock/quick"):
        assert f"  {line}" in shown
    assert "    --option max_rounds=8  (allowed: 1 to 8)" in shown


def test_evaluate_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", GAME, *BOTH_RANDOM, "--games", "50", "--seed", "3", "--json"]
    assert cli.main([*command, "--option", "max_rounds=2", "--option", "crossroads=I"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["game"] == GAME
    assert found["games"] == 50
    assert found["seed"] == 3
    assert found["options"]["max_rounds"] == 2
    assert found["options"]["crossroads"] == ["I"]
    assert set(found["seats"]["sherlock"]) == {"agent", "wins", "win_rate", "interval"}


def test_evaluate_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["evaluate", GAME, "moriarty=random", "sherlock=greedy", "--games", "20"]) == 0
    assert "95 % interval" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "chess"], "game: no game is called 'chess'; there are: manor, who_is_moriarty"),
        (["evaluate", GAME], "one agent for each seat is needed: sherlock, moriarty; given: none"),
        (["evaluate", GAME, "sherlock"], "sherlock: a seat and its agent are given as seat=agent"),
        (["evaluate", GAME, "sherlock=random", "moriarty=x"], "agent x: there is none of that name"),
        (["evaluate", GAME, *BOTH_RANDOM, "--option", "max_rounds=9"], "option max_rounds: '9' is not allowed"),
        (["evaluate", GAME, *BOTH_RANDOM, "--option", "max_round=2"], "did you mean max_rounds?"),
        (
            ["evaluate", "manor", *BOTH_RANDOM, "detectives=greedy"],
            "detectives stands for no seat, for each of its seats is named; one agent for each seat is needed: ",
        ),
        (["evaluate", GAME, *BOTH_RANDOM, "--option", "max_rounds=²"], "option max_rounds: '²' is not allowed"),
        (["evaluate", GAME, *BOTH_RANDOM, "--option", "max_rounds"], "an option is given as name=value"),
        (
            ["evaluate", GAME, *BOTH_RANDOM, "sherlock=greedy"],
            "sherlock is given twice, first as random",
        ),
        (["evaluate", GAME, *BOTH_RANDOM, "--option", "max_rounds=2", "--option", "max_rounds=3"], "is given twice"),
        (["evaluate", GAME, "sherlock=tests.agents.owned:idle", "moriarty=random"], "Idle.act, seat sherlock: row 0"),
        (
            ["evaluate", GAME, "sherlock=tests.agents.owned:broken", "moriarty=random"],
            "factory failed: RuntimeError",
        ),
        (["check", "nowhere"], "config nowhere: there is no such file; configs that come along: manor/"),
        (["train"], "train: a config is needed, or --resume DIR"),
        (["train", "--resume", "nowhere"], "--resume nowhere: there is no latest/resume in it"),
        (["train", "--resume", "nowhere", "total_steps=3"], "--resume nowhere: there is no config.yaml in it"),
        (["train", f"{GAME}/sherlock/quick", "ppo.epochs=0"], "command line: ppo.epochs: 0 is not allowed"),
    ],
)
def test_mistakes_are_named(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        [],
        ["list", "x"],
        ["train", "x", "--y"],
        ["evaluate", GAME, "--games", "0"],
        ["evaluate", GAME, "--games", "10000001"],
        ["evaluate", GAME, "--games", "9" * 5000],
        ["evaluate", GAME, "--seed", "x"],
    ],
)
def test_what_cannot_be_parsed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    assert end.value.code == 2
    assert "usage: reichenbach" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "given", "allowed"),
    [
        ("--games", "0", "'0' is not allowed; at least 1 is needed, at most 10000000"),
        ("--games", "x" * 100, "'xxxxxxxxxxxxxxxxxxxx...' is not allowed; at least 1 is needed, at most 10000000"),
        ("--games", "9" * 5000, "'99999999999999999999...' is not allowed; at least 1 is needed, at most 10000000"),
        ("--games", "0" * 5000, "'00000000000000000000...' is not allowed; at least 1 is needed, at most 10000000"),
        ("--seed", "-1", "'-1' is not allowed; a whole number from 0 on, of at most 99 digits, is needed"),
        ("--seed", "9" * 5000, "'99999999999999999999...' is not allowed; a whole number from 0 on, of at most 99"),
        ("--seed", "9" * 100, "'99999999999999999999...' is not allowed; a whole number from 0 on, of at most 99"),
    ],
)
def test_numbers_that_are_not_allowed(
    option: str, given: str, allowed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message says what is, and is one that can be read."""
    with pytest.raises(SystemExit):
        cli.main(["evaluate", GAME, *BOTH_RANDOM, f"{option}={given}"])
    assert f"argument {option}: {allowed}" in capsys.readouterr().err


def test_a_large_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["evaluate", GAME, *BOTH_RANDOM, "--games", "5", "--seed", "9" * 99]) == 0


def test_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", f"configs/{GAME}/moriarty/ppo.yaml"]) == 0
    assert "nothing is wrong with it" in capsys.readouterr().out
    bad = runs.write(tmp_path, "game: who_is_moriarty\nseat: sherlock\nppo: {epochs: 0}\nfoo: 1")
    assert cli.main(["check", str(bad)]) == 2
    assert [line.rpartition("yaml:")[2][:14] for line in capsys.readouterr().err.splitlines()] == [
        "3: ppo.epochs:",
        "4: foo: there ",
    ]


def test_train_then_evaluate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    config = str(runs.write(tmp_path))
    assert cli.main(["train", config, f"output={folder}", "total_steps=256"]) == 0
    assert f"the best policy is policy:{folder}" in capsys.readouterr().out
    assert cli.main(["train", config, f"output={folder}"]) == 2
    assert f"continue it with --resume {folder}" in capsys.readouterr().err
    assert cli.main(["train", "--resume", str(folder), "total_steps=512"]) == 0
    assert cli.main(["train", config, "--resume", str(folder), f"output={folder}", "total_steps=512", "seed=9"]) == 2
    assert "seed: 9 now, 5 when the run began" in capsys.readouterr().err
    assert cli.main(["train", "--resume", str(folder)]) == 0
    policy = f"policy:{folder}"
    assert cli.main(["evaluate", GAME, f"sherlock={policy}", f"moriarty={policy}?mode=sample", "--games", "9"]) == 0


def test_interrupted_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("reichenbach.agents.registry.describe", interrupt)
    assert cli.main(["list"]) == 1
    assert capsys.readouterr().err == "reichenbach: stopped\n"


def test_unreadable_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("reichenbach.agents.registry.describe", fail)
    assert cli.main(["list"]) == 1
    assert capsys.readouterr().err == "reichenbach: the disk is full\n"


def test_what_is_needed_is_named_alone(capsys: pytest.CaptureFixture[str]) -> None:
    for command, needed in (("check", "CONFIG"), ("evaluate", "GAME")):
        with pytest.raises(SystemExit):
            cli.main([command])
        assert capsys.readouterr().err.endswith(f"the following arguments are required: {needed}\n")


@pytest.mark.parametrize("command", [["list"], ["evaluate", GAME, *BOTH_RANDOM, "--games", "5", "--json"]])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_gone(command: list[str], unbuffered: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as gone:
        found = subprocess.run(
            [sys.executable, "-m", "reichenbach", *command],
            stdout=gone,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    assert (found.returncode, found.stderr) == (1, "")


WITHOUT_EXTRA = """
import sys
for name in ("torch", "pydantic", "safetensors", "stable_baselines3", "sb3_contrib"):
    sys.modules[name] = None
from reichenbach.training.cli import main
sys.exit(main(sys.argv[1:]))
"""


def without_extra(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_EXTRA, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_core_alone_lists_and_evaluates(tmp_path: Path) -> None:
    assert without_extra("list").returncode == 0
    assert without_extra("evaluate", GAME, "sherlock=greedy", "moriarty=random", "--games", "5").returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [("train", f"{GAME}/sherlock/quick"), ("evaluate", GAME, "sherlock=policy:x", "moriarty=random")],
)
def test_the_core_alone_says_what_to_install(arguments: tuple[str, ...]) -> None:
    found = without_extra(*arguments)
    assert found.returncode == 2
    assert found.stderr.count("\n") == 1
    assert "it comes with the extra train" in found.stderr
