"""How far in-betweens are from what a person really did: L2P, L2Q and NPSS.

The first two are those of F. G. Harvey, M. Yurick, D. Nowrouzezahrai, C. Pal, Robust Motion In-Betweening, ACM
Transactions on Graphics 39(4), 2020, as their published evaluation computes them; the third is that of
A. Gopalakrishnan, A. Mali, D. Kifer, C. L. Giles, A. G. Ororbia, A Neural Temporal Model for Human Motion Prediction,
CVPR 2019.

All are means over windows, so each is kept as one number and one weight a window: any choice of windows, of one
dataset or of several, then has the weighted mean as its value.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.typing import Array


class Measure(NamedTuple):
    """A measure of each window: values (W,) and what each counts (W,)."""

    values: Array
    weights: Array

    @property
    def mean(self) -> float:
        """The weighted mean over the windows."""
        return float(np.average(self.values, weights=self.weights))

    def counting(self, factor: float) -> Measure:
        """Return the same windows, each counting so many times as much."""
        return Measure(self.values, factor * self.weights)


def together(measures: list[Measure]) -> Measure:
    """Return the windows of several measures as one."""
    return Measure(*(np.concatenate(parts) for parts in zip(*measures, strict=True)))


def l2p(found: Array, truth: Array, deviation: Array) -> Measure:
    """Return the norm over all joints of normalised world positions' differences, mean over frames.

    found, truth: (W, F, J, 3). deviation: (J, 3), over the dataset; the mean that normalising takes away cancels.
    """
    difference = (found - truth) / deviation
    return _mean_over_frames(np.linalg.norm(difference.reshape(*difference.shape[:2], -1), axis=-1))


def l2q(found: Array, truth: Array) -> Measure:
    """Return the norm over all joints of world quaternions' differences, mean over frames.

    found, truth: (W, F, J, 4). Of the two quaternions of a rotation the one nearer to the truth counts.
    """
    difference = nearest_signs(found, truth) - truth
    return _mean_over_frames(np.linalg.norm(difference.reshape(*difference.shape[:2], -1), axis=-1))


def npss(found: Array, truth: Array) -> Measure:
    """Return the normalised power spectrum similarity of world quaternions (W, F, J, 4); 0 is the best.

    The power spectra of each quaternion component over the gap's frames, each divided by its sum, are compared by the
    earth mover's distance: the sum of the absolute differences of their cumulative sums. Components count by the power
    that they truly have. As in the published evaluation, power is the square of the Fourier coefficients' real part.
    """
    steady = nearest_in_time(truth)
    spectra = [_power(sequence) for sequence in (nearest_signs(found, steady), steady)]
    shares = [np.cumsum(power / np.maximum(power.sum(axis=1, keepdims=True), 1e-300), axis=1) for power in spectra]
    distance = np.abs(shares[0] - shares[1]).sum(axis=1)
    power = spectra[1].sum(axis=1)
    weights = power.sum(axis=-1)
    return Measure((distance * power).sum(axis=-1) / weights, weights)


def nearest_signs(rotations: Array, to: Array) -> Array:
    """Return quaternions (..., 4) with the signs that bring them nearest to others."""
    return np.where(np.sum(rotations * to, axis=-1, keepdims=True) < 0, -rotations, rotations)


def nearest_in_time(rotations: Array) -> Array:
    """Return quaternions (W, F, J, 4) with signs such that none jumps from a frame to the next."""
    flips = np.sum(rotations[:, 1:] * rotations[:, :-1], axis=-1, keepdims=True) < 0
    signs = np.cumprod(np.where(flips, -1.0, 1.0), axis=1)
    return np.concatenate([rotations[:, :1], rotations[:, 1:] * signs], axis=1)


def _power(rotations: Array) -> Array:
    """Return the power of each frequency, (W, F, J * 4)."""
    flat = rotations.reshape(*rotations.shape[:2], -1)
    return np.square(np.fft.fft(flat, axis=1).real)


def _mean_over_frames(distances: Array) -> Measure:
    return Measure(distances.mean(axis=1), np.ones(len(distances)))
