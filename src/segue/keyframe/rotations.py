"""Rotations: paths of unit quaternions through keyframes, whose angular velocity changes as little as can be.

Two forms behind one call. Exact: the path is p / |p| with p a C2 cubic in R^4, so that its length is 1 by construction,
and the covariant acceleration of p / |p| itself is minimised. Soft: the path is p, as in section 3 of
[Ramamoorthi1997], and a penalty keeps its length near 1.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from segue.checks import choice, number
from segue.curves import quaternion
from segue.errors import ArgumentError, SegueWarning
from segue.keyframe.improvement import Improvement, Settings, State, inbetween_vectors
from segue.keyframe.keyframes import VectorKeyframes
from segue.keyframe.subdivision import Adaptive, Measure
from segue.spacetime.descend import Status
from segue.spacetime.path import DynamicSpline, Samples, Sampling
from segue.spacetime.spline_space import Ends
from segue.spacetime.terms.quaternion import CovariantAcceleration, Departure, UnitQuaternion, write_sides, write_unit
from segue.spacetime.terms.term import Weighted
from segue.typing import Array

_STIFFNESS = 1e4
_LEAST_STIFFNESS = 1e-9
_FINE = 64  # samples a piece: with 16, a path that turns suddenly between them seemed to cost less than the spline
"""Samples a piece for integrals that are reported."""
_FINER = (1, 2, 4)
"""How many times as many samples are tried: where keyframes are unevenly far apart, p may pass so near to the origin
between samples that they miss how suddenly p / |p| turns there."""
_NOTHING = 1e-18
"""Energy, of a path that lasts a second, that is but rounding."""
_JUMP = 0.3
"""Cosine in R^4 between neighbouring samples below which more may lie between them than they show."""
_DENSE = 40
"""Samples a piece at which the length is looked at."""
_UNIT = 1e-6
"""How far from unit length a keyframe may be without anybody being told."""
_ABSOLUTE = 2e-2
"""The factor that makes the slope of |1 - q.q| that of (1 - q.q)^2 at half this departure. Unlike the square's slope it
does not grow. If it is less than the gain from a shorter quaternion, the path goes through the origin."""


class Form(StrEnum):
    """How the unit length of quaternions is kept: by construction, or by a penalty."""

    EXACT = "exact"
    SOFT = "soft"


@dataclass(frozen=True, eq=False)
class RotationPath:
    """A path of rotations, made from a spline in R^4."""

    spline: DynamicSpline
    form: Form

    def at(self, times: npt.ArrayLike) -> Array:
        """Return unit quaternions (T, 4)."""
        return quaternion.normalise(self.spline.at(times))

    def quaternions(self, times: npt.ArrayLike) -> Array:
        """Return the quaternions (T, 4) that the form itself has: those of the soft one are only nearly of length 1."""
        return self.at(times) if self.form is Form.EXACT else self.spline.at(times)

    def angular_velocity(self, times: npt.ArrayLike) -> Array:
        """Return (T, 3), rad/s, in world axes: 2 q' q^-1, equation 19 of [Ramamoorthi1997]."""
        path, velocity = self.spline.at(times), self.spline.at(times, 1)
        squares = (path * path).sum(axis=1, keepdims=True)
        turning: Array = 2.0 * quaternion.multiply(velocity, quaternion.conjugate(path))[:, 1:] / squares
        return turning

    @cached_property
    def energy(self) -> float:
        """The integral of the squared covariant acceleration of the rotation, rad^2 / s^3: a quarter of that of the
        squared angular acceleration.

        It is that of the unit quaternions in both forms, which makes them comparable.
        """
        return CovariantAcceleration(normalised=True).evaluate(self._samples)[0]

    @cached_property
    def jumps(self) -> bool:
        """Whether it turns so suddenly somewhere that its energy is unknown: the spline passes by the origin."""
        turns = quaternion.normalise(self._samples.value)
        return bool(((turns[1:] * turns[:-1]).sum(axis=1) < _JUMP).any())

    @cached_property
    def _samples(self) -> Samples:
        return self.spline.samples(self.spline.sampling(_FINE))

    @cached_property
    def deviation(self) -> float:
        """The largest difference of a quaternion's length from 1."""
        edges = self.spline.times
        times = np.concatenate([np.linspace(a, b, _DENSE) for a, b in pairwise(edges)])
        return float(np.abs(np.linalg.norm(self.quaternions(times), axis=1) - 1.0).max())


