"""The Manor, version 0: ``env``, ``raw_env`` and ``parallel_env``."""

from __future__ import annotations

from reichenbach.envs.manor.env import env, parallel_env, raw_env

__all__ = ["env", "parallel_env", "raw_env"]
