"""Recognise the person in a clip: check its numbers, find the roles of its joints and the frames added in front.

Converters add poses in front of a motion, such as a T pose or a row of zeros, and the motion leaves them by a jump. The
measure of a jump is the residual of a straight extrapolation back in time. It is the distance of frame k from the line
through frames k + 1 and k + 2, the root mean square over the joints, in statures. The residual covers both the root's
path and the joints' rotations. At constant velocity it is zero.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from segue.body.figure import Poses
from segue.body.roles import Roles, find_roles, load_map
from segue.curves import quaternion
from segue.errors import ArgumentError, FileFormatError, SegueError, SkeletonError
from segue.motion.clip import Clip
from segue.motion.options import RoleMap
from segue.motion.resample import resample, select_frames
from segue.motion.space import standing_height
from segue.typing import Array

_LOWEST_RATE, _HIGHEST_RATE = 0.1, 10_000.0  # frames a second
_LARGEST = 1e12  # units of the source; sums of squares do not overflow
_FARTHEST = 100_000.0  # m of a joint from its parent, or of the root from the origin

_ODD_FRAMES = 3  # different added frames at most: a T pose, a rest pose, a frame with one arm level
_FEWEST_AFTER = 3  # frames after the jump, which show the motion
_SAME = 1e-6  # statures: below this, a pose is repeated

# A jump that no body can do. No frame of 110,000 in LAFAN1 reaches the acceleration.
_LEAST_JUMP = 0.05  # statures
_IMPOSSIBLE = 90.0  # statures/s^2, about 150 m/s^2
_ABOVE_NEXT = 3.0  # times the largest of the residuals right after it
_NEXT_FRAMES = 5
_ABOVE_USUAL = 3.0  # times the 95th percentile of the residuals that follow
_USUAL_SPAN = 2.0  # s

# A jump out of a pose that converters add. A person who starts from that pose is slower and does not stop at once.
_LEAST_FROM_REST = 0.1  # statures
_ABOVE_FIRST = 1.5  # times the residual right after it

_STRAIGHT = np.radians(10.0)
_LEVEL = np.radians(20.0)
_LEGS_DOWN = np.radians(30.0)
_UPRIGHT = np.radians(25.0)
_UNTURNED = 1e-6  # rad


def recognise(clip: Clip, map: RoleMap | None = None) -> Roles:
    """Return the roles of a clip's joints, from their names and, where names fail, from how the joints move."""
    check_numbers(clip)
    given = load_map(map) if isinstance(map, str | Path) else map
    return find_roles(clip.skeleton, clip.world[0][:: max(1, len(clip) // 200)], given)


def at_rate(clip: Clip, fps: float, map: RoleMap | None = None) -> Clip:
    """Return a clip at another rate. Frames that were added before the motion stay as they are."""
    try:
        roles = recognise(clip, map)
    except SkeletonError:
        return resample(clip, fps)  # a skeleton that is not a person's has no T pose
    return resample(clip, fps, apart=added_frames(clip, roles))


def added_frames(clip: Clip, roles: Roles) -> int:
    """Return the number of frames at the start that are not part of the motion, because a jump follows them.

    At most three different frames are counted, each with its repetitions. The number is 0 for a clip that moves on
    continuously from a T pose or from a pose that it holds.
    """
    runs = _repetitions(clip)
    seen = select_frames(clip, 0, runs[-1] + 2 + max(int(_USUAL_SPAN * clip.fps), _NEXT_FRAMES) + 1)
    joints = sorted({roles.pelvis, roles.chest, roles.head, *roles.limbs().values()})
    places = seen.world[0][:, joints] / standing_height(seen, roles)
    if len(places) < 1 + _FEWEST_AFTER:
        return 0
    apart = np.linalg.norm(places[:-2] - 2.0 * places[1:-1] + places[2:], axis=2)
    residuals = np.sqrt(np.mean(apart**2, axis=1))
    added = 0
    for last in runs:
        after = residuals[last + 1 :]
        if len(after) < _FEWEST_AFTER - 2:
            break
        # a clip that holds poses and jumps between them was made so
        moves = np.ptp(places[last + 1 : last + 1 + _NEXT_FRAMES], axis=0).max() > _SAME
        if (moves and _is_jump(residuals[last], after, clip.fps)) or (
            _is_placeholder(seen, last, roles)
            and residuals[last] > max(_LEAST_FROM_REST, _ABOVE_FIRST * float(after[0]))
        ):
            added = last + 1
    return added


def _repetitions(clip: Clip) -> list[int]:
    """Return the candidates for the last added frame: the last repetition of each of the first frames."""
    lasts: list[int] = []
    frame = 0
    while frame < len(clip) - 1 and len(lasts) < _ODD_FRAMES:
        last = _last_repetition(clip, frame)
        lasts.append(last)
        frame = last + 1
    return lasts or [0]


def _last_repetition(clip: Clip, frame: int) -> int:
    """Return the last of the equal frames that begin with this one."""
    size = max(float(np.abs(clip.offsets).max()), 1e-300)
    first, count = frame + 1, 16
    while first < len(clip):
        there = slice(first, first + count)
        moved = np.abs(clip.positions[there] - clip.positions[frame]).max(axis=(1, 2)) > _SAME * size
        turned = quaternion.angle_between(clip.rotations[there], clip.rotations[frame]).max(axis=1) > _UNTURNED
        if (moved | turned).any():
            return first - 1 + int(np.argmax(moved | turned))
        first, count = first + count, 2 * count
    return len(clip) - 1


def _is_jump(residual: float, after: Array, fps: float) -> bool:
    """Return whether a residual is beyond what a body can do and much larger than the residuals after it (K,)."""
    return bool(
        residual > _LEAST_JUMP
        and residual * fps * fps > _IMPOSSIBLE
        and residual > _ABOVE_NEXT * after[:_NEXT_FRAMES].max()
        and residual > _ABOVE_USUAL * np.quantile(after[: max(int(_USUAL_SPAN * fps), 1)], 0.95)
    )


def _is_placeholder(clip: Clip, last: int, roles: Roles) -> bool:
    """Return whether converters add frames like those up to this one: no joint turned, or a T pose."""
    if quaternion.angle_between(clip.rotations[last], quaternion.identity(len(clip.skeleton))).max() < _UNTURNED:
        return True
    places = clip.world[0]
    return _is_tpose(places[0], roles) and _limbs_are_straight(places[last], roles)


def _is_tpose(positions: Array, roles: Roles) -> bool:
    """Return whether one frame (J, 3) is a T pose: upright along an axis, legs down, arms level, limbs straight."""
    hips = 0.5 * (positions[roles.left.thigh] + positions[roles.right.thigh])
    up = positions[roles.chest] - hips
    arms = [positions[side.hand] - positions[side.upper_arm] for side in (roles.left, roles.right)]
    legs = [positions[side.foot] - positions[side.thigh] for side in (roles.left, roles.right)]
    return (
        np.abs(up).max() > np.cos(_UPRIGHT) * np.linalg.norm(up)
        and _limbs_are_straight(positions, roles)
        and _angle(arms[0], -arms[1]) < _LEVEL
        and all(abs(_angle(arm, up) - np.pi / 2) < _LEVEL for arm in arms)
        and all(_angle(leg, -up) < _LEGS_DOWN for leg in legs)
    )


def _limbs_are_straight(positions: Array, roles: Roles) -> bool:
    chains = [
        chain
        for side in (roles.left, roles.right)
        for chain in ((side.upper_arm, side.forearm, side.hand), (side.thigh, side.shin, side.foot))
    ]
    return all(
        _angle(positions[middle] - positions[near], positions[far] - positions[middle]) < _STRAIGHT
        for near, middle, far in chains
    )


def _angle(a: Array, b: Array) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))


def check_rate(clip: Clip) -> None:
    """Raise if the rate of a clip is not plausible."""
    if not _LOWEST_RATE <= clip.fps <= _HIGHEST_RATE:
        raise _error(
            clip,
            f"the clip has {clip.fps:g} frames a second: it must have {_LOWEST_RATE:g} to {_HIGHEST_RATE:,.0f}",
        )


def check_numbers(clip: Clip) -> None:
    """Raise if a length of a clip is too large in any unit, before anything is computed from it."""
    _check(clip, _LARGEST, lambda length: f"{length:.3g} units", 0)


def check_lengths(clip: Clip, scale: float, first: int = 0) -> None:
    """Raise if a joint of a clip is too far from its parent, or the root from the origin.

    scale: metres per unit. first: the number of the clip's first frame in its file.
    """
    _check(clip, _FARTHEST / scale, lambda length: f"{length * scale / 1000.0:.3g} km", first)


def check_fitted(clip: Clip, poses: Poses, first: int = 0) -> None:
    """Raise if a pose of the figure is not finite; first: as in `check_lengths`."""
    for part in (poses.root, poses.balls, poses.hinges):
        finite = np.isfinite(part).reshape(len(part), -1).all(axis=1)
        if not finite.all():
            frame = _frame(first + int(np.argmin(finite)))
            raise _error(clip, f"the figure cannot follow the clip: its pose in {frame} is not finite")


def _check(clip: Clip, most: float, shown: Callable[[float], str], first: int) -> None:
    """Raise if an offset, an end or a position exceeds the limit."""
    names, too_far = clip.names, f"at most {shown(most)} are possible"
    for what, vectors in (("offset", dict(enumerate(clip.offsets))), ("end", clip.skeleton.ends)):
        for joint, vector in vectors.items():
            length = float(np.abs(vector).max())
            if not length <= most:
                raise _error(clip, f"the {what} of joint '{names[joint]}' is {shown(length)} long: {too_far}")
    if not max(clip.positions.max(), -clip.positions.min()) <= most:
        lengths: Array = np.abs(clip.positions).max(axis=2)
        frame, joint = (int(k) for k in np.argwhere(~(lengths <= most))[0])
        origin = "the origin" if clip.parents[joint] < 0 else "its parent"
        raise _error(
            clip,
            f"joint '{names[joint]}' is {shown(float(lengths[frame, joint]))} from {origin} in "
            f"{_frame(first + frame)}: {too_far}",
        )


def _frame(number: int) -> str:
    return f"frame {number} (counted from 0)"


def _error(clip: Clip, message: str) -> SegueError:
    path = clip.origin.path if clip.origin is not None else None
    return ArgumentError(message) if path is None else FileFormatError(message, path)
