"""Arithmetic of 3-vectors as tuples of numbers, for compiled functions: it costs nothing to pass them."""

from __future__ import annotations

from segue.compiled import compiled
from segue.curves.quaternion_kernels import Vector
from segue.typing import Array


@compiled(seconds=1, inline=True)
def plus(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@compiled(seconds=1, inline=True)
def less(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@compiled(seconds=1, inline=True)
def times(factor: float, a: Vector) -> Vector:
    """Return factor * a."""
    return factor * a[0], factor * a[1], factor * a[2]


@compiled(seconds=1, inline=True)
def dot(a: Vector, b: Vector) -> float:
    """Return a . b."""
    product: float = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return product


@compiled(seconds=1, inline=True)
def cross(a: Vector, b: Vector) -> Vector:
    """Return a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@compiled(seconds=1, inline=True)
def add_vector(rows: Array, k: int, v: Vector) -> None:
    """Add to row k of (N, 3)."""
    rows[k, 0] += v[0]
    rows[k, 1] += v[1]
    rows[k, 2] += v[2]
