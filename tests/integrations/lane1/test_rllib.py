"""RLlib on both games: what the module does, that the example trains it, and that its weights play here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import ray
import torch
from ray.rllib.core.columns import Columns

from reichenbach.agents.policy import load_network
from reichenbach.agents.stored import manifest
from reichenbach.training.examples import rllib_ppo as example
from reichenbach.training.plugs import foreign, rllib

# Ray's own.
pytestmark = [pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(address="local", num_cpus=3, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()


def module(env: object) -> rllib.MaskedModule:
    seat = env.possible_agents[0]  # type: ignore[attr-defined]
    spaces = env.observation_space[seat], env.action_space[seat]  # type: ignore[attr-defined]
    return rllib.MaskedModule(
        observation_space=spaces[0], action_space=spaces[1], model_config={"hidden": [16], "value_hidden": [8]}
    )


def test_a_whole_game_by_the_module_in_turns() -> None:
    """What is drawn from its odds is always legal: the environment refuses what is not."""
    env = rllib.turns({"game": "who_is_moriarty", "max_rounds": 3})
    policy = module(env)
    observed, _ = env.reset(seed=3)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    over = False
    while not over:
        (seat,) = observed
        batch = {Columns.OBS: {name: torch.from_numpy(part[None]) for name, part in observed[seat].items()}}
        odds = policy.forward_exploration(batch)[Columns.ACTION_DIST_INPUTS]
        action = policy.get_exploration_action_dist_cls().from_logits(odds).sample()
        observed, paid, terminated, _, _ = env.step({seat: int(action)})
        for each, reward in paid.items():
            rewards[each] += reward
        over = terminated["__all__"]
    assert sorted(rewards.values()) == [-1, 1]


def test_a_whole_game_by_the_module_at_once() -> None:
    env = rllib.at_once({"game": "manor", "table": "4p_roles", "days": 1})
    policy = module(env)
    observed, _ = env.reset(seed=3)
    over, infos = False, {}
    while not over:
        seen = {name: np.stack([part[name] for part in observed.values()]) for name in ("observation", "action_mask")}
        batch = {Columns.OBS: {name: torch.from_numpy(part) for name, part in seen.items()}}
        odds = policy.forward_exploration(batch)[Columns.ACTION_DIST_INPUTS]
        actions = policy.get_exploration_action_dist_cls().from_logits(odds).sample().tolist()
        observed, _, terminated, _, infos = env.step(dict(zip(observed, actions, strict=True)))
        over = terminated["__all__"]
    assert all(info["ending"] for info in infos.values())


@pytest.mark.parametrize("name", ["who_is_moriarty", "manor"])
def test_the_example_trains_and_its_policies_play(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    example.main(name, str(tmp_path), iterations=2)
    shown = capsys.readouterr().out
    assert "sherlock" in shown
    for seat in ("sherlock", "moriarty"):
        data = manifest(tmp_path / seat)
        assert (data["game"], data["seat"], data["source"]) == (name, seat, "RLlib")


def test_a_converted_module_is_the_same(tmp_path: Path) -> None:
    policy = module(rllib.turns({"game": "who_is_moriarty", "observe_belief": True}))
    rllib.convert(policy, tmp_path / "policy", game="who_is_moriarty", seat="both", observe_belief=True)
    network = load_network(tmp_path / "policy", manifest(tmp_path / "policy"))
    assert network.spec == policy.network.spec
    for one, other in zip(network.parameters(), policy.network.parameters(), strict=True):
        assert torch.equal(one, other)
    with pytest.raises(foreign.BadPolicy, match=r"RLlib: the policy reads 313 numbers; who_is_moriarty .* needs 290"):
        rllib.convert(policy, tmp_path / "other", game="who_is_moriarty", seat="both")
    with pytest.raises(FileExistsError, match="policy: is there"):
        rllib.convert(policy, tmp_path / "policy", game="who_is_moriarty", seat="both", observe_belief=True)
    with pytest.raises(foreign.BadPolicy, match="RLlib: Linear; a MaskedModule is needed"):
        rllib.convert(torch.nn.Linear(1, 1), tmp_path / "other", game="manor", seat="both")  # type: ignore[arg-type]
    assert not (tmp_path / "other").exists()


def test_what_a_module_is_not() -> None:
    env = rllib.turns({"game": "who_is_moriarty"})
    spaces = {"observation_space": env.observation_space["sherlock"], "action_space": env.action_space["sherlock"]}
    with pytest.raises(ValueError, match="kind after is not allowed"):
        rllib.MaskedModule(**spaces, model_config={"kind": "after"})
    with pytest.raises(ValueError, match="game: this key is needed; allowed are manor, who_is_moriarty"):
        rllib.turns({})


def test_spaces_without_a_mask_are_refused() -> None:
    space = rllib.turns({"game": "who_is_moriarty"}).observation_space["sherlock"]["observation"]
    with pytest.raises(ValueError, match="a mapping with observation and action_mask is needed"):
        rllib.MaskedModule(observation_space=space, action_space=space, model_config={})
