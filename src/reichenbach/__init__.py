"""Reichenbach: hidden-identity board games as environments, agents and training."""

from __future__ import annotations

__version__ = "0.1.0"
