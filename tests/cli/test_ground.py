"""Commands take the ground as a file or a height, or find it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.motion.ground import Ground

Run = Callable[..., tuple[int, str, str]]

STEPS = "[[stairs]]\nsteps = 2\nrise = 0.1\ndepth = 0.4\nat = [0.0, 0.9]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a ground file in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "steps.toml").write_text(STEPS, encoding="utf-8")
    return tmp_path


def test_fill_and_transition_stand_on_a_file(folder: Path, command: Run) -> None:
    ground = Ground.stairs(2, 0.1, 0.4, at=(0.0, 0.9))
    walk = sg.clips.motion("walk")
    assert (
        command("fill", "clips.walk", "--gap", "0.4:0.8", "--no-self", "--ground", "steps.toml", "-o", "a.bvh")[0] == 0
    )
    expected = sg.fill(walk, [(0.4, 0.8)], ground=ground).to_clip()
    assert np.abs(sg.load("a.bvh").to_clip().world[0] - expected.world[0]).max() < 1e-4
    code, _, complaint = command(
        "transition",
        "clips.walk",
        "clips.walk",
        "--from",
        "0.6",
        "--to",
        "0.5",
        "--ground",
        "steps.toml",
        "-o",
        "b.bvh",
    )
    assert code == 0, complaint


def test_check_measures_against_the_ground(folder: Path, command: Run) -> None:
    depths = []
    for ground in ("auto", "0.0", "0.2", "steps.toml"):
        _, shown, complaint = command("check", "clips.walk", "--ground", ground, "--json", "-")
        assert not complaint
        report = json.loads(shown)
        found = report[0] if isinstance(report, list) else report
        depths.append(json.dumps(found))
    assert depths[0] == depths[1]
    assert depths[2] != depths[0]
    assert depths[3] != depths[0]


@pytest.mark.parametrize(
    ("ground", "said"),
    [
        ("stairs", "the ground is 'stairs'"),
        ("none.toml", "none.toml"),
        ("bad.toml", "bad.toml:2"),
        ("inf", "the height of the ground is inf"),
    ],
)
@pytest.mark.parametrize("words", [("check", "clips.walk"), ("fill", "clips.walk", "--gap", "0.4:0.8", "-o", "x.bvh")])
def test_bad_grounds_are_told_in_one_sentence(
    folder: Path, command: Run, words: tuple[str, ...], ground: str, said: str
) -> None:
    (folder / "bad.toml").write_text("[[stairs]]\nsteps = -1\n", encoding="utf-8")
    code, _, complaint = command(*words, "--ground", ground)
    assert code == 2
    assert said in complaint.replace("\n", " ")
    assert "Traceback" not in complaint
    assert not (folder / "x.bvh").exists()
