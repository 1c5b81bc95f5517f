"""`segue warm` compiles in processes of its own, and these end with the process that started them."""

from __future__ import annotations

import subprocess
import sys


def test_a_process_that_compiles_everything_ends_with_the_process_that_started_it() -> None:
    command = [sys.executable, "-m", "segue.compiled.build", "--worker", "--all"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.communicate(timeout=120)  # closes its input
    assert process.returncode == 0
