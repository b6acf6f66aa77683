"""What the types of a config cannot say: that its game, seat, options and agents exist and fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reichenbach.agents import registry as agents
from reichenbach.envs import registry as games
from reichenbach.envs.core.errors import BadMap, BadOption
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.problems import nearest
from reichenbach.training.config import BOTH, SELF, Ppo

Found = Iterator[tuple[tuple[str | int, ...], str]]


def check(values: Mapping[str, Any]) -> Found:
    """Paths and what is wrong there. Values of a wrong type are passed over: the types have refused them."""
    name = values.get("game")
    if not isinstance(name, str):
        return
    if name not in games.GAMES:
        known = sorted(games.GAMES)
        yield ("game",), f"no game is called {name!r}; {nearest(name, known)}allowed are {', '.join(known)}"
        return
    game = games.game(name)
    yield from _options(game, values)
    yield from _seat(game, values)
    yield from _opponents(values)
    yield from _network(game, values)
    yield from _sizes(values)


def _options(game: Game, values: Mapping[str, Any]) -> Found:
    options = values.get("options", {})
    if not isinstance(options, Mapping):
        return
    known = [option.name for option in game.options] + [f"observe_{name}" for name in game.optional_sections]
    refused = False
    for name, value in options.items():
        hint = f"there is no such option; {nearest(str(name), known)}allowed are {', '.join(known)}"
        for message in _refusals(game, name, value) if name in known else [hint]:
            refused = True
            yield ("options", name), message
    if not refused:
        try:
            Face.of(game, options)
        except BadOption as error:  # each is allowed, but not all together
            yield ("options",), str(error)


def _refusals(game: Game, name: str, value: Any) -> Iterator[str]:
    """What is wrong with one option by itself."""
    try:
        if any(option.name == name for option in game.options):
            game.resolve({name: value})
        else:
            game.sections(**{name: value})
    except BadMap as error:
        yield from map(str, error.problems)
    except BadOption as error:
        yield str(error).partition(": ")[2]


def _seat(game: Game, values: Mapping[str, Any]) -> Found:
    allowed = [*game.seats(_resolved(game, values)), BOTH]
    seat = values.get("seat")
    if isinstance(seat, str) and seat not in allowed:
        yield ("seat",), f"there is no seat {seat!r}; {nearest(seat, allowed)}allowed are {', '.join(allowed)}"


def _resolved(game: Game, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of the rules, those that are refused by their default."""
    names = {option.name for option in game.options}
    options = values.get("options", {})
    given = options.items() if isinstance(options, Mapping) else ()
    return game.resolve({name: value for name, value in given if name in names and not [*_refusals(game, name, value)]})


def _opponents(values: Mapping[str, Any]) -> Found:
    entries = values.get("opponents", [])
    for i, entry in enumerate(entries if isinstance(entries, list) else []):
        agent = entry.get("agent") if isinstance(entry, Mapping) else None
        if not isinstance(agent, str):
            continue
        if agent == SELF and values.get("seat") != BOTH:
            yield ("opponents", i, "agent"), f"{SELF} plays the other seat too, so it needs seat: {BOTH}"
        elif agent != SELF and (problem := agents.problem(agent)):
            yield ("opponents", i, "agent"), problem
    evaluation = values.get("evaluation", {})
    against = evaluation.get("opponents", []) if isinstance(evaluation, Mapping) else []
    for i, agent in enumerate(against if isinstance(against, list) else []):
        if isinstance(agent, str) and (problem := agents.problem(agent)):
            yield ("evaluation", "opponents", i), problem


def _network(game: Game, values: Mapping[str, Any]) -> Found:
    network, options = values.get("network", {}), values.get("options", {})
    if not isinstance(network, Mapping) or not isinstance(options, Mapping):
        return
    if network.get("kind") == "after" and options.get("observe_after") is not True:
        yield ("network", "kind"), "after reads the section after: it needs options.observe_after: true"


def _sizes(values: Mapping[str, Any]) -> Found:
    ppo = values.get("ppo", {})
    if not isinstance(ppo, Mapping):
        return
    names = ("n_envs", "n_steps", "batch_size")
    n_envs, n_steps, batch = (ppo.get(name, Ppo.model_fields[name].default) for name in names)
    if all(type(number) is int and number > 0 for number in (n_envs, n_steps, batch)):
        if batch > n_envs * n_steps:
            yield ("ppo", "batch_size"), f"{batch} is more than n_envs * n_steps = {n_envs * n_steps}"
        if n_envs * n_steps % batch == 1:
            yield ("ppo", "batch_size"), f"{batch} leaves a last batch of one, which has no spread"
