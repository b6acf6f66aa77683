"""Configs: what is accepted, and that every mistake is named with its place, key and what is allowed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from reichenbach.envs import registry as games
from reichenbach.envs.core.problems import dotted, nearest
from reichenbach.training import load
from reichenbach.training.cli import find_config
from reichenbach.training.config import Config, ConfigError, Schedule
from tests.training import runs

SHIPPED = [f"who_is_moriarty/{seat}/{kind}" for seat in ("sherlock", "moriarty") for kind in ("quick", "ppo")]


def problems(tmp_path: Path, text: str, *overrides: str) -> dict[str, str]:
    """``line key`` -> message of everything that is wrong."""
    with pytest.raises(ConfigError) as error:
        load.load(runs.write(tmp_path, text), overrides)
    found = error.value.problems
    assert str(error.value).count("\n") == len(found) - 1
    return {f"{p.where.rpartition(':')[2]} {p.key}".strip(): p.message for p in found}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_configs_are_right(name: str) -> None:
    config = load.load(find_config(name))
    assert config.network.kind == "after"
    assert config.threads == 1


def test_defaults_and_overrides(tmp_path: Path) -> None:
    config = load.load(
        runs.write(tmp_path),
        ["ppo.learning_rate=1e-4", "ppo.entropy.end=2e-3", "opponents.1.weight=5", "options.max_rounds=6", "seat=both"],
    )
    assert config.ppo.learning_rate == Schedule(start=1e-4, end=1e-4)
    assert config.ppo.entropy == Schedule(start=0.02, end=0.002)
    assert [entry.weight for entry in config.opponents] == [1, 5, 2]
    assert config.options == {"observe_after": True, "max_rounds": 6}
    assert config.ppo.gamma == 1.0
    assert config.steps_per_iteration == 256


def test_the_resolved_config_is_the_config(tmp_path: Path) -> None:
    config = load.load(runs.write(tmp_path))
    again = load.load(runs.write(tmp_path, load.text(config)))
    assert again == config
    assert load.from_values(yaml.safe_load(load.text(config)), "manifest") == config


def test_every_mistake_at_once(tmp_path: Path) -> None:
    text = """\
game: who_is_moriarty
seat: sherlok
total_steps: -3
options: {observe_aftr: true, max_rounds: 9}
opponents:
  - {agent: randm, weight: 0}
  - {agent: self}
ppo:
  learning_rte: 0.1
  entropy: 1e-3
  entropy: 0.2
  gamma: "one"
  batch_size: 9999999
