"""Fit the 44-DOF figure to a clip: minimise the weighted deviation of positions and rotations in every frame.

[Rose1996], section 2: motion capture has degrees of freedom that no body has. Fitting a model removes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.roles import Roles
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.curves.interpolate import Hole
from segue.motion._fit_kernels import Settings, fit_frames
from segue.motion._normal_kernels import Targets
from segue.motion.calibrate import Calibration, calibrate, refine
from segue.motion.reference import Sampled
from segue.typing import Array, Ints

Progress = Callable[[int, int], None]
"""Called now and then with the number of fitted frames and the number of all frames."""

_CHUNK = 512
_REFINE_FRAMES = 96
_SETTLING = 32
"""Frames after which a new fit is compared with the old one, to end where both agree again."""
_SAME = 1e-5  # rad or m

# Metres of position error that a radian of rotation error equals. Positions dominate, and rotations decide what
# positions leave open (the twist of a straight arm, the hand). Head and foot have larger weights: they have fewer
# joints here than in most clips, and a fit to positions alone would make them nod and roll. Skeletons share a forearm's
# twist differently between elbow and wrist, so its weight is small.
_TURN_WEIGHTS = {
    "pelvis": 0.06,
    "torso": 0.06,
    "head": 0.1,
    "clavicle": 0.01,
    "upper_arm": 0.03,
    "forearm": 0.004,
    "hand": 0.03,
    "thigh": 0.02,
    "shank": 0.01,
    "foot": 0.08,
    "toes": 0.02,
}

_SETTINGS = Settings(inertia=8e-3, limit=0.5, tolerance=1e-4, iterations=20, first_iterations=60)
# calibration samples frames far apart, which need more steps
_SPARSE = _SETTINGS._replace(iterations=40)


@dataclass(frozen=True, eq=False)
class Fit:
    """The figure following a clip.

    poses: (T frames). position_errors: (T, L) distance in m between each landmark and its clip joint. turn_errors:
    (T, O) in radians, for each entry of calibration.turns. steps: (T,) Gauss-Newton steps taken.
    """

    calibration: Calibration
    poses: Poses
    position_errors: Array
    turn_errors: Array
    steps: npt.NDArray[np.int64]

    @property
    def figure(self) -> Figure:
        """The figure that was scaled to the clip."""
        return self.calibration.figure

    @cached_property
    def residual_norm(self) -> Array:
        """The root of the fit's cost in each frame, (T,) in m."""
        weights = np.array([mark.weight for mark in self.calibration.landmarks])
        turn_weights = np.array([_turn_weight(segment) for segment in self.calibration.turns])
        apart, turned = self.position_errors * weights, self.turn_errors * turn_weights
        norm: Array = np.sqrt(np.sum(apart**2, axis=1) + np.sum(turned**2, axis=1))
        return norm

    @cached_property
    def usual_residual(self) -> float:
        """The residual norm that three quarters of the frames do not exceed, in m."""
        return float(np.quantile(self.residual_norm, 0.75))

    @cached_property
    def rotation_jumps(self) -> Array:
        """The largest second difference of any joint's rotation at each frame, (T,) in rad."""
        balls, jumps = self.poses.balls, np.zeros(len(self.poses))
        turns = quaternion.log(quaternion.multiply(quaternion.conjugate(balls[:-1]), balls[1:]))
        changes = np.linalg.norm(np.diff(turns, axis=0), axis=2), np.abs(np.diff(self.poses.hinges, 2, axis=0))
        jumps[1:-1] = np.maximum(*(change.max(axis=1) for change in changes))
        return jumps


def fit_figure(
    skeleton: Skeleton,
    roles: Roles,
    clip: Sampled,
    rest: Sampled,
    stature: float,
    *,
    mass: float | None = None,
    sex: str = "average",
    trusted: Ints | None = None,
    progress: Progress | None = None,
) -> Fit:
    """Scale a figure to a clip and fit it to every frame within joint limits. Each frame starts from the last.

    clip: world positions and rotations in metres, Y up. rest: one frame, no joint turned. trusted: the frames that the
    figure is scaled to, or None for all.
    """
    known = clip if trusted is None else clip[trusted]
    calibration = calibrate(skeleton, roles, known, rest, stature, mass, sex)
    sample = known.spread(_REFINE_FRAMES)
    calibration = refine(calibration, sample, _solve(calibration, roles, sample, _SPARSE)[0])
    poses, targets, steps = _solve(calibration, roles, clip, _SETTINGS, progress)
    return Fit(calibration, poses, *_errors(calibration, poses, targets), steps)


def refit(fit: Fit, clip: Sampled, holes: Iterable[Hole]) -> Fit:
    """Return a fit of the same figure to a clip that differs between the two frames of each hole.

    Only those frames are fitted, and the frames after them until the new poses agree with the old ones.
    """
    targets = _targets(fit.calibration, clip, _segment_turns(fit.calibration, clip))
    old = fit.poses
    poses, steps = Poses(old.root.copy(), old.balls.copy(), old.hinges.copy()), fit.steps.copy()
    tree, limits = fit.figure.tree, fit.figure.layout.limits
    for before, after in holes:
        first, last = before + 1, after
        while first < len(clip):
            last = min(last + _SETTLING, len(clip))
            fit_frames(tree, limits, targets, _SETTINGS, poses.root, poses.balls, poses.hinges, steps, first, last)
            if _apart(poses, old, last - 1) < _SAME:
                break
            first = last
    poses = Poses(poses.root, quaternion.make_continuous(poses.balls), poses.hinges)
    return Fit(fit.calibration, poses, *_errors(fit.calibration, poses, targets), steps)


