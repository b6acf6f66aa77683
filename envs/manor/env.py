"""The Manor as PettingZoo environments."""

from __future__ import annotations

from typing import Any

from reichenbach.envs.core.aec import Checked, LosesIllegal, TurnEnv, raw
from reichenbach.envs.core.parallel import SlotEnv
from reichenbach.envs.manor.game import GAME


class Manor(TurnEnv):
    """The AEC environment: inside a slot the seats submit in their order, and see nothing of it."""

    game = GAME


class ManorParallel(SlotEnv):
    """The Parallel environment: a step is one slot, in which all seats submit at once."""

    game = GAME


def raw_env(**arguments: Any) -> TurnEnv | LosesIllegal:
    """The AEC environment without PettingZoo's checks.

    Args:
        arguments: every rule option, ``table`` and ``map`` (a name, or the path of a file) first; ``observe_belief``,
            ``observe_after``; ``illegal_moves`` ("raise", "lose"); ``render_mode`` (None, "ansi", "human") and
            ``render_view`` (a seat of the table, or "all").

    Raises:
        BadOption: an argument of unknown name, or out of its range.
        BadMap: a map's file is wrong; names every mistake in it.
    """
    return raw(Manor, **arguments)


def env(**arguments: Any) -> Checked:
    """`raw_env` under PettingZoo's checks of order and of actions out of bounds."""
    return Checked(raw_env(**arguments))


def parallel_env(**arguments: Any) -> ManorParallel:
    """The Parallel environment; takes the arguments of `raw_env`."""
    return ManorParallel(**arguments)
