"""Cameras: directions, projection and framing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.errors import ArgumentError
from segue.view.camera import Camera, View

cameras = st.builds(Camera, st.floats(-180, 180), st.floats(-80, 90), st.one_of(st.none(), st.floats(6.0, 40.0)))


def test_in_front_of_a_figure_its_left_is_on_the_right() -> None:
    right, up, forward = Camera(0.0, 0.0).axes
    assert right == pytest.approx([1.0, 0.0, 0.0])
    assert up == pytest.approx([0.0, 1.0, 0.0])
    assert forward == pytest.approx([0.0, 0.0, -1.0])


def test_from_its_right_side_it_goes_to_the_right() -> None:
    assert Camera(-90.0, 0.0).axes[0] == pytest.approx([0.0, 0.0, 1.0])


@given(camera=cameras)
def test_axes_are_a_right_handed_frame(camera: Camera) -> None:
    right, up, forward = camera.axes
    assert camera.axes @ camera.axes.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.cross(right, up) == pytest.approx(-forward, abs=1e-12)
    assert up[1] >= -1e-12


@given(camera=cameras, place=st.tuples(*[st.floats(-1.5, 1.5)] * 3))
def test_the_ray_of_a_pixel_goes_through_what_the_pixel_shows(camera: Camera, place: tuple[float, ...]) -> None:
    view = View(camera, np.array([0.1, 0.9, -0.2]), 100.0, (-3.0, 3.0), (600, 600))
    point = np.array(place)
    column, row = view.pixels(point[None])[0] - 0.5
    rays = view.rays()
    origin = rays.origin + row * rays.origin_down + column * rays.origin_right
    direction = rays.direction + row * rays.direction_down + column * rays.direction_right
    direction /= np.linalg.norm(direction)
    aside = (point - origin) - ((point - origin) @ direction) * direction
    assert np.linalg.norm(aside) < 1e-6


@given(camera=cameras, places=st.lists(st.tuples(*[st.floats(-1.5, 1.5)] * 3), min_size=2, max_size=6))
def test_framing_holds_everything(camera: Camera, places: list[tuple[float, ...]]) -> None:
    centres, radii = np.array(places), np.full(len(places), 0.1)
    view = camera.framing(centres, radii, 240)
    assert view.size[1] == 240
    low, high = view.pixels(centres).min(axis=0), view.pixels(centres).max(axis=0)
    assert (low > 0).all()
    assert (high < np.array(view.size)).all()


def test_twice_the_pixels_show_the_same() -> None:
    view = Camera().framing(np.array([[0.0, 0.0, 0.0], [0.5, 1.7, 0.0]]), np.array([0.1, 0.1]), 200)
    points = np.array([[0.1, 0.5, 0.2], [-0.3, 1.2, 0.0]])
    assert view.enlarged(2).pixels(points) == pytest.approx(2 * view.pixels(points))


def test_bad_cameras_are_refused() -> None:
    with pytest.raises(ArgumentError, match="elevation is 100"):
        Camera(elevation_deg=100.0)
    with pytest.raises(ArgumentError, match="distance is -1"):
        Camera(distance=-1.0)
    with pytest.raises(ArgumentError, match="too near"):
        Camera(distance=1.0).framing(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 5.0]]), np.array([0.1, 0.1]), 100)
