"""From a YAML file and overrides to a config, or to every problem at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from reichenbach.envs.core import yaml_text
from reichenbach.envs.core.problems import Problem, dotted, nearest
from reichenbach.envs.core.yaml_text import Document
from reichenbach.training import meaning, space
from reichenbach.training.config import Config, ConfigError

COMMAND_LINE = "command line"


def load(file: str | Path, overrides: Sequence[str] = ()) -> Config:
    """The config of a file with overrides such as ``ppo.learning_rate=1e-4``.

    Raises:
        ConfigError: everything that is wrong with the file and the overrides.
        OSError: the file cannot be read.
    """
    try:
        content = Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError([Problem(f"{file}:{line}", "", f"this is no UTF-8 text: {error.reason}")]) from None
    document = yaml_text.parse(content, str(file), "a config")
    overridden = [path for text in overrides if (path := _override(document, text))]
    return _validate(document, overridden)


def from_values(values: Mapping[str, Any], name: str) -> Config:
    """The config of plain values, as a manifest holds them; ``name`` says in errors where they stand.

    Raises:
        ConfigError: everything that is wrong with them.
    """
    return _validate(Document(name, dict(values)), [])


def text(config: Config) -> str:
    """The resolved config as YAML, every default written out."""
    return str(yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False))


def overridden(config: Config, values: Mapping[str, Any]) -> Config:
    """Another config: this one, with other values for the keys, such as ``ppo.learning_rate.start``.

    Raises:
        ConfigError: everything that is wrong with it.
    """
    document = Document("", config.model_dump(mode="json"))
    return _validate(document, [path for key, value in values.items() if (path := _set(document, key, value))])


def _override(document: Document, given: str) -> yaml_text.Path | None:
    key, sign, value = given.partition("=")
    try:
        if not sign:
            raise ValueError("an override is key=value, such as ppo.learning_rate=1e-4")
        return _set(document, key, yaml_text.scalar(value))
    except ValueError as error:
        document.problems.append(Problem(COMMAND_LINE, key, str(error)))
        return None


def _set(document: Document, key: str, value: Any) -> yaml_text.Path | None:
    """Puts the value at the key; the key's path, or None where there is no such place, which becomes a problem."""
    path = space.settable(key)
    try:
        if len(path) > yaml_text.MOST_DEEP:
            raise ValueError(f"it is nested too deep: {yaml_text.MOST_DEEP} keys at most are allowed")
        place: Any = document.values
        for part in path[:-1]:
            place = _step_into(place, part)
        _place_in(place, path[-1])[path[-1]] = value
    except ValueError as error:
        document.problems.append(Problem(COMMAND_LINE, key, str(error)))
        return None
    for known in [known for known in document.lines if known[: len(path)] == path]:
        del document.lines[known]  # what stood there in the file counts no more
    return path


def _step_into(place: Any, part: str | int) -> Any:
    """What stands at ``part`` of a mapping or list, so that something in it can be set."""
    if isinstance(place, dict) and not isinstance(place.get(part), dict | list):
        place[part] = {}  # a number may give way to a mapping: learning_rate.start=1e-3
    return _place_in(place, part)[part]


def _place_in(place: Any, part: str | int) -> Any:
    """The place itself, if ``part`` can be set in it."""
    if isinstance(place, dict) or (isinstance(place, list) and isinstance(part, int) and part < len(place)):
        return place
    raise ValueError(f"there is no place {part} to set")


def _validate(document: Document, overridden: Sequence[yaml_text.Path]) -> Config:
    problems: list[Problem] = []

    def where(path: yaml_text.Path) -> str:
        given = any(path[: len(over)] == over or over[: len(path)] == path for over in overridden)
        return COMMAND_LINE if given and path not in document.lines else document.where(path)

    config: Config | None = None
    try:
        config = Config.model_validate(document.values)
    except ValidationError as error:
        problems += [_problem(details, where) for details in error.errors(include_url=False)]
    for path, message in meaning.check(document.values):
        problems.append(Problem(where(path), dotted(path), message))
    if config is not None and config.sweep is not None and not problems:
        for path, message in space.check(config.sweep, lambda key, value: _tried(config, key, value)):
            problems.append(Problem(where(path), dotted(path), message))
    # A value that the text got wrong is not judged a second time by what was made of it.
    refused = {problem.key for problem in document.problems}
    problems = document.problems + [problem for problem in problems if problem.key not in refused]
    if problems or config is None:
        raise ConfigError(sorted(problems, key=_place))
    return meaning.settled(config)


def _tried(config: Config, key: str, value: Any) -> Sequence[Problem]:
    """What is wrong with a run of the config that has the value at the key."""
    try:
        overridden(config.model_copy(update={"sweep": None}), {key: value})
    except ConfigError as error:
        return error.problems
    return ()


def _place(problem: Problem) -> tuple[bool, int]:
    """The command line last, the file's lines in their order."""
    return problem.where == COMMAND_LINE, problem.line


def _problem(details: ErrorDetails, where: Any) -> Problem:
    path = tuple(details["loc"])
    key = dotted(path)
    if details["type"] == "extra_forbidden":
        allowed = sorted(_model_at(path[:-1]).model_fields)
        message = f"there is no such key; {nearest(str(path[-1]), allowed)}allowed are {', '.join(allowed)}"
    elif details["type"] == "missing":
        message = "this key is needed"
    elif details["type"] == "model_type":
        message = (
            f"{details['input']!r} is not allowed; it must be a mapping of {', '.join(_model_at(path).model_fields)}"
        )
    elif details["type"] == "invalid_key":
        message = "a key is a word"
    else:
        _, should, wanted = details["msg"].partition(" should ")  # "Input should be a valid string"
        message = f"{details['input']!r} is not allowed; it must {wanted if should else details['msg']}"
    return Problem(where(path), key, message)


def _model_at(path: tuple[str | int, ...]) -> type[BaseModel]:
    """The model that holds the keys below ``path``."""
    model: type[BaseModel] = Config
    for part in path:
        if isinstance(part, str) and part in model.model_fields:  # keys of a mapping are no fields
            model = _model_in(model.model_fields[part].annotation) or model
    return model


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for argument in get_args(annotation) if (found := _model_in(argument))), None)
