"""What all tests share: Hypothesis draws the same examples every time and never measures the clock."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from unittest import mock

import pytest
import typer.main
from hypothesis import settings

settings.register_profile("segue", deadline=None, derandomize=True)
settings.load_profile("segue")


@pytest.fixture(scope="session", autouse=True)
def _command_line_is_built_once() -> Iterator[None]:
    """Keep typer from building all commands anew for each one that a test runs: that takes longer than most of them."""
    with mock.patch.object(typer.main, "get_command", cache(typer.main.get_command)):
        yield
