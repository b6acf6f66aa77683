"""What the command line takes: the commands, their options, and how their texts are read."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import reichenbach
from reichenbach.envs.core.digits import MOST_DIGITS, whole

MOST_GAMES = 10_000_000  # their results are held in memory
MOST_WORKERS = 10_000

EXAMPLES: dict[str, Any] = {
    "epilog": """examples:
  reichenbach list
  reichenbach check configs/who_is_moriarty/sherlock/quick.yaml
  reichenbach train configs/who_is_moriarty/sherlock/quick.yaml ppo.learning_rate=1e-4 output=runs/mine
  reichenbach train --resume runs/mine
  reichenbach sweep who_is_moriarty/moriarty/sweep sweep.trials=10 output=runs/sweep
  reichenbach evaluate who_is_moriarty sherlock=policy:runs/mine moriarty=greedy --games 20000 --seed 1
  reichenbach evaluate who_is_moriarty sherlock=greedy moriarty=random --games 1000 --json --option max_rounds=6
""",
    "formatter_class": argparse.RawDescriptionHelpFormatter,
}


class Misuse(ValueError):
    """A command that cannot be understood."""


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What was asked for. Overrides may also stand behind an option, where argparse does not look for them."""
    top = parser()
    parsed, rest = top.parse_known_args(arguments)
    if rest and (not hasattr(parsed, "overrides") or any(word.startswith("-") for word in rest)):
        top.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        parsed.overrides = [*parsed.overrides, *rest]
    return parsed


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    top = argparse.ArgumentParser("reichenbach", description="Train and judge agents.", **EXAMPLES)
    top.add_argument("--version", action="version", version=f"reichenbach {reichenbach.__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND", dest="command")
    train = commands.add_parser("train", help="train a policy", **EXAMPLES)
    _run(train, "continue the run in this folder; only total_steps, ray and trackers may change")
    sweep = commands.add_parser("sweep", help="train by many settings and find the best", **EXAMPLES)
    _run(sweep, "continue the sweep in this folder; only sweep.trials, ray and trackers may change")
    _evaluate(commands.add_parser("evaluate", help="let agents play", **EXAMPLES))
    check = commands.add_parser("check", help="say all that is wrong with a config")
    check.add_argument("config", metavar="CONFIG")
    check.add_argument("overrides", nargs="*", default=[], metavar="KEY=VALUE")
    commands.add_parser("list", help="games, agents and configs")
    return top


def _run(command: argparse.ArgumentParser, resume: str) -> None:
    """What is begun by a config, or continued in its folder."""
    command.add_argument("config", nargs="?", metavar="CONFIG", help="a YAML file, or a name that `list` shows")
    command.add_argument("overrides", nargs="*", default=[], metavar="KEY=VALUE", help="as ppo.learning_rate=1e-4")
    command.add_argument("--resume", metavar="DIR", help=resume)
    command.add_argument("--engine", choices=("local", "ray"), help="this process, or RLlib on Ray (default local)")


def _evaluate(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="GAME")
    command.add_argument(
        "seats", nargs="*", default=[], metavar="SEAT=AGENT", help="one for each seat, or side, as sherlock=greedy"
    )
    command.add_argument("--games", type=_count, default=1000, metavar="N", help="how many games (default 1000)")
    command.add_argument("--seed", type=_seed, default=0, metavar="S", help="settles everything (default 0)")
    command.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the rules")
    command.add_argument("--engine", choices=("local", "ray"), default="local", help="this process, or several on Ray")
    command.add_argument("--workers", type=_workers, metavar="N", help="processes on Ray (default 2)")
    command.add_argument("--address", metavar="A", help="of a Ray cluster; one on this machine unless given")
    command.add_argument("--json", action="store_true", help="print the result as JSON")


def pairs(texts: Sequence[str], how: str) -> dict[str, str]:
    """Values by name of texts ``name=value``.

    Raises:
        Misuse: a text is none, which ``how`` explains, or a name is given twice.
    """
    found: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise Misuse(f"{text}: {how}")
        if name in found:
            raise Misuse(f"{text}: {name} is given twice, first as {found[name]}")
        found[name] = value
    return found


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
