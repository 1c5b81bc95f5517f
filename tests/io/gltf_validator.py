"""The Khronos validator, which judges the files that tests write."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

VALIDATOR = Path(__file__).with_name("validate_gltf.mjs")
PACKAGE = Path(__file__).parents[2] / "node_modules" / "gltf-validator"


def validate(path: Path) -> dict[str, Any]:
    """Return the report of the Khronos validator."""
    node = shutil.which("node")
    if node is None or not PACKAGE.is_dir():
        pytest.skip("the Khronos validator is not installed: run make node_modules/.ready")
    done = subprocess.run([node, str(VALIDATOR), str(path)], capture_output=True, check=True, timeout=120)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def errors_of(path: Path) -> list[dict[str, Any]]:
    """Return the errors that the validator reports."""
    messages = validate(path)["issues"]["messages"]
    return [message for message in messages if message["severity"] == 0]
