"""The modules of pages, by the judgement of the TypeScript compiler (types in comments) and of ESLint."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOLS = ROOT / "node_modules" / ".bin"
MODULES = ("src/segue/view/web", "src/segue/studio/web")


@pytest.mark.skipif(not (TOOLS / "tsc").exists(), reason="no Node tools here: run make node_modules/.ready")
@pytest.mark.parametrize("command", [("tsc", "-p", "jsconfig.json"), ("eslint", *MODULES)], ids=lambda each: each[0])
def test_no_complaint(command: tuple[str, ...]) -> None:
    done = subprocess.run([TOOLS / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
