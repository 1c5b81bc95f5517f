"""Walking and running from joint-angle tables: feet that roll on the floor, swing as the tables say, and land again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from segue.body.build import Build
from segue.body.figure import Poses
from segue.clips.posture import SIDES, Foot, Footprint, ankle_from_hip, hip_positions, roll
from segue.curves import SplineBasis, quaternion
from segue.curves.interpolate import QuinticSpline, quintic_pieces
from segue.typing import Array

Curve = Callable[[Array], Array]
"""A function of time: (T,) -> (T, ...)."""

_RATE_STEP = 2e-3


def eased(keys: Sequence[tuple[float, float]], times: Array) -> Array:
    """Return values (T,) of a C2 curve through keys (time, value) that hardly overshoots and never leaves a hold.

    The pieces are quintic. At the keys their slopes are those of the monotone cubic, which are zero at turning points
    and beside holds, and their second derivatives are zero. Outside the keys the end values last.
    """
    at = np.array([key[0] for key in keys])
    values = np.array([key[1] for key in keys])
    if len(keys) == 1:
        return np.full(len(times), values[0])
    slopes = np.zeros(len(at))
    spans = np.diff(at)
    means = np.diff(values) / spans
    turning = means[:-1] * means[1:] <= 0.0
    # the harmonic mean of the slopes beside a key, weighted by the spans [FritschButland1984], eq. (5)
    wide, narrow = 2.0 * spans[1:] + spans[:-1], spans[1:] + 2.0 * spans[:-1]
    before, after = np.where(turning, 1.0, means[:-1]), np.where(turning, 1.0, means[1:])
    slopes[1:-1] = np.where(turning, 0.0, (wide + narrow) / (wide / before + narrow / after))
    return quintic_pieces(at, np.stack([values, slopes, np.zeros(len(at))], axis=1), np.clip(times, at[0], at[-1]))


def around(samples: Sequence[float]) -> Curve:
    """Return the C2 curve of period 1 through samples at equal steps, the first at 0 and none repeated at 1."""
    return periodic(np.array(samples, dtype=float))


def periodic(samples: Array) -> Curve:
    """Return the C2 curve of period 1 through samples (K, ...) at equal steps, the first at 0."""
    basis = SplineBasis.uniform(0.0, 1.0, len(samples), cyclic=True)
    coefficients = np.linalg.solve(basis.matrix(basis.breaks[:-1]), samples.reshape(len(samples), -1))
    return lambda phase: basis.evaluate(coefficients.reshape(samples.shape), phase)


def rates(curve: Curve, time: float) -> Array:
    """Return value, velocity and acceleration of a curve at a time, (3, ...), by central differences."""
    before, here, after = curve(time + _RATE_STEP * np.array([-1.0, 0.0, 1.0]))
    return np.stack([here, (after - before) / (2 * _RATE_STEP), (after - 2 * here + before) / _RATE_STEP**2])


def across(guide: Curve, start: tuple[float, Array], stop: tuple[float, Array], ease: tuple[float, float]) -> Curve:
    """Return a C2 curve that follows a guide between two times where it has a given value, velocity and acceleration.

    start, stop: (time, (3, ...)). The differences from the guide at both ends are added in proportion to time. ease: s
    after the start and before the stop in which a quintic leads from the end to the guide.
    """
    span = stop[0] - start[0]
    lack = [end[1][0] - guide(np.array([end[0]]))[0] for end in (start, stop)]

    def mended(times: Array) -> Array:
        share = ((times - start[0]) / span)[:, None]
        values: Array = guide(times) + (1 - share) * lack[0] + share * lack[1]
        return values

    away, home = start[0] + ease[0], stop[0] - ease[1]
    leaving = partial(quintic_pieces, [start[0], away], [start[1], rates(mended, away)])
    landing = partial(quintic_pieces, [home, stop[0]], [rates(mended, home), stop[1]])

    def course(times: Array) -> Array:
        early, late = (times < away)[:, None], (times > home)[:, None]
        return np.where(early, leaving(times), np.where(late, landing(times), mended(times)))

    return course


def cosine(phase: Array, mean: float, amplitude: float, peak: float, times: int = 1) -> Array:
    """Return a cosine around the cycle, highest at the phase `peak`, so many times a cycle."""
    wave: Array = mean + amplitude * np.cos(2 * np.pi * times * (phase - peak))
    return wave


@dataclass(frozen=True)
class FootPitch:
    """How a foot, or its toes, point up (positive) or down against the floor around the cycle, in degrees.

    landing: values at equal steps from foot strike to `flat_from`, where they reach zero. lifting: (phase, degrees)
    after `flat_until`, up to the next strike. strike_rate: degrees a cycle at foot strike.
    """

    landing: Sequence[float]
    flat_from: float
    flat_until: float
    lifting: Sequence[tuple[float, float]]
    strike_rate: float

    def curve(self) -> Curve:
        """Return the pitch in radians over the phase; C2, and at rest for the whole time that it is flat."""
        landing = QuinticSpline(
            np.linspace(0.0, self.flat_from, len(self.landing) + 1),
            [*self.landing, 0.0],
            (self.strike_rate, 0.0),
            (0.0, 0.0),
        )
        phases = [self.flat_until, *(phase for phase, _ in self.lifting), 1.0]
        values = [0.0, *(pitch for _, pitch in self.lifting), self.landing[0]]
        lifting = QuinticSpline(phases, values, (0.0, 0.0), (self.strike_rate, 0.0))

        def pitch(phase: Array) -> Array:
            degrees = np.where(phase < self.flat_from, landing(phase), 0.0)
            return np.radians(np.where(phase > self.flat_until, lifting(phase), degrees))

        return pitch


@dataclass(frozen=True)
class Gait:
    """One cycle of the left leg, from its foot strike to the next; the right leg does the same half a cycle later.

    period in s; stance: fraction of the cycle on the floor. thigh: degrees forward of the vertical and knee: degrees
    of flexion, both at equal steps around the cycle. foot, toes: pitch against the floor. half_width: of the track, in
    metres. toe_out: degrees that the foot points outwards. ease: fractions of the cycle, after leaving the floor and
    before meeting it, in which the ankle's course changes over between floor and tables. clearance: how much higher
    than in the tables the ankle passes in mid-swing, in metres.
    """

    period: float
    stance: float
    thigh: Sequence[float]
    knee: Sequence[float]
    foot: FootPitch
    toes: FootPitch
    half_width: float
    toe_out: float
    ease: tuple[float, float]
    clearance: float = 0.0


def _ankle_in_tables(build: Build, gait: Gait) -> Curve:
    """Return where the tables put the ankle, seen from the hip: phase (T,) -> (T, 2), up and forward in metres."""
    thigh, knee = around(gait.thigh), around(gait.knee)
    return lambda phase: ankle_from_hip(build, thigh(phase), knee(phase))


def _stance(build: Build, gait: Gait, side: str) -> Callable[[Array], Foot]:
    pitch, toes = gait.foot.curve(), gait.toes.curve()
    footprint = Footprint(SIDES[side] * gait.half_width, 0.0, SIDES[side] * np.radians(gait.toe_out))
    return lambda phase: roll(build, footprint, pitch(phase), toes(phase))


def stance_samples(build: Build, gait: Gait, pelvis: Curve, count: int) -> tuple[Array, Array]:
    """Return phases (N,) of a stance and where the tables then put the root, (N, 2) up and forward of the ball."""
    phase = (np.arange(count) + 0.5) / count * gait.stance
    ankle = _stance(build, gait, "left")(phase).ankle
    aside = hip_positions(build, "left", np.zeros((count, 3)), pelvis(phase))
    return phase, (ankle - aside)[:, 1:] - _ankle_in_tables(build, gait)(phase)


def feet(build: Build, gait: Gait, stride: float, root: Curve, pelvis: Curve, cycles: Array) -> dict[str, Foot]:
    """Return both feet at times (T,) in cycles; the left ball stands at zero in cycle zero.

    stride: metres a cycle. root, pelvis: the root's position (T, 3) and turn (T, 4) over time in cycles.
    """
    return {side: _foot(build, gait, side, stride, root, pelvis, cycles) for side in SIDES}


def _foot(build: Build, gait: Gait, side: str, stride: float, root: Curve, pelvis: Curve, cycles: Array) -> Foot:
    # seen half a cycle and half a stride later, the right leg is the left one's mirror image
    later = 0.0 if side == "left" else 0.5
    own = cycles + later
    count = np.floor(own)
    phase = own - count
    on_floor = _stance(build, gait, side)
    below = _ankle_in_tables(build, gait)

    def guide(at: Array) -> Array:
        hip = hip_positions(build, side, root(at - later), pelvis(at - later))
        aside = SIDES[side] * gait.half_width - hip[:, :1]
        leg = below(at)
        # the foot stays over its own line while the hips sway: what the leg leans sideways it loses in length
        leg *= np.sqrt(1.0 - aside**2 / np.sum(leg**2, axis=1, keepdims=True))
        leg[:, 0] += gait.clearance * np.sin(np.pi * (at - gait.stance) / (1.0 - gait.stance))
        ankle: Array = hip + np.concatenate([aside, leg], axis=1) + np.array([0.0, 0.0, later * stride])
        return ankle

    def stand(at: Array) -> Array:
        return on_floor(at).ankle

    def next_stand(at: Array) -> Array:
        ankle: Array = on_floor(at - 1.0).ankle + np.array([0.0, 0.0, stride])
        return ankle

    path = across(guide, (gait.stance, rates(stand, gait.stance)), (1.0, rates(next_stand, 1.0)), gait.ease)
    standing = on_floor(phase)
    ankle = np.where((phase < gait.stance)[:, None], standing.ankle, path(np.maximum(phase, gait.stance)))
    ankle[:, 2] += (count - later) * stride
    return Foot(ankle, quaternion.make_continuous(standing.turn), standing.toe)


def from_origin(poses: Poses) -> Poses:
    """Return poses moved along the floor so that the first root stands above the world's origin, going forward."""
    start = np.array([0.0, 0.0, poses.root[0, 2]])
    return Poses(poses.root - start, poses.balls, poses.hinges)
