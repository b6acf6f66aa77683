"""Who plays: agents by name (registry.py), each seeing only what its seat may see."""

from __future__ import annotations
