"""AgileRL: masks in the infos, its PPO that learns with them, and its IPPO that acts by them."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from agilerl.algorithms import IPPO

import reichenbach  # noqa: F401  registers the ids
from reichenbach.envs import manor_v0, who_is_moriarty_v0
from reichenbach.envs.plugs.masks_in_info import MasksInInfo, ParallelMasksInInfo, VectorMasksInInfo
from reichenbach.training.examples import agilerl_ppo as example

pytestmark = pytest.mark.filterwarnings("ignore")

FACES = [(who_is_moriarty_v0, {}), (manor_v0, {"table": "4p_roles", "days": 1})]


@pytest.mark.parametrize(("faces", "options"), FACES)
def test_masks_are_in_the_infos(faces: Any, options: dict[str, Any]) -> None:
    """The numbers and masks are those of the environment itself, in every slot of a game."""
    plain, apart = faces.parallel_env(**options), ParallelMasksInInfo(faces.parallel_env(**options))
    (whole, _), (seen, infos) = plain.reset(seed=3), apart.reset(seed=3)
    while plain.agents:
        for agent, observation in whole.items():
            np.testing.assert_array_equal(observation["observation"], seen[agent])
            np.testing.assert_array_equal(observation["action_mask"], infos[agent]["action_mask"])
            assert seen[agent] in apart.observation_space(agent)
        actions = {agent: int(np.flatnonzero(info["action_mask"])[-1]) for agent, info in infos.items()}
        whole = plain.step(actions)[0]
        seen, _, _, _, infos = apart.step(actions)
    assert not apart.agents
    assert {info["ending"] for info in infos.values()} != {None}


def test_one_seat_and_many_games() -> None:
    name = "reichenbach/Manor2pSherlock-v0"
    env = MasksInInfo(gymnasium.make(name, disable_env_checker=True))
    observation, info = env.reset(seed=1)
    assert observation in env.observation_space
    _, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert info["action_mask"].shape == (env.action_space.n,)
    envs = VectorMasksInInfo(gymnasium.make_vec(name, num_envs=3))
    observations, infos = envs.reset(seed=1)
    assert observations in envs.observation_space
    _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert infos["action_mask"].shape == (3, env.action_space.n)
    while "final_obs" not in infos:
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    ended = [final for final in infos["final_obs"] if final is not None]
    assert ended
    assert all(final in envs.single_observation_space for final in ended)


def test_its_ppo_learns_with_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every update changes it; a thousand games are too few for it to get better for certain."""
    moved = []
    learn = example.PPO.learn

    def watched(agent: Any, *arguments: Any, **named: Any) -> Any:
        before = [weights.detach().clone() for weights in agent.actor.parameters()]
        found = learn(agent, *arguments, **named)
        pairs = zip(before, agent.actor.parameters(), strict=True)
        moved.append(max(float((now - then).abs().max()) for then, now in pairs))
        return found

    monkeypatch.setattr(example.PPO, "learn", watched)
    found = example.main(updates=4)
    assert len(found) == len(moved) == 4
    assert min(moved) > 0


def test_its_ippo_acts_by_masks() -> None:
    """A whole game: the environment refuses what is not legal."""
    env = ParallelMasksInInfo(manor_v0.parallel_env(days=1))
    agents = env.possible_agents
    agent = IPPO([env.observation_space(a) for a in agents], [env.action_space(a) for a in agents], agent_ids=agents)
    seen, infos = env.reset(seed=1)
    while env.agents:
        batched = {name: value[None] for name, value in seen.items()}
        actions, *_ = agent.get_action(batched, infos=infos)
        seen, _, _, _, infos = env.step({name: int(action[0]) for name, action in actions.items()})
