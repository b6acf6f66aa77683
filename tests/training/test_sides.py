"""Sides of several seats in configs, training, evaluation and the command line (tests/envs/pennies.py)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reichenbach.envs import registry
from reichenbach.envs.core.face import Face
from reichenbach.training import cli, load, loop, ppo, report
from reichenbach.training.checkpoint import spec_of
from reichenbach.training.config import ConfigError
from reichenbach.training.evaluate import evaluate, judge
from reichenbach.training.league import League, PastSelf
from reichenbach.training.run import Run
from tests.envs.pennies import GAME
from tests.training import runs

TEAMS = """\
game: pennies
seat: a
options: {teams: true}
opponents:
  - {agent: random, weight: 1}
  - {agent: "tests.agents.owned:first", weight: 2}
allies:
  - {agent: "tests.agents.owned:first"}
  - {agent: random, weight: 3}
total_steps: 2_048
network: {hidden: [8]}
ppo: {n_envs: 32, n_steps: 8, batch_size: 64, epochs: 1, learning_rate: 0.01, entropy: 0.01}
snapshots: {every: 2, keep: 2}
evaluation: {every: 700, games: 10, opponents: [random]}
seed: 5
"""


@pytest.fixture(autouse=True)
def _pennies_are_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "pennies", "tests.envs.pennies:GAME")


# ---------------------------------------------------------------- configs


def problems(tmp_path: Path, text: str, *overrides: str) -> dict[str, str]:
    with pytest.raises(ConfigError) as error:
        load.load(runs.write(tmp_path, text), overrides)
    return {f"{p.where.rpartition(':')[2]} {p.key}".strip(): p.message for p in error.value.problems}


def test_the_seats_are_those_under_the_configs_options(tmp_path: Path) -> None:
    text = TEAMS.replace("{teams: true}", "{teams: true, long_names: true}")
    assert problems(tmp_path, text)["2 seat"] == "there is no seat 'a'; allowed are anna, bella, cora, both"
    assert load.load(runs.write(tmp_path, text), ["seat=cora"]).seat == "cora"
    assert load.load(runs.write(tmp_path, text), ["seat=both"]).seat == "both"


def test_options_are_judged_together(tmp_path: Path) -> None:
    Face.of(GAME, {"rounds_to_play": 1})
    Face.of(GAME, {"teams": True})
    text = TEAMS.replace("{teams: true}", "\n  teams: true\n  rounds_to_play: 1")
    found = problems(tmp_path, text)
    assert found == {"5 options.rounds_to_play": "1 is not allowed with teams: seat a is out in it; allowed are 2 to 4"}
    found = problems(tmp_path, text.replace("rounds_to_play: 1", "rounds_to_play: 9"))
    assert found == {"5 options.rounds_to_play": "9 is not allowed; allowed are 1 to 4"}


def test_allies_are_for_sides_of_several(tmp_path: Path) -> None:
    found = problems(tmp_path, TEAMS.replace("{teams: true}", "{}"))
    assert found == {"7 allies": "seat a is alone on its side under these options; leave allies out"}
    found = problems(tmp_path, TEAMS, "seat=b")
    assert found == {"7 allies": "seat b is alone on its side under these options; leave allies out"}
    found = problems(tmp_path, TEAMS, "seat=both", "options={}")
    assert found == {"7 allies": "every seat is alone on its side under these options; leave allies out"}
    without = TEAMS.replace(TEAMS[TEAMS.index("allies:") : TEAMS.index("total_steps")], "")
    assert load.load(runs.write(tmp_path, without), ["options={}"]).allies is None
    assert [entry.agent for entry in load.load(runs.write(tmp_path, without)).ally_mixture] == ["greedy"]


def test_allies_are_agents(tmp_path: Path) -> None:
    found = problems(tmp_path, TEAMS, "allies=[{agent: randm}, {agent: self}, {agent: random, weight: 0}]")
    assert "did you mean random?" in found["command line allies[0].agent"]
    assert "it needs seat: both" in found["command line allies[1].agent"]
    assert found["command line allies[2].weight"] == "0 is not allowed; it must be greater than 0"


def test_options_are_kept_as_the_game_reads_them(tmp_path: Path) -> None:
    """A text that names a set, or a file, is replaced by what it stands for: a run does not change with the file."""
    text = "game: who_is_moriarty\nseat: sherlock\noptions: {crossroads: 'I,A', observe_after: true}\n"
    config = load.load(runs.write(tmp_path, text))
    assert config.options == {"crossroads": ["A", "I"], "observe_after": True}
    assert load.load(runs.write(tmp_path, load.text(config))) == config


# ---------------------------------------------------------------- who plays whom


def league(tmp_path: Path, *overrides: str) -> League:
    config = load.load(runs.write(tmp_path, TEAMS), overrides)
    face = Face.of(GAME, config.options)
    return League(config, face, spec_of(config, face))


@pytest.mark.parametrize(
    ("seat", "opponents", "allies"),
    [("a", ["b"], ["c"]), ("c", ["b"], ["a"]), ("both", ["a", "b", "c"], ["a", "c"])],
)
def test_opponents_sit_across_and_allies_beside(
    tmp_path: Path, seat: str, opponents: list[str], allies: list[str]
) -> None:
    found = league(tmp_path, f"seat={seat}")
    assert list(found.opponents) == opponents
    assert list(found.allies) == allies
    assert [weight for _, weight in found.opponents["b"]] == [1, 2]
    assert [weight for _, weight in found.allies[allies[0]]] == [1, 3]
    assert len(found.agents) == 2 * (len(opponents) + len(allies))


def test_in_every_game_of_a_learner_of_all_seats_too(tmp_path: Path) -> None:
    overrides = ["seat=both", "opponents=[{agent: random}]", "allies=[{agent: 'tests.agents.owned:first'}]"]
    run = Run(load.load(runs.write(tmp_path, TEAMS), overrides))
    assert np.bincount(run.lockstep.seat).tolist() == [11, 11, 10]
    players = run.lockstep.players
    for row, caller in enumerate(run.lockstep.seat):
        kinds = [
            None if number < 0 else type(players.agents[seat][number]).__name__
            for seat, number in zip("abc", players.assigned[row], strict=True)
        ]
        expected: list[str | None] = ["Random", "Random", "Random"]
        expected[caller] = None
        if caller != 1:
            expected[2 - caller] = "First"
        assert kinds == expected


def test_past_selves_may_be_allies(tmp_path: Path) -> None:
    found = league(tmp_path, "seat=both", "allies=[{agent: self}]", "opponents=[{agent: self}]")
    assert all(isinstance(agent, PastSelf) for agent in found.agents)
    assert len({json.dumps(agent.get_state()) for agent in found.agents}) == len(found.agents)


# ---------------------------------------------------------------- runs


@pytest.mark.parametrize("overrides", [(), ("seat=both", "allies=[{agent: self}, {agent: random}]")])
def test_runs_with_allies_are_resumed_exactly(tmp_path: Path, overrides: tuple[str, ...]) -> None:
    file = runs.write(tmp_path, TEAMS)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert ppo.begin(load.load(file, [*overrides, f"output={whole}"]))
    assert ppo.begin(load.load(file, [*overrides, f"output={broken}", "total_steps=1024"]))
    assert ppo.go_on(broken, load.load(broken / "config.yaml", ["total_steps=2048"]))
    for name in ("policy.safetensors", "resume/state.games.npy", "resume/snapshots.safetensors"):
        assert (whole / "latest" / name).read_bytes() == (broken / "latest" / name).read_bytes()
    data = json.loads((whole / "latest/manifest.json").read_text(encoding="utf-8"))
    assert [entry["seat"] for entry in data["evaluation"]] == (["a", "b", "c"] if overrides else ["a"])


def test_the_first_ally_stands_beside_the_learner_when_it_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[dict[str, str]] = []

    def watched(game: Any, options: Any, agents: Any, names: Any, **others: Any) -> Any:
        seen.append({seat: type(agent).__name__ for seat, agent in agents.items()})
        return judge(game, options, agents, names, **others)

    monkeypatch.setattr(loop, "judge", watched)
    arguments = [f"output={tmp_path / 'run'}", "total_steps=256"]
    assert ppo.begin(load.load(runs.write(tmp_path, TEAMS), arguments))
    assert seen == [{"a": "Policy", "b": "Random", "c": "First"}]
    seen.clear()
    arguments = [f"output={tmp_path / 'other'}", "total_steps=256", "seat=both", "allies=[{agent: self}]"]
    assert ppo.begin(load.load(runs.write(tmp_path, TEAMS), arguments))
    assert seen == [
        {"a": "Policy", "b": "Random", "c": "Policy"},
        {"a": "Random", "b": "Policy", "c": "Random"},
        {"a": "Policy", "b": "Random", "c": "Policy"},
    ]


# ---------------------------------------------------------------- evaluation


def test_wins_are_counted_by_side_and_broken_down() -> None:
    found: Any = evaluate(GAME, {"teams": True}, {"ends": "random", "middle": "random"}, games=301, seed=4)
    sides = found["sides"]
    assert list(sides) == ["ends", "middle"]
    assert sides["ends"]["wins"] + sides["middle"]["wins"] + found["draws"] == 301
    assert found["endings"]["won_by_ends"] == sides["ends"]["wins"] > 0
    for seat, side in (("a", "ends"), ("b", "middle"), ("c", "ends")):
        assert {key: found["seats"][seat][key] for key in sides[side]} == sides[side]
        assert found["seats"][seat]["agent"] == "random"
    assert list(found["by"]) == ["penny", "luck", "order"]
    assert {value: group["games"] for value, group in found["by"]["penny"].items()} == {"0": 151, "1": 150}
    for groups in found["by"].values():
        assert sum(group["games"] for group in groups.values()) == 301
        assert sum(group["draws"] for group in groups.values()) == found["draws"]
        for side in sides:
            assert sum(group["wins"][side] for group in groups.values()) == sides[side]["wins"]
    assert json.loads(json.dumps(found)) == found
    text = report.result(found)
    assert "\nside    wins  win rate  95 % interval\n" in text
    assert "\npenny  games" in text
    assert "\na before c  " in text


def test_numbers_are_in_their_order() -> None:
    found: Any = evaluate(GAME, {}, dict.fromkeys("abc", "random"), games=60, seed=1)
    values = [int(value) for value in found["by"]["luck"]]
    assert values == sorted(values)


def test_seats_of_their_own_are_no_sides() -> None:
    found: Any = evaluate(GAME, {}, dict.fromkeys("abc", "random"), games=20, seed=4)
    assert "sides" not in found
    assert set(found["by"]["penny"]["0"]["wins"]) == {"a", "b", "c"}
    game = registry.game("who_is_moriarty")
    found = evaluate(game, {}, {"sherlock": "random", "moriarty": "random"}, games=20, seed=4)
    assert "by" not in found


def test_a_sides_name_stands_for_its_seats(capsys: pytest.CaptureFixture[str]) -> None:
    def run(*seats: str) -> int:
        return cli.main(["evaluate", "pennies", *seats, "--option", "teams=true", "--games", "30", "--json"])

    def said() -> str:
        return capsys.readouterr().err

    assert run("ends=random", "middle=random") == 0
    by_side = json.loads(capsys.readouterr().out)
    assert run("a=random", "b=random", "c=random") == 0
    assert json.loads(capsys.readouterr().out)["seats"] == by_side["seats"]
    assert run("ends=random", "c=tests.agents.owned:first", "middle=random") == 0
    found = json.loads(capsys.readouterr().out)["seats"]
    assert [seat["agent"] for seat in found.values()] == ["random", "random", "tests.agents.owned:first"]
    assert run("ends=random") == 2
    assert (
        "seat b has none; one agent for each seat is needed: a, b, c; given: ends; "
        "a side stands for its seats: ends for a, c; middle for b" in said()
    )
    assert run("ends=random", "middle=random", "end=random") == 2
    assert "there is no seat 'end'; one agent for each seat is needed: a, b, c; given: ends, middle, end; " in said()
    assert run("ends=random", "a=random", "b=random", "c=random") == 2
    assert "ends stands for no seat, for each of its seats is named; one agent for each seat is needed: " in said()


def test_the_list_names_the_seats_of_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["list"]) == 0
    shown = capsys.readouterr().out
    assert "\n  pennies: seats a, b, c\n    with long_names=true: seats anna, bella, cora\n" in shown
    assert "  who_is_moriarty: seats sherlock, moriarty\n    --option" in shown
