"""The renderer: shapes where they should be, nearer ones in front, light from above, shade below."""

from __future__ import annotations

import numpy as np
import pytest

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.view.camera import Camera, View
from segue.view.flesh import Solids, solids
from segue.view.render import Look, render

RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
FRONT = Camera(0.0, 0.0, None)


def capsule(start: tuple[float, ...], stop: tuple[float, ...], radii: tuple[float, float]) -> Solids:
    nothing = np.zeros((0, 3))
    return Solids(
        np.array([start]),
        np.array([stop]),
        np.array([radii]),
        nothing,
        np.zeros((0, 3, 3)),
        np.zeros(1, dtype=np.int64),
    )


def ball(centre: tuple[float, ...], radii: tuple[float, ...]) -> Solids:
    nothing = np.zeros((0, 3))
    shape = np.diag(1.0 / np.array(radii))[None]
    return Solids(nothing, nothing, np.zeros((0, 2)), np.array([centre]), shape, np.zeros(1, dtype=np.int64))


def together(first: Solids, second: Solids) -> Solids:
    counts = len(first.starts), len(second.starts)
    owners = [0] * counts[0] + [1] * counts[1] + [0] * len(first.centres) + [1] * len(second.centres)
    parts = [
        np.concatenate([getattr(first, n), getattr(second, n)])
        for n in ("starts", "stops", "radii", "centres", "shapes")
    ]
    return Solids(*parts, np.array(owners, dtype=np.int64))


def view(camera: Camera = FRONT) -> View:
    return View(camera, np.array([0.0, 1.0, 0.0]), 100.0, (-1.0, 1.0), (200, 200))


def coloured(image: np.ndarray) -> np.ndarray:
    """Return which pixels show a body: the floor and the background are grey."""
    return np.ptp(image.astype(int), axis=2) > 24


@pytest.mark.parametrize("distance", [None, 20.0])
def test_an_ellipsoid_is_as_large_as_it_should_be(distance: float | None) -> None:
    camera = Camera(0.0, 0.0, distance)
    seen = coloured(render(ball((0.2, 1.1, 0.0), (0.3, 0.5, 0.2)), np.array([RED]), view(camera)))
    rows, columns = np.nonzero(seen)
    assert np.ptp(columns) + 1 == pytest.approx(60, abs=2)
    assert np.ptp(rows) + 1 == pytest.approx(100, abs=2)
    assert columns.mean() == pytest.approx(119.5, abs=1)
    assert rows.mean() == pytest.approx(89.5, abs=1)
    assert seen.sum() == pytest.approx(np.pi * 30 * 50, rel=0.03)


def test_a_tapered_capsule_is_two_discs_and_their_tangents() -> None:
    seen = coloured(render(capsule((-0.4, 1.0, 0.0), (0.4, 1.0, 0.0), (0.3, 0.1)), np.array([RED]), view()))
    sine = 0.2 / 0.8
    cosine = np.sqrt(1 - sine**2)
    lean = np.arcsin(sine)
    area = 0.8 * cosine * (0.3 + 0.1) + (np.pi / 2 + lean) * 0.3**2 + (np.pi / 2 - lean) * 0.1**2
    assert seen.sum() / 100**2 == pytest.approx(area, rel=0.03)
    columns = np.nonzero(seen)[1]
    assert columns.min() == pytest.approx(30, abs=1)
    assert columns.max() == pytest.approx(149, abs=1)


def test_the_nearer_hides_the_further_whichever_is_drawn_first() -> None:
    near, far = ball((0.0, 1.0, 0.5), (0.3, 0.3, 0.3)), ball((0.0, 1.0, -0.5), (0.3, 0.3, 0.3))
    first = render(together(near, far), np.array([RED, BLUE]), view())[100, 100]
    second = render(together(far, near), np.array([BLUE, RED]), view())[100, 100]
    assert first[0] > 150 > first[2]
    assert (first == second).all()


def test_light_comes_from_above_and_the_floor_is_shaded_below() -> None:
    look = Look(grid=None)
    camera = Camera(0.0, 30.0, None)
    image = render(ball((0.0, 0.35, 0.0), (0.3, 0.3, 0.3)), np.array([RED]), view(camera), look).astype(int)
    body = coloured(image)
    rows = np.nonzero(body.any(axis=1))[0]
    upper, lower = rows[len(rows) // 4], rows[-len(rows) // 8]
    assert image[upper, 100, 0] > image[lower, 100, 0] + 40
    floor = ~body
    beneath, aside = rows[-1] + 4, 4
    assert floor[beneath, 100]
    assert image[beneath, 100].mean() < image[beneath, aside].mean() - 20


def test_a_figure_stands_on_its_feet() -> None:
    figure = Figure.standard(1.75)
    poses = Poses.zero(1)
    heel = figure.point("left_heel", poses)[0, 1]
    shapes = solids(figure, poses, np.array([[0.3, -heel, 0.0]]))
    lowest = np.concatenate([shapes.starts[:, 1] - shapes.radii[:, 0], shapes.stops[:, 1] - shapes.radii[:, 1]]).min()
    assert lowest == pytest.approx(0.0, abs=1e-9)
    highest = shapes.centres[:, 1] + 1.0 / np.linalg.norm(shapes.shapes[:, 1], axis=1)
    assert highest.max() == pytest.approx(1.75, abs=0.02)
    assert np.concatenate([shapes.starts, shapes.stops, shapes.centres])[:, 0].mean() == pytest.approx(0.3, abs=1e-9)


def test_every_exposure_has_its_own_colour() -> None:
    figure = Figure.standard(1.75)
    shapes = solids(figure, Poses.zero(2), np.array([[-1.0, 0.9, 0.0], [1.0, 0.9, 0.0]]))
    framed = FRONT.framing(*shapes.spheres(), 160)
    image = render(shapes, np.repeat([RED, BLUE], len(HUMAN.segments), axis=0), framed).astype(int)
    middle = image.shape[1] // 2
    left, right = image[:, :middle], image[:, middle:]
    assert (left[..., 0] - left[..., 2] > 60).sum() > 500
    assert (right[..., 2] - right[..., 0] > 60).sum() > 500
    assert (left[..., 2] - left[..., 0] > 60).sum() < 50
