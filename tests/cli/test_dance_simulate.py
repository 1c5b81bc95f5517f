"""`segue dance simulate`: files are written, bad input gets one sentence, a missing engine too."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from segue.cli.dance.preview import Dancing
from segue.cli.dance.simulation_options import DanceChoice
from segue.dance.behaviour import Environment as Hall
from segue.dance.behaviour import Ground, write_environment
from segue.dance.notation.model import Part
from segue.dance.simulation import engine
from segue.dance.simulation.dancer import Dancer
from segue.io import read

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

Command = Callable[..., tuple[int, str, str]]
SWING = "swing/single basic"
HALL = Hall("waltz", tempo=30.0, minutes=0.05, couples=1, seed=2, floor=Ground(friction=0.5))


def test_a_pattern_is_danced_reported_and_the_same_in_another_process(tmp_path: Path, command: Command) -> None:
    written: list[dict[str, bytes]] = []
    sheet = tmp_path / "swing.png"
    for k, run in enumerate((command, _in_own_process)):
        folder = tmp_path / str(k)
        folder.mkdir()
        out, report = folder / "swing.bvh", folder / "swing.json"
        accounts = ("--report", report, "--series", folder / "swing.npz")
        drawn = () if k else ("--plot", sheet)
        code, said, _ = run("dance", "simulate", SWING, "-o", out, *accounts, *drawn)
        assert code == 0
        assert "landings in" in said
        written.append({file.name: file.read_bytes() for file in sorted(folder.iterdir())})
    # this process may have compiled the kernels, in part or all; the other one loads them from the cache
    assert written[0] == written[1]
    assert list(written[0]) == ["swing.bvh", "swing.json", "swing.npz"]
    assert sheet.stat().st_size > 100_000
    found = json.loads(written[0]["swing.json"])
    assert found["fall"] is None
    assert found["mode"] == "torque"
    assert found["helping_torque"] == {"largest_Nm": 0.0, "rms_Nm": 0.0, "impulse_Nms": 0.0}
    assert found["patterns"] == ["swing/single basic"]
    assert found["landings"]["made"] == found["landings"]["due"] == len(found["each_landing"]) > 0
    assert max(abs(landing["late_ms"]) for landing in found["each_landing"]) == found["beat_error_ms"]
    assert len(read(tmp_path / "0" / "swing.bvh")) > 300
    series = np.load(tmp_path / "0" / "swing.npz")
    assert series["time_s"][-1] == pytest.approx(found["seconds"])
    weight = found["figure"]["mass"] * found["environment"]["gravity"]
    borne = series["force_left_foot_y_N"] + series["force_right_foot_y_N"]
    assert borne.mean() == pytest.approx(weight, rel=0.01)
    assert {name.rpartition("_")[2] for name in series} == {"s", "Nm", "N", "m"}


def _in_own_process(*arguments: object) -> tuple[int, str, str]:
    code = "from segue.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_ctrl_c_writes_what_was_danced_so_far(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted, frames = Dancer.record, []

    def note(dancer: Dancer) -> None:
        noted(dancer)
        frames.append(dancer.time)
        if len(frames) == 40:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Dancer, "record", note)
    out, report, series = (tmp_path / f"swing.{suffix}" for suffix in ("bvh", "json", "csv"))
    code, said, _ = command("dance", "simulate", SWING, "-o", out, "--report", report, "--series", series)
    assert code == 130
    assert "ended before its time" in said
    assert json.loads(report.read_text())["interrupted"] is True
    assert 30 < len(read(out)) < 60
    header, *rows = series.read_text().splitlines()
    assert header.startswith("time_s,torque_lower_back")
    assert len(rows) == 40


def test_ctrl_c_before_anything_was_danced_writes_nothing(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def note(dancer: Dancer) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Dancer, "record", note)
    assert command("dance", "simulate", SWING, "-o", tmp_path / "swing.bvh")[0] == 130
    assert not list(tmp_path.iterdir())


def test_the_thesis_falls_and_says_so(tmp_path: Path, command: Command) -> None:
    # feet that slide make a classic dance differ between processors, so that only a hard push makes the fall certain
    push = ("--push", "t=2 s, 300 N, 0.3 s, left, chest")
    code, said, _ = command(
        "dance", "simulate", "waltz/box step", "--mode", "classic", *push, "-o", tmp_path / "fall.bvh"
    )
    assert code == 1
    assert "the dancer fell at" in said
    assert "a torque from outside of up to" in said


def test_an_evening_decides_what_is_danced(tmp_path: Path) -> None:
    write_environment(HALL, tmp_path / "hall.toml")
    short = DanceChoice(tmp_path / "hall.toml").plan(Dancing(), None, Part.LEADER, None)
    long = DanceChoice(tmp_path / "hall.toml", minutes=0.5).plan(Dancing(), None, Part.FOLLOWER, None)
    assert {step.pattern.dance.lower() for step in short.steps} == {"waltz"}
    assert {step.pattern.part for step in long.steps} == {Part.FOLLOWER}
    assert short.stop < 15.0 < 30.0 < long.stop
    # by whom is decided too: dancers by lot are not of the usual height
    assert short.figure.stature != Dancing.stature
    assert long.figure.stature != short.figure.stature


def test_minutes_are_as_many_bars_as_they_need() -> None:
    plan = DanceChoice(minutes=0.5).plan(Dancing(tempo="30"), "waltz/box step", Part.LEADER, None)
    bars = (plan.steps[-1].stop - plan.lead_in) / (3 * plan.tempo.beat)
    assert 15 <= bars < 17


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("waltz/nonsense",), "no pattern 'nonsense'"),
        (("swing/singel basic",), "single basic"),
        ((SWING, "--mu", "-1"), "friction is -1.0"),
        ((SWING, "--mu", "nan"), "friction is nan"),
        ((SWING, "--mu", "inf"), "friction is inf"),
        ((SWING, "--gravity", "pluto"), "gravity is 'pluto'"),
        ((SWING, "--gravity", "nan"), "gravity is nan: it must be an acceleration in m/s^2, from 0.1 to 30"),
        ((SWING, "--gravity", "-9.81"), "gravity is -9.81"),
        ((SWING, "--gravity", "0"), "gravity is 0"),
        ((SWING, "--gravity", "1e9"), "gravity is 1000000000.0"),
        ((SWING, "--mass", "1e-9"), "mass is 1e-09 kg: a simulated dancer needs a mass from 5 to 500 kg"),
        ((SWING, "--environment", "nowhere.toml"), "nowhere.toml"),
        ((SWING, "--push", "hard"), "'hard' is no push"),
        ((SWING, "--partner", "1.5"), "leave --partner out"),
        (
            (SWING, "--step-size", "0.8", "--lead-delay", "nan"),
            "leave --lead-delay and --step-size out, or add --couple",
        ),
        ((SWING, "--lead-seed", "2"), "one dancer alone is not led: leave --lead-seed out"),
        ((SWING, "--push", "t=100 s, 80 N, 0.1 s, left, chest"), "the push at 100 s comes after the dance"),
        ((SWING, "--report", "out.bvh"), "out.bvh would be written twice"),
        ((SWING, "--report", "./swing.csv", "--series", "swing.csv"), "swing.csv would be written twice"),
        ((SWING, "--series", "series.txt"), "series over time are written as .npz or .csv"),
        ((SWING, "--arms", "0"), "the arms are given 0.0 s"),
        ((SWING, "--minutes", "-1"), "--minutes is -1.0"),
        ((SWING, "--minutes", "nan"), "--minutes is nan"),
        ((SWING, "--minutes", "1", "--bars", "3"), "leave --bars and --repeat out"),
        ((SWING, "--evening", "hall.toml"), "--evening decides what is danced and by whom"),
        ((SWING, "--mode", "magic"), "'magic' is not one of 'torque', 'assisted', 'classic'"),
        ((), "name a pattern"),
    ],
)
def test_bad_input_gets_a_sentence(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_environment(HALL, tmp_path / "hall.toml")
    out = tmp_path / "out.bvh"
    code, _, complaint = command("dance", "simulate", *options, "-o", out)
    assert code == 2
    assert sentence in " ".join(complaint.split())
    assert list(tmp_path.iterdir()) == [tmp_path / "hall.toml"]


def test_a_missing_engine_is_told(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.mujoco.cache_clear()
    monkeypatch.setitem(sys.modules, "mujoco", None)
    code, _, complaint = command("dance", "simulate", SWING, "-o", tmp_path / "out.bvh")
    engine.mujoco.cache_clear()
    assert code == 2
    assert "needs mujoco, which is not installed" in " ".join(complaint.split())
