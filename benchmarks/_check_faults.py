"""Faults of known kind and size, put into captured clips: what `segue check` has to find."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from segue.curves import quaternion
from segue.curves.sampled import runs
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.motion import Motion
from segue.plausibility import Observed
from segue.typing import Array

__all__ = ["FAULTS", "Fault", "slerp_blend"]

Fault = Callable[[Motion, Observed, np.random.Generator], Clip | None]
"""Return a clip with one fault at a random place, or None where the clip has no place for it."""

_SHOVE, _SINK, _POP = 0.05, 0.03, 0.03  # m
_SHOVE_TIME = 0.6  # s, out and back
_RAMP = 0.1  # s in which a body sinks, and rises again
_TURN = np.radians(10.0)
_FAST = 1.2


def foot_slide(motion: Motion, seen: Observed, rng: np.random.Generator) -> Clip | None:
    """Shove the whole body 5 cm aside and back within 0.6 s while it stands on a foot for that time."""
    lying = seen.times[seen.on_flesh]
    spans = [
        (contact.start, contact.stop)
        for contact in seen.contacts
        if contact.duration > _SHOVE_TIME and not ((lying >= contact.start) & (lying <= contact.stop)).any()
    ]
    if not spans:
        return None
    start, stop = spans[rng.integers(len(spans))]
    begin = rng.uniform(start, max(stop - _SHOVE_TIME, start))
    along = np.clip((seen.times - begin) / _SHOVE_TIME, 0.0, 1.0)
    angle = rng.uniform(0.0, 2.0 * np.pi)
    way = _SHOVE * np.sin(np.pi * along)[:, None] ** 2 * np.array([np.cos(angle), 0.0, np.sin(angle)])
    return _displaced(motion, way)


def sink(motion: Motion, seen: Observed, rng: np.random.Generator) -> Clip | None:
    """Let the body sink 3 cm into the floor for a quarter of the clip, 1 s at least, with ramps of 0.1 s."""
    length = max(1.0, 0.25 * motion.duration)
    if motion.duration < 2.0 * length:
        return None
    begin = rng.uniform(0.1 * motion.duration, 0.9 * motion.duration - length)
    inside = np.clip(np.minimum(seen.times - begin, begin + length - seen.times) / _RAMP, 0.0, 1.0)
    return _displaced(motion, -_SINK * (inside**2 * (3.0 - 2.0 * inside))[:, None] * np.array([0.0, 1.0, 0.0]))


def root_pop(motion: Motion, seen: Observed, rng: np.random.Generator) -> Clip | None:
    """Move the body by 3 cm in a single frame, in a random direction."""
    way = np.zeros((len(seen), 3))
    direction = rng.normal(size=3)
    way[rng.integers(len(seen) // 10, len(seen) - len(seen) // 10)] = _POP * direction / np.linalg.norm(direction)
    return _displaced(motion, way)


def joint_pop(motion: Motion, seen: Observed, rng: np.random.Generator) -> Clip | None:
    """Turn one joint by 10 degrees in a single frame, about a random axis."""
    clip = motion.to_clip()
    joint, frame = seen.body[rng.integers(1, len(seen.body))], rng.integers(len(seen) // 10, len(seen) * 9 // 10)
    axis = rng.normal(size=3)
    rotations = clip.rotations.copy()
    turn = quaternion.exp(_TURN * axis / np.linalg.norm(axis))
    rotations[frame, joint] = quaternion.multiply(rotations[frame, joint], turn)
    return Clip.from_arrays(clip.skeleton, clip.positions.copy(), rotations, clip.fps)


def half_gravity(motion: Motion, seen: Observed, rng: np.random.Generator) -> Clip | None:
    """Let one flight fall at half of gravity: the body hangs as much higher in between its take-off and landing."""
    flights = [(a, b) for a, b in runs(seen.aloft) if (b - a) * seen.dt >= 0.15 and a > 0 and b < len(seen)]
    if not flights:
        return None
    first, stop = flights[rng.integers(len(flights))]
    since = (np.arange(first, stop) - first) * seen.dt
    lasts = (stop - 1 - first) * seen.dt
    # the parabola of half of gravity in place of that of gravity: both end where they did
    way = np.zeros((len(seen), 3))
    way[first:stop, 1] = -0.25 * 9.80665 * since * (lasts - since)
    return _displaced(motion, way)


def too_fast(motion: Motion, seen: Observed, rng: np.random.Generator) -> Clip | None:
    """Play the clip 20 % too fast."""
    clip = motion.to_clip()
    return Clip.from_arrays(clip.skeleton, clip.positions.copy(), clip.rotations.copy(), _FAST * clip.fps)


def slerp_blend(first: Motion, second: Motion, rng: np.random.Generator, seconds: float = 0.6) -> tuple[Clip, float]:
    """Return two clips of one skeleton joined by interpolated rotations, and when the blend begins.

    The second is put down where the first ends and faces as the first does; the root goes straight.
    """
    one, two = first.to_clip(), second.to_clip()
    left, right = rng.integers(len(one) // 2, len(one)), rng.integers(0, len(two) // 2)
    count = max(2, round(seconds * one.fps))
    take = first.source
    assert isinstance(take, ClipSource)
    up = take.space.from_metres(np.array([0.0, 1.0, 0.0]))
    up = up / np.linalg.norm(up)
    positions, rotations = two.positions[right:].copy(), two.rotations[right:].copy()
    turn = _about(up, _heading(one.rotations[left, 0], up) - _heading(rotations[0, 0], up))
    level = np.eye(3) - np.outer(up, up)
    positions[:, 0] = quaternion.rotate(turn, positions[:, 0])
    positions[:, 0] += level @ (one.positions[left, 0] - positions[0, 0])
    rotations[:, 0] = quaternion.multiply(turn, rotations[:, 0])
    share = np.arange(1, count) / count
    middle = np.stack([quaternion.slerp(one.rotations[left], rotations[0], s) for s in share])
    way = (1.0 - share)[:, None, None] * one.positions[left] + share[:, None, None] * positions[0]
    return (
        Clip.from_arrays(
            one.skeleton,
            np.concatenate([one.positions[: left + 1], way, positions]),
            np.concatenate([one.rotations[: left + 1], middle, rotations]),
            one.fps,
        ),
        left / one.fps,
    )


FAULTS: dict[str, Fault] = {
    "foot slide of 5 cm": foot_slide,
    "sink of 3 cm": sink,
    "root pop of 3 cm": root_pop,
    "joint pop of 10 degrees": joint_pop,
    "flight at half gravity": half_gravity,
    "20 % too fast": too_fast,
}


def _displaced(motion: Motion, way: Array) -> Clip:
    """Return the clip of a motion whose root is displaced by (T, 3) metres."""
    clip, take = motion.to_clip(), motion.source
    positions = clip.positions.copy()
    positions[:, 0] += take.space.from_metres(way) if isinstance(take, ClipSource) else way
    return Clip.from_arrays(clip.skeleton, positions, clip.rotations.copy(), clip.fps)


def _heading(rotation: Array, up: Array) -> float:
    """Return the angle of a rotation's twist about the up axis."""
    return float(2.0 * np.arctan2(rotation[1:] @ up, rotation[0]))


def _about(axis: Array, angle: float) -> Array:
    return quaternion.exp(angle * axis)
