"""The command line: ``reichenbach train | evaluate | check | list``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import reichenbach
from reichenbach.agents import registry as agents
from reichenbach.agents.setup import BadAgent
from reichenbach.envs import registry as games
from reichenbach.envs.core import options as rule_options
from reichenbach.envs.core.digits import MOST_DIGITS, whole
from reichenbach.envs.core.errors import BadOption, IllegalAction
from reichenbach.envs.core.game import Game
from reichenbach.training.command import command

DONE, FAILED, MISUSED = 0, 1, 2
MOST_GAMES = 10_000_000  # their results are held in memory
MOST_WORKERS = 10_000
EXTRA = {  # what comes with which extra
    **dict.fromkeys(("torch", "safetensors", "stable_baselines3", "sb3_contrib", "pydantic", "tensorboard"), "train"),
    "ray": "distributed",
}

EXAMPLES = """examples:
  reichenbach list
  reichenbach check configs/who_is_moriarty/sherlock/quick.yaml
  reichenbach train configs/who_is_moriarty/sherlock/quick.yaml ppo.learning_rate=1e-4 output=runs/mine
  reichenbach train --resume runs/mine
  reichenbach evaluate who_is_moriarty sherlock=policy:runs/mine moriarty=greedy --games 20000 --seed 1
  reichenbach evaluate who_is_moriarty sherlock=greedy moriarty=random --games 1000 --json --option max_rounds=6
