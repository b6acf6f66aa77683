"""Learning from an agent before learning from play."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from reichenbach.agents.network import Network, masked
from reichenbach.agents.setup import BadAgent
from reichenbach.envs.core.errors import IllegalAction
from reichenbach.envs.core.players import look
from reichenbach.envs.core.seat import Views
from reichenbach.envs.who_is_moriarty.layout import BASE_LAYOUT
from reichenbach.training import imitation, load, ppo
from reichenbach.training.config import ConfigError
from reichenbach.training.imitation import Shown, Teacher
from reichenbach.training.log import Log
from reichenbach.training.run import LOGGED, Run
from tests.training import runs

OWNED = "tests.training.test_imitation"
STEPS = 1_500  # in iterations of 256: six of them
TEXT = f"{runs.YAML}imitation: {{agent: greedy, steps: {STEPS}, epochs: 2, batch_size: 64, learning_rate: 0.003}}\n"
ALIKE = ("policy.safetensors", *(f"resume/{name}.safetensors" for name in ("optimiser", "snapshots")))
ARRAYS = ("resume/state.games.npy", "resume/state.last_observation.npy", "resume/state.torch.npy")
TIMES = ("steps_per_second", "collect_share", "environment_share")


class Counts:
    """Plays by how many moves it has made in the game, and notes what it was shown."""

    def __init__(self, seat: str, seed: int) -> None:
        self.sections, self.seat, self.seed = 0, seat, seed
        self.moves: NDArray[np.int64] = np.zeros(64, np.int64)
        self.shown: list[Views] = []

    def act(self, views: Views) -> NDArray[np.int64]:
        self.shown.append(views)
        self.moves[views.game] = np.where(views.first, 0, self.moves[views.game] + 1)
        wanted = 1 + self.moves[views.game] % views.action_mask.sum(axis=1)
        nth: NDArray[np.int64] = np.argmax(np.cumsum(views.action_mask, axis=1) == wanted[:, None], axis=1)
        return nth

    def get_state(self) -> dict[str, Any]:
        return {"moves": self.moves.tolist()}

    def set_state(self, state: dict[str, Any]) -> None:
        self.moves[:] = state["moves"]


class Answers(Counts):
    """Gives one answer, whatever it is shown."""

    answer: Any = None

    def act(self, views: Views) -> NDArray[np.int64]:
        answer: NDArray[np.int64] = self.answer(len(views.game))
        return answer


def counts(*, seat: str, seed: int, **_: object) -> Counts:
    return Counts(seat, seed)


def answers(*, seat: str, seed: int, **_: object) -> Answers:
    return Answers(seat, seed)


def all_sections(*, seat: str, seed: int, **_: object) -> Counts:
    agent = Counts(seat, seed)
    agent.sections = 4
    return agent


def built(tmp_path: Path, *overrides: str) -> Run:
    return Run(load.load(runs.write(tmp_path, TEXT), overrides))


def teacher_of(run: Run) -> Teacher:
    assert run.teacher is not None
    return run.teacher


def collected(run: Run) -> Shown:
    return imitation.collect(run.model, run.network, run.env, teacher_of(run))


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


# ---------------------------------------------------------------- what is learnt


def likeness(network: Network, shown: Shown) -> tuple[float, float]:
    """Cross-entropy against the teacher's actions, and how often the likeliest action is his."""
    count = shown.actions.size
    actions = torch.from_numpy(shown.actions.reshape(count, 1))
    with torch.no_grad():
        logits, _ = network(torch.from_numpy(shown.observations.reshape(count, -1)))
    chances = masked(logits, torch.from_numpy(shown.masks.reshape(count, -1)))
    agrees = chances.argmax(1, keepdim=True) == actions
    return -chances.gather(1, actions).mean().item(), agrees.float().mean().item()


@pytest.mark.parametrize(("seat", "nearer", "more"), [("sherlock", 0.3, 0.08), ("moriarty", 1.0, 0.4)])
def test_the_teachers_actions_become_likelier(tmp_path: Path, seat: str, nearer: float, more: float) -> None:
    """On moves of games that the learner has not seen. Greedy draws lots as Sherlock: few can agree with it often."""
    overrides = [f"seat={seat}", "opponents=[{agent: random}]", "imitation.epochs=6"]
    unseen = collected(built(tmp_path, *overrides, "seed=9", "imitation.own=0.0"))
    run = built(tmp_path, *overrides)
    before, agreed = likeness(run.network, unseen)
    for _ in range(6):
        logged = run.iterate()
        assert math.isfinite(logged["imitation_loss"])
        assert math.isfinite(logged["value_loss"])
    after, agrees = likeness(run.network, unseen)
    assert after < before - nearer
    assert agrees > agreed + more


