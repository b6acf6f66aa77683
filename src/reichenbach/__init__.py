"""Reichenbach: hidden-identity board games as environments, agents and training."""

from __future__ import annotations

from reichenbach.envs.registry import register_all

__version__ = "0.1.0"

register_all()
