"""What all tests share: Hypothesis draws the same examples every time and never measures the clock."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("segue", deadline=None, derandomize=True)
settings.load_profile("segue")