@dataclass(frozen=True, eq=False)
class RotationImprovement:
    """Rotations before and after, and how the improvement went; measure: the Euler-Lagrange residual that was used."""

    path: RotationPath
    initial: RotationPath
    details: Improvement
    measure: Measure


def inbetween_rotations(
    times: npt.ArrayLike,
    quaternions: npt.ArrayLike,
    *,
    form: Form | str = Form.EXACT,
    settings: Settings | None = None,
    stiffness: float = _STIFFNESS,
    departure: Departure | str = Departure.SQUARE,
    on_step: Callable[[State], bool | None] | None = None,
) -> RotationImprovement:
    """Return rotations through unit quaternions (K, 4) at times (K,), s, that accelerate as little as can be.

    Each keyframe is reached the shorter way round from the one before. form: "exact", the default, comes as near to the
    best with fewer frames and fewer steps, and has no weight to be chosen; "soft" is that of [Ramamoorthi1997].
    stiffness, of the soft form: the weight of unit length, in units of the initial path's mean fourth power of speed
    plus its mean squared covariant acceleration. departure, of the soft form: see `Departure`. settings: as for
    `inbetween_vectors`; adaptive subdivision goes by the Euler-Lagrange residual, equations 10 and 11.
    """
    chosen = choice("the form", form, Form)
    stiffness = number("the stiffness", stiffness, least=_LEAST_STIFFNESS, needed="a positive number is needed")
    keyframes = rotation_keyframes(times, quaternions)
    penalties: list[Weighted]
    measure: Measure
    if chosen is Form.EXACT:
        penalties, measure = [Weighted(CovariantAcceleration(normalised=True))], exact_residual
    else:
        unit = UnitQuaternion(departure)
        weight = stiffness * _scale(keyframes) * (1.0 if unit.departure is Departure.SQUARE else _ABSOLUTE)
        penalties = [Weighted(CovariantAcceleration()), Weighted(unit, weight)]
        measure = partial(soft_residual, unit=unit, weight=weight)
    if settings is None:
        settings = _usual(chosen, len(keyframes))
    if isinstance(settings.subdivision, Adaptive) and settings.subdivision.measure is None:
        settings = replace(settings, subdivision=replace(settings.subdivision, measure=measure))
    nothing = _NOTHING / float(keyframes.times[-1] - keyframes.times[0]) ** 3
    for finer in _FINER:
        closer = replace(settings, samples=finer * settings.samples)
        details = inbetween_vectors(keyframes, penalties, closer, on_step=on_step)
        path, initial = (RotationPath(spline, chosen) for spline in (details.path, details.initial))
        if not path.jumps and path.energy <= initial.energy + nothing:
            break
        if details.status is Status.STOPPED:
            path = initial
            break
    else:
        path = initial
        warnings.warn(
            "no path with less energy than the spline's was found, and the spline is returned: put keyframes between "
            "those that are far apart",
            SegueWarning,
            stacklevel=2,
        )
    return RotationImprovement(path, initial, details if path is not initial else _undone(details), measure)


def _undone(details: Improvement) -> Improvement:
    """Return how an improvement went that ended with the path it began with."""
    return replace(details, path=details.initial, after=details.before)


