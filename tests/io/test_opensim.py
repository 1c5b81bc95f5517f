"""OpenSim files: the coordinates turn the joints of both models to where the figure has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import segue as sg
from segue.body.human import HUMAN
from segue.io.opensim import MODELS, coordinates, moments
from segue.motion.tracks import velocities_of
from segue.plausibility import observe

X, Y, Z = np.eye(3)
# in the order in which the moving body turns, by side: what docs/simulators.md says
BALLS = {"r": (Z, X, Y), "l": (Z, -X, -Y)}
SIDES = {"r": ("right", 1.0), "l": ("left", -1.0)}


def read(path: Path) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the header and the columns of a .mot or .sto file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    end = lines.index("endheader")
    names = lines[end + 1].split("\t")
    rows = np.array([line.split("\t") for line in lines[end + 2 :]], float)
    head = dict(line.split("=") for line in lines[1:end])
    return head, dict(zip(names, rows.T, strict=True))


def turned(columns: dict[str, Any], names: list[str], axes: Any) -> Rotation:
    whole = Rotation.identity()
    for name, axis in zip(names, axes, strict=True):
        whole = whole * Rotation.from_rotvec(columns[name][:, None] * axis)
    return whole


def in_opensim(points: Any) -> Any:
    """Return points of the figure as x forwards, y up, z to the right."""
    return np.stack([points[..., 2], points[..., 1], -points[..., 0]], axis=-1)


def joint_places(motion: sg.Motion) -> dict[str, Any]:
    places = in_opensim(motion.figure.forward(motion.poses)[0])
    return {segment: places[:, s] for s, segment in enumerate(HUMAN.segments)}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("clip", ["walk", "kick", "salute"])
def test_coordinates_put_the_joints_where_they_are(model: str, clip: str, tmp_path: Path) -> None:
    motion = sg.clips.motion(clip)
    sg.save(motion, tmp_path / "a.mot", format=model)
    head, columns = read(tmp_path / "a.mot")
    assert head == {"version": "1", "nRows": str(len(motion)), "nColumns": str(len(columns)), "inDegrees": "yes"}
    assert columns["time"][0] == 0.0
    lengths = {name: columns.pop(name) for name in ("time", "pelvis_tx", "pelvis_ty", "pelvis_tz")}
    columns = {name: np.radians(values) for name, values in columns.items()}
    known, build = joint_places(motion), motion.figure.build
    pelvis = turned(columns, ["pelvis_tilt", "pelvis_list", "pelvis_rotation"], BALLS["r"])
    origin = np.stack([lengths[f"pelvis_t{axis}"] for axis in "xyz"], axis=1)
    size = build.half_hip / MODELS[model].hip[2]
    for letter, (side, s) in SIDES.items():
        hip = origin + pelvis.apply(size * np.array(MODELS[model].hip) * [1.0, 1.0, s])
        np.testing.assert_allclose(hip, known[f"{side}_thigh"], atol=1e-6)
        names = [f"hip_{part}_{letter}" for part in ("flexion", "adduction", "rotation")]
        thigh = pelvis * turned(columns, names, BALLS[letter])
        knee = hip + thigh.apply(-build.thigh * Y)
        np.testing.assert_allclose(knee, known[f"{side}_shank"], atol=1e-6)
        flexes = -Z if model == "rajagopal2016" else Z  # the heel goes back
        shank = thigh * turned(columns, [f"knee_angle_{letter}"], [flexes])
        ankle = knee + shank.apply(-build.shank * Y)
        np.testing.assert_allclose(ankle, known[f"{side}_foot"], atol=1e-6)
    if model == "rajagopal2016":
        torso = pelvis * turned(columns, ["lumbar_extension", "lumbar_bending", "lumbar_rotation"], BALLS["r"])
        for letter, (side, _) in SIDES.items():
            names = [f"arm_{part}_{letter}" for part in ("flex", "add", "rot")]
            arm = torso * turned(columns, names, BALLS[letter])
            elbow = known[f"{side}_upper_arm"] + arm.apply(-build.upper_arm * Y)  # at zero the arm hangs
            np.testing.assert_allclose(elbow, known[f"{side}_forearm"], atol=1e-6)
            forearm = arm * turned(columns, [f"elbow_flex_{letter}"], [Z])  # the hand comes forwards
            wrist = elbow + forearm.apply(-build.forearm * Y)
            np.testing.assert_allclose(wrist, known[f"{side}_hand"], atol=1e-6)
    else:
        assert not any(name.startswith(("arm", "elbow", "wrist", "pro_sup")) for name in columns)


def test_the_hand_turns_as_the_signs_say(tmp_path: Path) -> None:
    """At pro_sup 0 the palm of a hanging arm faces forwards; wrist_dev is positive towards the little finger."""
    poses = sg.Poses.zero(1)
    figure = sg.Figure.standard()
    found = coordinates(figure, poses, MODELS["rajagopal2016"])
    assert found["arm_add_r"][0] == pytest.approx(-np.pi / 2)  # the T pose
    assert found["pro_sup_l"][0] == pytest.approx(np.pi / 2)
    poses.hinge("left_wrist_deviation")[:] = 0.2  # towards the thumb, which points forwards
    assert figure.point("left_knuckles", poses)[0, 2] > 0.0
    assert coordinates(figure, poses, MODELS["rajagopal2016"])["wrist_dev_l"][0] == pytest.approx(-0.2)


def test_moments_do_the_work_of_the_figures_joints() -> None:
    motion, fps = sg.trim(sg.clips.walk, 0.5, 1.5), 600.0
    times = motion.times_at(fps)
    state = motion.state(times)
    fine = sg.Motion.from_poses(motion.figure, state.poses, fps)
    known = observe(fine).moments
    _, world = motion.figure.forward(state.poses)
    forces = moments(world, known, MODELS["rajagopal2016"])
    angles = coordinates(motion.figure, state.poses, MODELS["rajagopal2016"])
    velocities = velocities_of(state)
    inner = slice(20, -20)
    for joint, names in {
        "right_hip": ("hip_flexion_r", "hip_adduction_r", "hip_rotation_r"),
        "left_hip": ("hip_flexion_l", "hip_adduction_l", "hip_rotation_l"),
        "lower_back": ("lumbar_extension", "lumbar_bending", "lumbar_rotation"),
        "left_knee": ("knee_angle_l",),
        "right_wrist": ("wrist_flex_r", "wrist_dev_r"),
    }.items():
        own = velocities[:, HUMAN.joint_dofs[HUMAN.joint_names.index(joint)]]
        power = (known[joint] * own).sum(axis=1)
        same = sum(forces[name] * np.gradient(angles[name], 1.0 / fps) for name in names)
        assert np.isfinite(power[inner]).all()
        np.testing.assert_allclose(same[inner], power[inner], atol=0.02 * np.abs(power[inner]).max() + 1e-6)


def test_moments_are_written_with_names_of_opensim(tmp_path: Path) -> None:
    sg.save(sg.clips.walk, tmp_path / "a.sto")
    head, columns = read(tmp_path / "a.sto")
    assert head["inDegrees"] == "no"
    assert set(columns) == {"time"} | {
        f"{name}_moment"
        for name in coordinates(sg.Figure.standard(), sg.Poses.zero(1), MODELS["rajagopal2016"])
        if not name.startswith("pelvis")
    }
    mass = sg.clips.walk.figure.mass
    # who walks pushes off with the calf: 1.2 to 2.2 N m/kg of plantar flexion
    assert -2.2 * mass < np.nanmin(columns["ankle_angle_r_moment"]) < -1.2 * mass


def test_opensim_reads_the_files_and_moves_a_model(tmp_path: Path) -> None:
    """OpenSim itself puts the joints of legs made with the models' axes where the figure has them, within 1 mm."""
    opensim: Any = pytest.importorskip("opensim", reason="OpenSim is not installed")
    motion = sg.clips.walk
    sg.save(motion, tmp_path / "a.mot")
    sg.save(motion, tmp_path / "a.sto")
    efforts = opensim.TimeSeriesTable(str(tmp_path / "a.sto"))
    assert (efforts.getNumRows(), efforts.getTableMetaDataString("inDegrees")) == (len(motion), "no")
    _, columns = read(tmp_path / "a.sto")
    np.testing.assert_allclose(
        efforts.getDependentColumn("knee_angle_r_moment").to_numpy(), columns["knee_angle_r_moment"]
    )
    table = opensim.TimeSeriesTable(str(tmp_path / "a.mot"))
    assert table.getTableMetaDataString("inDegrees") == "yes"
    labels = table.getColumnLabels()
    build, size = motion.figure.build, motion.figure.build.half_hip / MODELS["rajagopal2016"].hip[2]

    model = opensim.Model()
    inertia = opensim.Inertia(1, 1, 1)

    def body(name: str, parent: Any, place: Any, turns: list[tuple[str, Any]], moves: tuple[str, ...] = ()) -> Any:
        made = opensim.Body(name, 1.0, opensim.Vec3(0), inertia)
        model.addBody(made)
        transform = opensim.SpatialTransform()
        for number, axis in enumerate((Z, X, Y)):
            transform.updTransformAxis(number).setAxis(opensim.Vec3(*axis))
        for number, (coordinate, axis) in enumerate([*turns, *zip(moves, (X, Y, Z), strict=False)]):
            at = number if number < len(turns) else 3 + number - len(turns)
            part = transform.updTransformAxis(at)
            part.setCoordinateNames(opensim.ArrayStr(coordinate, 1))
            part.setAxis(opensim.Vec3(*map(float, axis)))
            part.set_function(opensim.LinearFunction(1.0, 0.0))
        joint = opensim.CustomJoint(
            f"{name}_joint", parent, opensim.Vec3(*map(float, place)), opensim.Vec3(0), made, opensim.Vec3(0),
            opensim.Vec3(0), transform,
        )  # fmt: skip
        model.addJoint(joint)
        return made

    names = [("pelvis_tilt", Z), ("pelvis_list", X), ("pelvis_rotation", Y)]
    pelvis = body("pelvis", model.getGround(), (0, 0, 0), names, ("pelvis_tx", "pelvis_ty", "pelvis_tz"))
    ends = {}
    for letter, (side, s) in SIDES.items():
        hip = [
            (f"hip_{part}_{letter}", axis)
            for part, axis in zip(("flexion", "adduction", "rotation"), BALLS[letter], strict=True)
        ]
        at = size * np.array(MODELS["rajagopal2016"].hip) * [1.0, 1.0, s]
        thigh = body(f"thigh_{letter}", pelvis, at, hip)
        shank = body(f"shank_{letter}", thigh, (0, -build.thigh, 0), [(f"knee_angle_{letter}", -Z)])
        ends[f"{side}_shank"] = (shank, (0.0, 0.0, 0.0))
        ends[f"{side}_foot"] = (shank, (0.0, -build.shank, 0.0))
    state = model.initSystem()
    known = joint_places(motion)
    for row in range(0, len(motion), 24):
        values = dict(zip(labels, table.getRowAtIndex(row).to_numpy(), strict=True))
        for number in range(model.getCoordinateSet().getSize()):
            coordinate = model.getCoordinateSet().get(number)
            value = float(values[coordinate.getName()])
            is_length = coordinate.getName().startswith("pelvis_t") and coordinate.getName() != "pelvis_tilt"
            coordinate.setValue(state, value if is_length else float(np.radians(value)), False)
        model.realizePosition(state)
        for segment, (carrier, tip) in ends.items():
            place = carrier.findStationLocationInGround(state, opensim.Vec3(*tip)).to_numpy()
            np.testing.assert_allclose(place, known[segment][row], atol=1e-3)