network: {kind: after}
evaluation: {opponents: [greedi]}
"""
    found = problems(tmp_path, text, "ppo.epochs=0", "foo.bar=1", "nothing", "opponents.7.weight=1")
    assert found["2 seat"].startswith("there is no seat 'sherlok'; did you mean sherlock? allowed are sherlock,")
    assert found["3 total_steps"] == "-3 is not allowed; it must be greater than 0"
    assert "did you mean observe_after? allowed are crossroads," in found["4 options.observe_aftr"]
    assert found["4 options.max_rounds"] == "9 is not allowed; allowed are 1 to 8"
    assert "did you mean random? allowed are random, greedy," in found["6 opponents[0].agent"]
    assert found["6 opponents[0].weight"] == "0 is not allowed; it must be greater than 0"
    assert "it needs seat: both" in found["7 opponents[1].agent"]
    assert "did you mean learning_rate? allowed are batch_size," in found["9 ppo.learning_rte"]
    assert found["10 ppo.entropy"] == "YAML reads 1e-3 as text; write 0.001"
    assert found["11 ppo.entropy"] == "this key stands twice, first in line 10"
    assert found["12 ppo.gamma"] == "'one' is not allowed; it must be a valid number"
    assert "is more than n_envs * n_steps = 16384" in found["13 ppo.batch_size"]
    assert "it needs options.observe_after: true" in found["14 network.kind"]
    assert "did you mean greedy?" in found["15 evaluation.opponents[0]"]
    assert found["command line ppo.epochs"] == "0 is not allowed; it must be greater than 0"
    assert found["command line foo"].startswith("there is no such key; allowed are allies, evaluation, game,")
    assert "an override is key=value" in found["command line nothing"]
    assert "there is no place 7 to set" in found["command line opponents.7.weight"]


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("game: chess\nseat: white", "1 game", "no game is called 'chess'; allowed are manor, who_is_moriarty"),
        ("seat: sherlock", "1 game", "this key is needed"),
        ("", "1 seat", "this key is needed"),
        ("- a\n- b", "1", "a config is a mapping of keys to values"),
        ("game: [a", "1", "this is no YAML: expected ',' or ']', but got '<stream end>'"),
        ("game: who_is_moriarty\n? [a]\n: b", "2", "a key is a word"),
        ("game: who_is_moriarty\nseat: sherlock\nseed: 2001-99-99", "3 seed", "this is no value: month must be"),
        ("game: who_is_moriarty\nseat: sherlock\nseed: true", "3 seed", "True is not allowed; it must be a valid"),
        ("game: who_is_moriarty\nseat: sherlock\nppo: {gamma: .inf}", "3 ppo.gamma", "inf is not allowed"),
        ("game: who_is_moriarty\nseat: 1\noptions: 3\nnetwork: 4\nppo: 5\nevaluation: 6", "2 seat", "1 is not allowed"),
        (
            "game: who_is_moriarty\nseat: both\noptions: {observe_after: 1}",
            "3 options.observe_after",
            "allowed are true",
        ),
        ("game: who_is_moriarty\nseat: both\nopponents: [3]", "3 opponents[0]", "3 is not allowed"),
        (
            "game: who_is_moriarty\nseat: both\nopponents: [{agent: ''}]",
            "3 opponents[0].agent",
            "'' is not allowed; it must have at least 1 character",
        ),
        (
            "game: who_is_moriarty\nseat: both\nppo: {n_envs: 3, n_steps: 3, batch_size: 4}",
            "3 ppo.batch_size",
            "of one",
        ),
    ],
)
def test_single_mistakes(tmp_path: Path, text: str, where: str, message: str) -> None:
    found = problems(tmp_path, text)
    assert message in found[where]


def test_a_map_among_the_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every mistake in the file that an option names; options that fit only together; the seats of the table."""
    monkeypatch.setitem(games.GAMES, "manor", "reichenbach.envs.manor.game:GAME")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.yaml").write_text("name: a house\nzones: []\n")
    run = "game: manor\nseat: sherlock_1\noptions: {table: 3p, map: house.yaml, food: map}\n"
    with pytest.raises(ConfigError) as error:
        load.load(runs.write(tmp_path, run))
    found = [str(problem).partition("config_of_test.yaml:")[2] for problem in error.value.problems]
    assert any(problem.startswith("3: options.map: house.yaml:1: name: 'a house' is not allowed;") for problem in found)
    assert "3: options.map: house.yaml:1: entrance: this key is needed" in found
    assert all(problem.startswith("3: options.map: house.yaml:") for problem in found)
    fitting = "game: manor\nseat: sherlock_2\noptions: {table: 4p, food: 14, medicine: 0, sprays: 0, fuse_boxes: 0, "
    assert load.load(runs.write(tmp_path, fitting + "passages: 0}\n")).options["food"] == 14
    message = problems(tmp_path, fitting + "passages: 1, weapons: 4}\n")["3 options"]
    assert "need 19 spots; map ottermarch has 18" in message


