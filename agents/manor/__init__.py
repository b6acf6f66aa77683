"""Agents written for The Manor."""

from __future__ import annotations
