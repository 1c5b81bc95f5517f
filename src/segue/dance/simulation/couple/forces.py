"""What was felt between two partners over a dance.

Two simulated partners in hold: the forces between them, what each feels of these, and a record.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.dance.performance.shapes import shapes_of
from segue.dance.simulation.control.body_controller import Felt
from segue.dance.simulation.couple._hold_kernels import (
    BodyState,
    Capsules,
    ContactState,
    felt_torques,
    hold_forces,
    note_forces,
    touch_forces,
)
from segue.dance.simulation.couple.hold import ArmsInHold, contact_table
from segue.dance.simulation.course.course import TICK
from segue.dance.simulation.dancer import FPS, Dancer
from segue.typing import Array


@dataclass(frozen=True, eq=False)
class HoldRecord:
    """The hold over T frames, `fps` a second; C contacts, named.

    forces: (T, C, 3) N in the world, on the follower (the leader feels the opposite), and points: (T, C, 3) where.
    gaps: (T, C) m from palm to palm, or from palm to what it lies on; negative where flesh gives way. largest, rms:
    (C,) N, of every step of the physics, not of frames alone. drift: (C,) m, the farthest that palms which hold each
    other came apart, or hands that lie from what they lie on. bump: N, the hardest that trunks, legs or feet of both
    pressed on each other; touching: share of the time that they did.
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
        """Return the figures of the hold, ready for JSON."""
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


class HoldWriter:
    """Takes note of the hold, step by step and frame by frame."""

    def __init__(self, contacts: int) -> None:
        self._squares, self._largest, self._drift = np.zeros((3, contacts))
        self._steps = self._touching = 0
        self._bump = 0.0
        self._frames: list[tuple[Array, Array, Array]] = []

    def step(self, forces: Array, gaps: Array, shares: Array, bump: float) -> None:
        """Take note of a step of the physics; shares: (C,) how much each contact is to hold."""
        note_forces(forces, gaps, shares, self._squares, self._largest, self._drift)
        self._steps += 1
        self._touching += bump > 0.0
        self._bump = max(self._bump, bump)

    def frame(self, forces: Array, points: Array, gaps: Array) -> None:
        """Take note of a frame."""
        self._frames.append((forces.copy(), points.copy(), gaps.copy()))

    @property
    def frames(self) -> int:
        """How many frames were noted."""
        return len(self._frames)

    def result(self, names: tuple[str, ...], fps: float) -> HoldRecord:
        """Return all that was noted."""
        forces, points, gaps = (np.array(part) for part in zip(*self._frames, strict=True))
        steps = max(self._steps, 1)
        return HoldRecord(
            names=names,
            fps=fps,
            forces=forces,
            points=points,
            gaps=gaps,
            largest=np.sqrt(self._largest),
            rms=np.sqrt(self._squares / steps),
            drift=self._drift,
            bump=self._bump,
            touching=self._touching / steps,
        )


_TOUCH_STIFFNESS, _TOUCH_DAMPING = 1000.0, 30.0  # N/m and N s/m, of thighs: 1 cm in each takes 20 N
_FEELING = 0.01  # s over which a felt force is evened out before the body reckons with it
_YIELDING = 0.25  # s over which it is, before the body gives way to it
_COMPLIANCE = 0.0005  # m/N by which it does
_FARTHEST = 0.02  # m
# kg m^2 that joints of the arms seem to have to what pushes them, per kg of body mass and m^2 of stature: with the
# stiffness of their motor programs they give way like springs, a shoulder of 50 N m/rad and a wrist of 5 at 68 kg
_GIVING = {"clavicle": 0.004, "shoulder": 0.002, "elbow": 0.0012, "forearm": 0.0004, "wrist": 0.0002}


