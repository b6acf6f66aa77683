"""Configs and overrides that are nested too deep, or hold numbers too large to be worked with."""

from __future__ import annotations

from pathlib import Path

import pytest

from reichenbach.envs import registry as games
from reichenbach.envs.core.errors import BadMap
from reichenbach.training import load
from reichenbach.training.config import ConfigError
from tests.training import runs
from tests.training.test_config import problems


def nested(depth: int) -> str:
    return "[" * depth + "1" + "]" * depth


def test_references_do_not_nest_deeper(tmp_path: Path) -> None:
    """Each line holds the one before it, forty lists deeper."""
    lines = [f"a{i}: &a{i} {'[' * 40}{f'*a{i - 1}' if i else 1}{']' * 40}" for i in range(20)]
    found = problems(tmp_path, "\n".join(["game: who_is_moriarty", "seat: both", *lines]))
    assert found["3 a1"] == "it is nested too deep: in more than 48 lists and mappings"
    assert "3 a0" in found  # no such key


@pytest.mark.parametrize("depth", [49, 60, 330, 400, 480, 1000, 20_000])
def test_what_is_nested_too_deep(tmp_path: Path, depth: int) -> None:
    """In a config, in an override, and in the map that an option names."""
    with pytest.raises(ConfigError, match=r"yaml:2: this is no YAML: it is nested too deep(\n|$)"):
        load.load(runs.write(tmp_path, f"game: manor\nx: {nested(depth)}\n"))
    with pytest.raises(ConfigError, match=r"^command line: options: this is no YAML: it is nested too deep$"):
        load.load(runs.write(tmp_path), [f"options={nested(depth)}"])
    file = tmp_path / "deep.yaml"
    file.write_text(f"name: deep\n\nx: {nested(depth)}\n")
    with pytest.raises(BadMap, match=r"deep\.yaml:3: this is no YAML: it is nested too deep$"):
        games.game("manor").resolve({"map": str(file)})


@pytest.mark.parametrize("depth", [60, 500, 20_000])
def test_keys_of_overrides_that_are_too_many(tmp_path: Path, depth: int) -> None:
    with pytest.raises(ConfigError) as error:
        load.load(runs.write(tmp_path), [f"options.crossroads{'.a' * depth}=1"])
    assert str(error.value).endswith(": it is nested too deep: 48 keys at most are allowed")


def test_what_is_nested_as_deep_as_allowed(tmp_path: Path) -> None:
    """Is read, and then refused for what it is."""
    found = problems(tmp_path, f"game: who_is_moriarty\nseat: both\nx: {nested(47)}\n")
    assert list(found) == ["3 x"]
    assert found["3 x"].startswith("there is no such key")


HUGE = "9" * 5000


@pytest.mark.parametrize("number", [HUGE, f"-{HUGE}", f"0x{'f' * 5000}", f"0b{'1' * 50_000}", f"1{':1' * 5000}"])
@pytest.mark.parametrize("key", ["seed", "total_steps", "options.max_rounds"])
def test_numbers_of_too_many_digits(tmp_path: Path, number: str, key: str) -> None:
    """Python does not write them out, and so not in a message either."""
    with pytest.raises(ConfigError) as error:
        load.load(runs.write(tmp_path), [f"{key}={number}"])
    assert str(error.value) == f"command line: {key}: this is no value: a whole number has at most 99 digits"
    found = problems(tmp_path, f"game: who_is_moriarty\nseat: both\nsnapshots: {{every: !!int {number}}}\n")
    assert found["3 snapshots.every"] == "this is no value: a whole number has at most 99 digits"


def test_a_place_of_too_many_digits(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no place 9+ to set"):
        load.load(runs.write(tmp_path), [f"opponents.{HUGE}.agent=random"])


@pytest.mark.parametrize(
    "key", ["ppo.learning_rate", "ppo.learning_rate.end", "ppo.entropy", "imitation.learning_rate"]
)
@pytest.mark.parametrize("value", ["1.01", "1.0e+300", "1e30"])
def test_rates_have_an_upper_limit(tmp_path: Path, key: str, value: str) -> None:
    with pytest.raises(ConfigError, match=r"is not allowed; it must be less than or equal to 1$"):
        load.load(runs.write(tmp_path), [f"{key}={value}"])
    load.load(runs.write(tmp_path), [f"{key}=1"])


@pytest.mark.parametrize(("key", "limit"), [("ppo.value_weight", 1000), ("opponents.0.weight", 1_000_000_000)])
def test_weights_have_an_upper_limit(tmp_path: Path, key: str, limit: int) -> None:
    """Their products and sums stay numbers."""
    with pytest.raises(ConfigError, match=rf"is not allowed; it must be less than or equal to {limit}$"):
        load.load(runs.write(tmp_path), [f"{key}=1e308"])
    load.load(runs.write(tmp_path), [f"{key}={limit}"])
