"""Reichenbach: hidden-identity board games as environments, agents and training.

Importing it registers the environments' ids with Gymnasium and PettingZoo, and imports neither Numba nor torch.
"""

from __future__ import annotations

from reichenbach.envs.registry import register_all

__version__ = "0.1.0"

register_all()
