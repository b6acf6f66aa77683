"""What OpenSpiel is told of a game: its parameters, kind and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyspiel

from reichenbach.envs.core.face import Face
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.options import Option
from reichenbach.envs.core.record import duplicate

MOST_OUTCOMES = 2**15  # of one draw of chance (envs/core/chance.py)
_JOINS = "+"  # parts of a set: OpenSpiel writes parameters as text that commas divide


def parameters(game: Game) -> dict[str, Any]:
    """Every argument with its default, of the one type that OpenSpiel lets it have."""
    switches = {f"observe_{name}": False for name in game.optional_sections}
    return {**{option.name: _written(option, option.default) for option in game.options}, **switches}


def _written(option: Option, value: Any) -> Any:
    """A value as a parameter: truth values and numbers as they are, a word among numbers as -1, sets as in ``H+I``."""
    if _is_number(option):
        return option.encode(value)
    return value if isinstance(value, bool) else option.write(value).replace(",", _JOINS)


def arguments(game: Game, params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as this package takes them; what it does not know of is left for it to refuse."""
    options = {option.name: option for option in game.options}
    return {name: _read(options[name], value) if name in options else value for name, value in params.items()}


def _read(option: Option, value: Any) -> Any:
    if _is_number(option) and value == option.first:
        return option.decode(value)
    return option.read(value.replace(_JOINS, ",")) if isinstance(value, str) else value


def _is_number(option: Option) -> bool:
    return type(option.values[-1]) is int


def game_type(face: Face) -> Any:
    """The GameType of these options: what the rewards of all seats come to depends on them."""
    game = face.game
    plain = game.resolve({})
    words = [(option.name, value) for option in game.options for value in option.values if isinstance(value, str)]
    seats = {len(game.seats({**plain, name: value})) for name, value in words} | {len(game.seats(plain))}
    sums = {sum(row) for row in _rewards(face)}
    return pyspiel.GameType(
        short_name=f"reichenbach_{game.name}",
        long_name=game.name.replace("_", " ").title(),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=_utility(sums),
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(seats),
        min_num_players=min(seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(game),
    )


def _utility(sums: set[float]) -> Any:
    if len(sums) > 1:
        return pyspiel.GameType.Utility.GENERAL_SUM
    return pyspiel.GameType.Utility.ZERO_SUM if sums == {0.0} else pyspiel.GameType.Utility.CONSTANT_SUM


def game_info(face: Face) -> Any:
    """The GameInfo of these options."""
    rewards = _rewards(face)
    sums = {sum(row) for row in rewards}
    return pyspiel.GameInfo(
        num_distinct_actions=face.game.n_actions,
        max_chance_outcomes=MOST_OUTCOMES,
        num_players=len(face.seats),
        min_utility=min(min(row) for row in rewards),
        max_utility=max(max(row) for row in rewards),
        utility_sum=sums.pop() if len(sums) == 1 else None,
        max_game_length=face.game.longest(face.options),
    )


def _rewards(face: Face) -> list[list[float]]:
    """The rewards of all seats, for each way in which a game may end."""
    rewards: list[list[float]] = []
    for ending in [ending for ending in face.game.endings if ending != 0]:
        over = duplicate(face.blank)
        over["ending"] = int(ending)
        rewards.append(face.results(over)[1])
    return rewards
