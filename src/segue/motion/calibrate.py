"""Measure the person in a clip: limb lengths, pivots, and the place of each joint of the clip on the figure."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from segue.body.anthropometry import PROPORTIONS
from segue.body.build import Build, mirrored, standard_build
from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.body.layout import side_of
from segue.body.roles import Roles
from segue.body.skeleton import Skeleton
from segue.curves import quaternion
from segue.motion.reference import Sampled, find_reference, segment_joints, standing_frames
from segue.typing import Array

_SAMPLE_FRAMES = 600
# Weight of the skeleton's own joint as the place of a pivot, as a share of the frames: a walk hardly bends the spine
# and does not determine its pivots.
_PIVOT_PRIOR = 0.02
_HIGHEST_ANKLE = 0.085  # of stature: a higher ankle does not stand on y = 0
_FINGER_WEIGHT = 0.3  # fingers move in the hand, which here is one piece


@dataclass(frozen=True, eq=False)
class Landmark:
    """A joint of the clip that has a fixed place on the figure.

    joint: its index in the clip's skeleton. segment: of the figure. place: (3,) in the segment's frame, m. weight: of
    its distance in the fit.
    """

    joint: int
    segment: str
    place: Array
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class Calibration:
    """The relation of a clip's skeleton to the figure.

    turns: for each segment that a clip joint turns with, (joint, C): the segment's rotation is the joint's times C.
    landmarks: joints with a fixed place on the figure. stature and lengths are in `figure`.
    """

    figure: Figure
    turns: dict[str, tuple[int, Array]]
    landmarks: tuple[Landmark, ...]


def calibrate(
    skeleton: Skeleton,
    roles: Roles,
    clip: Sampled,
    rest: Sampled,
    stature: float,
    mass: float | None = None,
    sex: str = "average",
) -> Calibration:
    """Scale a figure to the person in the clip and locate the clip's joints on it.

    clip: all frames in metres, Y up. rest: one frame, no joint turned. Limb lengths come from the data, with left and
    right averaged ([Rose1996], section 2).
    """
    sample = clip.spread(_SAMPLE_FRAMES)
    reference = find_reference(roles, sample, rest)
    turns = {segment: (joint, reference[segment]) for segment, joint in segment_joints(roles).items()}
    frames = {segment: quaternion.multiply(sample.rotations[:, joint], c) for segment, (joint, c) in turns.items()}
    measure = _Measure(skeleton, roles, sample, frames, stature)
    figure = Figure.from_build(measure.build(), mass, sex)
    return Calibration(figure, turns, tuple(measure.landmarks()))


def refine(calibration: Calibration, sample: Sampled, poses: Poses) -> Calibration:
    """Return the calibration with the mean constant rotations and places of a first fit.

    The figure's joints cannot follow everything (an ankle has no third axis, skeletons share a forearm's twist with the
    wrist in different ways). This makes the mean error zero.
    """
    positions, rotations = calibration.figure.forward(poses)
    turns = {}
    for segment, (joint, constant) in calibration.turns.items():
        found = quaternion.multiply(
            quaternion.conjugate(sample.rotations[:, joint]), rotations[:, HUMAN.segments.index(segment)]
        )
        # the pelvis is the root of the figure: its frame is defined, not measured
        turns[segment] = (joint, constant if segment == "pelvis" else quaternion.mean(found))
    landmarks = []
    for mark in calibration.landmarks:
        place = mark.place
        if mark.place.any():
            s = HUMAN.segments.index(mark.segment)
            apart = sample.positions[:, mark.joint] - positions[:, s]
            place = quaternion.rotate(quaternion.conjugate(rotations[:, s]), apart).mean(axis=0)
        landmarks.append(replace(mark, place=place))
    return Calibration(calibration.figure, turns, tuple(landmarks))


class _Measure:
    """Lengths and places measured in the sampled frames.

    frames: for each segment, its rotations (T, 4) in the samples as if it turned with its clip joint.
    """

    def __init__(
        self, skeleton: Skeleton, roles: Roles, sample: Sampled, frames: dict[str, Array], stature: float
    ) -> None:
        self.skeleton = skeleton
        self.roles = roles
        self.sample = sample
        self.positions = sample.positions
        self.frames = frames
        self.stature = stature
        self.hips = 0.5 * (self.positions[:, roles.left.thigh] + self.positions[:, roles.right.thigh])
        chest = self.positions[:, roles.chest]
        spine = [j for j in roles.spine if not self._coincide(j, roles.pelvis)] or [roles.chest]
        middle = spine[(len(spine) - 1) // 2]
        self.lower_back, self.torso_origin = _pivot(
            (self.hips, frames["pelvis"]), (chest, frames["torso"]), self.positions[:, middle]
        )
        necks = [j for j in roles.neck if not self._coincide(j, roles.chest)]
        head = self.positions[:, roles.head]
        base = self.positions[:, necks[0]] if necks else head
        self.neck_on_chest, self.head_origin = _pivot(
            (chest, frames["torso"]), (head, frames["head"]), 0.5 * (base + head)
        )

    def _coincide(self, a: int, b: int) -> bool:
        apart = np.linalg.norm(self.positions[:, a] - self.positions[:, b], axis=1)
        return bool(apart.max() < 1e-4 * self.stature)

    def _length(self, part: str, start: str, stop: str) -> float:
        lengths = []
        for side in (self.roles.left, self.roles.right):
            a, b = getattr(side, start), getattr(side, stop)
            if a is None or b is None:
                return PROPORTIONS[part] * self.stature
            lengths.append(np.median(np.linalg.norm(self.positions[:, b] - self.positions[:, a], axis=1)))
        return float(np.mean(lengths))

    def _vector(self, segment: str, start: str, stop: str) -> Array | None:
        """Return the left side's mean vector between two joints in a segment's frame, averaged with the right's image.

        The segment's name has no side where it belongs to the trunk.
        """
        vectors = []
        for name, side in (("left", self.roles.left), ("right", self.roles.right)):
            a = self.roles.chest if start == "chest" else getattr(side, start)
            b = getattr(side, stop)
            if a is None or b is None:
                return None
            frame = self.frames[segment if segment in self.frames else f"{name}_{segment}"]
            local = quaternion.rotate(quaternion.conjugate(frame), self.positions[:, b] - self.positions[:, a])
            vectors.append(local.mean(axis=0) if name == "left" else mirrored(local.mean(axis=0)))
        average: Array = np.mean(vectors, axis=0)
        return average

    def build(self) -> Build:
        """Return the lengths of the person."""
        standard = standard_build(self.stature)
        clavicle, shoulder = self._girdle()
        toe = self._vector("foot", "foot", "toe")
        if toe is None:
            toe = standard.toe
        return Build(
            stature=self.stature,
            half_hip=self._half_hip(),
            lower_back=_on_midline(self.lower_back),
            neck=_on_midline(self.neck_on_chest - self.torso_origin),
            clavicle=clavicle - _on_midline(self.torso_origin),
            shoulder=shoulder,
            upper_arm=self._length("upper_arm", "upper_arm", "forearm"),
            forearm=self._length("forearm", "forearm", "hand"),
            hand=self._length("hand", "hand", "finger"),
            thigh=self._length("thigh", "thigh", "shin"),
            shank=self._length("shank", "shin", "foot"),
            toe=_on_midline(toe),
            toes=standard.toes,
            heel=standard.heel,
            sole=self._sole(standard.sole, toe),
            head=standard.head,
        )

    def _sole(self, usual: float, toe: Array) -> float:
        """Return the ankle's height above the sole: its height above y = 0 in the clip if plausible, else the usual."""
        heights = [
            np.quantile(self.positions[stands, side.foot, 1], 0.25)
            for side in (self.roles.left, self.roles.right)
            if len(stands := standing_frames(side, self.sample))
        ]
        seen = float(np.mean(heights)) if heights else usual
        least = max(0.5 * usual, 0.008 * self.stature - toe[1])
        return float(max(seen if seen < _HIGHEST_ANKLE * self.stature else usual, least))

    def _half_hip(self) -> float:
        apart = self.positions[:, self.roles.left.thigh] - self.positions[:, self.roles.right.thigh]
        return 0.5 * float(np.median(np.linalg.norm(apart, axis=1)))

    def _girdle(self) -> tuple[Array, Array]:
        """Return the clavicle joint from the chest joint, and the shoulder from the clavicle joint, left side."""
        clavicle = self._vector("torso", "chest", "clavicle")
        if clavicle is None:
            shoulder = self._vector("torso", "chest", "upper_arm")
            assert shoulder is not None, "upper arms are required roles"
            clavicle = shoulder * np.array([0.15, 1.0, 1.0])
            return clavicle, shoulder - clavicle
        reach = self._vector("clavicle", "clavicle", "upper_arm")
        assert reach is not None, "upper arms are required roles"
        return clavicle, reach

    def landmarks(self) -> list[Landmark]:
        """Return every joint with a role, on its segment."""
        roles, found = self.roles, []
        origins = {"pelvis": self.hips, "torso": self._origin("torso"), "head": self._origin("head")}
        found.append(self._fixed(roles.pelvis, "pelvis", origins["pelvis"]))
        for joint in roles.spine[:-1]:
            found.append(self._best(joint, ("pelvis", "torso"), origins))
        found.append(self._fixed(roles.chest, "torso", origins["torso"]))
        for joint in roles.neck:
            found.append(self._best(joint, ("torso", "head"), origins))
        found.append(self._fixed(roles.head, "head", origins["head"]))
        for segment, joint in segment_joints(roles).items():
            if side_of(segment) != "centre":
                found.append(Landmark(joint, segment, np.zeros(3)))
        for name, side in (("left", roles.left), ("right", roles.right)):
            if side.finger is not None:
                knuckle = self._fixed(side.finger, f"{name}_hand", self.positions[:, side.hand])
                found.append(replace(knuckle, weight=_FINGER_WEIGHT))
        return found

    def _origin(self, segment: str) -> Array:
        """Return the world positions of the torso's or the head's frame in the samples."""
        joint, local = {
            "torso": (self.roles.chest, self.torso_origin),
            "head": (self.roles.head, self.head_origin),
        }[segment]
        return self.positions[:, joint] + quaternion.rotate(self.frames[segment], local)

    def _places(self, joint: int, segment: str, origin: Array) -> Array:
        return quaternion.rotate(quaternion.conjugate(self.frames[segment]), self.positions[:, joint] - origin)

    def _fixed(self, joint: int, segment: str, origin: Array) -> Landmark:
        return Landmark(joint, segment, self._places(joint, segment, origin).mean(axis=0))

    def _best(self, joint: int, segments: tuple[str, ...], origins: dict[str, Array]) -> Landmark:
        """Return the joint as a landmark on the segment in whose frame it moves least."""
        spread = {s: self._places(joint, s, origins[s]).var(axis=0).sum() for s in segments}
        segment = min(segments, key=lambda s: (spread[s], HUMAN.segments.index(s)))
        return self._fixed(joint, segment, origins[segment])


