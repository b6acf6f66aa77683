"""Who is asked during imitation, and who plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reichenbach.envs.core.players import look
from reichenbach.envs.who_is_moriarty.layout import BASE_LAYOUT
from tests.training.teachers import OWNED, Counts, built, collected, teacher_of


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
