"""Imitation that is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reichenbach.agents.setup import BadAgent
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.training import load, ppo
from reichenbach.training.config import ConfigError
from tests.training import runs
from tests.training.teachers import OWNED, TEXT, Answers, built


@pytest.mark.parametrize(
    ("given", "key", "message"),
    [
        ("agent: greedi", "agent", "agent greedi: there is none of that name; did you mean greedy? allowed are"),
        ("agent: self", "agent", "self is the learner, which cannot imitate itself; name another agent"),
        ("agent: policy:nowhere", "agent", "policy nowhere: there is no manifest.json in it"),
        ("agent: greedy:3", "agent", "agent greedy:3: greedy takes nothing after its name"),
        ("agent: ''", "agent", "'' is not allowed; it must have at least 1 character"),
        ("agent: 3", "agent", "3 is not allowed; it must be a valid string"),
        ("steps: 0", "steps", "0 is not allowed; it must be greater than 0"),
        ("epochs: 0", "epochs", "0 is not allowed; it must be greater than 0"),
        ("own: 1.5", "own", "1.5 is not allowed; it must be less than or equal to 1"),
        ("learning_rate: 0.0", "learning_rate", "0.0 is not allowed; it must be greater than 0"),
        ("teacher: greedy", "teacher", "there is no such key; allowed are agent, batch_size, epochs, learning_rate"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path: Path, given: str, key: str, message: str) -> None:
    text = f"{runs.YAML}imitation:\n  {given}\n"
    with pytest.raises(ConfigError) as error:
        load.load(runs.write(tmp_path, text))
    (problem,) = error.value.problems
    line = text.count("\n")
    assert str(problem).startswith(f"{tmp_path / 'config_of_test.yaml'}:{line}: imitation.{key}: {message}")


def test_on_the_command_line_too(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^command line: imitation\.agent: agent randm: .* did you mean random\?"):
        load.load(runs.write(tmp_path), ["imitation.agent=randm"])
    with pytest.raises(ConfigError, match=r"^command line: imitation: 3 is not allowed"):
        load.load(runs.write(tmp_path), ["imitation=3"])
    config = load.load(runs.write(tmp_path), ["imitation.steps=256"])
    assert config.imitation is not None
    assert load.load(runs.write(tmp_path, load.text(config))) == config
    none = load.load(runs.write(tmp_path))
    assert load.load(runs.write(tmp_path, load.text(none)), ["imitation.steps=256"]) == config


def test_a_policy_that_does_not_fit_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    """One trained for another seat, and one under other rules."""
    change = ["seat=moriarty", "opponents=[{agent: random}]", "total_steps=256", "imitation.agent=greedy"]
    trained, folder = tmp_path / "trained", tmp_path / "run"
    file = runs.write(tmp_path, TEXT)
    assert ppo.begin(load.load(file, [*change, f"output={trained}"]))
    pupil = [*change, f"imitation.agent=policy:{trained}", f"output={folder}"]
    with pytest.raises(BadAgent, match=r"^imitation\.agent: policy .*: seat: trained for moriarty, cannot play sherl"):
        ppo.begin(load.load(file, [*pupil, "seat=sherlock"]))
    with pytest.raises(BadAgent, match=r"^imitation\.agent: policy .*: seat: trained for moriarty, cannot play sherl"):
        ppo.begin(load.load(file, [*pupil, "seat=both"]))
    with pytest.raises(BadAgent, match=r"^imitation\.agent: .*: options\.max_rounds: the checkpoint has 8, here it is"):
        ppo.begin(load.load(file, [*pupil, "options.max_rounds=6"]))
    assert not folder.exists()
    assert ppo.begin(load.load(file, pupil))


def test_a_game_without_such_an_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reichenbach.agents.greedy.GREEDY", {})
    with pytest.raises(BadAgent, match=r"^imitation\.agent: agent greedy: who_is_moriarty has none"):
        built(tmp_path, "opponents=[{agent: random}]")


def test_an_agent_that_asks_for_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadAgent, match=r"^imitation\.agent: Counts\.sections is 4; allowed are 0 to 3"):
        built(tmp_path, f"imitation.agent={OWNED}:all_sections")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda n: np.full(n, 76), r"row 0 \(game 0\): .*"),
        (lambda n: np.full(n, 77), r"row 0 \(game 0\): .*"),
        (lambda n: np.full(n, -1), r"row 0 \(game 0\): .*"),
        (lambda n: np.zeros(n), r"actions of shape \(16,\) and type float64 are not allowed; shape \(16,\) and int64"),
        (lambda n: 3, r"actions of shape \(\) and type int64 are not allowed; shape \(16,\) and int64 are"),
    ],
)
def test_a_teachers_illegal_action_is_refused(tmp_path: Path, answer: Any, message: str, monkeypatch: Any) -> None:
    """Also in games where it would not have been played: it must not be learnt."""
    monkeypatch.setattr(Answers, "answer", staticmethod(answer))
    run = built(tmp_path, f"imitation.agent={OWNED}:answers", "imitation.own=1.0")
    with pytest.raises(IllegalAction, match=rf"^imitation\.agent: Answers\.act, seat sherlock: {message}"):
        run.iterate()
    assert run.steps == 0
