"""Many games at once as a Gymnasium ``VectorEnv``, against opponents given as objects.

envs = vector.make("who_is_moriarty", seat="sherlock", opponents={"moriarty": agent}, num_envs=512)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reichenbach.envs import registry
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.opponents import AgentMaker, Opponent, OpponentMixture
from reichenbach.envs.core.vector import SeatVectorEnv

__all__ = ["AgentMaker", "Opponent", "OpponentMixture", "SeatVectorEnv", "make"]


def make(
    game: str | Game,
    *,
    seat: str,
    opponents: Mapping[str, OpponentMixture],
    num_envs: int,
    **arguments: Any,
) -> SeatVectorEnv:
    """N games in which the caller plays one seat.

    Args:
        game: its name, or the game itself.
        seat: the caller's.
        opponents: for every other seat, or side, an agent (envs/core/seat.py), a function of a seed that makes one, or
            several with the weights by which one is drawn for each game: ``[(agent, 0.8), (other, 0.2)]``.
        num_envs: N.
        arguments: rule options, ``observe_<section>``, ``render_mode``.

    Raises:
        BadOption: an argument of unknown name, or out of its range.
        ValueError: no such game or seat, or a seat without opponent.
    """
    found = registry.game_of(game)
    return SeatVectorEnv(found, seat, opponents, num_envs, **arguments)
