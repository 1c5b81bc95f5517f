"""A clip as scene formats want it: in metres with Y up, with a pose to bind a mesh in, and a mesh of its bones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from segue.body.skeleton import Skeleton
from segue.checks import positive
from segue.curves import quaternion
from segue.errors import ArgumentError
from segue.motion.clip import Clip
from segue.typing import Array

IDENTITY = (1.0, 0.0, 0.0, 0.0)
_LARGEST = 1e35  # metres: files hold numbers of single precision, and what is drawn around joints reaches further


@dataclass(frozen=True)
class PlacedClip:
    """A clip in metres with Y up, and its rest pose.

    positions (T, J, 3) and rotations (T, J, 4) are local, a root's in the world; rotations keep to one hemisphere from
    frame to frame. The arrays rest_positions (J, 3) and rest_rotations (J, 4) have the local pose that a mesh is bound
    in; bind_positions and bind_rotations have it in the world. ends: tips of bones without a joint, in the joint's
    frame.
    """

    skeleton: Skeleton
    fps: float
    positions: Array
    rotations: Array
    rest_positions: Array
    rest_rotations: Array
    bind_positions: Array
    bind_rotations: Array
    ends: Mapping[int, Array]


@np.errstate(over="ignore", invalid="ignore")  # lengths that become infinite are refused
def place_clip(clip: Clip, scale: float, rotation: npt.ArrayLike) -> PlacedClip:
    """Return a clip scaled and turned: scale in metres per source unit, rotation takes source axes to Y up.

    Both are baked into the values: a root's pose is turned, every position is scaled, so that nothing has to stand
    above the skeleton. The rest pose has the skeleton's offsets and the rest rotations that the clip's source knew;
    where it knew none (a BVH file), the rotations of the first frame, with the roots where they are in that frame.
    """
    turn = _checked_rotation(rotation)
    positive("scale", scale, "metres per source unit")
    roots = [joint for joint, parent in enumerate(clip.parents) if parent < 0]
    offsets = np.array(clip.offsets)
    rest_rotations = _known_rest_rotations(clip)
    if rest_rotations is None:
        rest_rotations = clip.rotations[0]
        offsets[roots] = clip.positions[0, roots]

    def placed(positions: Array, rotations: Array) -> tuple[Array, Array]:
        metres, turned = positions * scale, np.array(rotations)
        metres[..., roots, :] = quaternion.rotate(turn, metres[..., roots, :])
        turned[..., roots, :] = quaternion.multiply(turn, turned[..., roots, :])
        return metres, quaternion.normalise(turned)

    positions, rotations = placed(clip.positions, clip.rotations)
    rest_positions, rest_rotations = placed(offsets, rest_rotations)
    bind_positions, bind_rotations = clip.skeleton.forward(rest_positions[None], rest_rotations[None])
    ends = {joint: tip * scale for joint, tip in clip.skeleton.ends.items()}
    for values in (positions, rest_positions, bind_positions, *ends.values()):
        if not np.abs(values).max() <= _LARGEST:
            raise ArgumentError(f"the clip spans more than {_LARGEST:g} m at scale {scale:g}: choose a smaller scale")
    return PlacedClip(
        skeleton=clip.skeleton,
        fps=clip.fps,
        positions=positions,
        rotations=quaternion.make_continuous(rotations),
        rest_positions=rest_positions,
        rest_rotations=rest_rotations,
        bind_positions=bind_positions[0],
        bind_rotations=bind_rotations[0],
        ends=ends,
    )


def _checked_rotation(rotation: npt.ArrayLike) -> Array:
    turn = np.asarray(rotation, dtype=float)
    if turn.shape != (4,) or not np.isfinite(turn).all() or not np.linalg.norm(turn) > 1e-6:
        raise ArgumentError(f"rotation is {turn.tolist()}: a unit quaternion (w, x, y, z) is needed")
    return quaternion.normalise(turn)


def _known_rest_rotations(clip: Clip) -> Array | None:
    """Return the rest rotations (J, 4) that the clip's source knew, None where it knew none."""
    details = clip.origin.details if clip.origin is not None else None
    known = (details or {}).get("rest_rotations")
    if known is None or np.shape(known) != (len(clip.skeleton), 4):
        return None
    return quaternion.normalise(known)


# linear RGB by side of the body: two colours that also those tell apart who see no red or green
COLOURS = {"left": (0.05, 0.25, 0.60), "right": (0.80, 0.25, 0.04), "centre": (0.32, 0.31, 0.29)}

# half widths and radii, as parts of a bone's length and of the longest bone's
_HALF_WIDTH = 0.14
_LEAST_HALF_WIDTH, _MOST_HALF_WIDTH = 0.04, 0.09
_STOUTEST = 0.35
_WAIST = 0.18  # where along the bone it is widest
_BALL = 0.06
_BALL_ON_BONE = 0.30
_LONE_BALL = 0.05  # metres, for a skeleton without any length
_NO_LENGTH = 1e-3  # of the longest bone: shorter ones are points
_STRETCH = 0.05  # a distance that changes by more than this is no bone


@dataclass(frozen=True)
class BoneMesh:
    """Triangles in the bind pose with flat normals, three vertices each, moved whole by one joint.

    points, normals: (3F, 3). joints: (F,) the joint that carries each triangle. sides: (F,) "left", "right", "centre".
    """

    points: Array
    normals: Array
    joints: npt.NDArray[np.int64]
    sides: tuple[str, ...]