"""


class Misuse(ValueError):
    """A command that cannot be understood."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; the exit code: 0 done, 1 failed or stopped early, 2 a mistake in what was asked."""
    # Small batches: several threads of one process get in each other's way, and in that of other processes.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # for agents that the user wrote: module:factory
    parsed = _parse(arguments)
    command: Callable[[argparse.Namespace], int] = parsed.command
    try:
        code = command(parsed)
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
        return _say(MISUSED, f"{error.name} is missing; it comes with: pip install 'reichenbach[{extra}]'")
    except OSError as error:
        return _say(FAILED, str(error))
    except KeyboardInterrupt:
        return _say(FAILED, "stopped")


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Overrides may also stand behind an option, where argparse does not look for them."""
    whole = parser()
    parsed, rest = whole.parse_known_args(arguments)
    if rest and (not hasattr(parsed, "overrides") or any(word.startswith("-") for word in rest)):
        whole.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        parsed.overrides = [*parsed.overrides, *rest]
    return parsed


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    form = argparse.RawDescriptionHelpFormatter
    whole = argparse.ArgumentParser(
        "reichenbach", description="Train and judge agents.", epilog=EXAMPLES, formatter_class=form
    )
    whole.add_argument("--version", action="version", version=f"reichenbach {reichenbach.__version__}")
    commands = whole.add_subparsers(required=True, metavar="COMMAND")

    train = commands.add_parser("train", help="train a policy", epilog=EXAMPLES, formatter_class=form)
    train.add_argument("config", nargs="?", metavar="CONFIG", help="a YAML file, or a name that `list` shows")
    train.add_argument("overrides", nargs="*", default=[], metavar="KEY=VALUE", help="as ppo.learning_rate=1e-4")
    train.add_argument(
        "--resume", metavar="DIR", help="continue the run in this folder; only total_steps and ray may change"
    )
    train.add_argument("--engine", choices=("local", "ray"), help="this process, or RLlib on Ray (default local)")
    train.set_defaults(command=_train)

    evaluate = commands.add_parser("evaluate", help="let agents play", epilog=EXAMPLES, formatter_class=form)
    evaluate.add_argument("game", metavar="GAME")
    evaluate.add_argument(
        "seats", nargs="*", default=[], metavar="SEAT=AGENT", help="one for each seat, or side, as sherlock=greedy"
    )
    evaluate.add_argument("--games", type=_count, default=1000, metavar="N", help="how many games (default 1000)")
    evaluate.add_argument("--seed", type=_seed, default=0, metavar="S", help="settles everything (default 0)")
    evaluate.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the rules")
    evaluate.add_argument("--engine", choices=("local", "ray"), default="local", help="this process, or several on Ray")
    evaluate.add_argument("--workers", type=_workers, metavar="N", help="processes on Ray (default 2)")
    evaluate.add_argument("--address", metavar="A", help="of a Ray cluster; one on this machine unless given")
    evaluate.add_argument("--json", action="store_true", help="print the result as JSON")
    evaluate.set_defaults(command=_evaluate)

    check = commands.add_parser("check", help="say all that is wrong with a config")
    check.add_argument("config", metavar="CONFIG")
    check.add_argument("overrides", nargs="*", default=[], metavar="KEY=VALUE")
    check.set_defaults(command=_check)

    commands.add_parser("list", help="games, agents and configs").set_defaults(command=_list)
    return whole


def _train(parsed: argparse.Namespace) -> int:
    from reichenbach.training import engines, load, loop, ppo
    from reichenbach.training.config import ConfigError

    # `train --resume DIR total_steps=...` has no config: its first word is an override.
    config, overrides = parsed.config, list(parsed.overrides)
    if config is not None and "=" in config:
        config, overrides = None, [config, *overrides]
    try:
        if parsed.resume is None:
            if config is None:
                raise Misuse("train: a config is needed, or --resume DIR")
            settings = load.load(find_config(config), overrides)
            folder = Path(settings.output)
            whole = ppo.begin(settings, engine=engines.find(parsed.engine or engines.LOCAL.name))
        elif parsed.engine is not None:
            raise Misuse("--engine: a run goes on by the engine that began it; leave it out")
        else:
            folder, whole = Path(parsed.resume), _resume(Path(parsed.resume), config, overrides)
    except (ConfigError, loop.RunError) as error:
        return _say(MISUSED, str(error))
    if not whole:
        return _say(FAILED, f"stopped; all is saved, continue with: {command()} train --resume {folder}")
    print(f"the best policy is policy:{folder} (in {folder / loop.BEST})")
    return DONE


def _resume(folder: Path, config: str | None, overrides: list[str]) -> bool:
    from reichenbach.training import load, loop, ppo

    if config is None and overrides:
        resolved = folder / ppo.CONFIG
        if not resolved.is_file():
            raise loop.RunError(f"--resume {folder}: there is no {ppo.CONFIG} in it; the folder of a run is needed")
        return ppo.go_on(folder, load.load(resolved, overrides))
    return ppo.go_on(folder, None if config is None else load.load(find_config(config), overrides))


def _evaluate(parsed: argparse.Namespace) -> int:
    from reichenbach.training import report
    from reichenbach.training.evaluate import evaluate

    try:
        game = games.game(parsed.game)
        seats = _pairs(parsed.seats, "a seat and its agent are given as seat=agent")
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
    pairs = _pairs(given, "an option is given as name=value")
    return {name: rule_options.find(game.options, name).read(value) for name, value in pairs.items()}


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


def _pairs(texts: Sequence[str], how: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise Misuse(f"{text}: {how}")
        if name in pairs:
            raise Misuse(f"{text}: {name} is given twice, first as {pairs[name]}")
        pairs[name] = value
    return pairs


def _count(text: str) -> int:
    games = whole(text)
    if games is None or not 1 <= games <= MOST_GAMES:
        raise argparse.ArgumentTypeError(f"{_short(text)} is not allowed; at least 1 is needed, at most {MOST_GAMES}")
    return games


def _workers(text: str) -> int:
    workers = whole(text)
    if workers is None or not 1 <= workers <= MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"{_short(text)} is not allowed; 1 to {MOST_WORKERS} are")
    return workers


def _seed(text: str) -> int:
    seed = whole(text)
    if seed is None:
        allowed = f"a whole number from 0 on, of at most {MOST_DIGITS} digits, is needed"
        raise argparse.ArgumentTypeError(f"{_short(text)} is not allowed; {allowed}")
    return seed


def _short(text: str) -> str:
    """A text as an error shows it: thousands of digits say no more than their first."""
    return repr(text if len(text) <= 40 else f"{text[:20]}...")


def _say(code: int, message: str) -> int:
    for line in message.splitlines():
        print(f"reichenbach: {line}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
