"""Roots that nothing pushes in flights: momenta by finite differences of the segments, a method of their own."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

import segue as sg
from segue.body.figure import Figure, Poses
from segue.curves import quaternion
from segue.curves.bspline import SplineBasis
from segue.dynamics import GRAVITY, FigureTree
from segue.dynamics.ground_push import ARM, PUSH_POINTS, push_edges
from segue.spacetime.ballistics import Soles, least_squares, sample_times, unpushed_root
from segue.typing import Array

_COUNT, _DURATION, _FLIGHT = 20, 0.8, (0.2, 0.6)
_STEP = 1e-4


def momenta(figure: Figure, poses: Poses) -> tuple[Array, Array]:
    """Return the momentum, and the angular momentum about the centre of mass, per kg, of steps between poses."""
    places, turns = figure.forward(poses)
    centres, masses = figure.segment_centres(places, turns), figure.segment_masses
    speeds = np.diff(centres, axis=0) / _STEP
    spins = quaternion.log(quaternion.multiply(turns[1:], quaternion.conjugate(turns[:-1]))) / _STEP
    axes = quaternion.to_matrix(turns)
    tensors = np.stack([inertia.tensor for inertia in figure.inertias.values()])
    world = np.einsum("tsij,sjk,tslk->tsil", axes, tensors, axes)[:-1]
    shares = masses / masses.sum()
    whole = np.einsum("s,tsi->ti", shares, speeds)
    about = centres[:-1] - np.einsum("s,tsi->ti", shares, centres[:-1])[:, None]
    orbits = np.einsum("s,tsi->ti", shares, np.cross(about, speeds - whole[:, None]))
    return whole, orbits + np.einsum("tsij,tsj->ti", world, spins) / masses.sum()


def rates(figure: Figure, tree: FigureTree, control: Array, times: Array) -> tuple[Array, Array]:
    """Return the rates of change of both momenta per kg at times, (T, 3) each."""
    basis = SplineBasis.uniform(0.0, _DURATION, _COUNT)
    around = (times[:, None] + _STEP * np.arange(-1, 2)).ravel()
    both = momenta(figure, tree.poses(basis.matrix(around) @ control))
    linear, angular = ((part[1::3] - part[0::3]) / _STEP for part in (np.append(p, p[-1:], axis=0) for p in both))
    return linear, angular


@pytest.mark.parametrize("seed", [0, 1])
def test_momenta_in_a_flight_are_those_of_a_free_body(seed: int) -> None:
    figure = sg.clips.run.figure
    tree = FigureTree.about(figure, sg.clips.run.state([0.5]).poses)
    rng = np.random.default_rng(seed)
    # joints swing by 23 degrees, at up to 2 Hz
    phases, along = rng.uniform(0.0, 6.0, 44), np.linspace(0.0, _DURATION, _COUNT)[:, None]
    control = 0.4 * np.sin(rng.uniform(3.0, 12.0, 44) * along + phases)
    root = unpushed_root(tree, control, _DURATION, [_FLIGHT])
    assert np.array_equal(root[[0, 1, -2, -1]], control[[0, 1, -2, -1], :6])
    made = control.copy()
    made[:, :6] = root
    times = np.linspace(_FLIGHT[0] + 0.05, _FLIGHT[1] - 0.05, 15)
    before, after = (rates(figure, tree, each, times) for each in (control, made))
    assert np.abs(before[0] - GRAVITY).max() > 5.0
    assert np.abs(before[1]).max() > 1.0
    assert np.abs(after[0] - GRAVITY).max() < 0.3
    assert np.abs(after[1]).max() < 0.1


def test_least_squares_are_those_of_numpy() -> None:
    rng = np.random.default_rng(3)
    rows = np.zeros((60, 20))
    for row in rows:
        start = rng.integers(0, 16)
        row[start : start + 5] = rng.normal(size=5)
    wanted = rng.normal(size=(60, 3))
    assert least_squares(rows, wanted) == pytest.approx(np.linalg.lstsq(rows, wanted)[0], abs=1e-9)


def unexplained(figure: Figure, tree: FigureTree, control: Array, times: Array, soles: Soles) -> Array:
    """Return the size (S,) of the push that soles cannot give, by SciPy, in N/kg."""
    linear, angular = rates(figure, tree, control, times)
    basis = SplineBasis.uniform(0.0, _DURATION, _COUNT)
    centre = figure.centre_of_mass(tree.poses(basis.matrix(times) @ control))
    needed = np.concatenate([linear - GRAVITY, angular / ARM], axis=1)
    edges = push_edges(soles.points, soles.normals, centre, soles.pushing)
    return np.array([nnls(columns, own)[1] for columns, own in zip(edges, needed, strict=True) if columns is not None])


def test_soles_can_give_the_push_that_a_free_root_needs() -> None:
    standing = sg.clips.stand.state([0.1]).poses
    figure = sg.clips.stand.figure
    tree = FigureTree.about(figure, standing)
    along = np.linspace(0.0, _DURATION, _COUNT)
    control = np.tile(tree.coordinates(standing), (_COUNT, 1))
    # more than friction can give
    control[:, 2] += 0.08 * np.sin(2.0 * np.pi * along / _DURATION) ** 2
    times = sample_times(_DURATION, _COUNT)
    points = np.stack([figure.point(name, standing)[0] for name in PUSH_POINTS])
    centre = figure.centre_of_mass(tree.poses(SplineBasis.uniform(0.0, _DURATION, _COUNT).matrix(times) @ control))
    on_soles = Soles(
        np.tile(points, (len(times), 1, 1)),
        np.tile([0.0, 1.0, 0.0], (len(times), 6, 1)),
        np.ones((len(times), 6), bool),
        centre,
    )
    made = control.copy()
    made[:, :6] = unpushed_root(tree, control, _DURATION, [], on_soles)
    assert np.array_equal(made[[0, 1, -2, -1]], control[[0, 1, -2, -1]])
    inside = slice(10, -10)
    part = Soles(on_soles.points[inside], on_soles.normals[inside], on_soles.pushing[inside], centre[inside])
    before, after = (unexplained(figure, tree, each, times[inside], part) for each in (control, made))
    assert np.sqrt((before**2).mean()) > 3.0
    assert np.sqrt((after**2).mean()) < 0.3 * np.sqrt((before**2).mean())
    nobody = on_soles._replace(pushing=np.zeros((len(times), 6), bool))
    assert np.abs(unpushed_root(tree, control, _DURATION, [], nobody) - control[:, :6]).max() < 1e-9
