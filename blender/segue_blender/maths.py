"""Quaternions (w, x, y, z) and poses of skeletons as NumPy arrays, without Blender."""

from __future__ import annotations

import numpy as np


def multiply(a, b):
    """Return the products of quaternions (..., 4)."""
    aw, ax, ay, az = np.moveaxis(np.asarray(a, float), -1, 0)
    bw, bx, by, bz = np.moveaxis(np.asarray(b, float), -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        -1,
    )


def conjugate(q):
    """Return the inverses of unit quaternions (..., 4)."""
    return np.asarray(q, float) * np.array([1.0, -1.0, -1.0, -1.0])


def normalised(q):
    """Return quaternions (..., 4) of length 1."""
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def to_matrix(q):
    """Return rotation matrices (..., 3, 3)."""
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def from_matrix(matrix):
    """Return unit quaternions (..., 4) of matrices (..., 3, 3) whose columns may have any positive length."""
    m = np.asarray(matrix, float)
    m = m / np.linalg.norm(m, axis=-2, keepdims=True)
    d = np.einsum("...ii->...i", m)
    trace = d.sum(-1)
    choices = np.stack([trace, d[..., 0], d[..., 1], d[..., 2]], -1)
    best = choices.argmax(-1)
    q = np.empty((*m.shape[:-2], 4))
    off = np.stack([m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]], -1)
    for k in range(4):
        chosen = best == k
        if not chosen.any():
            continue
        own, other = m[chosen], np.empty((chosen.sum(), 4))
        if k == 0:
            other[:, 0] = 1.0 + trace[chosen]
            other[:, 1:] = off[chosen]
        else:
            i, j, l = (k - 1), k % 3, (k + 1) % 3
            other[:, 0] = off[chosen][:, i]
            other[:, 1 + i] = 1.0 + own[:, i, i] - own[:, j, j] - own[:, l, l]
            other[:, 1 + j] = own[:, i, j] + own[:, j, i]
            other[:, 1 + l] = own[:, i, l] + own[:, l, i]
        q[chosen] = other
    return normalised(q)


def inverse(matrix):
    """Return the inverses of affine matrices (..., 4, 4).

    NumPy's own inverses go through threads of BLAS, which wait for seconds where other programs need the processor.
    """
    m = np.asarray(matrix, float)
    x, y, z = np.moveaxis(m[..., :3, :3], -1, 0)
    rows = np.stack([np.cross(y, z), np.cross(z, x), np.cross(x, y)], -2)
    made = np.zeros_like(m)
    made[..., :3, :3] = rows / np.einsum("...i,...i->...", x, rows[..., 0, :])[..., None, None]
    made[..., :3, 3] = -np.einsum("...ij,...j->...i", made[..., :3, :3], m[..., :3, 3])
    made[..., 3, 3] = 1.0
    return made


def rotate(q, v):
    """Return vectors (..., 3) turned by quaternions (..., 4)."""
    return np.einsum("...ij,...j->...i", to_matrix(q), v)


def continuous(q, before=None):
    """Return quaternions (T, 4) with signs such that each is near the one before; before: that of the first."""
    made = np.array(q, float)
    dots = (made[1:] * made[:-1]).sum(1)
    signs = np.concatenate([[1.0], np.cumprod(np.where(dots < 0, -1.0, 1.0))])
    if before is not None and made[0] @ np.asarray(before, float) < 0:
        signs = -signs
    return made * signs[:, None]


def to_local(parents, positions, rotations):
    """Return positions and rotations in the parents' frames from those in the world, (T, J, 3) and (T, J, 4)."""
    local_positions, local_rotations = np.array(positions, float), np.array(rotations, float)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            back = conjugate(rotations[:, parent])
            local_positions[:, joint] = rotate(back, positions[:, joint] - positions[:, parent])
            local_rotations[:, joint] = multiply(back, rotations[:, joint])
    return local_positions, local_rotations


def to_world(parents, positions, rotations):
    """Return world positions and rotations from those in the parents' frames; parents come before children."""
    world_positions, world_rotations = np.array(positions, float), np.array(rotations, float)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            turn = world_rotations[:, parent]
            world_positions[:, joint] = world_positions[:, parent] + rotate(turn, positions[:, joint])
            world_rotations[:, joint] = multiply(turn, rotations[:, joint])
    return world_positions, world_rotations


def ease(count):
    """Return the least-jerk course from 0 to 1 in `count` steps, (count + 1,)."""
    s = np.linspace(0.0, 1.0, count + 1)
    return s**3 * (10 - 15 * s + 6 * s * s)
