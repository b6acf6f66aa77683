"""The examples that no other test of this lane runs."""

from __future__ import annotations

import numpy as np
import pytest

from reichenbach.training.examples import bare_torch, gymnasium_vector, open_spiel_search, supersuit_rows


def test_many_games_of_a_seat() -> None:
    assert -1 <= gymnasium_vector.main(steps=100) <= 1


# Stable-Baselines3 warns of rewards that nobody records.
@pytest.mark.filterwarnings("ignore")
def test_all_seats_as_rows() -> None:
    assert supersuit_rows.main(steps=1024).num_timesteps == 1024


def test_search() -> None:
    assert open_spiel_search.main(games=1, simulations=5) in (0, 1)


@pytest.mark.parametrize("seat", ["sherlock", "moriarty"])
def test_a_bare_loop_learns(seat: str) -> None:
    """Both seats; Sherlock wins more in the end than in the beginning."""
    shares = bare_torch.main(seat, steps=100_000 if seat == "sherlock" else 4_096)
    assert len(shares) == (48 if seat == "sherlock" else 2)
    if seat == "sherlock":
        assert np.mean(shares[-10:]) > np.mean(shares[:10]) + 0.05