class Between:
    """All that acts between two dancers: hands that hold, and bodies that bump into each other.

    Call `meet` before every step of the physics, once both have looked, and `feel` before every decision.
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
        self._wrenches, self._held, self._drawn, self._felt = np.zeros((4, 2, 1 + len(HUMAN.segments), 6))
        self._shares = np.ones(count)
        self._giving = [_giving(figure) for figure in figures]
        self._yielded = np.zeros(3)
        self._record = HoldWriter(count)
        for who, dancer in enumerate(self.dancers):
            dancer.influences.append(_Wrenches(self._wrenches[who]))

    def meet(self) -> None:
        """Find the forces between the partners as they stand now."""
        leader, follower = self._bodies
        self._held[:] = self._drawn[:] = 0.0
        hold_forces(leader, follower, self._table, self._shares, self._state, self._held, self._drawn)
        self._wrenches[:] = self._held
        bump = touch_forces(leader, follower, *self._capsules, _TOUCH_STIFFNESS, _TOUCH_DAMPING, self._wrenches)
        self._record.step(self._state.forces, self._state.gaps, self._shares, bump)

    def feel(self) -> None:
        """Tell both dancers what they feel of the hold; legs that bump are not stiffened against it, and glance off."""
        fallen = any(dancer.passive for dancer in self.dancers)
        self._shares[:] = 0.0 if fallen else self._arms.share(self.dancers[0].time)  # who falls is let go
        self._felt += TICK / (_FEELING + TICK) * (self._held - self._felt)
        self._yielded += TICK / (_YIELDING + TICK) * (self._held[1, :, :3].sum(axis=0) - self._yielded)
        x, _, z = (_COMPLIANCE * self._yielded).tolist()
        shift = np.array([x, 0.0, z]) * min(1.0, _FARTHEST / max(math.hypot(x, z), 1e-9))
        for k, (dancer, sign) in enumerate(zip(self.dancers, (-1.0, 1.0), strict=True)):
            mechanics, masses = dancer.controller.whole_body.mechanics, self._bodies[k].masses
            torques = felt_torques(mechanics, masses, self._felt[k])
            drawn = felt_torques(mechanics, masses, self._drawn[k])
            dancer.felt = Felt(torques, (torques + drawn) * self._giving[k], sign * shift)

    def record(self) -> None:
        """Note down a frame."""
        self._record.frame(self._state.forces, self._state.points, self._state.gaps)

    @property
    def recorded(self) -> int:
        """How many frames were noted down, of the hold and of both dancers."""
        return self._record.frames

    def result(self) -> HoldRecord:
        """Return all that was noted down."""
        return self._record.result(tuple(each.name for each in self._arms.contacts), FPS)


@dataclass(frozen=True, eq=False)
class _Wrenches:
    """What the partner does to a dancer, found before by `Between.meet`: (20, 6), as the engine takes it."""

    wrenches: Array

    def press(self, time: float, data: Any) -> None:
        """Add it to the engine's forces."""
        data.xfrc_applied += self.wrenches


def _state(data: Any) -> BodyState:
    return BodyState(data.xpos, data.xmat, data.xipos, data.cvel, data.subtree_com[1])


def _capsules(figure: Figure) -> Capsules:
    """Return the capsules of trunk, legs and feet by which a figure is bumped into."""
    shapes = shapes_of(figure.build)
    return Capsules(
        np.array([1 + HUMAN.segments.index(shape.segment) for shape in shapes]),
        np.array([shape.start for shape in shapes]),
        np.array([shape.stop for shape in shapes]),
        np.array([shape.radius for shape in shapes]),
    )


def _giving(figure: Figure) -> Array:
    """Return how fast each degree of freedom gives way to a felt torque, (44,) 1/(kg m^2); only arms do."""
    size = figure.mass * figure.stature**2
    parts = [name.removeprefix("left_").removeprefix("right_").partition("_")[0] for name in HUMAN.dof_names]
    return np.array([1.0 / (_GIVING[part] * size) if part in _GIVING else 0.0 for part in parts])
