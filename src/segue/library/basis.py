"""A smaller basis for features: few numbers that tell moments apart nearly as well as all of them.

Principal directions of a block of features, found apart for what a mirror leaves as it is and for what it turns round:
so mirroring a moment only changes the signs of some numbers, and no clip need be looked at twice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from segue.body.layout import mirror_name
from segue.filling._feature_kernels import reduced_rows
from segue.filling.features import POINTS, Features, point_weights
from segue.typing import Array, Single

_POSE, _VELOCITY, _CONTEXT = 24, 24, 20
"""How many numbers are kept of each block: 97 % of the variance, or more."""


class Block(NamedTuple):
    """One block's basis: directions (3 P, D) of weighted features less a mean (3 P,), and signs (D,) in a mirror."""

    mean: Single
    directions: Single
    signs: Single

    def rows(self, features: Single) -> Single:
        """Return features (M, 3 P) in the basis, (M, D)."""
        reduced: Single = reduced_rows(features, point_weights(), self.mean, self.directions)
        return reduced

    def missed(self, features: Single) -> float:
        """Return the square of what the basis leaves out of features (3 P,)."""
        whole = features * point_weights() - self.mean
        kept = self.rows(features[None])
        return float(max(np.square(whole).sum() - np.square(kept).sum(), 0.0))


class Basis(NamedTuple):
    """The bases of all blocks."""

    pose: Block
    velocity: Block
    context: Block

    def motion(self, features: Features) -> Single:
        """Return velocity and context of moments side by side, (M, E)."""
        return np.concatenate([self.velocity.rows(features.velocity), self.context.rows(features.context)], axis=1)

    @property
    def motion_signs(self) -> Single:
        """What a mirror makes of `motion`, (E,)."""
        return np.concatenate([self.velocity.signs, self.context.signs])

    def motion_weights(self, velocity: float, context: float) -> Single:
        """Return what the squares of `motion` count, (E,)."""
        counts = (velocity**2, context**2)
        return np.repeat(counts, [len(self.velocity.signs), len(self.context.signs)]).astype(np.float32)


def basis_of(before: Features, after: Features) -> Basis:
    """Return the basis that suits moments, seen from before and from after."""
    velocity = np.concatenate([before.velocity, after.velocity])
    context = np.concatenate([before.context, after.context])
    return Basis(
        _block(before.pose, _POSE, centred=True),
        # what is shown faster or slower must stay a multiple of itself
        _block(velocity, _VELOCITY, centred=False),
        _block(context, _CONTEXT, centred=False),
    )


def _block(features: Single, count: int, *, centred: bool) -> Block:
    """Return the principal directions of features (M, 3 P) and their mirror images."""
    even, odd = _halves()
    values = features.astype(float) * point_weights()
    mean = even @ (even.T @ values.sum(axis=0) / max(len(values), 1)) if centred else np.zeros(values.shape[1])
    found = []
    for half, sign in ((even, 1.0), (odd, -1.0)):
        # no product of matrices, which would depend on the number of threads
        own = np.einsum("mi,ij->mj", values - mean, half)
        variances, vectors = np.linalg.eigh(np.einsum("mi,mj->ij", own, own))
        found += [(variance, sign, half @ vector) for variance, vector in zip(variances, vectors.T, strict=True)]
    found.sort(key=lambda each: -each[0])
    kept = found[:count]
    directions = np.stack([vector for _, _, vector in kept], axis=1)
    signs = np.array([sign for _, sign, _ in kept])
    return Block(mean.astype(np.float32), np.ascontiguousarray(directions, np.float32), signs.astype(np.float32))


def _halves() -> tuple[Array, Array]:
    """Return orthonormal bases of what a mirror leaves of a block, and of what it turns round, (3 P, ...) each."""
    size = 3 * len(POINTS)
    mirror = np.zeros((size, size))
    for p, name in enumerate(POINTS):
        other = POINTS.index(mirror_name(name))
        for axis, sign in enumerate((-1.0, 1.0, 1.0)):
            mirror[3 * p + axis, 3 * other + axis] = sign
    values, vectors = np.linalg.eigh(mirror)
    return vectors[:, values > 0], vectors[:, values < 0]
