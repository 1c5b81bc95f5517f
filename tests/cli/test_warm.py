"""`segue warm` compiles in processes of its own, and these end with the process that started them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from segue.cli.warm import TOURS


def test_a_tour_that_does_not_exist_is_refused_in_one_sentence() -> None:
    command = [sys.executable, "-m", "segue", "warm", "--tour", "nowhere"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"segue: error: there is no tour 'nowhere': there are {', '.join(TOURS)}\n"


@pytest.mark.parametrize("tour", TOURS)
def test_a_tour_ends_with_the_process_that_started_it(tour: str) -> None:
    command = [sys.executable, "-m", "segue", "warm", "--tour", tour]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, _ = process.communicate(timeout=120)  # closes its input
    assert process.returncode == 0
    assert len(out.splitlines()) < len(TOURS[tour])
