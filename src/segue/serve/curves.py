"""Curves of a motion for pages: effort, torque, angle, speed and contacts at its frames."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.motion.contacts import PLANTED, SOLE_POINTS, TOUCHING, Contact, contact_flags, find_contacts
from segue.motion.motion import Motion
from segue.motion.track_table import LIMBS
from segue.motion.tracks import joints_of, tracks_of
from segue.plausibility.findings import Finding
from segue.plausibility.observed import Observed, observe
from segue.plausibility.report import examine
from segue.plausibility.torque import strength_of
from segue.serve.requests import Channel
from segue.serve.shapes import ContactMark, FindingMark
from segue.typing import Array

Limits = tuple[tuple[float | None, float | None], ...]
_FEET = ("left_foot", "right_foot")
_NEAR = 0.12  # s between contacts of heel and ball that are one step
_MOST = 40.0  # multiples of strength: more is a fault of the motion, and would hide all else


class Measured:
    """Measures of a whole motion, each computed when it is first asked for."""

    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        self.times: Array = motion.times

    @cached_property
    def observed(self) -> Observed:
        """The motion as `check` sees it."""
        return observe(self.motion)

    @cached_property
    def soles(self) -> dict[str, Array]:
        """Paths (T, 3) of the points under the feet."""
        figure, poses = self.motion.figure, self.motion.poses
        return {name: figure.point(name, poses) for name in SOLE_POINTS}

    def contacts(self, planted: bool) -> list[Contact]:
        """Return the contacts of the points under the feet."""
        strictness = PLANTED if planted else TOUCHING
        return find_contacts(self.times, self.soles, self.motion.figure.stature, self.motion.ground, strictness)

    def channel(self, name: Channel, joints: Sequence[str]) -> tuple[tuple[str, ...], Limits, npt.NDArray[Any]]:
        """Return the names of the rows, their limits, and values (rows, T) of a channel. joints: all if empty."""
        chosen = _chosen(joints)
        match name:
            case "contacts":
                return self._contacts()
            case "effort":
                return self._effort(_chosen(()))  # the time line and the stage show the whole body
            case "torque":
                return self._torque(chosen)
            case "angle":
                return self._angle(chosen)
            case "speed":
                return self._speed(chosen)

    def _contacts(self) -> tuple[tuple[str, ...], Limits, npt.NDArray[Any]]:
        touching = contact_flags(self.times, self.contacts(False), SOLE_POINTS)
        planted = contact_flags(self.times, self.contacts(True), SOLE_POINTS)
        rows = [np.where(planted[point], 2, np.where(touching[point], 1, 0)) for point in SOLE_POINTS]
        return SOLE_POINTS, (), np.array(rows, dtype="u1")

    def _effort(self, joints: Sequence[str]) -> tuple[tuple[str, ...], Limits, npt.NDArray[Any]]:
        torques = self.observed.torques
        strengths = {name: strength for name in joints if (strength := strength_of(name)) and name in torques}
        rows = [np.minimum(np.nan_to_num(torques[name]) / strength, _MOST) for name, strength in strengths.items()]
        return tuple(strengths), ((0.0, 1.0),) * len(strengths), _table(rows, len(self.times))

    def _torque(self, joints: Sequence[str]) -> tuple[tuple[str, ...], Limits, npt.NDArray[Any]]:
        names, rows, limits = [], [], []
        mass = self.motion.figure.mass
        for joint in joints:
            moments = self.observed.moments.get(joint)
            if moments is None:
                continue
            strength = strength_of(joint)
            for column, part in enumerate(_columns(joint)):
                names.append(part)
                rows.append(np.nan_to_num(moments[:, column]))
                limits.append((None, None) if strength is None else (-mass * strength, mass * strength))
        return tuple(names), tuple(limits), _table(rows, len(self.times))

    def _angle(self, joints: Sequence[str]) -> tuple[tuple[str, ...], Limits, npt.NDArray[Any]]:
        poses = self.motion.poses
        names: list[str] = []
        rows: list[Array] = []
        limits: list[tuple[float | None, float | None]] = []
        for joint in joints:
            described = HUMAN[joint]
            names += _columns(joint)
            if described.ball:
                turns = quaternion.log(quaternion.make_continuous(poses.ball(joint)))
                rows += list(turns.T)
                limits += [(None, None)] * 3
            for hinge in described.hinges:
                rows.append(poses.hinge(hinge.name))
                limits.append((hinge.limit.low, hinge.limit.high))
        return tuple(names), tuple(limits), _table(rows, len(self.times))

    def _speed(self, joints: Sequence[str]) -> tuple[tuple[str, ...], Limits, npt.NDArray[Any]]:
        state = self.motion.state(self.times)
        names: list[str] = []
        rows: list[Array] = []
        for joint in joints:
            described = HUMAN[joint]
            names += _columns(joint)
            if described.ball:
                rows += list(state.balls.velocity[:, HUMAN.ball_names.index(joint)].T)
            rows += [state.hinges.velocity[:, HUMAN.hinge_names.index(hinge.name)] for hinge in described.hinges]
        return tuple(names), ((None, None),) * len(names), _table(rows, len(self.times))

    def footprints(self) -> tuple[ContactMark, ...]:
        """Return the contacts of the feet: heel and ball together, at the middle of the sole."""
        figure, poses = self.motion.figure, self.motion.poses
        found = self.contacts(True)
        marks = []
        for foot in _FEET:
            side = foot.removesuffix("_foot")
            ends = [figure.point(f"{side}_{part}", poses) for part in ("heel", "toe_tip")]
            spans = sorted((each.start, each.stop) for each in found if each.point.startswith(side))
            for start, stop in _joined(spans):
                during = (self.times >= start - 1e-9) & (self.times <= stop + 1e-9)
                heel, tip = (end[during].mean(axis=0) for end in ends)
                middle, along = 0.5 * (heel + tip), tip - heel
                heading = float(np.arctan2(along[0], along[2]))
                marks.append(ContactMark(foot, start, stop, float(middle[0]), float(middle[2]), heading))
        return tuple(sorted(marks, key=lambda mark: mark.start))

    def findings(self) -> tuple[FindingMark, ...]:
        """Return the findings of `check`, worst first."""
        found = sorted(examine(self.observed).findings, key=lambda each: each.badness, reverse=True)
        return tuple(_mark(each) for each in found if np.isfinite(each.value))


def _mark(found: Finding) -> FindingMark:
    severity: Any = str(found.severity)
    return FindingMark(found.measure, str(found), severity, found.value, found.unit, found.where, found.time)


def _chosen(joints: Sequence[str]) -> list[str]:
    named = joints_of([track for name in joints or LIMBS for track in tracks_of(name)])
    return [name for name in HUMAN.joint_names if name in named]


def _columns(joint: str) -> list[str]:
    described = HUMAN[joint]
    return [f"{joint}.{axis}" for axis in "xyz"] if described.ball else [hinge.name for hinge in described.hinges]


def _table(rows: Sequence[Array], frames: int) -> npt.NDArray[Any]:
    return np.array(rows, dtype="f4") if rows else np.zeros((0, frames), "f4")


def _joined(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return spans in order, those that overlap or nearly touch as one."""
    joined: list[tuple[float, float]] = []
    for start, stop in spans:
        if joined and start <= joined[-1][1] + _NEAR:
            joined[-1] = joined[-1][0], max(stop, joined[-1][1])
        else:
            joined.append((start, stop))
    return joined
