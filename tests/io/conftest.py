"""What the tests of BVH share: text saved to a file, and the real clips where they are at hand."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.mocap import MOCAP


@pytest.fixture
def save(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Return a function that saves text to a .bvh file of its own and returns the path."""
    numbers = itertools.count(1)

    def save_text(content: str | bytes) -> Path:
        path = tmp_path / f"clip{next(numbers)}.bvh"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return save_text


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for `mocap_file` on every real clip, or skip it and say why."""
    if "mocap_file" in metafunc.fixturenames:
        files = sorted(MOCAP.glob("*/*.bvh"))
        absent = pytest.param(None, id="absent", marks=pytest.mark.skip(reason="no real clips at ../shared/mocap"))
        clips = [pytest.param(file, id=file.stem, marks=pytest.mark.mocap) for file in files]
        # with this scope all tests on one clip run in a row, so that it is read once
        metafunc.parametrize("mocap_file", clips or [absent], scope="module")
