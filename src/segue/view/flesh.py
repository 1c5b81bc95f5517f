"""Shapes in pictures: tapered capsules and ellipsoids for every segment, and faces and edges of the ground."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from segue.body.anthropometry import PROPORTIONS
from segue.body.build import Build
from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.typing import Array, Ints


class Capsule(NamedTuple):
    """A tapered capsule in a segment's frame, for the left side: the hull of two spheres."""

    segment: str
    start: tuple[float, float, float]
    stop: tuple[float, float, float]
    start_radius: float
    stop_radius: float


class Ellipsoid(NamedTuple):
    """An ellipsoid in a segment's frame, its axes along the frame's."""

    segment: str
    centre: tuple[float, float, float]
    radii: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Solids:
    """Shapes in the world, in metres.

    Capsules: starts, stops (C, 3), radii (C, 2). Ellipsoids: centres (E, 3), shapes (E, 3, 3), the matrices that make
    them unit spheres. owners (C + E,): the row of each one's colour, capsules first: its segment's index,
    plus that many segments for each exposure before its own.
    """

    starts: Array
    stops: Array
    radii: Array
    centres: Array
    shapes: Array
    owners: Ints

    @cached_property
    def spans(self) -> Array:
        """The longest half-axis of each ellipsoid, (E,)."""
        least = np.linalg.svd(self.shapes, compute_uv=False)[:, -1]
        return np.asarray(1.0 / least, dtype=float)

    def spheres(self) -> tuple[Array, Array]:
        """Return centres (N, 3) and radii (N,) of spheres that bound the shapes, or nearly."""
        centres = np.concatenate([self.starts, self.stops, self.centres])
        return centres, np.concatenate([self.radii[:, 0], self.radii[:, 1], self.spans])


def solids(figure: Figure, poses: Poses, shifts: Array) -> Solids:
    """Return the figure's shapes in every frame, each frame moved by its shift (T, 3)."""
    positions, rotations = figure.forward(poses)
    positions = positions + shifts[:, None]
    capsules, ellipsoids = body_capsules(figure.build), body_ellipsoids(figure.build)
    at = [HUMAN.segments.index(shape.segment) for shape in capsules]
    base, turn = positions[:, at], rotations[:, at]
    starts = base + quaternion.rotate(turn, _stack([shape.start for shape in capsules], turn))
    stops = base + quaternion.rotate(turn, _stack([shape.stop for shape in capsules], turn))
    radii = np.array([[shape.start_radius, shape.stop_radius] for shape in capsules])

    at = [HUMAN.segments.index(shape.segment) for shape in ellipsoids]
    base, turn = positions[:, at], rotations[:, at]
    centres = base + quaternion.rotate(turn, _stack([shape.centre for shape in ellipsoids], turn))
    inverse_radii = 1.0 / np.array([shape.radii for shape in ellipsoids])
    shapes = inverse_radii[:, :, None] * np.swapaxes(quaternion.to_matrix(turn), -1, -2)

    frames = len(poses)
    first = len(HUMAN.segments) * np.arange(frames)[:, None]
    owners = np.concatenate(
        [(first + [HUMAN.segments.index(shape.segment) for shape in kind]).ravel() for kind in (capsules, ellipsoids)]
    )
    return Solids(
        starts.reshape(-1, 3),
        stops.reshape(-1, 3),
        np.tile(radii, (frames, 1)),
        centres.reshape(-1, 3),
        shapes.reshape(-1, 3, 3),
        owners,
    )


def _stack(vectors: list[tuple[float, float, float]], turn: Array) -> Array:
    return np.broadcast_to(np.array(vectors), (*turn.shape[:2], 3))


