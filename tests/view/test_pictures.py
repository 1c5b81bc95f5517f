"""Pictures: written whole, of the expected size, nothing cut off, colours in the order of time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

import segue.view
from segue.body.figure import Figure, Poses
from segue.clips import poses
from segue.errors import ArgumentError, FileFormatError, SegueError
from segue.view.picture import colour, course

FIGURE = Figure.standard(1.75)
LABELS = 24


@pytest.fixture(scope="module")
def walk() -> Poses:
    return poses("walk")


@pytest.fixture(scope="module")
def walking(walk: Poses) -> segue.view.Picture:
    return segue.view.plot_strip(FIGURE, walk, frames=5, fps=60, height=200)


def coloured(image: np.ndarray) -> np.ndarray:
    return np.ptp(image.astype(int), axis=2) > 40


def test_a_strip_has_the_height_it_was_given_and_nothing_is_cut_off(walking: segue.view.Picture) -> None:
    image = walking.pixels()
    assert image.shape[0] == 200 + LABELS
    body = coloured(image)
    rows, columns = np.nonzero(body)
    assert body.sum() > 4000
    assert 0 < rows.min() < 25
    assert rows.max() < 199
    assert columns.min() > 0
    assert columns.max() < image.shape[1] - 1
    assert (image[200:] < 128).any(), "there are labels"


def test_a_strip_goes_from_blue_to_red(walking: segue.view.Picture) -> None:
    image = walking.pixels().astype(int)
    columns = np.nonzero(coloured(image).any(axis=0))[0]
    width = columns[-1] - columns[0]
    early = image[:, columns[0] : columns[0] + width // 8][coloured(image)[:, columns[0] : columns[0] + width // 8]]
    late = image[:, columns[-1] - width // 8 : columns[-1]][coloured(image)[:, columns[-1] - width // 8 : columns[-1]]]
    assert early[:, 2].mean() > early[:, 0].mean() + 60
    assert late[:, 0].mean() > late[:, 2].mean() + 60


def test_what_stays_in_place_is_spaced_and_what_travels_is_not(walk: Poses) -> None:
    wave = poses("wave")
    spaced = segue.view.plot_strip(FIGURE, wave, frames=4, height=120).pixels().shape[1]
    stacked = segue.view.plot_strip(FIGURE, wave, frames=4, height=120, spacing=0.0).pixels().shape[1]
    assert spaced > 2 * stacked
    as_it_was = segue.view.plot_strip(FIGURE, walk, frames=5, height=120)
    explicit = segue.view.plot_strip(FIGURE, walk, frames=5, height=120, spacing=0.0)
    assert (as_it_was.pixels() == explicit.pixels()).all()


def test_frames_may_be_named(walk: Poses) -> None:
    few = segue.view.plot_strip(FIGURE, walk, frames=[0, 60], height=120).pixels()
    one = segue.view.plot_strip(FIGURE, walk, frames=1, height=120).pixels()
    assert few.shape[1] > one.shape[1]


def test_a_filmstrip_has_rows(walk: Poses) -> None:
    film = segue.view.plot_filmstrip(FIGURE, walk, frames=5, columns=3, height=100).pixels()
    assert film.shape[0] == 2 * (100 + LABELS)
    body = coloured(film)
    assert body[:100].sum() > body[100 + LABELS : -LABELS].sum() > 1000


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_pictures_are_written(tmp_path: Path, walking: segue.view.Picture, suffix: str) -> None:
    path = tmp_path / f"walk.{suffix}"
    walking.save(path)
    first = path.read_bytes()
    assert len(first) > 2000
    walking.save(path)
    assert path.read_bytes() == first, "the same picture is the same file"
    assert list(tmp_path.iterdir()) == [path]


def test_a_png_is_what_the_picture_shows(tmp_path: Path, walking: segue.view.Picture) -> None:
    walking.save(tmp_path / "walk.png")
    image = np.round(255 * imread(tmp_path / "walk.png")[..., :3]).astype(np.uint8)
    assert (image == walking.pixels()).all()


def test_curves_have_a_panel_for_each_angle(walk: Poses) -> None:
    one = segue.view.plot_curves(walk, ["left_knee_flexion", "right_knee_flexion"], fps=60)
    two = segue.view.plot_curves(walk, ["root_y", "left_hip_rotation_x"], fps=60)
    axes = one.canvas.get_axes()
    assert len(axes) == 1
    assert len(two.canvas.get_axes()) == 2
    left, right = axes[0].get_lines()
    assert np.asarray(left.get_ydata()) == pytest.approx(np.degrees(walk.hinge("left_knee_flexion")))
    assert np.asarray(left.get_xdata())[-1] == pytest.approx((len(walk) - 1) / 60)
    assert tuple(left.get_color()) != tuple(right.get_color())
    assert axes[0].get_ylabel() == "knee flexion\n(degrees)"
    assert axes[0].get_xlabel() == "time (s)"
    assert two.canvas.get_axes()[0].get_ylabel() == "root y\n(m)"
    assert coloured(one.pixels()).sum() > 500


def test_footprints_show_every_stance(walk: Poses) -> None:
    picture = segue.view.plot_footprints(FIGURE, walk, fps=60)
    soles = picture.canvas.get_axes()[0].patches
    assert len(soles) == 6
    middles = np.array(sorted(np.asarray(sole.get_xy()).mean(axis=0).tolist() for sole in soles))
    assert np.diff(middles[:, 0]) == pytest.approx(np.full(5, np.diff(middles[:, 0])[0]), abs=0.02)
    assert (np.sign(middles[:, 1]) == [1, -1, 1, -1, 1, -1]).all(), "left and right in turn"


def test_footprints_say_when_only_as_long_as_it_can_be_read(walk: Poses) -> None:
    short = segue.view.plot_footprints(FIGURE, walk, fps=60).canvas.get_axes()[0]
    steps = Poses(*(np.tile(part, (9,) + (1,) * (part.ndim - 1)) for part in (walk.root, walk.balls, walk.hinges)))
    long = segue.view.plot_footprints(FIGURE, steps, fps=60).canvas.get_axes()[0]
    assert len(short.texts) == len(short.patches)
    assert len(long.patches) > 40
    assert not long.texts


def test_courses_begin_and_end_with_their_colours() -> None:
    assert course("blue to red", 5)[[0, -1]] == pytest.approx(np.array([colour("blue"), colour("red")]), abs=2e-3)
    assert course("green", 3) == pytest.approx(np.tile(colour("green"), (3, 1)), abs=2e-3)
    steps = np.diff(course("blue to red", 9), axis=0)
    assert np.linalg.norm(steps, axis=1).max() < 0.3
    assert course("black to yellow", 4).min() >= 0.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: segue.view.plot_strip(FIGURE, p, frames=0), "frames is 0"),
        (lambda p: segue.view.plot_strip(FIGURE, p, frames=[0, 999]), "each must be from 0 to"),
        (lambda p: segue.view.plot_strip(FIGURE, p, colours="pink"), "no colour 'pink'"),
        (lambda p: segue.view.plot_strip(FIGURE, p, colours="blue to red to blue"), "name 3 colours"),
        (lambda p: segue.view.plot_strip(FIGURE, p, height=2), "height is 2"),
        (lambda p: segue.view.plot_filmstrip(FIGURE, p, columns=0), "columns is 0"),
        (lambda p: segue.view.plot_curves(p, ["left_tail"]), "no degree of freedom 'left_tail'"),
        (lambda p: segue.view.plot_curves(p, []), "nothing to draw"),
        (lambda p: segue.view.plot_footprints(FIGURE, p[:1]), "1 frames"),
        (lambda p: segue.view.plot_strip(FIGURE, p[:0]), "no frame to draw"),
    ],
)
def test_what_cannot_be_drawn_is_refused(walk: Poses, call, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        call(walk)


def test_a_picture_is_not_written_as_something_else(tmp_path: Path, walking: segue.view.Picture) -> None:
    with pytest.raises(FileFormatError, match=r"end in \.png, \.svg, \.pdf"):
        walking.save(tmp_path / "walk.txt")
    with pytest.raises(SegueError, match="no folder"):
        walking.save(tmp_path / "nowhere" / "walk.png")
    assert list(tmp_path.iterdir()) == []
