"""A MaskablePPO that Stable-Baselines3 saved, as a checkpoint's folder.

The zip holds pickled Python objects: reading it can run anything that its author wrote into it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import FlattenExtractor, MlpExtractor

from reichenbach.envs import registry
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.problems import first_line
from reichenbach.training.plugs import foreign


def convert(
    file: str | Path, folder: str | Path, *, game: str | Game, seat: str, trusted: bool = False, **arguments: Any
) -> None:
    """Writes the policy of a saved MaskablePPO into a folder that ``policy:FOLDER`` plays.

    Args:
        file: the zip that ``model.save`` wrote.
        folder: must not be there yet.
        game: the game, or its name.
        seat: that the policy was trained for, or "both".
        trusted: that you know who made the zip, and want whatever code is in it to run.
        arguments: the rule options and ``observe_<section>`` with which it was trained.

    Raises:
        BadPolicy: not trusted, no MaskablePPO, or its policy is no plain network over this game's observations.
        BadOption: an argument of unknown name, or out of its range.
        FileExistsError: the folder is there.
    """
    if trusted is not True:
        raise foreign.BadPolicy(f"{file}: it can run code when it is read; say that you trust it: trusted=True")
    face = Face.of(registry.game_of(game), arguments)
    model = _load(Path(file))
    policy = model.policy
    extractor, layers = policy.features_extractor, policy.mlp_extractor
    parts = (policy, extractor, layers)
    # A subclass may reckon otherwise with the same layers.
    if [type(part) for part in parts] != [MaskableActorCriticPolicy, FlattenExtractor, MlpExtractor]:
        found = ", ".join(type(part).__name__ for part in parts)
        raise foreign.BadPolicy(
            f"{file}: {found}; an MlpPolicy over plain observations is needed, as vec_env gives them"
        )
    acts = foreign.branch([*layers.policy_net, policy.action_net], f"{file}: policy_net")
    values = foreign.branch([*layers.value_net, policy.value_net], f"{file}: value_net")
    spec, weights = foreign.separate(acts, values, str(file))
    foreign.write(Path(folder), face, seat, spec, weights, steps=model.num_timesteps, source=f"MaskablePPO {file}")


def _load(file: Path) -> MaskablePPO:
    if not file.is_file():
        raise foreign.BadPolicy(f"{file}: there is no such file")
    try:
        return MaskablePPO.load(file, device="cpu")
    except Exception as error:  # whatever a damaged or foreign zip brings about
        raise foreign.BadPolicy(f"{file}: no MaskablePPO that can be read: {first_line(error)}") from error