def _on_midline(vector: Array) -> Array:
    flat: Array = vector * np.array([0.0, 1.0, 1.0])
    return flat


def _pivot(lower: tuple[Array, Array], upper: tuple[Array, Array], guess: Array) -> tuple[Array, Array]:
    """Return the point about which two bodies turn, in the frame of each: least squares over all frames.

    lower, upper: positions (T, 3) and rotations (T, 4) of the bodies. guess: (T, 3) world, its place if
    the motion does not determine it. The symmetrical centre of rotation estimation of [Ehrig2006], with a prior.
    """
    below, above = quaternion.to_matrix(lower[1]), quaternion.to_matrix(upper[1])
    prior = [
        quaternion.rotate(quaternion.conjugate(rotations), guess - positions).mean(axis=0)
        for positions, rotations in (lower, upper)
    ]
    count = len(guess)
    weight = _PIVOT_PRIOR * count
    cross = np.einsum("tji,tjk->ik", below, above)
    apart = upper[0] - lower[0]
    normal = np.block([[np.eye(3) * (count + weight), -cross], [-cross.T, np.eye(3) * (count + weight)]])
    rhs = np.concatenate(
        [
            np.einsum("tji,tj->i", below, apart) + weight * prior[0],
            -np.einsum("tji,tj->i", above, apart) + weight * prior[1],
        ]
    )
    solution = np.linalg.solve(normal, rhs)
    return solution[:3], solution[3:]