def rotation_keyframes(times: npt.ArrayLike, quaternions: npt.ArrayLike) -> VectorKeyframes:
    """Return keyframes of unit quaternions (K, 4), each with the sign that is nearer to the one before it.

    A quaternion of another length is scaled, with a warning; one of no length at all is an error.
    """
    keyframes = VectorKeyframes(times, quaternions)
    if keyframes.dimension != 4:
        raise ArgumentError(f"a quaternion has 4 numbers (w, x, y, z), not {keyframes.dimension}")
    lengths = np.linalg.norm(keyframes.values, axis=1)
    for k, length in enumerate(lengths):
        if length < _UNIT:
            raise ArgumentError(
                f"the quaternion of keyframe {k} at {keyframes.times[k]:g} s has no length: it must be of length 1"
            )
    if (np.abs(lengths - 1.0) > _UNIT).any():
        worst = int(np.argmax(np.abs(lengths - 1.0)))
        warnings.warn(
            f"the quaternion of keyframe {worst} has the length {lengths[worst]:g} and is scaled to 1",
            SegueWarning,
            stacklevel=3,
        )
    return VectorKeyframes(keyframes.times, quaternion.make_continuous(quaternion.normalise(keyframes.values)))


def _scale(keyframes: VectorKeyframes) -> float:
    """Return the initial path's mean fourth power of speed and mean squared covariant acceleration, 1 / s^4."""
    initial = keyframes.spline()
    samples = initial.samples(initial.sampling(_FINE))
    speeds = float(samples.weights @ (samples.velocity**2).sum(axis=1) ** 2)
    energy = CovariantAcceleration(normalised=True).evaluate(samples)[0]
    total = (speeds + energy) / float(samples.weights.sum())
    # keyframes that are all alike: there is nothing to weigh, and any weight does
    return total if total > 0 else 1.0


def _usual(form: Form, count: int) -> Settings:
    """Return settings that come within 0.1 % of the best for keyframes up to 150 degrees apart.

    The ends are free: a path that may choose how it begins and ends does not need the frames that would make up for it.
    The soft form begins with more frames: a few cubics that are held to unit length can hardly bend.
    """
    between, rounds = (1, 2) if form is Form.EXACT else (3, 4)
    subdivision = Adaptive(rounds=rounds, points=max(2, count - 1))
    return Settings(between=between, ends=Ends.FREE, subdivision=subdivision, samples=5, worthwhile=1e-3)


def soft_residual(path: DynamicSpline, sampling: Sampling, unit: UnitQuaternion, weight: float) -> Array:
    """Return (S,): the length of the left side of equation 10 for a path in R^4; beta is the weight of unit length."""
    derivatives = _derivatives(path, sampling)
    excess = (derivatives[0] ** 2).sum(axis=0) - 1.0
    sides = np.empty_like(derivatives[0])
    write_sides(derivatives, sides)
    length: Array = np.linalg.norm(sides + weight * unit.slope(excess) * derivatives[0], axis=0)
    return length


def exact_residual(path: DynamicSpline, sampling: Sampling) -> Array:
    """Return (S,): the length of the left side of equation 10 for the unit quaternion p / |p|, of a path p in R^4.

    The part along the quaternion is left out: it would change the length, which is fixed.
    """
    derivatives = _derivatives(path, sampling)
    unit, sides = np.empty_like(derivatives), np.empty_like(derivatives[0])
    write_unit(derivatives, unit)
    write_sides(unit, sides)
    length: Array = np.linalg.norm(sides - unit[0] * (unit[0] * sides).sum(axis=0), axis=0)
    return length


def _derivatives(path: DynamicSpline, sampling: Sampling) -> Array:
    """Return the path (5, 4, S) from its value to its fourth derivative.

    That of a cubic is zero between knots and infinite at them: in its place stands the slope of the jerk over the
    pieces before and after, to which both come down in the mean. At a keyframe the jerk may jump even on the best
    path: slopes are taken between keyframes only.
    """
    samples = path.samples(sampling)
    middles = 0.5 * (path.times[:-1] + path.times[1:])
    jerks, slopes = path.at(middles, 3), np.zeros((len(middles), path.dimension))
    keys = np.flatnonzero(~path.free.any(axis=1))
    for start, stop in pairwise([0, *keys[(keys > 0) & (keys < len(middles))], len(middles)]):
        if stop - start > 1:
            slopes[start:stop] = np.gradient(jerks[start:stop], middles[start:stop], axis=0)
    piece = np.clip(np.searchsorted(path.times, samples.times, "right") - 1, 0, len(middles) - 1)
    return np.stack([*(part.T for part in samples[2:]), slopes[piece].T])
