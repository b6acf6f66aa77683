"""Who Is Moriarty as PettingZoo environments."""

from __future__ import annotations

from typing import Any

from reichenbach.envs.core.aec import Checked, LosesIllegal, TurnEnv, raw
from reichenbach.envs.core.parallel import SlotEnv
from reichenbach.envs.who_is_moriarty.game import GAME


class WhoIsMoriarty(TurnEnv):
    """The AEC environment."""

    game = GAME


class WhoIsMoriartyParallel(SlotEnv):
    """The Parallel environment."""

    game = GAME


def raw_env(**arguments: Any) -> TurnEnv | LosesIllegal:
    """The AEC environment without PettingZoo's checks.

    Args:
        arguments: every rule option; ``observe_belief``, ``observe_after``; ``illegal_moves`` ("raise", "lose");
            ``render_mode`` (None, "ansi", "human") and ``render_view`` ("sherlock", "moriarty", "all").

    Raises:
        BadOption: an argument of unknown name, or out of its range.
    """
    return raw(WhoIsMoriarty, **arguments)


def env(**arguments: Any) -> Checked:
    """`raw_env` under PettingZoo's checks of order and of actions out of bounds."""
    return Checked(raw_env(**arguments))


def parallel_env(**arguments: Any) -> WhoIsMoriartyParallel:
    """The Parallel environment; takes the arguments of `raw_env`."""
    return WhoIsMoriartyParallel(**arguments)
