"""MuJoCo out: the figure as an MJCF model, and its motion as generalised positions and velocities.

Axes are those of robots: x forwards, y to the left, z up. Segue's are z forwards, x to the left, y up, so the world's
axes are the same three in another order. Frames of segments stay Segue's.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.filesystem import atomic_write
from segue.io.archive import save_arrays
from segue.motion.motion import Motion
from segue.motion.tracks import positions_of, velocities_of
from segue.typing import Array

TO_ROBOT = (0.5, 0.5, 0.5, 0.5)
"""The quaternion that takes Segue's world axes to x forwards, y left, z up."""

_DENSITY = 1000.0  # kg/m^3, about that of a body: makes a segment's capsule as stout as its mass
_STOUTEST = 0.45  # of its length: the radius of a capsule at most
_SOLE_RADIUS = 0.008  # m, of the spheres under heel, ball and toe tip
_COLOURS = {"left": "0.35 0.55 0.8 1", "right": "0.85 0.5 0.3 1", "centre": "0.6 0.6 0.58 1"}


def qpos_names() -> tuple[str, ...]:
    """Return the names of the 51 numbers of a `qpos` row, in MuJoCo's order."""
    names = np.empty(HUMAN.column_count, object)
    names[:3] = HUMAN.dof_names[:3]
    for ball, places in zip(HUMAN.ball_names, HUMAN.ball_positions, strict=True):
        names[places] = [f"{ball}_q{letter}" for letter in "wxyz"]
    names[HUMAN.hinge_positions] = HUMAN.hinge_names
    return tuple(names)


def engine_arrays(motion: Motion, fps: float | None = None) -> dict[str, Any]:
    """Return a motion as MuJoCo has it: time (T,) s, qpos (T, 51), qvel (T, 44), and the names of their columns.

    The root's position is in metres in the axes of robots; its quaternion takes the pelvis's frame to these axes. The
    linear velocity is in the world, angular velocities are in the frame of the segment that moves, rad/s. Hinges are in
    radians.
    """
    times = motion.times_at(fps)
    state = motion.state(times)
    qpos, qvel = positions_of(state.poses), velocities_of(state)
    qpos[:, :3], qvel[:, :3] = (quaternion.rotate(np.array(TO_ROBOT), part[:, :3]) for part in (qpos, qvel))
    root = HUMAN.ball_positions[0]
    qpos[:, root] = quaternion.multiply(np.array(TO_ROBOT), qpos[:, root])
    qpos[:, HUMAN.ball_positions] = quaternion.make_continuous(qpos[:, HUMAN.ball_positions])
    return {
        "time": times - times[0],
        "fps": np.array(motion.fps if fps is None else float(fps)),
        "qpos": qpos,
        "qvel": qvel,
        "qpos_names": np.array(qpos_names()),
        "qvel_names": np.array(HUMAN.dof_names),
    }


def write_mjcf(motion: Motion, path: str | Path, fps: float | None = None) -> None:
    """Write the motion's figure as MJCF with its first frame as keyframe "start", and the motion beside it.

    `walk.xml` gets `walk.qpos.npz`, which holds `engine_arrays`.
    """
    arrays = engine_arrays(motion, fps)
    model = _model(motion.figure, arrays)
    beside = Path(path).with_suffix(".qpos.npz")
    with atomic_write(path) as xml:
        Xml.indent(model)
        xml.write_text(Xml.tostring(model, encoding="unicode") + "\n", encoding="utf-8")
        save_arrays(beside, arrays)


def write_qpos(motion: Motion, path: str | Path, fps: float | None = None) -> None:
    """Write time and `qpos` as comma-separated values, with a line of names first; numbers come back bit for bit."""
    arrays = engine_arrays(motion, fps)
    rows = np.column_stack([arrays["time"], arrays["qpos"]])
    with atomic_write(path) as beside:
        np.savetxt(beside, rows, "%.17g", ",", header=",".join(("time", *qpos_names())), comments="", encoding="utf-8")


