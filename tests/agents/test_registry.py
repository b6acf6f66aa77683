from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reichenbach.agents import greedy, registry
from reichenbach.agents.setup import BadAgent
from reichenbach.envs import registry as games
from reichenbach.envs.core.seat import Agent
from tests.agents.owned import First
from tests.agents.test_random import views

GAME = games.game("who_is_moriarty")
OPTIONS = GAME.resolve({})


def make(text: str, seat: str = "sherlock") -> Agent:
    return registry.make(text, game=GAME, options=OPTIONS, seat=seat, seed=1)


@pytest.mark.parametrize("text", ["random", "greedy"])
@pytest.mark.parametrize("seat", ["sherlock", "moriarty"])
def test_known_names(text: str, seat: str) -> None:
    agent = make(text, seat)
    agent.set_state(agent.get_state())
    assert registry.problem(text) is None


@pytest.mark.parametrize("name", greedy.GREEDY)
def test_greedy_for_every_seat_of_its_games(name: str) -> None:
    game = games.game(name)
    options = game.resolve({})
    for seat in game.seats(options):
        agent = registry.make("greedy", game=game, options=options, seat=seat, seed=1)
        agent.set_state(agent.get_state())


@pytest.mark.parametrize("text", ["random", "greedy", "tests.agents.owned:factory"])
def test_a_seat_that_the_game_has_not(text: str) -> None:
    with pytest.raises(BadAgent, match=f"agent {text}: there is no seat 'watson'; there are: sherlock, moriarty"):
        make(text, "watson")


def test_a_users_own() -> None:
    agent = make("tests.agents.owned:factory")
    assert isinstance(agent, First)
    assert agent.act(views([[0, 1, 1]])).dtype == np.int64


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("randm", "agent randm: there is none of that name; did you mean random\\? allowed are random, greedy, policy"),
        ("xyz", "agent xyz: there is none of that name; allowed are random, greedy, policy:FOLDER, module:factory"),
        ("random:3", "random takes nothing after its name"),
        ("greedy:x", "greedy takes nothing after its name"),
        ("policy:", "a folder is needed"),
        ("policy:nowhere", "there is no manifest.json in it"),
        ("policy:nowhere?mode=best", "allowed are mode=argmax, mode=sample"),
        ("no_such_module:f", "no module is called no_such_module"),
        ("tests.agents.owned:missing", "module tests.agents.owned has no function missing"),
        ("tests.agents.owned:NOT_A_FUNCTION", "has no function NOT_A_FUNCTION"),
        (":f", "there is none of that name"),
        (".owned:f", "module .owned cannot be imported: TypeError"),
    ],
)
def test_bad_texts_are_refused_before_and_when_building(text: str, message: str) -> None:
    with pytest.raises(BadAgent, match=message):
        make(text)
    found = registry.problem(text)
    assert found is not None
    with pytest.raises(BadAgent, match=message):
        raise BadAgent(found)


def test_what_is_no_agent_is_refused() -> None:
    with pytest.raises(BadAgent, match="what it returned has no sections"):
        make("tests.agents.owned:no_agent")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(name="torch")

    monkeypatch.setattr("importlib.import_module", missing)
    with pytest.raises(BadAgent, match="torch is missing; it comes with the extra train"):
        make("policy:x")


def test_the_list_names_all_forms() -> None:
    assert [form for form, _ in registry.describe()] == ["random", "greedy", "policy:FOLDER", "module:factory"]


@pytest.mark.parametrize("text", ["os:getcwd", "json:loads", "tests.agents.owned:broken"])
def test_a_factory_that_fails_is_named(text: str) -> None:
    with pytest.raises(BadAgent, match=f"agent {text}: the factory failed: [A-Z][A-Za-z]*Error: "):
        make(text)


def test_a_module_that_fails_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half_written.py").write_text("def make(:\n", encoding="utf-8")
    (tmp_path / "undecodable.py").write_bytes(b"\xff\n")
    monkeypatch.syspath_prepend(tmp_path)
    for module in ("half_written", "undecodable"):
        with pytest.raises(BadAgent, match=f"module {module} cannot be imported: SyntaxError"):
            make(f"{module}:make")
        found = registry.problem(f"{module}:make")
        assert found is not None
        assert "cannot be imported" in found
