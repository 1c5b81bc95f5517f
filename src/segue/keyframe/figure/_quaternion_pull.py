"""What derivatives by a rotation and its angular motion mean for the quaternion, of any length, that it follows."""

from __future__ import annotations

from segue.compiled import compiled
from segue.curves.quaternion_kernels import Quat, Vector, get_quat, get_vector, put_quat, turn_after, turn_back
from segue.keyframe.figure._vectors import dot, less, times
from segue.typing import Array


@compiled(seconds=1, inline=True)
def _vector_part(a: Quat, b: Quat) -> Vector:
    """Return the vector part of a b*."""
    _, x, y, z = turn_after(a, turn_back(b))
    return x, y, z


@compiled(seconds=1, inline=True)
def _pure(v: Vector, q: Quat) -> Quat:
    """Return the product of a vector and a quaternion."""
    product: Quat = turn_after((0.0, v[0], v[1], v[2]), q)
    return product


@compiled(seconds=1, inline=True)
def _sum(a: Quat, b: Quat, factor: float) -> Quat:
    """Return a + factor * b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2], a[3] + factor * b[3]


@compiled(seconds=3)
def pull_angular(
    paths: tuple[Array, Array, Array], by: tuple[Array, Array, Array], out: tuple[Array, Array, Array]
) -> None:
    """Write derivatives by quaternions and their first two time derivatives, (N, 4) each, which need no unit length.

    paths: the quaternions p, p' and p''. by: (N, 3) each, derivatives by rotation, by angular velocity
    w = 2 vec(p' p*) / |p|^2, and by angular acceleration a = 2 (vec(p'' p*) - g vec(p' p*)) / |p|^2 with
    g = 2 p.p' / |p|^2, all in the parent's frame.
    """
    for n in range(len(paths[0])):
        p, dp, ddp = get_quat(paths[0], n), get_quat(paths[1], n), get_quat(paths[2], n)
        moment, by_spin, by_rise = get_vector(by[0], n), get_vector(by[1], n), get_vector(by[2], n)
        square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]
        growth = 2.0 * (p[0] * dp[0] + p[1] * dp[1] + p[2] * dp[2] + p[3] * dp[3]) / square
        first, second = _vector_part(dp, p), _vector_part(ddp, p)
        by_second = times(2.0 / square, by_rise)
        by_first = less(times(2.0 / square, by_spin), times(growth, by_second))
        by_growth = -dot(by_second, first)
        spin_rate, rise_rate = dot(by_spin, first), dot(by_rise, second) - growth * dot(by_rise, first)
        by_square = -2.0 * (spin_rate + rise_rate) / square**2 - by_growth * growth / square
        whole = _sum(_pure(times(2.0 / square, moment), p), _pure(by_first, dp), -1.0)
        whole = _sum(_sum(whole, _pure(by_second, ddp), -1.0), dp, 2.0 * by_growth / square)
        put_quat(out[0], n, _sum(whole, p, 2.0 * by_square))
        put_quat(out[1], n, _sum(_pure(by_first, p), p, 2.0 * by_growth / square))
        put_quat(out[2], n, _pure(by_second, p))
