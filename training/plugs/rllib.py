"""RLlib's new API stack: environments of several seats, a module with masks, its weights as a checkpoint's folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv, PettingZooEnv

from reichenbach.agents.network import Network, NetworkSpec, masked
from reichenbach.envs import registry
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.game import Game
from reichenbach.training.plugs import foreign


def turns(config: Mapping[str, Any]) -> PettingZooEnv:
    """An environment whose seats move one after another; give it to ``tune.register_env``.

    Args:
        config: ``game``, its name; all else are options of its rules, and ``observe_<section>``.
    """
    return PettingZooEnv(_module(config).env(**_arguments(config)))


def at_once(config: Mapping[str, Any]) -> ParallelPettingZooEnv:
    """As ``turns``, but all seats move in every step; who has nothing to choose has the no-op in its mask alone."""
    return ParallelPettingZooEnv(_module(config).parallel_env(**_arguments(config)))


def _module(config: Mapping[str, Any]) -> Any:
    if "game" not in config:
        raise ValueError(f"game: this key is needed; allowed are {', '.join(sorted(registry.GAMES))}")
    return registry.faces(config["game"])


def _arguments(config: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in config.items() if name != "game"}


class MaskedModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]  # RLlib has no types
    """The network of ``agents/network.py`` as RLlib's module; no action outside the mask is ever drawn.

    Its observations are mappings with ``observation`` and ``action_mask``, as all environments here give them. The
    ``model_config`` may name ``kind``, ``hidden``, ``value_hidden`` and ``activation`` of a ``NetworkSpec``; RLlib adds
    ``vf_share_layers``, which says nothing here.
    """

    def setup(self) -> None:
        """Builds the network for the spaces."""
        space: Any = self.observation_space
        if not isinstance(space, Mapping) or {"observation", "action_mask"} - set(space):
            raise ValueError(f"MaskedModule: {space}; a mapping with observation and action_mask is needed")
        asked = {name: value for name, value in dict(self.model_config or {}).items() if name != "vf_share_layers"}
        wanted = {"kind": "separate", "hidden": (256, 256), "value_hidden": (256, 256), **asked}
        if wanted["kind"] == "after":
            raise ValueError(
                "MaskedModule: kind after is not allowed, it reads a place of our layouts; mlp, separate are"
            )
        sizes: dict[str, Any] = {
            "observation": space["observation"].shape[0],
            "actions": int(self.action_space.n),
            "after": (0, 0),
        }
        self.network = Network(NetworkSpec.from_json({**sizes, **wanted}))

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        return {Columns.ACTION_DIST_INPUTS: masked(self.network(seen["observation"])[0], seen["action_mask"])}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """One value for each row."""
        values: torch.Tensor = self.network(batch[Columns.OBS]["observation"])[1]
        return values


def convert(
    module: MaskedModule, folder: str | Path, *, game: str | Game, seat: str, steps: int = 0, **arguments: Any
) -> None:
    """Writes a module's network into a folder that ``policy:FOLDER`` plays.

    Args:
        module: ``algorithm.get_module(NAME)``, say.
        folder: must not be there yet.
        game: the game, or its name.
        seat: that it was trained for, or "both".
        steps: that it was trained for.
        arguments: the rule options and ``observe_<section>`` with which it was trained.

    Raises:
        BadPolicy: it is not for this game's observations and actions.
        BadOption: an argument of unknown name, or out of its range.
        FileExistsError: the folder is there.
    """
    if not isinstance(module, MaskedModule):
        raise foreign.BadPolicy(f"RLlib: {type(module).__name__}; a MaskedModule is needed")
    face = Face.of(registry.game_of(game), arguments)
    network = module.network
    foreign.write(Path(folder), face, seat, network.spec, network.state_dict(), steps=steps, source="RLlib")
