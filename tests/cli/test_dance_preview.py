"""`segue dance preview`, `analyse` and `symbols` as people meet them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from segue import io, load
from segue.cli import app
from segue.curves import quaternion
from segue.dance.gestures import SHIPPED
from segue.errors import SegueError

RUN = CliRunner()


def segue(*words: str | Path) -> str:
    result = RUN.invoke(app, ["dance", *map(str, words)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_a_dancer_as_a_clip(tmp_path: Path) -> None:
    out = tmp_path / "waltz.bvh"
    said = segue("preview", "waltz/box step", "-o", out, "--tempo", "90bpm")
    assert "6 steps" in said
    assert "30 bars a minute" in said
    assert "planted feet move 0.0" in said
    clip = io.read(out)
    assert clip.fps == pytest.approx(60.0)
    assert clip.duration == pytest.approx(6.8, abs=0.1)


def test_parts_tempo_and_bars(tmp_path: Path) -> None:
    out = tmp_path / "waltz.glb"
    said = segue(
        "preview", "waltz/box step", "--part", "follower", "--bars", "3", "--tempo", "40", "--fps", "30", "-o", out
    )
    assert "12 steps" in said
    assert io.read(out).fps == pytest.approx(30.0)


def test_a_couple_as_two_clips_one_scene_and_one_page(tmp_path: Path) -> None:
    segue("preview", "waltz/box step", "--couple", "--fps", "30", "-o", tmp_path / "pair.bvh")
    assert not (tmp_path / "pair.bvh").exists()
    clips = [io.read(tmp_path / f"pair_{part}.bvh") for part in ("leader", "follower")]
    assert len(clips[0]) == len(clips[1])
    segue("preview", "waltz/box step", "--couple", "--fps", "30", "-o", tmp_path / "pair.glb")
    names = io.read(tmp_path / "pair.glb").skeleton.names
    assert {"leader_pelvis", "follower_pelvis"} <= set(names)
    said = segue("preview", "waltz/box step", "--couple", "--partner", "1.6", "-o", tmp_path / "pair.html")
    assert "hands are joined" in said
    assert '"together":true' in (tmp_path / "pair.html").read_text(encoding="utf-8")


def test_a_program(tmp_path: Path) -> None:
    program = tmp_path / "evening.txt"
    program.write_text("waltz/box step x 2\nwaltz/progressive\n", encoding="utf-8")
    said = segue("preview", "--program", program, "-o", tmp_path / "out.bvh", "--fps", "30")
    assert "18 steps" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("preview", "-o", "x.bvh"), "name a pattern"),
        (("preview", "waltz/box step", "--program", "p.txt", "-o", "x.bvh"), "one of both"),
        (("preview", "waltz/moonwalk", "-o", "x.bvh"), "no pattern 'moonwalk'"),
        (("preview", "waltz/box step", "-o", "x.mov"), "suffix '.mov'"),
        (("preview", "waltz/box step", "--tempo", "fast", "-o", "x.bvh"), "the tempo is 'fast'"),
        (("preview", "waltz/box step", "--couple", "--part", "leader", "-o", "x.bvh"), "leave --part out"),
        (("preview", "waltz/box step", "--repeat", "0", "-o", "x.bvh"), "repeat is 0"),
        (("preview", "waltz/box step", "--bars", "-2", "-o", "x.bvh"), "bars is -2"),
        (("preview", "waltz/box step", "--stature", "-1", "-o", "x.bvh"), "stature is -1"),
        (("preview", "waltz/box step", "-o", "nowhere/x.bvh"), "no folder"),
        (("analyse", "waltz/box step", "-o", "x.bvh"), "pictures that can be written"),
        (("symbols", "-o", "x.txt"), "pictures that can be written"),
    ],
)
def test_mistakes_are_told_and_leave_no_file(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SegueError, match=sentence):
        segue(*words)
    assert list(tmp_path.iterdir()) == []


def test_the_analyser(tmp_path: Path) -> None:
    out = tmp_path / "sheet.png"
    assert "5 steps of tango/corte" in segue("analyse", "tango/corte", "-o", out, "--part", "follower")
    assert out.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("couple", [(), ("--couple",)])
def test_gesture_files_of_a_folder_replace_those_of_segue(tmp_path: Path, couple: tuple[str, ...]) -> None:
    own = tmp_path / "gestures"
    own.mkdir()
    text = (SHIPPED / "arms.toml").read_text(encoding="utf-8")
    (own / "head.toml").write_text('category = "Head Position"\n[[NP.goals]]\nneck = { turn = 40 }\n', encoding="utf-8")
    heads = []
    for name, given in (("plain", ()), ("own", ("--gestures", own))):
        segue("preview", "waltz/box step", "-o", tmp_path / f"{name}.bvh", *couple, *given)
        file = next(tmp_path.glob(f"{name}*leader.bvh")) if couple else tmp_path / f"{name}.bvh"
        heads.append(load(file).at([1.0]).ball("neck")[0])
    assert np.degrees(quaternion.angle_between(*heads)) == pytest.approx(40.0, abs=2.0)
    (own / "arms.toml").write_text(text.replace("elevation = 71", "elevation = 710", 1), encoding="utf-8")
    with pytest.raises(SegueError, match=r"arms.toml:8: 'elevation' is 710"):
        segue("preview", "waltz/box step", "-o", tmp_path / "wrong.bvh", "--gestures", own)
