"""What the types of a config cannot say: that its game, seat, options and agents exist and fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reichenbach.agents import registry as agents
from reichenbach.agents.stored import plain
from reichenbach.envs import registry as games
from reichenbach.envs.core.errors import BadMap, BadOption
from reichenbach.envs.core.face import Face
from reichenbach.envs.core.game import Game
from reichenbach.envs.core.options import find
from reichenbach.envs.core.problems import nearest
from reichenbach.training.config import BOTH, SELF, Config, Ppo

Found = Iterator[tuple[tuple[str | int, ...], str]]


def check(values: Mapping[str, Any]) -> Found:
    """Paths and what is wrong there. Values that the types have refused are passed over."""
    name = values.get("game")
    if not isinstance(name, str):
        return
    if name not in games.GAMES:
        known = sorted(games.GAMES)
        yield ("game",), f"no game is called {name!r}; {nearest(name, known)}allowed are {', '.join(known)}"
        return
    game = games.game(name)
    given = values.get("options", {})
    options: Mapping[Any, Any] = given if isinstance(given, Mapping) else {}
    wrong = list(_each_option(game, options))
    yield from wrong or _options_together(game, options)
    refused = {path[1] for path, _ in wrong}
    rules = {option.name: options[option.name] for option in game.options if option.name in {*options} - refused}
    sides = _sides(game, rules)
    yield from _seat(sides, values)
    yield from _mixture("opponents", values)
    yield from _mixture("allies", values)
    yield from _allies(sides, values)
    yield from _imitation(values)
    yield from _evaluation(values)
    yield from _network(game, values)
    yield from _sizes(values)


def settled(config: Config) -> Config:
    """The config with its options as the game reads them, in plain values: what a file held stays as it was."""
    found = {}
    for name, value in config.options.items():
        option = next((option for option in games.game(config.game).options if option.name == name), None)
        found[name] = value if option is None else option.check(value)
    return config.model_copy(update={"options": plain(found)})


def _each_option(game: Game, options: Mapping[Any, Any]) -> Found:
    known = [option.name for option in game.options] + [f"observe_{name}" for name in game.optional_sections]
    for name, value in options.items():
        if name not in known:
            hint = nearest(str(name), known)
            yield ("options", name), f"there is no such option; {hint}allowed are {', '.join(known)}"
            continue
        try:
            if str(name).startswith("observe_"):
                game.sections(**{name: value})
            else:
                find(game.options, name).check(value)
        except BadMap as error:
            for problem in error.problems:
                yield ("options", name), str(problem)
        except BadOption as error:
            yield ("options", name), str(error).partition(": ")[2]


def _options_together(game: Game, options: Mapping[Any, Any]) -> Found:
    """What only several options are wrong with, each being right by itself."""
    try:
        Face.of(game, options)
    except BadOption as error:
        head, _, why = str(error).partition(": ")
        name = head.removeprefix("option ")
        yield (("options", name), why) if name in options else (("options",), str(error))


def _sides(game: Game, rules: Mapping[str, Any]) -> dict[str, str]:
    """The seats under these options, each with its side."""
    resolved = game.resolve(rules)
    return dict(zip(game.seats(resolved), game.sides(resolved), strict=True))


def _seat(sides: Mapping[str, str], values: Mapping[str, Any]) -> Found:
    allowed = [*sides, BOTH]
    seat = values.get("seat")
    if isinstance(seat, str) and seat not in allowed:
        yield ("seat",), f"there is no seat {seat!r}; {nearest(seat, allowed)}allowed are {', '.join(allowed)}"


def _mixture(key: str, values: Mapping[str, Any]) -> Found:
    entries = values.get(key, [])
    for i, entry in enumerate(entries if isinstance(entries, list) else []):
        agent = entry.get("agent") if isinstance(entry, Mapping) else None
        if not isinstance(agent, str) or not agent:
            continue
        if agent == SELF and values.get("seat") != BOTH:
            yield (key, i, "agent"), f"{SELF} plays the other seat too, so it needs seat: {BOTH}"
        elif agent != SELF and (problem := agents.problem(agent)):
            yield (key, i, "agent"), problem


def _allies(sides: Mapping[str, str], values: Mapping[str, Any]) -> Found:
    """Allies are for a learner that has some."""
    seat = values.get("seat")
    if values.get("allies") is None or not isinstance(seat, str) or seat not in (*sides, BOTH):
        return
    teams = list(sides.values())
    alone = len({*teams}) == len(teams) if seat == BOTH else teams.count(sides[seat]) == 1
    if alone:
        who = "every seat" if seat == BOTH else f"seat {seat}"
        yield ("allies",), f"{who} is alone on its side under these options; leave allies out"


def _imitation(values: Mapping[str, Any]) -> Found:
    imitation = values.get("imitation")
    agent = imitation.get("agent") if isinstance(imitation, Mapping) else None
    if agent == SELF:
        yield ("imitation", "agent"), f"{SELF} is the learner, which cannot imitate itself; name another agent"
    elif isinstance(agent, str) and agent and (problem := agents.problem(agent)):
        yield ("imitation", "agent"), problem


def _evaluation(values: Mapping[str, Any]) -> Found:
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
