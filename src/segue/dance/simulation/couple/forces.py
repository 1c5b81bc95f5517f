"""Forces between two simulated partners, their effect on both controllers, and their record."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.dance.body.shapes import shapes_of
from segue.dance.course.course import TICK
from segue.dance.simulation.control.body_controller import PartnerForces
from segue.dance.simulation.couple._hold_kernels import (
    BodyState,
    Capsules,
    ContactState,
    generalized_forces,
    hold_forces,
    record_forces,
    touch_forces,
)
from segue.dance.simulation.couple.hold import ArmsInHold, contact_table
from segue.dance.simulation.dancer import FPS, Dancer
from segue.typing import Array


@dataclass(frozen=True, eq=False)
class HoldRecord:
    """The hold over T frames, `fps` per second, with C named contacts.

    forces: (T, C, 3) N in the world, on the follower; the leader feels the opposite. points: (T, C, 3) where they act.
    gaps: (T, C) m from palm to palm or surface; negative if flesh is compressed. largest, rms: (C,) N, over all steps
    of the physics. drift: (C,) m, largest gap of a contact in full hold. bump: N, the largest force between trunks,
    legs or feet of both. touching: share of the time in which these touch.
    """

    names: tuple[str, ...]
    fps: float
    forces: Array
    points: Array
    gaps: Array
    largest: Array
    rms: Array
    drift: Array
    bump: float
    touching: float

    @property
    def times(self) -> Array:
        """Times of the frames, s."""
        times: Array = np.arange(len(self.forces)) / self.fps
        return times

    def report(self) -> dict[str, Any]:
        """Return the results of the hold as JSON values."""
        return {
            "contacts": {
                name: {
                    "largest_N": round(float(self.largest[c]), 2),
                    "rms_N": round(float(self.rms[c]), 2),
                    "drift_mm": round(1e3 * float(self.drift[c]), 1),
                }
                for c, name in enumerate(self.names)
            },
            "bump_N": round(self.bump, 1),
            "touching": round(self.touching, 4),
        }


@dataclass(frozen=True, eq=False)
class _HoldFrame:
    """A recorded frame of the hold: see `HoldRecord`."""

    forces: Array
    points: Array
    gaps: Array


class HoldRecorder:
    """Records the hold, per step of the physics and per frame."""

    def __init__(self, contacts: int) -> None:
        self._squares, self._largest, self._drift = np.zeros((3, contacts))
        self._steps = self._touching = 0
        self._bump = 0.0
        self._frames: list[_HoldFrame] = []

    def step(self, forces: Array, gaps: Array, shares: Array, bump: float) -> None:
        """Record a step of the physics; shares: (C,) how firmly each contact holds."""
        record_forces(forces, gaps, shares, self._squares, self._largest, self._drift)
        self._steps += 1
        self._touching += bump > 0.0
        self._bump = max(self._bump, bump)

    def frame(self, forces: Array, points: Array, gaps: Array) -> None:
        """Record a frame."""
        self._frames.append(_HoldFrame(forces.copy(), points.copy(), gaps.copy()))

    @property
    def frames(self) -> int:
        """Number of recorded frames."""
        return len(self._frames)

    def result(self, names: tuple[str, ...], fps: float, frames: slice) -> HoldRecord:
        """Return the record of some frames, with the largest values up to now."""
        chosen = self._frames[frames]
        steps = max(self._steps, 1)
        return HoldRecord(
            names=names,
            fps=fps,
            forces=np.array([frame.forces for frame in chosen]),
            points=np.array([frame.points for frame in chosen]),
            gaps=np.array([frame.gaps for frame in chosen]),
            largest=np.sqrt(self._largest),
            rms=np.sqrt(self._squares / steps),
            drift=self._drift.copy(),
            bump=self._bump,
            touching=self._touching / steps,
        )


_TOUCH_STIFFNESS, _TOUCH_DAMPING = 1000.0, 30.0  # N/m and N s/m, of thighs: 1 cm in each takes 20 N
_FILTER_TIME = 0.01  # s, low-pass filter of the forces that the controller takes into account
_YIELD_TIME = 0.25  # s, low-pass filter of the forces that the centre of mass yields to
_COMPLIANCE = 0.0005  # m/N, compliance of the centre of mass
_FARTHEST = 0.02  # m
# kg m^2, apparent inertia of the arm joints to forces, per kg of body mass and m^2 of stature: with the
# stiffness of their motor programs they are springs, a shoulder of 50 N m/rad and a wrist of 5 at 68 kg
_APPARENT_INERTIA = {"clavicle": 0.004, "shoulder": 0.002, "elbow": 0.0012, "forearm": 0.0004, "wrist": 0.0002}


class CoupleForces:
    """All forces between two dancers: of hands in hold, and of bodies that touch.

    Call `compute` before every step of the physics, after `update_kinematics` of both dancers, and `inform` before
    every decision.
    """

    def __init__(self, arms: ArmsInHold, leader: Dancer, follower: Dancer) -> None:
        self._arms, self.dancers = arms, (leader, follower)
        figures = (leader.plan.figure, follower.plan.figure)
        self._table = contact_table(arms.contacts, *figures)
        count = len(arms.contacts)
        self._bodies = [_state(dancer.data) for dancer in self.dancers]
        self._capsules = [_capsules(figure) for figure in figures]
        self._state = ContactState(
            anchors=np.zeros((count, 3)),
            sticks=np.zeros(count, bool),
            forces=np.zeros((count, 3)),
            points=np.zeros((count, 3)),
            gaps=np.zeros(count),
        )
        self._wrenches, self._held, self._drawn, self._filtered = np.zeros((4, 2, 1 + len(HUMAN.segments), 6))
        self._shares = np.ones(count)
        self._compliance = [_compliance(figure) for figure in figures]
        self._filtered_push = np.zeros(3)
        self._record = HoldRecorder(count)
        for who, dancer in enumerate(self.dancers):
            dancer.external_forces.append(_Wrenches(self._wrenches[who]))

    def compute(self) -> None:
        """Compute the forces between the partners at their present state."""
        leader, follower = self._bodies
        self._held[:] = self._drawn[:] = 0.0
        hold_forces(leader, follower, self._table, self._shares, self._state, self._held, self._drawn)
        self._wrenches[:] = self._held
        bump = touch_forces(leader, follower, *self._capsules, _TOUCH_STIFFNESS, _TOUCH_DAMPING, self._wrenches)
        self._record.step(self._state.forces, self._state.gaps, self._shares, bump)

    def inform(self) -> None:
        """Pass the forces of the hold to both controllers; forces between legs are left out, so that legs yield."""
        fallen = any(dancer.passive for dancer in self.dancers)
        self._shares[:] = (
            0.0 if fallen else self._arms.share(self.dancers[0].time)
        )  # partners release each other in a fall
        self._filtered += TICK / (_FILTER_TIME + TICK) * (self._held - self._filtered)
        self._filtered_push += TICK / (_YIELD_TIME + TICK) * (self._held[1, :, :3].sum(axis=0) - self._filtered_push)
        x, _, z = (_COMPLIANCE * self._filtered_push).tolist()
        shift = np.array([x, 0.0, z]) * min(1.0, _FARTHEST / max(math.hypot(x, z), 1e-9))
        for k, (dancer, sign) in enumerate(zip(self.dancers, (-1.0, 1.0), strict=True)):
            mechanics, masses = dancer.controller.whole_body.mechanics, self._bodies[k].masses
            torques = generalized_forces(mechanics, masses, self._filtered[k])
            drawn = generalized_forces(mechanics, masses, self._drawn[k])
            dancer.partner_forces = PartnerForces(torques, (torques + drawn) * self._compliance[k], sign * shift)

    def record(self) -> None:
        """Record a frame."""
        self._record.frame(self._state.forces, self._state.points, self._state.gaps)

    @property
    def recorded(self) -> int:
        """Number of frames recorded for the hold and for both dancers."""
        return self._record.frames

    def result(self, frames: slice | None = None) -> HoldRecord:
        """Return the record of the hold, of all frames or of some."""
        names = tuple(each.name for each in self._arms.contacts)
        return self._record.result(names, FPS, frames or slice(None))


class _Wrenches:
    """Forces of the partner on a dancer, from `CoupleForces.compute`: (20, 6), as the engine takes them."""

    def __init__(self, wrenches: Array) -> None:
        self.wrenches = wrenches

    def apply(self, time: float, data: Any) -> None:
        """Add the wrenches to the engine's forces."""
        data.xfrc_applied += self.wrenches


def _state(data: Any) -> BodyState:
    return BodyState(data.xpos, data.xmat, data.xipos, data.cvel, data.subtree_com[1])


def _capsules(figure: Figure) -> Capsules:
    """Return the capsules of trunk, legs and feet that can touch a partner."""
    shapes = shapes_of(figure.build)
    return Capsules(
        np.array([1 + HUMAN.segments.index(shape.segment) for shape in shapes]),
        np.array([shape.start for shape in shapes]),
        np.array([shape.stop for shape in shapes]),
        np.array([shape.radius for shape in shapes]),
    )


def _compliance(figure: Figure) -> Array:
    """Return the compliance of each degree of freedom to a torque, (44,) 1/(kg m^2); zero except for arms."""
    size = figure.mass * figure.stature**2
    parts = [name.removeprefix("left_").removeprefix("right_").partition("_")[0] for name in HUMAN.dof_names]
    return np.array([1.0 / (_APPARENT_INERTIA[part] * size) if part in _APPARENT_INERTIA else 0.0 for part in parts])
