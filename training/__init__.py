"""How agents learn and are judged: configs, MaskablePPO, checkpoints, evaluation and the command line."""

from __future__ import annotations