def bone_mesh(clip: PlacedClip) -> BoneMesh:
    """Return the mesh of a clip's skeleton."""
    skeleton = clip.skeleton
    bones = _bones(clip)
    longest = max((float(np.linalg.norm(stop - start)) for _, _, start, stop in bones), default=0.0)
    bones = [bone for bone in bones if np.linalg.norm(bone[3] - bone[2]) > _NO_LENGTH * longest]
    parts: list[tuple[int, int, Array]] = []  # joint that carries it, joint whose side it has, triangles (F, 3, 3)
    into: dict[int, float] = {}  # length of the bone that ends in a joint
    for carrier, tip, start, stop in bones:
        parts.append((carrier, carrier if tip is None else tip, _octahedron(start, stop, longest)))
        if tip is not None:
            into[tip] = float(np.linalg.norm(stop - start))
    out_of = {carrier for carrier, _, _, _ in bones}
    has_child = set(skeleton.parents)
    for joint in range(len(skeleton)):
        is_leaf = joint not in out_of and joint not in has_child
        if is_leaf or not (joint in out_of or joint in into):
            parts.append((joint, joint, _ball(clip.bind_positions[joint], longest, into.get(joint))))
    triangles = np.concatenate([part for _, _, part in parts])
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    areas = np.linalg.norm(normals, axis=1, keepdims=True)
    # very far from the origin rounding can flatten a face: any direction will do, as long as it is one
    normals = np.where(areas > 0, normals / np.where(areas > 0, areas, 1.0), [0.0, 1.0, 0.0])
    return BoneMesh(
        points=triangles.reshape(-1, 3),
        normals=np.repeat(normals, 3, axis=0),
        joints=np.repeat([carrier for carrier, _, _ in parts], [len(part) for _, _, part in parts]),
        sides=tuple(side_of(skeleton.names[owner]) for _, owner, part in parts for _ in part),
    )


def _bones(clip: PlacedClip) -> list[tuple[int, int | None, Array, Array]]:
    """Return for each bone the joint that carries it, the joint at its tip, and both ends in the bind pose."""
    lengths = np.linalg.norm(clip.positions, axis=2)
    is_rigid = np.ptp(lengths, axis=0) <= _STRETCH * lengths.max(axis=0)
    bones: list[tuple[int, int | None, Array, Array]] = [
        (parent, joint, clip.bind_positions[parent], clip.bind_positions[joint])
        for joint, parent in enumerate(clip.skeleton.parents)
        if parent >= 0 and is_rigid[joint]
    ]
    for joint, tip in clip.ends.items():
        start = clip.bind_positions[joint]
        bones.append((joint, None, start, start + quaternion.rotate(clip.bind_rotations[joint], tip)))
    return bones


def _octahedron(start: Array, stop: Array, longest: float) -> Array:
    """Return the eight triangles (8, 3, 3) of a tapered bone, seen from outside anticlockwise."""
    along = stop - start
    length = float(np.linalg.norm(along))
    half = np.clip(_HALF_WIDTH * length, _LEAST_HALF_WIDTH * longest, _MOST_HALF_WIDTH * longest)
    half = min(half, _STOUTEST * length)
    across = np.cross(along / length, np.eye(3)[np.argmin(np.abs(along))])
    across *= half / np.linalg.norm(across)
    waist = start + _WAIST * along
    ring = [waist + across, waist + np.cross(along / length, across)]
    ring += [2 * waist - ring[0], 2 * waist - ring[1]]
    near = [(start, ring[(k + 1) % 4], ring[k]) for k in range(4)]
    far = [(stop, ring[k], ring[(k + 1) % 4]) for k in range(4)]
    return np.array(near + far)


def _ball(centre: Array, longest: float, bone: float | None) -> Array:
    """Return the twenty triangles (20, 3, 3) of an icosahedron; bone: the length of the bone that ends in it."""
    radius = _BALL * longest or _LONE_BALL
    if bone is not None:
        radius = min(radius, _BALL_ON_BONE * bone)
    return np.asarray(centre + radius * _ICOSAHEDRON)


def _icosahedron() -> Array:
    """Return the faces of a regular icosahedron of radius 1."""
    golden = (1.0 + np.sqrt(5.0)) / 2.0
    corners = np.array([np.roll([0.0, a, b], k) for k in range(3) for a in (-1.0, 1.0) for b in (-golden, golden)])
    near = np.isclose(np.linalg.norm(corners[:, None] - corners[None], axis=2), 2.0)
    faces = [
        (i, j, k) if np.linalg.det(corners[[i, j, k]]) > 0 else (i, k, j)
        for i in range(12)
        for j in range(i + 1, 12)
        for k in range(j + 1, 12)
        if near[i, j] and near[j, k] and near[i, k]
    ]
    unit: Array = corners[np.array(faces)] / np.linalg.norm(corners[0])
    return unit


_ICOSAHEDRON = _icosahedron()

_SIDES = {
    # the word, or its letter at the beginning of a part of the name: LeftArm, arm_l, LThumb, lThigh, but not L5 or ROOT
    side: re.compile(rf"(?i:{side})|(?:^|[\W_])(?i:{side[0]})(?=[A-Z][a-z]|[\W_]|$)")
    for side in ("left", "right")
}


def side_of(name: str) -> str:
    """Return "left", "right" or "centre": the side in a joint's name, for the colour of its bone."""
    return next((side for side, pattern in _SIDES.items() if pattern.search(name)), "centre")