def body_capsules(build: Build) -> list[Capsule]:
    """Return the capsules of a body, the radii fractions of its stature for an adult of average build."""
    h = build.stature
    origin, up, back = (0.0, 0.0, 0.0), float(build.neck[1]), float(build.neck[2])
    centre = [
        Capsule("torso", (0.0, up - 0.035 * h, back), (0.0, up + 0.03 * h, back + 0.008 * h), 0.036 * h, 0.03 * h),
        Capsule("head", origin, (0.0, 0.45 * build.head, 0.012 * h), 0.031 * h, 0.032 * h),
        # a nose, so that one sees which way the head looks
        Capsule("head", (0.0, 0.47 * build.head, 0.062 * h), (0.0, 0.40 * build.head, 0.068 * h), 0.005 * h, 0.008 * h),
    ]
    elbow, wrist = (build.upper_arm, 0.0, 0.0), (build.forearm, 0.0, 0.0)
    brawn, calf = (0.3 * build.forearm, 0.0, 0.0), (0.0, -0.3 * build.shank, -0.006 * h)
    flank = ((0.026 * h, -0.02 * h, 0.004 * h), (0.034 * h, 0.5 * up, -0.006 * h))
    left = [
        # one from the hip to the ribs on either side: without them a waist would show seams between ellipsoids
        Capsule("torso", *flank, 0.051 * h, 0.049 * h),
        Capsule("pelvis", (0.036 * h, 0.0, -0.006 * h), (0.03 * h, 0.06 * h, -0.006 * h), 0.056 * h, 0.046 * h),
        # from the nape to the point of the shoulder, and round the joint
        Capsule("clavicle", (0.0, 0.03 * h, -0.012 * h), _scaled(build.shoulder, 0.8), 0.026 * h, 0.024 * h),
        Capsule("clavicle", _scaled(build.shoulder, 0.2), _scaled(build.shoulder, 0.95), 0.03 * h, 0.03 * h),
        Capsule("upper_arm", origin, elbow, 0.031 * h, 0.0225 * h),
        Capsule("forearm", origin, brawn, 0.0225 * h, 0.0245 * h),
        Capsule("forearm", brawn, wrist, 0.0245 * h, 0.0145 * h),
        *_hand_capsules(build),
        Capsule("thigh", origin, (0.0, -build.thigh, 0.0), 0.052 * h, 0.033 * h),
        Capsule("shank", origin, calf, 0.032 * h, 0.034 * h),
        Capsule("shank", calf, (0.0, -build.shank, 0.0), 0.034 * h, 0.0205 * h),
        *_foot_capsules(build),
    ]
    return centre + [_on_side(shape, side) for side in ("left", "right") for shape in left]


def _hand_capsules(build: Build) -> list[Capsule]:
    """Return slightly bent thumb and fingers, scaled to the stature."""
    h, whole = build.stature, PROPORTIONS["hand_whole"] * build.stature
    fingers = []
    for across, reach in ((0.0135, 0.9), (0.0045, 1.0), (-0.0045, 0.96), (-0.0125, 0.84)):
        knuckle = (0.46 * whole, 0.0, across * h)
        middle = (0.5 * (0.46 + reach) * whole, -0.006 * h, 1.05 * across * h)
        tip = (reach * whole - 0.006 * h, -0.02 * h, across * h)
        fingers += [
            Capsule("hand", knuckle, middle, 0.0075 * h, 0.0068 * h),
            Capsule("hand", middle, tip, 0.0068 * h, 0.0055 * h),
        ]
    thumb = ((0.15 * whole, 0.0, 0.012 * h), (0.55 * whole, -0.01 * h, 0.031 * h))
    return [*fingers, Capsule("hand", *thumb, 0.0095 * h, 0.0068 * h)]


def _foot_capsules(build: Build) -> list[Capsule]:
    """Return a foot that rests on the figure's points of heel, ball and toes."""
    h = build.stature
    heel_radius, ball_radius, tip_radius = 0.44 * build.sole, 0.33 * build.sole, 0.2 * build.sole
    joint = float(build.sole + build.toe[1])
    heel = (0.0, heel_radius - build.sole, heel_radius - build.heel)
    instep = (0.0, -0.01 * h, 0.02 * h)
    ball, half_width = (ball_radius - build.sole, float(build.toe[2])), 0.008 * h
    root, tip = (ball_radius - joint, 0.0), (tip_radius - joint, build.toes - tip_radius)
    return [
        Capsule("foot", heel, instep, heel_radius, 0.022 * h),
        Capsule("foot", instep, (half_width, *ball), 0.022 * h, ball_radius),
        Capsule("foot", heel, (-half_width, *ball), heel_radius, ball_radius),
        Capsule("toes", (half_width, *root), (0.9 * half_width, *tip), ball_radius, tip_radius),
        Capsule("toes", (-half_width, *root), (-0.8 * half_width, *tip), ball_radius, tip_radius),
    ]


