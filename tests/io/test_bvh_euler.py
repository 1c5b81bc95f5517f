"""Turns about axes: the compiled composition is the plain one, and decomposing undoes composing."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.curves import quaternion
from segue.io.bvh.channels import compose, compose_rows, decompose, reaches_every_rotation

SEQUENCES = [axes for k in range(4) for axes in itertools.product(range(3), repeat=k)]


def test_the_compiled_composition_is_the_plain_one() -> None:
    rng = np.random.default_rng(5)
    rows = np.cumsum(rng.normal(scale=60.0, size=(50, 3 * len(SEQUENCES))), axis=0)
    columns = rng.permutation(rows.shape[1]).reshape(-1, 3)
    axes = np.array([(*sequence, -1, -1, -1)[:3] for sequence in SEQUENCES])
    rotations = np.empty((50, len(SEQUENCES), 4))
    compose_rows(rows, columns, axes, rotations)
    for joint, sequence in enumerate(SEQUENCES):
        angles = np.deg2rad(rows[:, columns[joint, : len(sequence)]])
        plain = quaternion.make_continuous(compose(sequence, angles))
        np.testing.assert_allclose(rotations[:, joint], plain, atol=1e-12)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    sequence=st.sampled_from(SEQUENCES),
    angles=st.lists(st.tuples(*[st.floats(-10.0, 10.0)] * 3), min_size=1, max_size=5),
)
def test_decomposing_gives_the_same_rotations(sequence: tuple[int, ...], angles: list[tuple[float, ...]]) -> None:
    rotations = compose(sequence, np.array(angles)[:, : len(sequence)])
    again = compose(sequence, decompose(sequence, rotations))
    # close to gimbal lock SciPy neglects turns below 1e-7
    assert quaternion.angle_between(rotations, again).max() < 1e-6


@pytest.mark.parametrize("sequence", [sequence for sequence in SEQUENCES if reaches_every_rotation(sequence)])
def test_three_angles_continue_through_whole_turns_and_past_a_right_angle(sequence: tuple[int, ...]) -> None:
    time = np.linspace(0.0, 6.0, 400)[:, None]
    angles = np.array([0.3, 0.2, -0.4]) + np.array([9.0, 4.0, -7.0]) * np.sin(time * [0.5, 0.4, 0.3])
    again = decompose(sequence, compose(sequence, angles[1:]), before=angles[0])
    np.testing.assert_allclose(again, angles[1:], atol=1e-6)


def test_sequences_that_reach_every_rotation() -> None:
    reaching = {"".join("XYZ"[axis] for axis in axes) for axes in SEQUENCES if reaches_every_rotation(axes)}
    assert reaching == {
        *("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"),
        *("XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ"),
    }