def _model(figure: Figure, arrays: dict[str, Any]) -> Xml.Element:
    model = Xml.Element("mujoco", model="segue figure")
    Xml.SubElement(model, "compiler", angle="radian", autolimits="true")
    default = Xml.SubElement(model, "default")
    Xml.SubElement(default, "geom", mass="0", friction="1 0.005 0.0001")
    world = Xml.SubElement(model, "worldbody")
    Xml.SubElement(world, "light", pos="0 0 4", directional="true")
    Xml.SubElement(world, "geom", name="floor", type="plane", size="0 0 1", rgba="0.8 0.8 0.78 1")
    actuator = Xml.SubElement(model, "actuator")
    bodies: list[Xml.Element] = []
    for s, joint in enumerate(HUMAN.joints):
        inertia = figure.inertias[joint.segment]
        above = world if HUMAN.parents[s] < 0 else bodies[HUMAN.parents[s]]
        body = Xml.SubElement(above, "body", name=joint.segment, pos=_text(figure.offsets[s]))
        bodies.append(body)
        tensor = inertia.tensor
        full = [*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2]]
        Xml.SubElement(body, "inertial", pos=_text(inertia.centre), mass=_text([inertia.mass]), fullinertia=_text(full))
        if joint.parent is None:
            Xml.SubElement(body, "freejoint", name=joint.name)
        elif joint.ball:
            Xml.SubElement(body, "joint", name=joint.name, type="ball")
            for axis, name in zip(np.eye(3), HUMAN.dof_names[HUMAN.joint_dofs[s]], strict=True):
                Xml.SubElement(actuator, "motor", name=name, joint=joint.name, gear=_text([*axis, 0, 0, 0]))
        for hinge in joint.hinges:
            limits = _text([hinge.limit.low, hinge.limit.high])
            Xml.SubElement(body, "joint", name=hinge.name, type="hinge", axis=_text(hinge.axis), range=limits)
            Xml.SubElement(actuator, "motor", name=hinge.name, joint=hinge.name)
        _add_geoms(body, figure, s)
    keyframe = Xml.SubElement(model, "keyframe")
    Xml.SubElement(keyframe, "key", name="start", qpos=_text(arrays["qpos"][0]), qvel=_text(arrays["qvel"][0]))
    return model


def _add_geoms(body: Xml.Element, figure: Figure, s: int) -> None:
    """Add a capsule to the middle of the joints and points that a segment carries, and spheres under the sole."""
    segment = HUMAN.segments[s]
    own = {name: place for name, (carrier, place) in figure.points.items() if carrier == segment}
    tips = [place for name, place in own.items() if name.endswith(("head_top", "knuckles", "toe_tip"))]
    ends = [figure.offsets[child] for child, parent in enumerate(HUMAN.parents) if parent == s] or tips
    stop: Array = np.mean(ends, axis=0)
    length = float(np.linalg.norm(stop))
    side = segment.partition("_")[0] if segment.startswith(("left", "right")) else "centre"
    if length > 0.01 * figure.stature:
        stout = math.sqrt(figure.inertias[segment].mass / (math.pi * _DENSITY * length))
        radius = min(stout, _STOUTEST * length)
        inset = stop * (radius / length)
        shape = {"name": segment, "type": "capsule", "rgba": _COLOURS[side]}
        shape |= {"fromto": _text([*inset, *(stop - inset)]), "size": _text([radius])}
        if segment.endswith(("foot", "toes")):  # the spheres under the sole bear the body
            shape |= {"contype": "0", "conaffinity": "0"}
        Xml.SubElement(body, "geom", shape)
    for name, place in own.items():
        if name.endswith(("heel", "ball", "toe_tip")):
            centre = _text(place + np.array([0.0, _SOLE_RADIUS, 0.0]))
            Xml.SubElement(body, "geom", name=name, type="sphere", pos=centre, size=_text([_SOLE_RADIUS]))


def _text(values: npt.ArrayLike) -> str:
    return " ".join(repr(float(value)) for value in np.asarray(values, float).ravel())