def body_ellipsoids(build: Build) -> list[Ellipsoid]:
    """Return the ellipsoids of a body: head, trunk and hands."""
    h = build.stature
    # the ribs end just above the shoulders, however short a trunk the capture has
    top = float(build.neck[1]) + 0.016 * h
    ribs = 0.5 * min(0.25 * h, top + 0.02 * h)
    palm = 0.5 * PROPORTIONS["hand_whole"] * h
    centre = [
        Ellipsoid("head", (0.0, build.head - 0.066 * h, 0.012 * h), (0.044 * h, 0.066 * h, 0.055 * h)),
        Ellipsoid("torso", (0.0, top - ribs, -0.004 * h), (0.092 * h, ribs, 0.064 * h)),
        Ellipsoid("torso", (0.0, 0.012 * h, 0.006 * h), (0.083 * h, 0.12 * h, 0.058 * h)),
        Ellipsoid("pelvis", (0.0, 0.028 * h, -0.004 * h), (0.095 * h, 0.07 * h, 0.065 * h)),
    ]
    left = [
        Ellipsoid("hand", (0.48 * palm, 0.0, 0.001 * h), (0.62 * palm, 0.0115 * h, 0.0215 * h)),
    ]
    return centre + [_ellipsoid_on_side(shape, side) for side in ("left", "right") for shape in left]


def _on_side(shape: Capsule, side: str) -> Capsule:
    s = 1.0 if side == "left" else -1.0
    (a, b, c), (d, e, f) = shape.start, shape.stop
    segment = shape.segment if shape.segment in HUMAN.segments else f"{side}_{shape.segment}"
    return Capsule(segment, (s * a, b, c), (s * d, e, f), shape.start_radius, shape.stop_radius)


def _ellipsoid_on_side(shape: Ellipsoid, side: str) -> Ellipsoid:
    s = 1.0 if side == "left" else -1.0
    a, b, c = shape.centre
    return Ellipsoid(f"{side}_{shape.segment}", (s * a, b, c), shape.radii)


def _scaled(vector: Array, share: float) -> tuple[float, float, float]:
    x, y, z = (share * vector).tolist()
    return (x, y, z)


_AROUND = 0.8  # m of a slope around the figures
COLOURS = np.array([[0.86, 0.84, 0.80], [0.45, 0.44, 0.42]])
"""Colours of faces and of edges."""


class Facets(NamedTuple):
    """The drawing of a ground: corners of triangles (N, 3, 3), edges (E, 2, 3), and the height of the floor, in m."""

    corners: Array
    edges: Array
    floor: float

    def moved(self, by: Array) -> Facets:
        """Return the same moved by (3,) m."""
        return Facets(self.corners + by, self.edges + by, self.floor + float(by[1]))


def ground_under(motion: Motion, ground: Ground | str | None) -> Ground | None:
    """Return the ground to be drawn under a motion: as given, or as found for "auto"; None for a floor at 0."""
    if isinstance(ground, Ground):
        return ground
    return None if ground is None or motion.ground.is_flat else motion.ground


def facets_of(ground: Ground, places: Array) -> Facets:
    """Return what is drawn of a ground around places (N, 3) in m.

    A slope is a rectangle around the places that rises from the floor.
    """
    corners = ground.faces.vertices[ground.faces.triangles]
    height, along_x, along_z = ground.plane
    if along_x == 0.0 and along_z == 0.0:
        return Facets(corners, ground.edges, height)
    low, high = places[:, [0, 2]].min(axis=0) - _AROUND, places[:, [0, 2]].max(axis=0) + _AROUND
    square = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    plane = np.stack([square[:, 0], height + square @ np.array([along_x, along_z]), square[:, 1]], axis=1)
    return Facets(
        np.concatenate([corners, plane[[[0, 1, 2], [0, 2, 3]]]]),
        np.concatenate([ground.edges, np.stack([plane, np.roll(plane, -1, axis=0)], axis=1)]),
        float(plane[:, 1].min()),
    )
