"""The figure as a body of the physics engine, generated from its lengths, masses, limits and strengths.

The root has no motor: the floor's force on the soles moves the dancer about. Only the inertia of shoes is added to the
figure's inertias, about ankles and toe joints. Axes are Segue's: metres, y up. The engine's velocities are those of
`HUMAN.dof_names`, in that order, of a ball joint along the axes of the segment that it moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.body.layout import Joint
from segue.dance.body.shapes import Ball, capsules, firm_radii, leg_pairs, shapes_of, sole_balls
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.environment import Environment
from segue.plausibility.torque import strength_of
from segue.typing import Array

# Joints that the table of strong adults leaves out. The girdle has to bear what the shoulder does. Toe flexors reach
# 14 +- 6 N m in men [Goldmann2012]; the plantar aponeurosis bears about as much again.
_UNLISTED = {"clavicle": 1.5, "toe": 0.5}


def joint_strengths(figure: Figure) -> Array:
    """Return the largest torque of each joint but the root, N m, in the order of `HUMAN.joints`, (18,).

    A joint of two or three degrees of freedom has that strength in any direction.
    """
    return np.array([figure.mass * _per_kilogram(joint) for joint in HUMAN.joint_names[1:]])


def _per_kilogram(joint: str) -> float:
    listed = strength_of(joint)
    return _UNLISTED[joint.partition("_")[2]] if listed is None else listed


TIMESTEP = 0.001
"""Seconds per step of physics."""

# A constraint between sole and floor: hard from the first micrometre on, so that a standing foot neither sinks nor
# creeps. Friction is stiffer than the normal direction for the same reason.
_HARDNESS = (0.95, 0.99, 0.001, 0.5, 2.0)
_FRICTION_STIFFNESS = 100.0
# A sliding sole is stopped within a step of physics (s, damping ratio). The engine's constraints neglect that the
# leg turns as the body passes over the foot, which looks like a sliding acceleration of 1 m/s^2. With the slow
# time constant of the floor, feet would creep by 5 mm/s.
_GRIP = (2.0 * TIMESTEP, 1.0)
# A shoe of 0.4 kg and the flesh of the foot resist turning at ankle and toe joint with about this inertia
# at 68 kg and 1.75 m. Bare toes weigh 0.1 kg: under a load of 600 N, no controller could keep them on the floor.
_SHOE_INERTIA = 0.01 / (68.4 * 1.75**2)  # kg m^2, per kg of body mass and m^2 of stature
SHOD = ("ankle", "toe")
"""Joints whose axes have the inertia of a shoe."""

_FLOOR, _BODY = 1, 2  # collision bits: limbs collide with the floor; soles and legs have explicit pairs
_FLESH = 0.02  # s, time constant of contacts between legs


@dataclass(frozen=True, eq=False)
class BodyModel:
    """A figure in an environment, compiled for the engine."""

    figure: Figure
    environment: Environment

    @cached_property
    def engine_model(self) -> Any:
        """The engine's model (an `MjModel`)."""
        return self.specification().compile()

    def specification(self) -> Any:
        """Return a new, editable description of the model (an `MjSpec`)."""
        engine, where = mujoco(), self.environment
        spec = engine.MjSpec()
        spec.modelname = "dancer"
        spec.compiler.degree = False
        spec.compiler.autolimits = True
        option = spec.option
        option.timestep = TIMESTEP
        option.gravity = [0.0, -where.gravity, 0.0]
        # joints have no stiffness; this integrator takes the damping of the classic mode implicitly
        option.integrator = engine.mjtIntegrator.mjINT_EULER
        option.jacobian = engine.mjtJacobian.mjJAC_SPARSE
        option.disableflags = engine.mjtDisableBit.mjDSBL_ISLAND  # one body is one island
        option.cone = engine.mjtCone.mjCONE_ELLIPTIC
        option.impratio = _FRICTION_STIFFNESS
        floor = spec.worldbody.add_geom(name="floor", type=engine.mjtGeom.mjGEOM_PLANE, size=[0.0, 0.0, 1.0])
        floor.quat = [np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0]  # the engine's planes face z
        self._touching(floor, contype=_FLOOR, conaffinity=_BODY)
        bodies: list[Any] = []
        for s, joint in enumerate(HUMAN.joints):
            above = spec.worldbody if HUMAN.parents[s] < 0 else bodies[HUMAN.parents[s]]
            bodies.append(self._segment(spec, above, s, joint))
        for name, ball in sole_balls(self.figure.build).items():
            self._ball(spec, bodies[HUMAN.segments.index(ball.segment)], name, ball)
        for segment, start, stop, radius in capsules(self.figure):
            kind = engine.mjtGeom.mjGEOM_CAPSULE
            geom = bodies[HUMAN.segments.index(segment)].add_geom(name=f"{segment}_flesh", type=kind)
            geom.fromto, geom.size = [*start, *stop], [radius, 0.0, 0.0]
            self._touching(geom, contype=_BODY, conaffinity=_FLOOR)
        self._legs(spec, bodies)
        return spec

    def _segment(self, spec: Any, above: Any, s: int, joint: Joint) -> Any:
        """Add a segment with its inertia, its joint and the joint's motors."""
        engine, inertia = mujoco(), self.figure.inertias[joint.segment]
        body = above.add_body(name=joint.segment, pos=self.figure.offsets[s])
        body.explicitinertial = True
        body.mass, body.ipos = inertia.mass, inertia.centre
        tensor = inertia.tensor
        body.fullinertia = [*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2]]
        if joint.parent is None:
            body.add_freejoint(name=joint.name)
            return body
        strength = float(self.strengths[s - 1])
        if joint.ball:
            body.add_joint(name=joint.name, type=engine.mjtJoint.mjJNT_BALL)
            for axis, name in zip(np.eye(3), HUMAN.dof_names[HUMAN.joint_dofs[s]], strict=True):
                _motor(spec, name, joint.name, [*axis, 0.0, 0.0, 0.0], strength)
        for hinge in joint.hinges:
            made = body.add_joint(name=hinge.name, type=engine.mjtJoint.mjJNT_HINGE, axis=hinge.axis)
            made.range = [hinge.limit.low, hinge.limit.high]
            if joint.name.endswith(SHOD):
                made.armature = shoe_inertia(self.figure)
            _motor(spec, hinge.name, hinge.name, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0], strength)
        return body

    def _ball(self, spec: Any, body: Any, name: str, ball: Ball) -> None:
        """Add a ball under a segment, and its contact with the floor."""
        where = self.environment
        geom = body.add_geom(name=name, type=mujoco().mjtGeom.mjGEOM_SPHERE, pos=ball.centre)
        geom.size, geom.mass = [ball.radius, 0.0, 0.0], 0.0
        geom.contype = geom.conaffinity = 0
        pair = spec.add_pair(name=name, geomname1="floor", geomname2=name)
        pair.condim, pair.friction = 3, [where.friction, where.friction, 0.0, 0.0, 0.0]
        pair.solref, pair.solimp = [where.yielding, where.damping], _HARDNESS
        pair.solreffriction = _GRIP

    def _legs(self, spec: Any, bodies: list[Any]) -> None:
        """Add the shapes of both legs, and their frictionless, soft contacts with each other."""
        shapes = shapes_of(self.figure.build)
        radii, pairs = firm_radii(self.figure.build), leg_pairs(self.figure.build)
        for k in np.unique(pairs):
            shape = shapes[k]
            geom = bodies[HUMAN.segments.index(shape.segment)].add_geom(
                name=f"{shape.segment}_leg", type=mujoco().mjtGeom.mjGEOM_CAPSULE
            )
            geom.fromto, geom.size, geom.mass = [*shape.start, *shape.stop], [radii[k], 0.0, 0.0], 0.0
            geom.contype = geom.conaffinity = 0
        for left, right in pairs:
            names = [f"{shapes[k].segment}_leg" for k in (left, right)]
            pair = spec.add_pair(name=" ".join(names), geomname1=names[0], geomname2=names[1])
            pair.condim, pair.solref = 1, [_FLESH, 1.0]

    def _touching(self, geom: Any, contype: int, conaffinity: int) -> None:
        where = self.environment
        geom.contype, geom.conaffinity, geom.condim = contype, conaffinity, 3
        geom.friction = [where.friction, 0.0, 0.0]
        geom.solref, geom.solimp = [where.yielding, where.damping], _HARDNESS
        geom.mass = 0.0

    @cached_property
    def strengths(self) -> Array:
        """The largest torque of each joint but the root, N m, (18,)."""
        return joint_strengths(self.figure)

    @cached_property
    def soles(self) -> npt.NDArray[np.int64]:
        """The engine's numbers of the balls under the soles, (12,): left heel 2, ball 2, toes 2, then right."""
        names = sole_balls(self.figure.build)
        return np.array([self.engine_model.geom(name).id for name in names], np.int64)

    @cached_property
    def sole_radius(self) -> float:
        """The radius of the balls under the soles, m."""
        return next(iter(sole_balls(self.figure.build).values())).radius


def shoe_inertia(figure: Figure) -> float:
    """Return the inertia of a shoe about each axis of ankle and toe joint, kg m^2."""
    return _SHOE_INERTIA * figure.mass * figure.stature**2


def _motor(spec: Any, name: str, joint: str, gear: list[float], strength: float) -> None:
    """Add a motor whose control is its torque in N m."""
    motor = spec.add_actuator(name=name, target=joint, trntype=mujoco().mjtTrn.mjTRN_JOINT)
    motor.gear = gear
    motor.forcelimited, motor.forcerange = True, [-strength, strength]
