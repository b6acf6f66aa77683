"""Every name this package registers, in one table of entry-point strings: registering imports no game."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reichenbach.envs.core.game import Game


@dataclass(frozen=True)
class Entry:
    """Where one game is found, and under which names other tools find it."""

    name: str  # for the command line and configs
    game: str  # "module:attribute" of its `Game`
    faces: str  # "module" with env, raw_env and parallel_env
    pettingzoo: str  # PettingZoo id, of the AEC and of the parallel environment
    # Gymnasium id of a one-seat environment -> its seat, and the options of the rules under which there is that seat
    gymnasium: Mapping[str, Mapping[str, str]]


ENTRIES = (
    Entry(
        name="who_is_moriarty",
        game="reichenbach.envs.who_is_moriarty.game:GAME",
        faces="reichenbach.envs.who_is_moriarty_v0",
        pettingzoo="reichenbach/who_is_moriarty-v0",
        gymnasium={
            "reichenbach/WhoIsMoriartySherlock-v0": {"seat": "sherlock"},
            "reichenbach/WhoIsMoriartyMoriarty-v0": {"seat": "moriarty"},
        },
    ),
    Entry(
        name="manor",
        game="reichenbach.envs.manor.game:GAME",
        faces="reichenbach.envs.manor_v0",
        pettingzoo="reichenbach/manor-v0",
        gymnasium={
            "reichenbach/Manor2pSherlock-v0": {"seat": "sherlock", "table": "2p"},
            "reichenbach/Manor2pMoriarty-v0": {"seat": "moriarty", "table": "2p"},
            "reichenbach/Manor3pSherlock-v0": {"seat": "sherlock_0", "table": "3p"},
            "reichenbach/Manor3pMoriarty-v0": {"seat": "moriarty", "table": "3p"},
            "reichenbach/Manor4pSherlock-v0": {"seat": "sherlock_0", "table": "4p"},
            "reichenbach/Manor4pMoriarty-v0": {"seat": "moriarty", "table": "4p"},
            "reichenbach/Manor4pRolesSherlock-v0": {"seat": "sherlock", "table": "4p_roles"},
            "reichenbach/Manor4pRolesWatson-v0": {"seat": "watson", "table": "4p_roles"},
            "reichenbach/Manor4pRolesMoriarty-v0": {"seat": "moriarty", "table": "4p_roles"},
            "reichenbach/Manor4pRolesIrene-v0": {"seat": "irene", "table": "4p_roles"},
        },
    ),
)

GAMES: Mapping[str, str] = {entry.name: entry.game for entry in ENTRIES}

_SEAT = "reichenbach.agents.seat:make"
_SEATS = "reichenbach.agents.seat:make_vec"


def game(name: str) -> Game:
    """The game of that name.

    Raises:
        ValueError: there is no such game; the message names those there are.
    """
    if name not in GAMES:
        raise _unknown(name)
    module, attribute = GAMES[name].split(":")
    found: Game = getattr(importlib.import_module(module), attribute)
    return found


def game_of(game_or_name: Game | str) -> Game:
    """The game itself, or the one of that name; raises as ``game`` does."""
    return game(game_or_name) if isinstance(game_or_name, str) else game_or_name


def faces(name: str) -> ModuleType:
    """The module with ``env``, ``raw_env`` and ``parallel_env`` of the game of that name; raises as ``game`` does."""
    for entry in ENTRIES:
        if entry.name == name:
            return importlib.import_module(entry.faces)
    raise _unknown(name)


def _unknown(name: str) -> ValueError:
    return ValueError(f"game: no game is called {name!r}; there are: {', '.join(sorted(GAMES))}")


def register_all() -> None:
    """Makes every id known to Gymnasium, and to PettingZoo where the installed version has a registry (1.27 on).

    Ids that are registered already, by an earlier call or by the user, are left alone.
    """
    for entry in ENTRIES:
        _register_gymnasium(entry)
        _register_pettingzoo(entry)


def _register_gymnasium(entry: Entry) -> None:
    import gymnasium

    for identifier, arguments in entry.gymnasium.items():
        if identifier not in gymnasium.registry:
            gymnasium.register(
                id=identifier,
                entry_point=_SEAT,
                vector_entry_point=_SEATS,
                kwargs={"game": entry.name, **arguments},
            )


def _register_pettingzoo(entry: Entry) -> None:
    import pettingzoo

    # getattr: PettingZoo has no registry before 1.27, and the type checkers see one version only.
    register = getattr(pettingzoo, "register", None)
    if register is None:
        return
    for kind, attribute in (("aec", "env"), ("parallel", "parallel_env")):
        if entry.pettingzoo not in getattr(pettingzoo, f"{kind}_registry"):
            register(kind, entry.pettingzoo, entry_point=f"{entry.faces}:{attribute}")
