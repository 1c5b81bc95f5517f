"""`segue plot`: every kind of picture, two sources, animations, and one sentence for what cannot be drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from PIL import Image as Pillow

Command = Callable[..., tuple[int, str, str]]

SCRIPT = """arm = trim(only(clips.salute, right_arm), 0.9, 1.9)
fill_gaps(retime(arm, 1.1) + (clips.walk - retime(arm, 0.8, 1.6)))
"""


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "salute.segue"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def seen(path: Path) -> np.ndarray:
    return np.round(255 * imread(path)[..., :3]).astype(int)


@pytest.mark.parametrize("kind", ["strip", "film", "curves", "footprints", "timeline", "tree", "torques"])
def test_every_kind_is_drawn_of_a_script(kind: str, command: Command, script: Path) -> None:
    code, out, _ = command("plot", script, "--kind", kind, "-o", "drawn.png")
    assert code == 0
    assert f"drawn.png: {kind}" in out
    image = seen(Path("drawn.png"))
    assert (image < 200).any(axis=2).mean() > 0.005, "it is not blank"


def test_limbs_that_a_script_filled_are_green_and_bodies_not(command: Command, script: Path) -> None:
    assert command("plot", script, "--frames", 9, "--from", 0.8, "--to", 1.1, "-o", "strip.png")[0] == 0
    image = seen(Path("strip.png"))
    bright = np.ptp(image, axis=2) > 60
    assert (image[bright][:, 1] > image[bright][:, 0] + 30).mean() > 0.95
    assert command("plot", "clips.walk", "-o", "plain.png")[0] == 0
    plain = seen(Path("plain.png"))
    bright = np.ptp(plain, axis=2) > 60
    assert (plain[bright][:, 2] > plain[bright][:, 1]).mean() > 0.4


def test_two_sources_are_compared(command: Command, script: Path) -> None:
    assert command("plot", "clips.walk", script, "--joint", "right_elbow_flexion", "-o", "both.png")[0] == 0
    assert (
        command("plot", "clips.walk", "clips.walk", "--kind", "torques", "--joint", "left_knee", "-o", "t.svg")[0] == 0
    )
    assert "walk (2)" in Path("t.svg").read_text(encoding="utf-8")
    assert command("plot", script, "--kind", "torques", "--from", 0.7, "--to", 2.5, "-o", "t.svg")[0] == 0
    text = Path("t.svg").read_text(encoding="utf-8")
    assert "interpolation" in text
    assert "spacetime" in text


def test_a_suffix_makes_an_animation(command: Command, script: Path) -> None:
    given = ("--fps", 10, "--size", "80x60", "--from", 0.8, "--to", 1.3)
    code, out, _ = command("plot", script, *given, "-o", "salute.gif")
    assert code == 0
    assert "animation" in out
    with Pillow.open("salute.gif") as gif:
        assert gif.size == (80, 60)
        assert gif.n_frames == 6
    assert command("plot", "clips.walk", script, *given, "--animate", "-o", "both.webp")[0] == 0
    with Pillow.open("both.webp") as webp:
        assert webp.size == (160, 88)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("clips.walk", "--animate", "-o", "x.png"), ".gif"),
        (("clips.walk", "--kind", "curves", "-o", "x.gif"), "curves stands still"),
        (("clips.walk", "--kind", "compare", "-o", "x.png"), "needs two motions"),
        (("clips.walk", "clips.run", "--kind", "film", "-o", "x.png"), "film draws one motion"),
        (("clips.walk", "--kind", "curves", "--joint", "nose", "-o", "x.png"), "no degree of freedom 'nose'"),
        (("clips.walk", "--kind", "torques", "--joint", "nose", "-o", "x.png"), "no joint 'nose'"),
        (("clips.walk", "--frames", "0", "-o", "x.png"), "at least 1"),
        (("clips.walk", "--from", "9", "-o", "x.png"), "nothing lies between"),
        (("clips.walk", "--size", "big", "-o", "x.gif"), "as 480x360"),
        (("clips.walk", "--size", "4x4", "-o", "x.gif"), "from 32"),
        (("clips.walk", "--fps", "0", "-o", "x.gif"), "fps is 0"),
        (("clips.walk", "--tree", "--kind", "film", "-o", "x.png"), "cannot share a picture"),
        (("clips.walk", "-o", "none/x.png"), "no folder"),
        (("missing.segue", "-o", "x.png"), "no such file"),
    ],
)
def test_what_cannot_be_drawn_gets_one_sentence(
    arguments: tuple[str, ...], words: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = command("plot", *arguments)
    assert code == 2
    assert words in " ".join(err.split())
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())
