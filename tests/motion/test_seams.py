"""Seams of a filled gap on the user's own skeleton: every joint keeps its place, its turn, and the rates of both.

The gap is filled by the simplest function that meets the figure's state at both ends, a cubic in each coordinate.
"""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.curves import quaternion
from segue.motion.clip_source import ClipSource
from segue.motion.functions import Piece, Sample, State, TimeMap
from segue.motion.resample import select_frames
from segue.motion.tracks import TRACKS
from segue.typing import Array, Flags
from tests.body.humanoids import PEOPLE
from tests.mocap import mocap_file, needs_mocap, smooth_joints
from tests.motion.test_families_fit import dancing

FINE = 1e5
"""Frames a second at which seams are looked at: rates are then those at the seam itself."""


def hermite(u: Array, span: float, first: Array, last: Array, rate_first: Array, rate_last: Array) -> Sample:
    """Return the cubic with the given values and rates at u = 0 and 1, which lie `span` seconds apart."""
    u = u.reshape(-1, *(1,) * first.ndim)
    value = first + u**2 * (3 - 2 * u) * (last - first)
    value = value + span * (u * (1 - u) ** 2 * rate_first - u**2 * (1 - u) * rate_last)
    rate = 6 * u * (1 - u) * (last - first) / span
    rate = rate + (1 - u) * (1 - 3 * u) * rate_first + u * (3 * u - 2) * rate_last
    bend = (6 - 12 * u) * (last - first) / span**2
    bend = bend + ((6 * u - 4) * rate_first + (6 * u - 2) * rate_last) / span
    return Sample(value, rate, bend)


def left_jacobian(vectors: Array) -> Array:
    """Return the matrices (..., 3, 3) from the rate of rotation vectors to angular velocity."""
    angle = np.maximum(np.linalg.norm(vectors, axis=-1), 1e-9)[..., None, None]
    x, y, z = (vectors[..., i] for i in range(3))
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    return np.eye(3) + (1 - np.cos(angle)) / angle**2 * cross + (angle - np.sin(angle)) / angle**3 * cross @ cross


class Cubics:
    """A source that meets two states: from 0 to `duration` seconds, in rotation vectors seen from the first."""

    def __init__(self, first: State, last: State, duration: float) -> None:
        self.duration = duration
        self._first, self._last = first, last
        self._turn = first.balls.value[0]
        apart = quaternion.multiply(last.balls.value[0], quaternion.conjugate(self._turn))
        self._apart = quaternion.log(apart)
        self._rate = np.linalg.solve(left_jacobian(self._apart), last.balls.velocity[0][..., None])[..., 0]

    def state(self, times: Array) -> State:
        a, b, u = self._first, self._last, np.clip(times / self.duration, 0.0, 1.0)
        turns = hermite(u, self.duration, np.zeros_like(self._apart), self._apart, a.balls.velocity[0], self._rate)
        value = quaternion.multiply(quaternion.exp(turns.value), self._turn)
        velocity = (left_jacobian(turns.value) @ turns.velocity[..., None])[..., 0]
        return State(
            hermite(u, self.duration, a.root.value[0], b.root.value[0], a.root.velocity[0], b.root.velocity[0]),
            Sample(value, velocity, turns.acceleration),
            hermite(u, self.duration, a.hinges.value[0], b.hinges.value[0], a.hinges.velocity[0], b.hinges.velocity[0]),
        )


def filled(before: sg.Motion, after: sg.Motion) -> sg.Motion:
    """Return two motions and what leads from the end of one to the start of the other."""
    span = after.start - before.stop
    source = Cubics(before.state(before.stop), after.state(after.start), span)
    track = sg.Track((sg.Interval(before.stop, after.start, (Piece(source, TimeMap(1.0, -before.stop)),)),))
    return before + sg.Motion(dict.fromkeys(TRACKS, track), before.source) + after


def rates(values: Array, inwards: int) -> Array:
    """Return rates at the first of three fine frames, (3, ...), of vectors or of rotations in the parent's frame."""
    return inwards * 0.5 * (4 * values[1] - 3 * values[0] - values[2]) * FINE


def seen_from(rotations: Array) -> Array:
    """Return rotations as rotation vectors seen from the first."""
    return quaternion.log(quaternion.multiply(rotations, quaternion.conjugate(rotations[:1])))


def check_seam(motion: sg.Motion, seam: float, own: tuple[Array, Array], smooth: tuple[Flags, ...] = ()) -> None:
    """Compare both sides of a seam; own: positions and rotations that the clip has there.

    smooth: which joints' turns and places do not jitter in the clip, all where not given: the rates of others are not
    carried on.
    """
    fine = motion.to_clip(FINE, start=seam - 2.5 / FINE, stop=seam + 2.5 / FINE)
    assert len(fine) == 5
    scale = motion.clip_source.space.scale
    np.testing.assert_allclose(fine.positions[2], own[0], rtol=0, atol=1e-9 / scale)
    assert quaternion.angle_between(fine.rotations[2], own[1]).max() < 1e-9
    places = fine.world[0] * scale
    left, right = slice(2, None, -1), slice(2, None)
    turn, place = smooth or (np.ones(len(fine.names), bool),) * 2
    turning = [rates(seen_from(fine.rotations[side]), sign) for side, sign in ((left, -1), (right, 1))]
    moving = [rates(places[side], sign) for side, sign in ((left, -1), (right, 1))]
    for what, (one, other), least, chosen in (("rotation", turning, 0.01, turn), ("position", moving, 0.005, place)):
        speed = np.linalg.norm(one, axis=1)
        jump = np.linalg.norm(other - one, axis=1)
        worst = int(np.argmax(np.where(chosen, jump / (speed + least), 0.0)))
        where = f"{what} of {fine.names[worst]} at {seam:g} s: {speed[worst]:.4g}, {jump[worst]:.4g} apart"
        assert (jump <= 0.01 * (speed + least))[chosen].all(), where


