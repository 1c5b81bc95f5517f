"""The figure: 44 degrees of freedom, tables that add up, bodies that could exist, kinematics."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from segue.body.anthropometry import SEXES, segment_row
from segue.body.build import mirrored
from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import mirror_name, side_of
from segue.curves import quaternion
from segue.errors import ArgumentError


def random_poses(frames: int, seed: int) -> Poses:
    rng = np.random.default_rng(seed)
    return Poses(
        rng.normal(size=(frames, 3)),
        quaternion.exp(rng.normal(scale=0.5, size=(frames, len(HUMAN.ball_names), 3))),
        rng.normal(scale=0.5, size=(frames, len(HUMAN.hinge_names))),
    )


def test_the_figure_has_44_degrees_of_freedom_with_names_of_their_own() -> None:
    assert len(HUMAN.dof_names) == len(set(HUMAN.dof_names)) == 44
    assert len(HUMAN.ball_names) * 3 + len(HUMAN.hinge_names) + 3 == 44


def test_groups_cover_every_joint_once_per_limb() -> None:
    limbs = ["root", "trunk", "left_arm", "right_arm", "left_leg", "right_leg"]
    names = [name for limb in limbs for name in HUMAN.groups[limb]]
    assert sorted(names) == sorted(joint.name for joint in HUMAN.joints)
    assert set(HUMAN.groups["upper_body"]) | set(HUMAN.groups["lower_body"]) == set(HUMAN.groups["whole_body"])


def test_sides_mirror_each_other() -> None:
    for name in (*HUMAN.segments, *HUMAN.hinge_names):
        assert mirror_name(mirror_name(name)) == name
        assert (mirror_name(name) == name) == (side_of(name) == "centre")


@pytest.mark.parametrize("sex", SEXES)
def test_masses_add_up_and_every_body_is_physical(sex: str) -> None:
    figure = Figure.standard(1.7, mass=65.0, sex=sex)
    assert sum(inertia.mass for inertia in figure.inertias.values()) == pytest.approx(65.0, rel=1e-12)
    assert list(figure.inertias) == list(HUMAN.segments)
    for name, inertia in figure.inertias.items():
        moments = np.linalg.eigvalsh(inertia.tensor)
        # some distribution of positive mass has this tensor
        assert min(inertia.mass, moments[0]) > 0, name
        assert moments[2] <= moments[0] + moments[1] + 1e-12, name


def test_segment_masses_are_de_levas() -> None:
    figure = Figure.standard(mass=100.0, sex="male")
    masses = {name: inertia.mass for name, inertia in figure.inertias.items()}
    assert masses["left_thigh"] == pytest.approx(14.16, abs=0.01)
    assert masses["right_shank"] == pytest.approx(4.33, abs=0.01)
    assert masses["head"] == pytest.approx(6.94, abs=0.01)
    assert masses["left_foot"] + masses["left_toes"] == pytest.approx(1.37, abs=0.01)
    trunk = masses["pelvis"] + masses["torso"] + masses["left_clavicle"] + masses["right_clavicle"]
    assert trunk == pytest.approx(43.46, abs=0.01)


def test_cutting_out_girdles_and_toes_keeps_the_whole() -> None:
    figure = Figure.standard(mass=70.0, sex="female")
    foot, toes = figure.inertias["left_foot"], figure.inertias["left_toes"]
    whole = foot.plus(toes.moved(figure.build.toe))
    row = segment_row("foot", "female")
    length = figure.build.heel + figure.build.toe[2] + figure.build.toes
    assert whole.mass == pytest.approx(row.mass * 70.0)
    assert whole.centre[2] == pytest.approx(row.centre * length - figure.build.heel)
    assert whole.tensor[0, 0] == pytest.approx(whole.mass * (row.transverse * length) ** 2, rel=1e-6)


def test_the_default_mass_is_that_of_the_sample() -> None:
    assert Figure.standard(1.741, sex="male").mass == pytest.approx(73.0, rel=1e-6)
    assert Figure.standard(1.735, sex="female").mass == pytest.approx(61.9, rel=1e-6)


def test_forward_kinematics_against_scipy_matrices() -> None:
    figure = Figure.standard()
    poses = random_poses(3, 4)
    positions, rotations = figure.forward(poses)
    for t in range(3):
        balls, hinges = iter(poses.balls[t]), iter(poses.hinges[t])
        world: list[tuple[np.ndarray, np.ndarray]] = []
        for s, joint in enumerate(HUMAN.joints):
            if joint.ball:
                local = Rotation.from_quat(next(balls), scalar_first=True).as_matrix()
            else:
                local = np.eye(3)
                for hinge in joint.hinges:
                    local = local @ Rotation.from_rotvec(next(hinges) * np.array(hinge.axis)).as_matrix()
            if HUMAN.parents[s] < 0:
                world.append((local, poses.root[t]))
            else:
                above, origin = world[HUMAN.parents[s]]
                world.append((above @ local, origin + above @ figure.offsets[s]))
            np.testing.assert_allclose(positions[t, s], world[s][1], atol=1e-12)
            np.testing.assert_allclose(quaternion.to_matrix(rotations[t, s]), world[s][0], atol=1e-12)


def test_the_same_angles_on_both_sides_give_mirror_images() -> None:
    figure = Figure.standard()
    poses = Poses.zero(1)
    rng = np.random.default_rng(5)
    for name in HUMAN.hinge_names:
        if name.startswith("left_"):
            angle = rng.uniform(-0.5, 0.5)
            poses.hinge(name)[:] = angle
            poses.hinge(mirror_name(name))[:] = angle
    positions, _ = figure.forward(poses)
    for name in HUMAN.segments:
        here, there = positions[0, HUMAN.segments.index(name)], positions[0, HUMAN.segments.index(mirror_name(name))]
        np.testing.assert_allclose(here, mirrored(there), atol=1e-12)


@pytest.mark.parametrize(
    ("hinge", "segment", "axis", "sign"),
    [
        ("left_knee_flexion", "left_foot", 2, -1),  # the heel goes back
        ("right_knee_flexion", "right_foot", 2, -1),
        ("left_elbow_flexion", "left_hand", 2, 1),  # the hand comes forward
        ("right_elbow_flexion", "right_hand", 2, 1),
        ("left_ankle_flexion", "left_toes", 1, 1),  # the toes come up
        ("right_ankle_flexion", "right_toes", 1, 1),
        ("left_ankle_inversion", "left_toes", 0, -1),  # the toes go inwards
        ("right_ankle_inversion", "right_toes", 0, 1),
        ("left_clavicle_elevation", "left_upper_arm", 1, 1),
        ("right_clavicle_protraction", "right_upper_arm", 2, 1),
    ],
)
def test_positive_angles_mean_what_their_names_say(hinge: str, segment: str, axis: int, sign: int) -> None:
    figure = Figure.standard()
    poses = Poses.zero(2)
    poses.hinge(hinge)[1] = 0.3
    positions, _ = figure.forward(poses)
    moved = positions[1, HUMAN.segments.index(segment)] - positions[0, HUMAN.segments.index(segment)]
    assert sign * moved[axis] > 0.01


def test_points_touch_the_floor_where_the_sole_is() -> None:
    figure = Figure.standard()
    poses = Poses.zero(1)
    heights = [figure.point(f"left_{name}", poses)[0, 1] for name in ("heel", "ball", "toe_tip")]
    np.testing.assert_allclose(heights, heights[0], atol=1e-12)
    assert figure.point("head_top", poses)[0, 1] - heights[0] == pytest.approx(figure.stature, rel=0.03)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: Figure.standard(-1.0), "stature"),
        (lambda: Figure.standard(float("nan")), "stature"),
        (lambda: Figure.standard(mass=0.0), "mass"),
        (lambda: Figure.standard(sex="other"), "female, male, average"),
        (lambda: Figure.standard().point("left_heal", Poses.zero(1)), "left_heel"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(make, word: str) -> None:
    with pytest.raises(ArgumentError, match=word):
        make()
