"""`segue loop` as scripts and people meet it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.cycle import make_loop, repeat
from segue.io import read
from segue.language import evaluate

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_command_language_and_python_give_the_same_motion(folder: Path, command: Run) -> None:
    code, shown, complaint = command(
        "loop", "clips.walk", "--from", 0.3, "--to", 1.4, "--repeat", 2.5, "-o", "out.bvh", "--plot", "seam.png"
    )
    assert (code, complaint) == (0, "")
    assert "a good cycle from" in shown
    assert "2.5 periods" in shown
    assert (folder / "seam.png").stat().st_size > 20_000
    wanted = repeat(make_loop(sg.clips.walk, 0.3, 1.4), 2.5)
    assert np.allclose(read(folder / "out.bvh").world[0], wanted.to_clip().world[0], atol=1e-4)
    typed = evaluate("repeat(make_loop(clips.walk, 0.3, 1.4), 2.5)")
    assert isinstance(typed, sg.Motion)
    assert np.array_equal(typed.poses.hinges, wanted.poses.hinges)


def test_candidates_are_listed(command: Run) -> None:
    code, shown, _ = command("loop", "clips.run", "--list")
    assert code == 0
    assert shown.splitlines()[0].endswith("ends differ by 0%")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("clips.walk",), "there is nothing to do"),
        (("clips.walk", "--from", 1, "-o", "x.bvh"), "give both start and stop"),
        (("clips.walk", "--from", 1, "--to", 1.02, "-o", "x.bvh"), "at least 4 are needed"),
        (("clips.walk", "-o", "x.bvh", "--repeat", 0), "count is 0"),
        (("clips.walk", "-o", "x.bvh", "--ground", "hill"), "a height in metres, auto, or"),
        (("clips.walk", "--plot", "x.txt"), "pictures that can be written"),
        (("clips.walk", "--plot", "x.png", "--joint", "nose"), "no degree of freedom 'nose'"),
        (("clips.walk", "-o", "x.bvh", "--plot", "x.png", "--joint", "nose"), "no degree of freedom 'nose'"),
    ],
)
def test_bad_input_is_one_sentence(folder: Path, command: Run, arguments: tuple[object, ...], sentence: str) -> None:
    code, _, complaint = command("loop", *arguments)
    assert code == 2
    assert sentence in complaint
    assert "Traceback" not in complaint
    assert not list(folder.iterdir())


def test_what_is_no_cycle_is_told(folder: Path, command: Run) -> None:
    code, shown, complaint = command("loop", "clips.kick", "--from", 0.3, "--to", 0.9, "-o", "x.bvh")
    assert code == 0
    assert "a poor cycle" in shown
    assert "no cycle to speak of" in complaint