def check_gap(motion: sg.Motion, first: float, again: float, *, span: float = 0.6, mend: bool = False) -> None:
    """Cut a motion at two times and fill what lies between, with the second part set down elsewhere."""
    clip = motion.to_clip()
    if mend:
        motion = without_frames(motion, round(first * motion.fps), round(again * motion.fps))
    before = sg.trim(motion, motion.start, first, keep_time=True)
    after = sg.move_to(sg.retime(sg.trim(motion, again, motion.stop, keep_time=True), first + span), (1.0, -0.5), 1.0)
    whole = filled(before, after)
    scale = motion.clip_source.space.scale
    smooth = [smooth_joints(clip, round(at * clip.fps), towards, scale) for at, towards in ((first, -1), (again, 1))]
    assert all(flags[0].mean() > 0.3 for flags in smooth)
    check_seam(
        whole, first, (clip.positions[round(first * clip.fps)], clip.rotations[round(first * clip.fps)]), smooth[0]
    )
    there = sg.Motion(after.tracks, after.source).to_clip(stop=after.start)
    check_seam(whole, first + span, (there.positions[0], there.rotations[0]), smooth[1])


@pytest.mark.parametrize("limb", ["left_arm", "right_leg", "upper_body", "root"])
def test_seams_of_a_limb_do_not_show(limb: str) -> None:
    motion = sg.Motion.from_clip(wriggling(dancing(next(iter(PEOPLE.values())).skeleton(), 7)))
    clip, first, last = motion.to_clip(), 0.5, 0.8
    gap = sg.trim(
        filled(sg.trim(motion, 0.0, first, keep_time=True), sg.trim(motion, last, 1.2, keep_time=True)),
        first,
        last,
        keep_time=True,
    )
    whole = sg.override(sg.only(gap, limb), motion)
    for seam in (first, last):
        frame = round(seam * clip.fps)
        check_seam(whole, seam, (clip.positions[frame], clip.rotations[frame]))


def without_frames(motion: sg.Motion, first: int, last: int) -> sg.Motion:
    take = motion.clip_source.without_frames([(first, last)])
    return sg.Motion(dict.fromkeys(TRACKS, sg.Track((sg.Interval(0.0, take.duration, (Piece(take),)),))), take)


@pytest.mark.parametrize("mend", [False, True])
@pytest.mark.parametrize("name", PEOPLE)
def test_seams_do_not_show_on_any_family(name: str, mend: bool) -> None:
    check_gap(sg.Motion.from_clip(wriggling(dancing(PEOPLE[name].skeleton(), 7))), 0.5, 0.8, span=0.3, mend=mend)


@pytest.mark.parametrize("mend", [False, True])
def test_a_cut_need_not_fall_on_a_frame(mend: bool) -> None:
    motion = sg.Motion.from_clip(wriggling(dancing(next(iter(PEOPLE.values())).skeleton(), 7)))
    first, again, stop = 0.508, 0.8, 0.808
    if mend:
        motion = without_frames(motion, int(np.floor(first * motion.fps)), int(np.ceil(again * motion.fps)))
    whole = filled(
        sg.trim(motion, 0.0, first, keep_time=True), sg.retime(sg.trim(motion, again, 1.2, keep_time=True), stop)
    )
    for seam, time in ((first, first), (stop, again)):
        positions, rotations = motion.clip_source.clip_curves.joints_at(np.array([time]))
        check_seam(whole, seam, (positions[0], rotations[0]))


def wriggling(clip: sg.Clip) -> sg.Clip:
    """Return the clip with a little motion of its own in every joint, which the figure knows nothing of."""
    phase = 9.0 * clip.times[:, None, None] + np.arange(3 * len(clip.skeleton)).reshape(-1, 3)
    turns = quaternion.multiply(clip.rotations, quaternion.exp(0.05 * np.sin(phase)))
    return sg.Clip.from_arrays(clip.skeleton, clip.positions.copy(), turns, clip.fps)


@needs_mocap
@pytest.mark.mocap
@pytest.mark.parametrize("mend", [False, True])
@pytest.mark.parametrize(
    "name", ["walk_07_01", "salsa_60_01", "run_09_01", "jump_13_39", "dance1_subject1", "push1_subject2"]
)
def test_seams_do_not_show_on_real_clips(name: str, mend: bool) -> None:
    motion = sg.load(mocap_file(name))
    if motion.duration > 6.0:
        first = round(10 * motion.fps) if motion.duration > 20 else 0
        motion = sg.Motion.from_clip(select_frames(motion.clip_source.clip, first, first + round(4 * motion.fps)))
    assert isinstance(motion.source, ClipSource)
    check_gap(motion, 0.5, 1.0, mend=mend)