def test_values_come_nearer_to_what_moves_came_to(tmp_path: Path) -> None:
    run = built(tmp_path)
    shown, wanted = collected(run), teacher_of(run).wanted
    logged = [imitation.learn(run.model, run.network, shown, wanted, 0.003) for _ in range(8)]
    assert logged[-1]["value_loss"] < logged[0]["value_loss"]
    assert logged[-1]["imitation_loss"] < logged[0]["imitation_loss"]


@pytest.mark.parametrize(
    ("gamma", "expected"),
    [
        (1.0, [[2, 0.5, 1], [2, -1, 0], [8, -1, 0], [8, -1, -1]]),
        (0.5, [[1, 0.5, 1], [2, -0.125, 0], [2, -0.25, 0], [4, -0.5, -1]]),
        (0.0, [[0, 0.5, 1], [2, 0, 0], [0, 0, 0], [0, 0, -1]]),
    ],
)
def test_returns(gamma: float, expected: list[list[float]]) -> None:
    """Rewards to the end of each game, discounted; the value of the last position stands for a game that goes on."""
    shown = Shown(steps=4, games=3, size=1, actions=1)
    shown.rewards[:] = [[0.0, 0.5, 1.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, -1.0]]
    shown.done[:] = [[False, True, True], [True, False, True], [False, False, True], [False, False, True]]
    returns = shown.returns(np.array([8, -1, 5], np.float32), gamma)
    assert returns.dtype == np.float32
    assert returns.tolist() == expected


# ---------------------------------------------------------------- who is asked, and who plays


def test_every_seat_that_is_learnt_has_a_teacher(tmp_path: Path) -> None:
    run = built(tmp_path, f"imitation.agent={OWNED}:counts")
    agents: Any = teacher_of(run).agents
    assert [agent.seat for agent in agents] == ["sherlock", "moriarty"]
    assert agents[0].seed != agents[1].seed
    collected(run)
    for seat, agent in enumerate(agents):
        for views in agent.shown:
            assert views.seat == seat
            assert views.game.tolist() == np.flatnonzero(run.lockstep.seat == seat).tolist()
    alone = built(tmp_path, f"imitation.agent={OWNED}:counts", "seat=moriarty", "opponents=[{agent: random}]")
    assert [agent.seat for agent in teacher_of(alone).agents if isinstance(agent, Counts)] == ["moriarty"]


def test_the_teacher_is_told_when_a_game_begins(tmp_path: Path) -> None:
    """The seat that starts is first asked at pick 1 of round 1, the other at pick 2; and in both phases' first step."""
    run = built(tmp_path, f"imitation.agent={OWNED}:counts")
    for _ in range(6):
        run.iterate()
    agents: Any = teacher_of(run).agents
    begun = 0
    for agent in agents:
        assert len(agent.shown) == 6 * 8
        for views in agent.shown:
            rounds, picks = (views.observation[:, BASE_LAYOUT.slice(name)] for name in ("round", "pick"))
            assert views.first.tolist() == ((rounds[:, 0] == 1) & (picks[:, :2].sum(axis=1) == 1)).tolist()
            begun += int(views.first.sum())
    assert begun > 32


@pytest.mark.parametrize("seen", ["{observe_after: true}", "{observe_belief: true, observe_after: true}"])
def test_the_teacher_sees_what_agents_of_its_kind_see(tmp_path: Path, seen: str) -> None:
    """Sections that it does not ask for are left out, even where the learner has them."""
    run = built(tmp_path, f"imitation.agent={OWNED}:counts", f"options={seen}")
    games = run.lockstep
    agents: Any = teacher_of(run).agents
    for sections in range(4):
        for agent in agents:
            agent.sections = sections
            agent.shown.clear()
        teacher_of(run).act(games, np.ones(32, np.bool_))
        for seat, agent in enumerate(agents):
            at = np.flatnonzero(games.seat == seat)
            wanted = look(games.game, games.states, games.tables, at, seat, sections, np.ones(16, np.bool_))
            (found,) = agent.shown
            assert found.observation.tobytes() == wanted.observation.tobytes()
            assert found.action_mask.tobytes() == wanted.action_mask.tobytes()
            assert found.observation.base is not games.observation