@pytest.mark.parametrize(
    ("content", "where", "message"),
    [
        (b"\xff\xfe\0", "1", "this is no UTF-8 text: invalid start byte"),
        (b'game: x\nseat: "\xe9"\n', "2", "this is no UTF-8 text: invalid continuation byte"),
        (b"game: x\nseat: \x01\n", "2", "this is no YAML: character '\\x01' is not allowed"),
        (b"game: " + b"[" * 1200, "1", "this is no YAML: it is nested too deep"),
        (b"game: x\nseat: " + b"[" * 400 + b"]" * 400, "2", "this is no YAML: it is nested too deep"),
        (b"game: x\nseat:\n " + b"- " * 400 + b"1", "3", "this is no YAML: it is nested too deep"),
        (b"game: x\nseat: " + b"\n [" * 400 + b"]" * 400, "51", "this is no YAML: it is nested too deep"),
        (b"game: x\nseat: " + b"{a: " * 400 + b"1" + b"}" * 400, "2", "this is no YAML: it is nested too deep"),
        (b"game: x\nseat:\n " + b"? " * 400 + b"1", "3", "this is no YAML: it is nested too deep"),
        (b"game: x\nseat: &a [1, *a]\n", "2 seat[1]", "this holds itself"),
        (b"game: x\nseat: &a {b: {c: *a}}\n", "2 seat.b.c", "this holds itself"),
        (b"game: x\nseat: !!bool perhaps\n", "2 seat", "this is no value: 'perhaps'"),
        (b"game: x\nseat: !!timestamp perhaps\n", "2 seat", "this is no value: "),
        (b"game: x\nseat: !!int ''\n", "2 seat", "this is no value: "),
        (
            b"game: x\nseat: !!python/object:os.system ls\n",
            "2 seat",
            "this is no value: could not determine",
        ),
        (b'game: x\noutput: "a\\0b"\n', "2 output", "'a\\x00b' is not allowed"),
    ],
)
def test_files_that_are_no_config(tmp_path: Path, content: bytes, where: str, message: str) -> None:
    file = tmp_path / "broken.yaml"
    file.write_bytes(content)
    with pytest.raises(ConfigError) as error:
        load.load(file)
    assert f"broken.yaml:{where.replace(' ', ': ')}: {message}" in str(error.value)
    assert all("\n" not in str(problem) for problem in error.value.problems)


def test_a_part_may_stand_twice_by_reference(tmp_path: Path) -> None:
    text = runs.YAML.replace("learning_rate: {start: 0.01, end: 0.001}", "learning_rate: &r {start: 0.01, end: 0.0}")
    text = text.replace("entropy: {start: 0.02, end: 0.01}", "entropy: *r")
    assert load.load(runs.write(tmp_path, text)).ppo.entropy == Schedule(start=0.01, end=0.0)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("ppo={epochs: 1, epochs: 2}", "ppo: this key stands twice, first in line 1"),
        ("ppo={learning_rate: 1e-3}", "ppo: YAML reads 1e-3 as text; write 0.001"),
        ("seed=[", "seed: this is no YAML: "),
        ("seed=*x", "seed: this is no YAML: found undefined alias"),
        ("seed=&a [*a]", "seed: this holds itself"),
        ("seed=!!bool x", "seed: this is no value: 'x'"),
        ("seed=\x01", "seed: this is no YAML: character '\\x01' is not allowed"),
        ("ppo.\u00b2=1", "ppo.\u00b2: there is no such key"),
        ("opponents.\u00b2=1", "there is no place \u00b2 to set"),
        ("0=1", "[0]: a key is a word"),
    ],
)
def test_overrides_that_are_none(tmp_path: Path, override: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        load.load(runs.write(tmp_path), [override])
    found = str(error.value)
    assert message in found
    assert "\n" not in found


def test_numbers_that_yaml_reads_are_left_alone(tmp_path: Path) -> None:
    text = runs.YAML.replace("start: 0.01, end: 0.001", "start: 1.0e-2, end: 1.e-3")
    assert load.load(runs.write(tmp_path, text)).ppo.learning_rate == Schedule(start=0.01, end=0.001)


@pytest.mark.parametrize(
    ("number", "advice"), [("1e-3", "0.001"), ("1e20", "1.0e+20"), ("5E-7", "5.0e-07"), ("1_0e2", "1000.0")]
)
def test_numbers_that_yaml_reads_as_text_are_refused(tmp_path: Path, number: str, advice: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(f":21: output: YAML reads {number} as text; write {advice}")):
        load.load(runs.write(tmp_path, f"{runs.YAML}output: {number}\n"))
    assert yaml.safe_load(advice) == float(number)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        load.load(tmp_path / "nowhere.yaml")


@pytest.mark.parametrize(
    ("step", "expected"), [(0, 3e-4), (250, 2.5e-4), (500, 2e-4), (1000, 1e-4), (1100, 1e-4), (-5, 3e-4)]
)
def test_schedules_are_straight_lines(step: int, expected: float) -> None:
    assert Schedule(start=3e-4, end=1e-4).at(step, 1000) == pytest.approx(expected, rel=1e-12)


def test_texts() -> None:
    assert dotted(("opponents", 1, "agent")) == "opponents[1].agent"
    assert nearest("xxxx", ["abc"]) == ""
    assert Config.model_fields["total_steps"].default == 1_000_000
