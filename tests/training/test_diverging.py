"""A run whose numbers run away ends, says when, and leaves the checkpoint before it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from reichenbach.envs.core.errors import IllegalAction
from reichenbach.training import cli, load, loop, ppo
from reichenbach.training.config import Config, Schedule
from reichenbach.training.run import Diverged, Run
from tests.training import runs

IMITATION = "imitation={agent: greedy, steps: 1500, epochs: 2, batch_size: 64, learning_rate: 0.003}"
STEP = torch.optim.Adam.step


def config(tmp_path: Path, *overrides: str) -> Config:
    return load.load(runs.write(tmp_path), [f"output={tmp_path / 'run'}", *overrides])


def unbounded(config: Config, rate: float) -> Config:
    """A config with a learning rate that none may have."""
    schedule = Schedule.model_construct(start=rate, end=rate)
    imitation = config.imitation and config.imitation.model_copy(update={"learning_rate": rate})
    ppo_ = config.ppo.model_copy(update={"learning_rate": schedule})
    return config.model_copy(update={"ppo": ppo_, "imitation": imitation})


def breaks(monkeypatch: pytest.MonkeyPatch, iteration: int, value: float, *overrides: str) -> None:
    """Has the learner's last weight become ``value`` in the first update of that iteration."""
    updates, per_iteration = [0], 2 * 4

    def step(self: torch.optim.Adam, *arguments: Any) -> Any:
        done = STEP(self, *arguments)
        updates[0] += 1
        if updates[0] > (iteration - 1) * per_iteration:
            with torch.no_grad():
                self.param_groups[0]["params"][-1].view(-1)[-1] = value
        return done

    monkeypatch.setattr(torch.optim.Adam, "step", step)


def content(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("rate", [1e15, 1e30, 1e37])
@pytest.mark.parametrize("overrides", [(), (IMITATION,)])
def test_a_rate_that_is_much_too_large(tmp_path: Path, rate: float, overrides: tuple[str, ...]) -> None:
    with pytest.raises(loop.RunError, match=r"/run: the learning has run away at step (256|512): "):
        ppo.begin(unbounded(config(tmp_path, *overrides), rate))
    begun = Run(config(tmp_path, *overrides)).network.state_dict()
    left = load_file(tmp_path / "run" / "latest" / "policy.safetensors")
    assert all(torch.equal(value, begun[name]) for name, value in left.items())


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("iteration", [1, 4])
@pytest.mark.parametrize("overrides", [(), (IMITATION,)])
def test_weights_that_are_no_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: float, iteration: int, overrides: tuple[str, ...]
) -> None:
    """Even where only the last evaluation, or the last save, would have been the next."""
    saved: list[dict[Path, bytes]] = []
    save = loop.Training.save

    def watched(training: loop.Training) -> None:
        save(training)
        saved.append(content(tmp_path / "run" / "latest"))

    monkeypatch.setattr(loop.Training, "save", watched)
    breaks(monkeypatch, iteration, value)
    with pytest.raises(loop.RunError) as error:
        ppo.begin(config(tmp_path, *overrides, f"total_steps={iteration * 256}", "save_every=1"))
    message = str(error.value)
    assert f"/run: the learning has run away at step {iteration * 256}: " in message
    assert message.endswith("; latest and best are from before it; begin anew, with a smaller learning rate say")
    assert len(saved) == iteration
    assert content(tmp_path / "run" / "latest") == saved[-1]
    assert not (tmp_path / "run" / "best").exists()
    data = json.loads((tmp_path / "run" / "latest" / "manifest.json").read_text(encoding="utf-8"))
    assert data["steps"] == (iteration - 1) * 256
    monkeypatch.setattr(torch.optim.Adam, "step", STEP)
    assert ppo.go_on(tmp_path / "run", None)


@pytest.mark.parametrize(
    ("name", "index", "value", "message"),
    [
        ("policy.bias", 3, math.nan, r"weights policy\.bias are not all finite"),
        ("trunk.0.weight", 0, math.inf, r"weights trunk\.0\.weight are not all finite"),
        ("policy.bias", 3, 1e9, r"the odds of actions are beyond what can be told from those of illegal ones"),
        ("policy.bias", 3, -1e9, r"the odds of actions are beyond what can be told from those of illegal ones"),
        ("value.bias", 0, 3e38, r"the values of positions are no numbers"),
    ],
)
def test_what_is_looked_at(tmp_path: Path, name: str, index: int, value: float, message: str) -> None:
    run = Run(config(tmp_path))
    run.check_numbers()
    with torch.no_grad():
        run.network.get_parameter(name).view(-1)[index] = value
        if name == "value.bias":
            run.network.value.weight.fill_(3e38)
    with pytest.raises(Diverged, match=rf"^at step 0: {message}"):
        run.check_numbers()


@pytest.mark.parametrize("loss", ["train/loss", "train/value_loss", "imitation_loss"])
def test_losses_are_looked_at_first(tmp_path: Path, loss: str) -> None:
    run = Run(config(tmp_path))
    run.model.logger.record("train/explained_variance", math.nan)  # nothing is wrong: all values were alike
    run.check_numbers()
    run.model.logger.record(loss, math.inf)
    with pytest.raises(Diverged, match=f"^at step 0: {loss} is inf"):
        run.check_numbers()


def test_illegal_actions_of_such_a_network_are_not_blamed_on_the_rules(tmp_path: Path) -> None:
    run = Run(config(tmp_path))
    with torch.no_grad():
        run.network.policy.bias.fill_(math.nan)
    with pytest.raises(Diverged, match=r"weights policy\.bias"):
        run.iterate()


def test_other_illegal_actions_are_named_as_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(config(tmp_path))
    monkeypatch.setattr(run.env, "step_async", lambda _: None)
    run.env._actions = np.full(32, 10_000)
    with pytest.raises(IllegalAction, match="row 0"):
        run.iterate()


def test_the_command_line_says_so_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    breaks(monkeypatch, 2, math.nan)
    assert cli.main(["train", str(runs.write(tmp_path)), f"output={tmp_path / 'run'}"]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"reichenbach: {tmp_path / 'run'}: the learning has run away at step 512: ")
    assert errors.count("\n") == 1
