"""Actions as text, by the names of areas and by their numbers."""

from __future__ import annotations

import numpy as np
import pytest

from reichenbach.envs import manor_v0
from reichenbach.envs.manor import actions
from reichenbach.envs.manor.game import GAME

OTTERMARCH, WRENLATCH = GAME.resolve({}), GAME.resolve({"map": "wrenlatch"})


@pytest.mark.parametrize("options", [None, OTTERMARCH, WRENLATCH])
def test_there_and_back(options: dict[str, object] | None) -> None:
    texts = [GAME.action_text(action, options) for action in range(GAME.n_actions)]
    assert len(set(texts)) == GAME.n_actions
    assert [GAME.action_from_text(text, options) for text in texts] == list(range(GAME.n_actions))


def test_areas_have_the_names_of_the_map() -> None:
    """Ottermarch's first areas are L1, L2, L3 and W1 (MAPS.md)."""
    action = actions.command(0, 3, actions.SEARCH)
    assert GAME.action_text(action, OTTERMARCH) == "Agatha to W1, search"
    assert GAME.action_text(action) == "Agatha to 3, search"
    assert GAME.action_from_text("  Agatha to  W1, search ", OTTERMARCH) == action
    assert GAME.action_from_text("Agatha to 3, search", OTTERMARCH) == action


@pytest.mark.parametrize(
    ("text", "near"),
    [("Agatha to W1 search", "Agatha to W1, search"), ("agatha to K2", "Agatha to K2"), ("pas", "pass")],
)
def test_what_is_no_action(text: str, near: str) -> None:
    with pytest.raises(ValueError, match=f"^action '{text}': there is none; did you mean '{near}'"):
        GAME.action_from_text(text, OTTERMARCH)


def test_environments_translate_by_their_own_map() -> None:
    env = manor_v0.raw_env(map="wrenlatch")
    env.reset(seed=1)
    observed = env.observe("sherlock")
    assert observed is not None
    legal = np.flatnonzero(observed["action_mask"]).tolist()
    texts = [env.face.action_text(action) for action in legal]
    assert [env.face.action_from_text(text) for text in texts] == legal
    assert not any(text.split()[2][0].isdigit() for text in texts if " to " in text)
