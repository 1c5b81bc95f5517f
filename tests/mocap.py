"""The real clips, where they are at hand: tests that use them are skipped, and say so, where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

MOCAP = Path(__file__).parents[2] / "shared" / "mocap"
MOCAP_MORE = MOCAP.with_name("mocap_more")

needs_mocap = pytest.mark.skipif(not MOCAP.is_dir(), reason="no real clips at ../shared/mocap")


def mocap_file(name: str) -> Path:
    """Return a clip by the beginning of its name."""
    return next(iter(sorted(MOCAP.glob(f"*/{name}*.bvh"))))
