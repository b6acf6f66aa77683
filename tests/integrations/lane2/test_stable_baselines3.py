"""Stable-Baselines3 beside its own training here: a user's plain script, its judging and saving, and the converter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3 import PPO
from stable_baselines3.common.torch_layers import FlattenExtractor
from stable_baselines3.common.vec_env import VecMonitor

from reichenbach.agents import registry
from reichenbach.agents.network import masked
from reichenbach.agents.policy import load_network
from reichenbach.agents.stored import manifest
from reichenbach.envs import registry as games
from reichenbach.training import vec_env
from reichenbach.training.evaluate import evaluate
from reichenbach.training.examples import stable_baselines3_ppo as example
from reichenbach.training.plugs import foreign, sb3

WIM = ("who_is_moriarty", "moriarty", {"sherlock": "greedy"}, {"observe_after": True})
MANOR = ("manor", "watson", {"sherlock": "random", "villains": "random"}, {"table": "4p_roles"})


def environment(case: Any, num_envs: int = 8) -> vec_env.LockstepVecEnv:
    name, seat, others, arguments = case
    game = games.game(name)
    options = game.resolve({key: value for key, value in arguments.items() if not key.startswith("observe_")})
    sides = dict(zip(game.seats(options), game.sides(options), strict=True))
    opponents: dict[str, Any] = {
        each: registry.make(others.get(each, others.get(side)), game=game, options=options, seat=each, seed=1)
        for each, side in sides.items()
        if each != seat
    }
    return vec_env.make(game, seat=seat, opponents=opponents, num_envs=num_envs, seed=1, **arguments)


def learner(case: Any, **arguments: Any) -> MaskablePPO:
    return MaskablePPO("MlpPolicy", environment(case), n_steps=16, batch_size=64, seed=3, device="cpu", **arguments)


@pytest.mark.parametrize("case", [WIM, MANOR], ids=["who_is_moriarty", "manor"])
def test_learns_is_judged_saved_and_loaded(case: Any, tmp_path: Path) -> None:
    model = learner(case)
    before = [value.clone() for value in model.policy.parameters()]
    model.learn(512)
    assert any(not torch.equal(one, other) for one, other in zip(before, model.policy.parameters(), strict=True))
    envs = VecMonitor(environment(case))
    rewards: Any
    lengths: Any
    rewards, lengths = evaluate_policy(model, envs, n_eval_episodes=20, return_episode_rewards=True)
    assert set(rewards) <= {-1.0, 0.0, 1.0}
    assert min(lengths) > 0
    model.save(tmp_path / "model.zip")
    again = MaskablePPO.load(tmp_path / "model.zip", env=environment(case), device="cpu")
    fresh = environment(case)
    observation, masks = fresh.reset(), fresh.action_masks()
    one = model.predict(observation, action_masks=masks, deterministic=True)[0]
    other = again.predict(observation, action_masks=masks, deterministic=True)[0]
    np.testing.assert_array_equal(one, other)
    again.learn(128)


@pytest.mark.parametrize("case", [WIM, MANOR], ids=["who_is_moriarty", "manor"])
@pytest.mark.parametrize(
    "policy",
    [
        {},
        {"net_arch": {"pi": [32, 16], "vf": [24]}, "activation_fn": torch.nn.ReLU},
        {"net_arch": []},
    ],
    ids=["default", "of different widths", "linear"],
)
def test_a_converted_policy_is_the_same(case: Any, policy: dict[str, Any], tmp_path: Path) -> None:
    """Its odds and values for positions of play, and it can be evaluated."""
    name, seat, _, arguments = case
    model = learner(case, policy_kwargs=policy)
    model.learn(128)
    model.save(tmp_path / "model.zip")
    sb3.convert(tmp_path / "model.zip", tmp_path / "policy", game=name, seat=seat, trusted=True, **arguments)
    network = load_network(tmp_path / "policy", manifest(tmp_path / "policy"))
    envs = environment(case)
    observation = torch.from_numpy(envs.reset())
    masks = envs.action_masks()
    with torch.no_grad():
        logits, values = network(observation)
        theirs: Any = model.policy.get_distribution(observation, action_masks=masks).distribution
        torch.testing.assert_close(masked(logits, torch.from_numpy(masks)).exp(), theirs.probs)
        torch.testing.assert_close(values, model.policy.predict_values(observation).squeeze(-1))
    game = games.game(name)
    options = {key: value for key, value in arguments.items() if not key.startswith("observe_")}
    others = {"sherlock": "random", "moriarty": "random", "irene": "random"}
    seats = {each: others[each] for each in game.seats(game.resolve(options)) if each != seat}
    found = evaluate(game, options, {**seats, seat: f"policy:{tmp_path / 'policy'}"}, games=30, seed=1)
    assert found["games"] == 30


class Tripled(FlattenExtractor):
    """The same layers, and another policy."""

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return 3 * super().forward(observations)


def test_what_is_not_converted(tmp_path: Path) -> None:
    """Nothing is written then."""
    model = learner(WIM)
    file, folder = tmp_path / "model.zip", tmp_path / "policy"
    model.save(file)
    asked: dict[str, Any] = {"game": "who_is_moriarty", "seat": "moriarty", "observe_after": True}
    with pytest.raises(foreign.BadPolicy, match=r"model\.zip: it can run code when it is read; say that you trust it"):
        sb3.convert(file, folder, **asked)
    with pytest.raises(foreign.BadPolicy, match=r"the policy reads 521 numbers; who_is_moriarty .* needs 290"):
        sb3.convert(file, folder, game="who_is_moriarty", seat="moriarty", trusted=True)
    with pytest.raises(ValueError, match="seat: 'irene' is not allowed; allowed are: 'sherlock', 'moriarty', 'both'"):
        sb3.convert(file, folder, **{**asked, "seat": "irene"}, trusted=True)
    with pytest.raises(foreign.BadPolicy, match=r"none\.zip: there is no such file"):
        sb3.convert(tmp_path / "none.zip", folder, **asked, trusted=True)
    (tmp_path / "broken.zip").write_bytes(file.read_bytes()[:1000])
    with pytest.raises(foreign.BadPolicy, match=r"broken\.zip: no MaskablePPO that can be read"):
        sb3.convert(tmp_path / "broken.zip", folder, **asked, trusted=True)
    PPO("MlpPolicy", environment(WIM), device="cpu").save(tmp_path / "other.zip")
    with pytest.raises(foreign.BadPolicy, match=r"other\.zip: "):
        sb3.convert(tmp_path / "other.zip", folder, **asked, trusted=True)
    with pytest.raises(foreign.BadPolicy, match="say that you trust it"):
        sb3.convert(file, folder, **asked, trusted="no")  # type: ignore[arg-type]
    learner(WIM, policy_kwargs={"features_extractor_class": Tripled}).save(file)
    with pytest.raises(foreign.BadPolicy, match=r"MaskableActorCriticPolicy, Tripled, MlpExtractor; an MlpPolicy"):
        sb3.convert(file, folder, **asked, trusted=True)
    model.num_timesteps = -5
    model.save(file)
    with pytest.raises(foreign.BadPolicy, match="steps: -5 is not allowed; a whole number from 0 on is"):
        sb3.convert(file, folder, **asked, trusted=True)
    model.num_timesteps = 0
    ran_away = learner(WIM)
    next(ran_away.policy.action_net.parameters()).data.fill_(float("nan"))
    ran_away.save(file)
    with pytest.raises(foreign.BadPolicy, match=r"policy\.weight: not all numbers are finite"):
        sb3.convert(file, folder, **asked, trusted=True)
    odd = learner(WIM, policy_kwargs={"activation_fn": torch.nn.ELU})
    odd.save(file)
    with pytest.raises(foreign.BadPolicy, match=r"Linear, ELU, .*; linear layers with bias, and one of relu, tanh"):
        sb3.convert(file, folder, **asked, trusted=True)
    assert not folder.exists()
    folder.mkdir()
    model.save(file)
    with pytest.raises(FileExistsError, match="policy: is there"):
        sb3.convert(file, folder, **asked, trusted=True)


def test_the_example_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example.main(str(tmp_path), steps=2048)
    assert "sherlock" in capsys.readouterr().out
    assert (tmp_path / "policy" / "manifest.json").is_file()
