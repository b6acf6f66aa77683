"""Ids and names: what importing the package registers, and with which versions."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import gymnasium
import pettingzoo
import pytest

from reichenbach.envs import registry

HAS_REGISTRY = hasattr(pettingzoo, "register")  # PettingZoo 1.27 on


@pytest.mark.parametrize("entry", registry.ENTRIES, ids=lambda entry: entry.name)
def test_every_entry_is_registered_and_leads_somewhere(entry: registry.Entry) -> None:
    game = registry.game(entry.name)
    assert game.name == entry.name
    faces = importlib.import_module(entry.faces)
    assert all(hasattr(faces, name) for name in ("env", "raw_env", "parallel_env"))
    assert entry.pettingzoo.endswith(f"-v{game.version}")
    for identifier, arguments in entry.gymnasium.items():
        spec = gymnasium.spec(identifier)
        assert spec.kwargs == {"game": entry.name, **arguments}
        rules = {name: value for name, value in arguments.items() if name != "seat"}
        assert arguments["seat"] in game.seats(game.resolve(rules))
        assert spec.entry_point == "reichenbach.agents.seat:make"
        assert spec.vector_entry_point == "reichenbach.agents.seat:make_vec"


@pytest.mark.skipif(not HAS_REGISTRY, reason="this PettingZoo has no registry")
def test_pettingzoo_makes_both_kinds() -> None:
    make = getattr(pettingzoo, "make")  # noqa: B009  # older versions, and so the type checkers' choice, may lack it
    identifier = "reichenbach/who_is_moriarty-v0"
    aec = make("aec", identifier, max_rounds=3)
    aec.reset(seed=1)
    assert aec.agent_selection == "sherlock"
    assert aec.unwrapped.face.options["max_rounds"] == 3
    assert isinstance(make("parallel", identifier), pettingzoo.ParallelEnv)
    assert isinstance(make("aec", "reichenbach/who_is_moriarty"), pettingzoo.AECEnv)


def test_registering_again_changes_nothing() -> None:
    before = {name: spec for name, spec in gymnasium.registry.items() if name.startswith("reichenbach/")}
    registry.register_all()
    after = {name: spec for name, spec in gymnasium.registry.items() if name.startswith("reichenbach/")}
    assert len(before) == sum(len(entry.gymnasium) for entry in registry.ENTRIES)
    assert all(after[name] is spec for name, spec in before.items())


def test_games_by_name() -> None:
    assert registry.game("who_is_moriarty").n_actions == 77
    with pytest.raises(ValueError, match=r"no game is called 'who_is_watson'; there are: .*who_is_moriarty"):
        registry.game("who_is_watson")


def test_importing_the_package_imports_neither_numba_nor_torch() -> None:
    program = "import sys, reichenbach; print(sorted({'numba', 'torch', 'llvmlite'} & set(sys.modules)))"
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert found.stdout.strip() == "[]"
