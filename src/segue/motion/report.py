"""Report how well the figure follows a clip."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from segue.body.human import HUMAN
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.motion.fit import Fit
from segue.motion.reference import Sampled
from segue.typing import Array

_AT_LIMIT = np.radians(0.05)
_JUMP = np.radians(5.0)


@dataclass(frozen=True)
class FitReport:
    """Errors in centimetres and degrees; limb lengths in metres.

    Position errors are over all joints of the clip that have a place on the figure, except joints that coincide with
    their parent. frames_at_limit: number of frames in which a joint of the figure is at its limit; joints_at_limit: the
    share of such frames for each joint that reaches its limit. jumps: number of frames in which a segment turns more
    than 5 degrees further than any joint of the clip.
    """

    frames: int
    mean_cm: float
    p95_cm: float
    max_cm: float
    mean_deg: float
    p95_deg: float
    joints_cm: dict[str, float]
    frames_at_limit: int
    joints_at_limit: dict[str, float]
    jumps: int
    stature: float
    mass: float
    limbs: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return asdict(self)


def fit_report(fit: Fit, skeleton: Skeleton, clip: Sampled) -> FitReport:
    """Summarise a fit. clip: the frames that the figure was fitted to, in metres, Y up."""
    kept = [
        k
        for k, mark in enumerate(fit.calibration.landmarks)
        if skeleton.parents[mark.joint] < 0
        or np.abs(clip.positions[:, mark.joint] - clip.positions[:, skeleton.parents[mark.joint]]).max() > 1e-4
    ]
    errors = 100.0 * fit.position_errors[:, kept]
    turns = np.degrees(fit.turn_errors)
    at_limit = _at_limit(fit)
    build = fit.figure.build
    return FitReport(
        frames=len(errors),
        mean_cm=float(errors.mean()),
        p95_cm=float(np.percentile(errors, 95)),
        max_cm=float(errors.max()),
        mean_deg=float(turns.mean()),
        p95_deg=float(np.percentile(turns, 95)),
        joints_cm={
            skeleton.names[fit.calibration.landmarks[k].joint]: float(errors[:, n].mean()) for n, k in enumerate(kept)
        },
        frames_at_limit=int(np.any(list(at_limit.values()), axis=0).sum()),
        joints_at_limit={name: float(hit.mean()) for name, hit in at_limit.items() if hit.any()},
        jumps=_jumps(fit, clip),
        stature=build.stature,
        mass=fit.figure.mass,
        limbs={name: float(getattr(build, name)) for name in ("upper_arm", "forearm", "hand", "thigh", "shank")}
        | {"foot": float(np.linalg.norm(build.toe)), "hip_breadth": 2 * build.half_hip},
    )


def _at_limit(fit: Fit) -> dict[str, Array]:
    """Return for each joint the frames (T,) in which it is at its limit, within rounding."""
    hits = {}
    for joint in HUMAN.joints:
        if joint.ball and not joint.ball.is_free:
            swing, twist = joint.ball.split(fit.poses.ball(joint.name))
            low, high = joint.ball.twist
            on_rim = joint.ball.reach(swing) > 1.0 - 1e-3
            hits[joint.name] = on_rim | (twist < low + _AT_LIMIT) | (twist > high - _AT_LIMIT)
        for hinge in joint.hinges:
            angle = fit.poses.hinge(hinge.name)
            hits[hinge.name] = (angle < hinge.limit.low + _AT_LIMIT) | (angle > hinge.limit.high - _AT_LIMIT)
    return hits


def _jumps(fit: Fit, clip: Sampled) -> int:
    if len(clip) < 2:
        return 0
    world = fit.figure.forward(fit.poses)[1]
    own = quaternion.angle_between(world[:-1], world[1:]).max(axis=1)
    theirs = quaternion.angle_between(clip.rotations[:-1], clip.rotations[1:]).max(axis=1)
    return int((own > theirs + _JUMP).sum())
