"""Agents written for Who Is Moriarty."""

from __future__ import annotations
