"""The picture of a gap that was filled from a library: its rows, their words, and what is told of a wrong library."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.body.figure import Poses
from segue.errors import ArgumentError
from segue.filling import fill, variants
from segue.library import Library, library_clip_of
from segue.view.library_fill import plot_library_fill

WALK = sg.clips.walk
# long enough to be trusted
LONG = sg.repeat(sg.make_loop(sg.mirror(WALK)), 60)
PACES = {f"walk {k}": sg.retime(LONG, 0.0, 0.8 + 0.04 * k) for k in range(11)}
LIBRARY = Library.from_motions({**PACES, "run": sg.clips.run})
GAP = (1.0, 1.8)
FILLED = fill(WALK, [GAP], library=LIBRARY, use_own_frames=False)


def test_every_row_is_named_and_measured() -> None:
    plain = sg.fill(WALK, [GAP])
    picture = plot_library_fill(FILLED, LIBRARY, truth=WALK, others={"least effort": plain}, matches=2, height=64)
    words = [text.get_text() for text in picture.canvas.texts]
    for title in ("the gap", "from the library", "least effort", "the truth", "0.80 s are missing", "1.00 s", "1.80 s"):
        assert title in words, title
    (report,) = FILLED.fills
    assert report.match is not None
    assert report.match.confidence in words
    assert sum(word in LIBRARY.names for word in words) == 2
    off = [float(word.split()[0]) for word in words if word.endswith("cm off")]
    assert len(off) == 2
    assert all(0.0 < each < 30.0 for each in off)
    pixels = picture.pixels().astype(int)
    assert pixels.shape[0] > 6 * 64
    # the filled rows go from blue to red, and nothing else is red
    assert (pixels[..., 0] - pixels[..., 2] > 80).sum() > 100
    assert (pixels[..., 2] - pixels[..., 0] > 80).sum() > 100


def test_without_the_truth_nothing_is_measured() -> None:
    picture = plot_library_fill(FILLED, LIBRARY, height=64)
    words = [text.get_text() for text in picture.canvas.texts]
    assert "the truth" not in words
    assert not any(word.endswith("cm off") for word in words)


def test_a_motion_that_draws_on_itself_needs_no_library() -> None:
    mended = variants(WALK, GAP, 1, prior="library", use_own_frames=True)[0]
    words = [text.get_text() for text in plot_library_fill(mended, (), height=64).canvas.texts]
    assert WALK.source.name in words


def test_what_cannot_be_drawn_is_told() -> None:
    with pytest.raises(ArgumentError, match="no gap of the motion was filled from a library"):
        plot_library_fill(sg.fill(WALK, [GAP]), LIBRARY)
    with pytest.raises(ArgumentError, match="the library has no clip 'walk "):
        plot_library_fill(FILLED, LIBRARY.only("run"))
    with pytest.raises(ArgumentError, match="height is 10: at least 48 pixels are needed"):
        plot_library_fill(FILLED, LIBRARY, height=10)


def test_poses_of_a_stretch_are_those_of_the_motion_and_its_mirror_image() -> None:
    entry, times = library_clip_of(sg.clips.kick, "kick"), np.array([0.2, 1.0, 1.5])
    for motion, mirrored in ((sg.clips.kick, False), (sg.mirror(sg.clips.kick), True)):
        found, there = entry.poses_at(times, mirrored=mirrored), motion.at(times)
        assert isinstance(found, Poses)
        np.testing.assert_allclose(found.root, there.root, atol=1e-5)
        np.testing.assert_allclose(found.hinges, there.hinges, atol=1e-5)
        same = np.abs((found.balls * there.balls).sum(axis=-1))
        np.testing.assert_allclose(same, 1.0, atol=1e-5)
    assert len(entry.poses_at(np.array([-5.0, 99.0]))) == 2
