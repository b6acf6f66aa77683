"""What every test runs under."""

from __future__ import annotations

from hypothesis import settings

# The same examples every time: a red run can be repeated, and a compile in the first one is no failure.
settings.register_profile("reichenbach", derandomize=True, deadline=None, database=None)
settings.load_profile("reichenbach")