@pytest.mark.parametrize(("own", "number"), [(0.0, 0), (0.29, 9), (0.5, 16), (1.0, 32)])
def test_the_learner_plays_its_part_of_the_games(
    tmp_path: Path, own: float, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = built(tmp_path, f"imitation.own={own}")
    played: list[NDArray[np.int64]] = []
    step = run.env.step

    def watched(actions: NDArray[np.int64]) -> Any:
        played.append(actions.copy())
        return step(actions)

    monkeypatch.setattr(run.env, "step", watched)
    shown = collected(run)
    found = np.array(played)
    assert (found[:, number:] == shown.actions[:, number:]).all()
    assert number == 0 or (found[:, :number] != shown.actions[:, :number]).mean() > 0.3
    steps, games = np.indices(found.shape)
    assert shown.masks[steps, games, found].all()
    assert shown.masks[steps, games, shown.actions].all()


# ---------------------------------------------------------------- a run with both phases


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing interrupts."""
    folder = tmp_path_factory.mktemp("whole")
    assert ppo.begin(load.load(runs.write(folder, TEXT), [f"output={folder / 'run'}"]))
    return folder / "run"


def test_play_follows_the_imitation(whole: Path) -> None:
    """Steps are counted on, in whole iterations, and every row of the table has every column."""
    found = [{name: float(value) for name, value in row.items()} for row in rows(whole / "progress.csv")]
    assert [row["steps"] for row in found] == [256 * (i + 1) for i in range(16)]
    both = {"learning_rate", "value_loss"}
    for i, row in enumerate(found):
        imitated = i < 6
        for name in ("imitation_loss", *LOGGED):
            assert math.isfinite(row[name]) == (name in both or (name == "imitation_loss") == imitated), (i, name)
        assert row["learning_rate"] == pytest.approx(0.003 if imitated else 0.01 - 0.009 * i / 16, rel=1e-5)
        assert 0 < row["environment_share"] < row["collect_share"] < 1
    assert found[5]["imitation_loss"] < found[0]["imitation_loss"]


def test_the_columns_are_those_of_both_phases(tmp_path: Path, whole: Path) -> None:
    assert ppo.begin(load.load(runs.write(tmp_path), [f"output={tmp_path / 'run'}", "total_steps=256"]))
    alone = list(rows(tmp_path / "run" / "progress.csv")[0])
    assert set(rows(whole / "progress.csv")[0]) == {*alone, "imitation_loss"}


def test_imitation_may_be_all_of_a_run(tmp_path: Path, whole: Path) -> None:
    """A total that is no larger leaves nothing for play; with a larger one it goes on as if it had always been that."""
    folder = tmp_path / "run"
    assert ppo.begin(load.load(runs.write(tmp_path, TEXT), [f"output={folder}", "total_steps=768"]))
    assert [math.isfinite(float(row["imitation_loss"])) for row in rows(folder / "progress.csv")] == [True] * 3
    assert ppo.go_on(folder, load.load(folder / "config.yaml", ["total_steps=4096"]))
    same(whole, folder)


def same(one: Path, other: Path) -> None:
    for name in (*ALIKE, *ARRAYS):
        assert (one / "latest" / name).read_bytes() == (other / "latest" / name).read_bytes(), name
    tables = [
        [{name: text for name, text in row.items() if name not in TIMES} for row in rows(run / "progress.csv")]
        for run in (one, other)
    ]
    assert tables[0] == tables[1]


class Crash(Exception):
    """What ends a run in a test."""


@pytest.mark.parametrize(("agent", "last"), [("greedy", 4), ("greedy", 8), ("greedy", 11), (f"{OWNED}:counts", 4)])
def test_a_run_that_crashed_is_continued_exactly(
    tmp_path: Path, whole: Path, agent: str, last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a checkpoint within the imitation, from the one at its end, and from one after it."""
    file, change = runs.write(tmp_path, TEXT), [f"imitation.agent={agent}"]
    if agent != "greedy":
        whole = tmp_path / "whole"
        assert ppo.begin(load.load(file, [*change, f"output={whole}"]))
    iteration = Log.iteration

    def crashing(log: Log, steps: int, values: Any) -> None:
        iteration(log, steps, values)
        if steps == 256 * last:
            raise Crash

    monkeypatch.setattr(Log, "iteration", crashing)
    with pytest.raises(Crash):
        ppo.begin(load.load(file, [*change, f"output={tmp_path / 'run'}"]))
    monkeypatch.undo()
    np.random.seed(99)  # noqa: NPY002  the learner's generators, left as another process has them
    torch.manual_seed(99)
    assert ppo.go_on(tmp_path / "run", None)
    same(whole, tmp_path / "run")


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("given", "key", "message"),
    [
        ("agent: greedi", "agent", "agent greedi: there is none of that name; did you mean greedy? allowed are"),
        ("agent: self", "agent", "self is the learner, which cannot imitate itself; name another agent"),
        ("agent: policy:nowhere", "agent", "policy nowhere: there is no manifest.json in it"),
        ("agent: greedy:3", "agent", "agent greedy:3: greedy takes nothing after its name"),
        ("agent: ''", "agent", "'' is not allowed; it must have at least 1 character"),
        ("agent: 3", "agent", "3 is not allowed; it must be a valid string"),
        ("steps: 0", "steps", "0 is not allowed; it must be greater than 0"),
        ("epochs: 0", "epochs", "0 is not allowed; it must be greater than 0"),
        ("own: 1.5", "own", "1.5 is not allowed; it must be less than or equal to 1"),
        ("learning_rate: 0.0", "learning_rate", "0.0 is not allowed; it must be greater than 0"),
        ("teacher: greedy", "teacher", "there is no such key; allowed are agent, batch_size, epochs, learning_rate"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path: Path, given: str, key: str, message: str) -> None:
    text = f"{runs.YAML}imitation:\n  {given}\n"
    with pytest.raises(ConfigError) as error:
        load.load(runs.write(tmp_path, text))
    (problem,) = error.value.problems
    line = text.count("\n")
    assert str(problem).startswith(f"{tmp_path / 'config_of_test.yaml'}:{line}: imitation.{key}: {message}")


def test_on_the_command_line_too(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^command line: imitation\.agent: agent randm: .* did you mean random\?"):
        load.load(runs.write(tmp_path), ["imitation.agent=randm"])
    with pytest.raises(ConfigError, match=r"^command line: imitation: 3 is not allowed"):
        load.load(runs.write(tmp_path), ["imitation=3"])
    config = load.load(runs.write(tmp_path), ["imitation.steps=256"])
    assert config.imitation is not None
    assert load.load(runs.write(tmp_path, load.text(config))) == config
    none = load.load(runs.write(tmp_path))
    assert load.load(runs.write(tmp_path, load.text(none)), ["imitation.steps=256"]) == config


def test_a_policy_that_does_not_fit_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    """One trained for another seat, and one under other rules."""
    change = ["seat=moriarty", "opponents=[{agent: random}]", "total_steps=256", "imitation.agent=greedy"]
    trained, folder = tmp_path / "trained", tmp_path / "run"
    file = runs.write(tmp_path, TEXT)
    assert ppo.begin(load.load(file, [*change, f"output={trained}"]))
    pupil = [*change, f"imitation.agent=policy:{trained}", f"output={folder}"]
    with pytest.raises(BadAgent, match=r"^imitation\.agent: policy .*: seat: trained for moriarty, cannot play sherl"):
        ppo.begin(load.load(file, [*pupil, "seat=sherlock"]))
    with pytest.raises(BadAgent, match=r"^imitation\.agent: policy .*: seat: trained for moriarty, cannot play sherl"):
        ppo.begin(load.load(file, [*pupil, "seat=both"]))
    with pytest.raises(BadAgent, match=r"^imitation\.agent: .*: options\.max_rounds: the checkpoint has 8, here it is"):
        ppo.begin(load.load(file, [*pupil, "options.max_rounds=6"]))
    assert not folder.exists()
    assert ppo.begin(load.load(file, pupil))


def test_a_game_without_such_an_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reichenbach.agents.greedy.GREEDY", {})
    with pytest.raises(BadAgent, match=r"^imitation\.agent: agent greedy: who_is_moriarty has none"):
        built(tmp_path, "opponents=[{agent: random}]")


def test_an_agent_that_asks_for_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadAgent, match=r"^imitation\.agent: Counts\.sections is 4; allowed are 0 to 3"):
        built(tmp_path, f"imitation.agent={OWNED}:all_sections")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda n: np.full(n, 76), r"row 0 \(game 0\): .*"),
        (lambda n: np.full(n, 77), r"row 0 \(game 0\): .*"),
        (lambda n: np.full(n, -1), r"row 0 \(game 0\): .*"),
        (lambda n: np.zeros(n), r"actions of shape \(16,\) and type float64 are not allowed; shape \(16,\) and int64"),
        (lambda n: 3, r"actions of shape \(\) and type int64 are not allowed; shape \(16,\) and int64 are"),
    ],
)
def test_a_teachers_illegal_action_is_refused(tmp_path: Path, answer: Any, message: str, monkeypatch: Any) -> None:
    """Also in games where it would not have been played: it must not be learnt."""
    monkeypatch.setattr(Answers, "answer", staticmethod(answer))
    run = built(tmp_path, f"imitation.agent={OWNED}:answers", "imitation.own=1.0")
    with pytest.raises(IllegalAction, match=rf"^imitation\.agent: Answers\.act, seat sherlock: {message}"):
        run.iterate()
    assert run.steps == 0
