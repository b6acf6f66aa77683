"""The agent ``policy:FOLDER``: a trained network, without the library that trained it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load

from reichenbach.agents import stored
from reichenbach.agents.network import Network, NetworkSpec, masked, sample, shapes
from reichenbach.agents.setup import BadAgent, Setup
from reichenbach.envs.core.seat import Agent, Views


class Policy:
    """Acts by a network: the likeliest action (``argmax``) or one drawn by the network's odds (``sample``)."""

    def __init__(self, network: Network, sections: int, mode: str, seed: int) -> None:
        self.sections = sections
        self.network = network
        self._mode = mode
        self._generator = torch.Generator().manual_seed(seed)

    def act(self, views: Views) -> NDArray[np.int64]:
        """One action for each row of the views, int64 (k,)."""
        with torch.no_grad():
            logits, _ = self.network(torch.from_numpy(views.observation))
            chances = masked(logits, torch.from_numpy(views.action_mask))
            actions = chances.argmax(-1) if self._mode == "argmax" else sample(chances, self._generator)
        numbers: NDArray[np.int64] = actions.numpy()
        return numbers

    def get_state(self) -> dict[str, Any]:
        """The generator's state, JSON-able."""
        return {"torch": self._generator.get_state().numpy().tobytes().hex()}

    def set_state(self, state: dict[str, Any]) -> None:
        """Takes up a state that ``get_state`` gave."""
        words = np.frombuffer(bytes.fromhex(state["torch"]), np.uint8).copy()
        self._generator.set_state(torch.from_numpy(words))


def load_network(folder: Path, data: dict[str, Any]) -> Network:
    """The network of a checkpoint's folder, whose manifest is ``data``.

    Raises:
        BadAgent: the weights are missing, damaged or of other names or shapes than the manifest says.
    """
    file = folder / stored.WEIGHTS
    try:
        spec = NetworkSpec.from_json(data["network"])
        wanted = shapes(spec)
    except (TypeError, ValueError, LookupError, ArithmeticError, RuntimeError) as error:
        raise BadAgent(f"{folder / stored.MANIFEST}: network: {error}") from None
    content = stored.content(folder, data, stored.WEIGHTS)
    try:
        weights = load(content)
    except SafetensorError as error:
        raise BadAgent(f"{file}: missing or damaged: {error}") from None
    for name in sorted({*wanted, *weights}):
        found = tuple(weights[name].shape) if name in weights else None
        if found != wanted.get(name):
            raise BadAgent(f"{file}: {name}: shape {found}, the manifest's network has {wanted.get(name)}")
    with torch.random.fork_rng(devices=[]):  # building draws weights that are thrown away
        network = Network(spec)
    network.load_state_dict(weights)
    return network.requires_grad_(False)


def make(argument: str, setup: Setup) -> Agent:
    """The agent of the text ``policy:FOLDER?mode=MODE``.

    Raises:
        BadAgent: no checkpoint, a damaged one, or one made for another game, rules, layout or seat.
    """
    folder, mode = stored.split(argument)
    place = stored.locate(folder)
    data = stored.manifest(place)
    stored.check(data, setup, f"policy {place}")
    sections = stored.sections_of(setup.game, data["sections"])
    return Policy(load_network(place, data), sections, mode, setup.seed)
