"""Entry points of the Gymnasium ids: a seat of a game against opponents given by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from reichenbach.agents import registry as agents
from reichenbach.envs import registry
from reichenbach.envs.core.face import Face, chosen
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.opponents import Opponent, OpponentMixture, by_seat, pairs
from reichenbach.envs.core.seat import Agent
from reichenbach.envs.core.single import SeatEnv
from reichenbach.envs.core.vector import SeatVectorEnv

# "greedy", an agent of one's own, or several with weights: [("greedy", 0.8), ("random", 0.2)].
Named = str | Opponent
NamedMixture = Named | Sequence[tuple[Named, float]]


def make(
    game: str, seat: str, opponent: NamedMixture | Mapping[str, NamedMixture] = "random", **arguments: Any
) -> SeatEnv:
    """The environment of one seat.

    Args:
        game: its name.
        seat: the caller's.
        opponent: who plays every other seat, or by seat or side, whose name stands for its seats that are not named
            themselves; names are those of agents/registry.py.
        arguments: rule options, ``observe_<section>``, ``illegal_moves``, ``render_mode``, ``render_view``.

    Raises:
        BadOption: an argument of unknown name, or out of its range.
        BadAgent: a name that is no agent's.
        TypeError: something else that is no opponent.
        ValueError: no such game or seat, a seat without opponent, or an opponent for no seat.
    """
    found = registry.game(game)
    return SeatEnv(found, seat, _opponents(found, seat, opponent, arguments), **arguments)


def make_vec(
    num_envs: int,
    game: str,
    seat: str,
    opponent: NamedMixture | Mapping[str, NamedMixture] = "random",
    **arguments: Any,
) -> SeatVectorEnv:
    """The same seat in many games at once; arguments as `make` takes them, but for ``illegal_moves``."""
    found = registry.game(game)
    return SeatVectorEnv(found, seat, _opponents(found, seat, opponent, arguments), num_envs, **arguments)


def _opponents(
    game: Game, seat: str, opponent: NamedMixture | Mapping[str, NamedMixture], arguments: Mapping[str, Any]
) -> dict[str, OpponentMixture]:
    options = {option.name: arguments[option.name] for option in game.options if option.name in arguments}
    face = Face.of(game, options)
    chosen(f"{game.name}: seat", seat, face.seats)
    given = opponent if isinstance(opponent, Mapping) else dict.fromkeys(face.seats, opponent)
    mixtures: dict[str, NamedMixture] = by_seat(game, face.options, seat, given)
    return {name: _resolved(face, name, mixture) for name, mixture in mixtures.items()}


def _resolved(face: Face, seat: str, mixture: NamedMixture) -> OpponentMixture:
    return [(_maker(face, seat, named), weight) for named, weight in pairs(seat, mixture)]


def _maker(face: Face, seat: str, named: Named) -> Opponent:
    if not isinstance(named, str):
        return named

    return partial(_made, named, face, seat)


def _made(named: str, face: Face, seat: str, seed: int) -> Agent:
    return agents.make(named, game=face.game, options=face.options, seat=seat, seed=seed)
