"""Animations: as many frames as the time takes, coloured while they are filled, whole files in every format."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

import segue as sg
from segue import view
from segue.motion.tracks import TRACKS, tracks_of
from segue.view.picture import colour

WALK = sg.clips.walk
SMALL = (96, 72)
BODY = sg.TrackSpan(1.0, 1.6, tuple(TRACKS))


def coloured(image: np.ndarray) -> np.ndarray:
    """Return which pixels are not grey."""
    return np.ptp(image.astype(int), axis=-1) > 40


def figure_in(image: np.ndarray) -> np.ndarray:
    """Return which pixels are dark enough to be a figure and not the floor, without the stamp below."""
    return (image[: int(0.86 * len(image))] < 150).any(axis=-1)


@pytest.fixture(scope="module")
def walking() -> view.Animation:
    return view.animate(WALK, fills=[BODY], fps=10, size=SMALL)


def test_there_are_as_many_frames_as_the_time_takes(walking: view.Animation) -> None:
    assert len(walking) == int(10 * WALK.duration) + 1
    assert walking.times == pytest.approx(np.arange(len(walking)) / 10)
    slow = view.animate(WALK, fps=10, speed=0.5, start=1.0, stop=2.0, size=SMALL)
    assert len(slow) == 21
    assert slow.duration == pytest.approx(2.1)
    assert slow.times[[0, -1]] == pytest.approx([1.0, 2.0])


def test_a_filled_body_is_coloured_while_it_is_filled(walking: view.Animation) -> None:
    before, first, last, after = (walking.frame(k) for k in (8, 10, 16, 18))
    assert not coloured(before).any()
    assert not coloured(after).any()
    blue, red = first[coloured(first)], last[coloured(last)]
    assert len(blue) > 100
    assert len(red) > 100
    assert (blue[:, 2] > blue[:, 0]).mean() > 0.95
    assert (red[:, 0] > red[:, 2]).mean() > 0.95


def test_a_filled_limb_is_green() -> None:
    arm = view.animate(WALK, fills=[sg.TrackSpan(1.0, 1.6, tracks_of("right_arm"))], fps=10, size=(240, 180)).frame(13)
    green = arm[coloured(arm)]
    assert len(green) > 50
    assert (green[:, 1] > np.maximum(green[:, 0], green[:, 2])).mean() > 0.95


def test_nothing_is_cut_off_and_the_camera_goes_along(walking: view.Animation) -> None:
    middles = []
    for k in range(0, len(walking), 4):
        body = figure_in(walking.frame(k))
        rows, columns = np.nonzero(body)
        assert rows.min() > 0
        assert columns.min() > 0
        assert columns.max() < SMALL[0] - 1
        middles.append(columns.mean())
    assert np.ptp(middles) < 0.2 * SMALL[0]


def test_a_camera_that_stays_sees_the_figure_pass() -> None:
    still = view.animate(WALK, fps=10, size=(200, 72), follow=False)
    first, last = (np.nonzero(figure_in(still.frame(k)))[1].mean() for k in (0, len(still) - 1))
    assert last - first > 90


def test_motions_are_side_by_side_in_one_scale() -> None:
    kick = sg.clips.kick
    both = view.animate({"walk": WALK, "kick": kick}, fps=10, size=SMALL)
    assert both.size == (2 * SMALL[0], SMALL[1] + 28)
    assert len(both) == int(10 * max(WALK.duration, kick.duration)) + 1
    scales = {stage.view.scale for stage in both.stages}
    assert len(scales) == 1
    left, right = np.split(both.frame(0)[28:], 2, axis=1)
    assert figure_in(left).any()
    assert figure_in(right).any()
    assert (both.frame(0)[:28] < 128).any(), "there are names"
    # the shorter one stands still at its end
    assert kick.duration < WALK.duration - 0.2
    poses = both.stages[1].poses
    assert (poses.root[-1] == poses.root[-2]).all()
    assert (poses.balls[-1] == poses.balls[-2]).all()


def test_a_gif_keeps_colours_time_and_white(walking: view.Animation, tmp_path: Path) -> None:
    seen = []
    walking.save(tmp_path / "walk.gif", lambda done, of: seen.append((done, of)))
    assert seen == [(k + 1, len(walking)) for k in range(len(walking))]
    with Pillow.open(tmp_path / "walk.gif") as gif:
        assert gif.n_frames == len(walking)
        durations = []
        for k in range(gif.n_frames):
            gif.seek(k)
            durations.append(gif.info["duration"])
        assert sum(durations) == pytest.approx(1000 * walking.duration)
        gif.seek(10)
        frame = np.asarray(gif.convert("RGB"))
    true = walking.frame(10)
    assert (frame[2, 2] == 255).all()
    assert np.abs(frame.astype(int) - true).mean() < 3
    blue = frame[coloured(true)].mean(axis=0)
    assert blue == pytest.approx(true[coloured(true)].mean(axis=0), abs=8)
    first = (tmp_path / "walk.gif").read_bytes()
    walking.save(tmp_path / "walk.gif")
    assert (tmp_path / "walk.gif").read_bytes() == first, "the same animation is the same file"
    assert [path.name for path in tmp_path.iterdir()] == ["walk.gif"]


def test_a_gif_of_thirds_of_a_second_loses_no_time(tmp_path: Path) -> None:
    view.animate(WALK, fps=30, stop=1.0, size=(40, 32)).save(tmp_path / "w.gif")
    with Pillow.open(tmp_path / "w.gif") as gif:
        total = 0
        for k in range(gif.n_frames):
            gif.seek(k)
            total += gif.info["duration"]
    assert total == 1030


def test_a_webp_has_every_frame(walking: view.Animation, tmp_path: Path) -> None:
    walking.save(tmp_path / "walk.webp")
    with Pillow.open(tmp_path / "walk.webp") as webp:
        assert webp.n_frames == len(walking)
        assert webp.size == SMALL
        webp.seek(10)
        assert np.abs(np.asarray(webp.convert("RGB")).astype(int) - walking.frame(10)).mean() < 6
    assert walking._repr_html_().startswith('<img alt="animation" src="data:image/webp;base64,')


def test_an_mp4_has_every_frame(walking: view.Animation, tmp_path: Path) -> None:
    av = pytest.importorskip("av", reason="PyAV is an extra")
    walking.save(tmp_path / "walk.mp4")
    with av.open(str(tmp_path / "walk.mp4")) as film:
        stream = film.streams.video[0]
        frames = [frame.to_ndarray(format="rgb24") for frame in film.decode(stream)]
        assert float(stream.average_rate) == pytest.approx(10.0)
    assert len(frames) == len(walking)
    assert np.abs(frames[10].astype(int) - walking.frame(10)).mean() < 6


def test_without_pyav_an_mp4_says_what_would_help(
    walking: view.Animation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(sg.FileFormatError, match=r"pip install 'segue\[video\]'"):
        walking.save(tmp_path / "walk.mp4")
    assert not list(tmp_path.iterdir())


def test_an_interrupted_animation_leaves_the_old_file(walking: view.Animation, tmp_path: Path) -> None:
    path = tmp_path / "walk.gif"
    path.write_bytes(b"old")

    def stop(done: int, of: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        walking.save(path, stop)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: view.animate({}), "nothing to animate"),
        (lambda: view.animate({"a": 3}), "only motions can be animated"),  # type: ignore[dict-item]
        (lambda: view.animate(WALK, fps=0), "fps is 0"),
        (lambda: view.animate(WALK, speed=-1), "speed is -1"),
        (lambda: view.animate(WALK, start=2.0, stop=1.0), "nothing lies between"),
        (lambda: view.animate(WALK, size=(4, 4)), "from 32 to 4096"),
        (lambda: view.animate(WALK, size="big"), "width and height"),  # type: ignore[arg-type]
        (lambda: view.animate(WALK, fps=1e6), "no more than 20000"),
        (lambda: view.animate(WALK - sg.trim(WALK, 1, 2, keep_time=True)), "undefined at .*fill it with fill_gaps"),
        (lambda: view.animate(sg.only(WALK, "right_arm")), "only a whole body"),
        (lambda: view.animate(WALK, fills={"run": [BODY]}), "'run', which is no motion"),
        (lambda: view.animate({"a": WALK, "b": WALK}, fills=[BODY]), "by their names"),
        (lambda: view.animate(WALK, fps=10, size=SMALL).frame(10_000), "no frame 10000"),
        (lambda: view.animate(WALK, rest="pink"), "no colour 'pink'"),
    ],
)
def test_what_cannot_be_animated_is_refused_in_one_sentence(call, message: str) -> None:
    with pytest.raises(sg.ArgumentError, match=message) as refused:
        call()
    assert "\n" not in str(refused.value)


def test_files_that_cannot_be_are_refused_before_drawing(walking: view.Animation, tmp_path: Path) -> None:
    with pytest.raises(sg.FileFormatError, match=r"end in \.gif, \.webp, \.mp4"):
        walking.save(tmp_path / "walk.avi")
    with pytest.raises(sg.FileFormatError, match="no folder"):
        walking.save(tmp_path / "none" / "walk.gif")
    with pytest.raises(sg.ArgumentError, match="at most 50 frames a second"):
        view.animate(WALK, fps=60, stop=0.5, size=SMALL).save(tmp_path / "fast.gif")
    assert not list(tmp_path.iterdir())


def test_grey_is_the_colour_of_what_was_there(walking: view.Animation) -> None:
    frame = walking.frame(0)
    body = frame[: int(0.86 * len(frame))][figure_in(frame)]
    assert np.median(np.ptp(body.astype(int), axis=1)) < 25
    assert np.ptp(colour("grey")) < 0.1
