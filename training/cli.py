"""The command line: ``reichenbach train | sweep | evaluate | check | list``."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from reichenbach.agents import registry as agents
from reichenbach.agents.setup import BadAgent
from reichenbach.envs import registry as games
from reichenbach.envs.core import options as rule_options
from reichenbach.envs.core.errors import BadOption, IllegalAction
from reichenbach.envs.core.game import Game
from reichenbach.training.arguments import Misuse, pairs, parse
from reichenbach.training.command import command

DONE, FAILED, MISUSED = 0, 1, 2
EXTRA = {  # what comes with which extra
    **dict.fromkeys(("torch", "safetensors", "stable_baselines3", "sb3_contrib", "pydantic", "tensorboard"), "train"),
    "ray": "distributed",
    "optuna": "sweep",
    "wandb": "wandb",
    "mlflow": "mlflow",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; the exit code: 0 done, 1 failed or stopped early, 2 a mistake in what was asked."""
    # Small batches: several threads of one process get in each other's way, and in that of other processes.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # for agents that the user wrote: module:factory
    parsed = parse(arguments)
    try:
        code = COMMANDS[parsed.command](parsed)
        if sys.stdout:  # none where a shell has closed it
            sys.stdout.flush()
        return code
    except (BadAgent, BadOption, IllegalAction, Misuse) as error:
        return _say(MISUSED, str(error))
    except BrokenPipeError:  # whoever read our output has gone, as `head` does: nobody wants to hear of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FAILED
    except ModuleNotFoundError as error:
        extra = EXTRA.get((error.name or "").split(".")[0])
        if extra is None:
            raise
        return _say(
            MISUSED,
            f"{error.name} is missing; it comes with the extra {extra}: pip install 'PATH_OF_THE_CHECKOUT[{extra}]'",
        )
    except OSError as error:
        return _say(FAILED, str(error))
    except KeyboardInterrupt:
        return _say(FAILED, "stopped")


def _train(parsed: argparse.Namespace) -> int:
    from reichenbach.training import loop, ppo

    folder = _run(parsed, ppo)
    if folder:
        print(f"the best policy is policy:{folder} (in {folder / loop.BEST})")
    return DONE if folder else FAILED


def _sweep(parsed: argparse.Namespace) -> int:
    from reichenbach.training import sweep

    return DONE if _run(parsed, sweep) else FAILED


def _run(parsed: argparse.Namespace, kind: Any) -> Path | None:
    """Begins or continues a run or a sweep (``kind`` is its module); its folder, or None if it was stopped."""
    from reichenbach.training import engines, load, loop
    from reichenbach.training.config import ConfigError

    # `train --resume DIR total_steps=...` has no config: its first word is an override.
    config, overrides = parsed.config, list(parsed.overrides)
    if config is not None and "=" in config:
        config, overrides = None, [config, *overrides]
    try:
        if parsed.resume is None:
            if config is None:
                raise Misuse(f"{parsed.command}: a config is needed, or --resume DIR")
            settings = load.load(find_config(config), overrides)
            folder = Path(settings.output)
            whole = kind.begin(settings, engine=engines.find(parsed.engine or engines.LOCAL.name))
        elif parsed.engine is not None:
            raise Misuse("--engine: what was begun goes on by the engine that began it; leave it out")
        else:
            folder = Path(parsed.resume)
            whole = kind.go_on(folder, _changed(folder / kind.CONFIG, config, overrides))
    except (ConfigError, loop.RunError) as error:
        raise Misuse(str(error)) from error
    if not whole:
        _say(
            FAILED,
            f"stopped; all is saved, continue with: {command()} {parsed.command} --resume {shlex.quote(str(folder))}",
        )
    return folder if whole else None


def _changed(begun: Path, config: str | None, overrides: list[str]) -> Any:
    """The config to continue by, or None for that of the beginning, which the file holds."""
    from reichenbach.training import load, loop

    if config is not None:
        return load.load(find_config(config), overrides)
    if not overrides:
        return None
    if not begun.is_file():
        raise loop.RunError(f"--resume {begun.parent}: there is no {begun.name} in it; the right folder is needed")
    return load.load(begun, overrides)


def _evaluate(parsed: argparse.Namespace) -> int:
    from reichenbach.training import report
    from reichenbach.training.evaluate import evaluate

    try:
        game = games.game(parsed.game)
        seats = pairs(parsed.seats, "a seat and its agent are given as seat=agent")
        options, wanted = _options(game, parsed.option), {"games": parsed.games, "seed": parsed.seed}
        if parsed.engine == "ray":
            from reichenbach.training.distributed import judging

            spread = {"workers": parsed.workers or 2, "address": parsed.address}
            result = judging.evaluate(game, options, seats, **wanted, **spread)
        elif parsed.workers is not None or parsed.address is not None:
            raise Misuse("--workers and --address are for --engine ray")
        else:
            result = evaluate(game, options, seats, **wanted)
    except ValueError as error:
        raise Misuse(str(error)) from error
    print(json.dumps(result) if parsed.json else report.result(result))
    return DONE


def _options(game: Game, given: Sequence[str]) -> dict[str, Any]:
    named = pairs(given, "an option is given as name=value")
    return {name: rule_options.find(game.options, name).read(value) for name, value in named.items()}


def _check(parsed: argparse.Namespace) -> int:
    from reichenbach.training import load
    from reichenbach.training.config import ConfigError

    try:
        load.load(find_config(parsed.config), parsed.overrides)
    except ConfigError as error:
        return _say(MISUSED, str(error))
    print(f"{parsed.config}: nothing is wrong with it")
    return DONE


def _list(parsed: argparse.Namespace) -> int:
    print("games")
    for name in games.GAMES:
        game = games.game(name)
        print(f"  {name}: seats {', '.join(game.seats(game.resolve({})))}")
        for setting, seats in _other_seats(game):
            print(f"    with {setting}: seats {', '.join(seats)}")
        for option in game.options:
            print(f"    --option {option.name}={option.write(option.default)}  (allowed: {option.allowed})")
    print("agents")
    for form, text in agents.describe():
        print(f"  {form}: {text}")
    print("configs")
    for name in sorted(name for name, _ in _configs()):
        print(f"  {name}")
    return DONE


def _other_seats(game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The options that change the seats, each ``name=value`` with the seats that it makes."""
    usual = game.seats(game.resolve({}))
    for option in game.options:
        for value in option.values:
            seats = game.seats(game.resolve({option.name: value}))
            if seats != usual:
                yield f"{option.name}={option.write(value)}", seats


def find_config(name: str) -> Path:
    """The file of a config: a path, or a name in the package such as ``who_is_moriarty/sherlock/quick``.

    Raises:
        Misuse: there is neither.
    """
    if Path(name).is_file():
        return Path(name)
    packaged = dict(_configs())
    short = name.removeprefix("configs/").removesuffix(".yaml")
    if short not in packaged:
        raise Misuse(f"config {name}: there is no such file; configs that come along: {', '.join(sorted(packaged))}")
    return packaged[short]


def _configs() -> Iterator[tuple[str, Path]]:
    root = Path(str(resources.files("reichenbach.configs")))
    for file in root.rglob("*.yaml"):
        yield file.relative_to(root).with_suffix("").as_posix(), file


def _say(code: int, message: str) -> int:
    for line in message.splitlines():
        print(f"reichenbach: {line}", file=sys.stderr)
    return code


COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "train": _train,
    "sweep": _sweep,
    "evaluate": _evaluate,
    "check": _check,
    "list": _list,
}

if __name__ == "__main__":
    sys.exit(main())
