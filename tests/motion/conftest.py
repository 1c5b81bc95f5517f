"""What the tests of motions share."""

from __future__ import annotations

from tests.cli.conftest import command

__all__ = ["command"]
