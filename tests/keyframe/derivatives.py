"""Differences to hold analytic derivatives of penalties against, for every penalty alike."""

from __future__ import annotations

import numpy as np

from segue.keyframe import Samples, Term
from segue.typing import Array


def random_samples(seed: int, count: int, dimension: int) -> Samples:
    """Return samples of a path that has nothing to do with any spline."""
    random = np.random.default_rng(seed)
    orders = random.normal(size=(4, dimension, count))
    weights = random.uniform(0.5, 1.0, count)
    return Samples(np.cumsum(weights), weights, *(order.T for order in orders))


def stacked(samples: Samples) -> Array:
    """Return value to jerk as one array (4, S, D)."""
    return np.stack(samples[2:])


def moved(samples: Samples, order: int, s: int, d: int, step: float) -> Samples:
    """Return samples of which one number is another."""
    orders = stacked(samples)
    orders[order, s, d] += step
    return Samples(samples.times, samples.weights, *orders)


def gradient_by_differences(penalty: Term, samples: Samples, step: float = 1e-6) -> Array:
    """Return the gradient (4, S, D) by central differences."""
    gradient = np.zeros_like(stacked(samples))
    for order, s, d in np.ndindex(gradient.shape):
        ahead, behind = (penalty.evaluate(moved(samples, order, s, d, sign * step))[0] for sign in (1, -1))
        gradient[order, s, d] = (ahead - behind) / (2 * step)
    return gradient
