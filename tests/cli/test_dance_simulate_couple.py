"""`segue dance simulate --couple`: two bodies in hold are written as two clips or one scene, and reported together."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from segue.cli.dance.preview import Dancing
from segue.cli.dance.simulation_options import DanceChoice
from segue.dance.behaviour import Environment as Hall
from segue.dance.behaviour import Ground, write_environment
from segue.dance.notation.model import Part
from segue.dance.simulation.couple.forces import CoupleForces
from segue.errors import ArgumentError
from segue.io import read

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

Command = Callable[..., tuple[int, str, str]]
WALTZ = "waltz/hesitation"


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """End every couple's dance by Ctrl-C after 20 frames."""
    noted, frames = CoupleForces.record, []

    def note(forces: CoupleForces) -> None:
        noted(forces)
        frames.append(forces)
        if len(frames) % 20 == 0:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(CoupleForces, "record", note)


@pytest.mark.usefixtures("soon")
def test_a_couple_is_two_clips_or_one_scene(tmp_path: Path, command: Command) -> None:
    out, report = tmp_path / "waltz.bvh", tmp_path / "waltz.json"
    options = ("--couple", "--partner", "1.6", "--lead-delay", "50", "--lead-seed", "3")
    code, said, _ = command("dance", "simulate", WALTZ, *options, "-o", out, "--report", report)
    assert code == 130
    assert "in hold; the leader landed 0 of" in said
    assert "ended before its time" in said
    assert not out.exists()
    for part in Part:
        assert len(read(tmp_path / f"waltz_{part}.bvh")) >= 18
    found = json.loads(report.read_text())
    assert found["lead"] == {"delay_ms": 50.0, "error_mm": 4.0, "seed": 3}
    assert found["follower"]["figure"]["stature"] == 1.6
    assert found["hold"]["contacts"]["right hand on back"]["largest_N"] < 40.0
    scene = tmp_path / "waltz.glb"
    assert command("dance", "simulate", WALTZ, "--couple", "-o", scene)[0] == 130
    assert {"leader_pelvis", "follower_pelvis"} <= set(read(scene).skeleton.names)


def test_an_evening_decides_what_a_couple_dances(tmp_path: Path) -> None:
    hall = Hall("waltz", tempo=30.0, minutes=0.05, couples=1, seed=2, floor=Ground(friction=0.5))
    write_environment(hall, tmp_path / "hall.toml")
    couple = DanceChoice(tmp_path / "hall.toml").couple(Dancing(), None)
    assert {step.pattern.part for step in couple.follower.steps} == {Part.FOLLOWER}
    assert couple.leader.stop == couple.follower.stop
    with pytest.raises(ArgumentError, match="leave --step-size out"):
        DanceChoice(tmp_path / "hall.toml").couple(Dancing(), None, 0.8)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--part", "follower"), "--couple dances both parts"),
        (("--mode", "classic"), "--couple dances both parts"),
        (("--mass", "70"), "--couple dances both parts"),
        (("--arms", "1"), "leave --arms out"),
        (("--series", "waltz.csv"), "leave --series out"),
        (("--report", "waltz_follower.bvh"), "waltz_follower.bvh would be written twice"),
        (("--lead-delay", "-1"), "the lead's delay is -0.001"),
        (("--lead-error", "nan"), "the lead's error is nan"),
        (("--lead-seed", "-1"), "the lead's seed is -1"),
        (("--step-size", "9"), "the style's step_size is 9.0"),
    ],
)
def test_bad_input_gets_one_sentence(
    options: tuple[str, ...], sentence: str, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, said = command("dance", "simulate", WALTZ, "--couple", *options, "-o", tmp_path / "waltz.bvh")
    assert code == 2
    assert sentence in said
    assert not list(tmp_path.iterdir())