def _apart(a: Poses, b: Poses, frame: int) -> float:
    """Return the largest difference of two poses, in rad or m."""
    turned = quaternion.angle_between(a.balls[frame], b.balls[frame]).max()
    return float(max(turned, np.abs(a.hinges - b.hinges)[frame].max(), np.abs(a.root - b.root)[frame].max()))


def _segment_turns(calibration: Calibration, clip: Sampled) -> dict[str, Array]:
    """Return each segment's rotations (T, 4) as if it turned with its clip joint."""
    return {s: quaternion.multiply(clip.rotations[:, joint], c) for s, (joint, c) in calibration.turns.items()}


def _solve(
    calibration: Calibration, roles: Roles, clip: Sampled, settings: Settings, progress: Progress | None = None
) -> tuple[Poses, Targets, npt.NDArray[np.int64]]:
    turns = _segment_turns(calibration, clip)
    targets = _targets(calibration, clip, turns)
    poses = _first_guess(roles, clip, turns)
    tree, limits = calibration.figure.tree, calibration.figure.layout.limits
    steps = np.zeros(len(clip), dtype=np.int64)
    for first in range(0, len(clip), _CHUNK):
        last = min(first + _CHUNK, len(clip))
        fit_frames(tree, limits, targets, settings, poses.root, poses.balls, poses.hinges, steps, first, last)
        if progress:
            progress(last, len(clip))
    return Poses(poses.root, quaternion.make_continuous(poses.balls), poses.hinges), targets, steps


def _errors(calibration: Calibration, poses: Poses, targets: Targets) -> tuple[Array, Array]:
    positions, rotations = calibration.figure.forward(poses)
    places = positions[:, targets.segments] + quaternion.rotate(rotations[:, targets.segments], targets.places)
    distances: Array = np.linalg.norm(places - targets.points, axis=2)
    return distances, quaternion.angle_between(rotations[:, targets.turn_segments], targets.turns)


def _targets(calibration: Calibration, clip: Sampled, segment_turns: dict[str, Array]) -> Targets:
    marks = calibration.landmarks
    return Targets(
        segments=np.array([HUMAN.segments.index(mark.segment) for mark in marks]),
        places=np.array([mark.place for mark in marks]),
        weights=np.array([mark.weight for mark in marks]),
        points=np.ascontiguousarray(clip.positions[:, [mark.joint for mark in marks]]),
        turn_segments=np.array([HUMAN.segments.index(segment) for segment in segment_turns]),
        turn_weights=np.array([_turn_weight(segment) for segment in segment_turns]),
        turns=np.stack(list(segment_turns.values()), axis=1),
        increments=_increments(segment_turns, len(clip)),
        steps=_largest_steps(clip),
    )


def _largest_steps(clip: Sampled) -> Array:
    """Return the largest rotation of any joint of the clip from the frame before to each frame, (T,) in radians."""
    steps = np.zeros(len(clip))
    steps[1:] = quaternion.angle_between(clip.rotations[:-1], clip.rotations[1:]).max(axis=1)
    return steps


def _turn_weight(segment: str) -> float:
    return _TURN_WEIGHTS[segment.removeprefix("left_").removeprefix("right_")]


def _local_turns(segment_turns: dict[str, Array], frames: int) -> Array:
    """Return each ball joint's rotation (T, 7, 4) as if every segment turned with its clip joint."""
    turns = []
    for joint in HUMAN.joints:
        if not joint.ball:
            continue
        parent = joint.parent
        while parent is not None and parent not in segment_turns:  # a skeleton without clavicles
            parent = HUMAN[parent].parent
        own = segment_turns[joint.segment]
        before = quaternion.identity(frames) if parent is None else segment_turns[parent]
        turns.append(quaternion.multiply(quaternion.conjugate(before), own))
    return np.stack(turns, axis=1)


def _increments(segment_turns: dict[str, Array], frames: int) -> Array:
    local = _local_turns(segment_turns, frames)
    increments = quaternion.identity(frames, len(HUMAN.ball_names))
    increments[1:] = quaternion.multiply(quaternion.conjugate(local[:-1]), local[1:])
    return increments


def _first_guess(roles: Roles, clip: Sampled, segment_turns: dict[str, Array]) -> Poses:
    """Return poses with a first guess in frame 0: ball joints as in the clip, elbows and knees a little bent."""
    poses = Poses.zero(len(clip))
    poses.root[0] = 0.5 * (clip.positions[0, roles.left.thigh] + clip.positions[0, roles.right.thigh])
    poses.balls[0] = _local_turns({segment: turn[:1] for segment, turn in segment_turns.items()}, 1)[0]
    for name in HUMAN.hinge_names:
        if name.endswith(("knee_flexion", "elbow_flexion")):
            poses.hinge(name)[0] = 0.3
    return poses
