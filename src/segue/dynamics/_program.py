"""The kernels' view of a tree: frames chosen so that most rotations and many products vanish, and flags that say so.

Each body gets a frame of our own whose z axis is its joint's axis. For a joint along x, y or z that frame is a cyclic
exchange of the user's axes, which costs nothing: components are read from other addresses. Only a joint along any
other direction, or with a fixed rotation before it, needs a matrix product, and only there is one computed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from segue.curves import quaternion
from segue.typing import Array

# what a joint needs; anything not flagged is known to be zero (or the identity) and is left out
SLIDER = 1 << 0  # goes along its axis instead of turning about it
OFFSET = 1 << 1  # does not start at its parent's origin
TURN = 1 << 2  # has a fixed rotation before it that is not an exchange of axes
MASSIVE = 1 << 3  # the body has mass or inertia, or is a leaf
DENSE = 1 << 4  # the body's inertia has products about its frame
RIGID = 1 << 5  # massive or a carrier: the acceleration tensor is needed
LEAF = 1 << 6  # nothing hangs on it
FIRST = 1 << 7  # of all the children of its parent the first to be done
FIRST_OFFSET = 1 << 8  # the same among the children with an offset
PARENT_MASSIVE = 1 << 9
CARRIER = 1 << 10  # a child starts away from the origin

# where things are in a joint's row of Program.links and Program.numbers
LINKS, PARENT, FLAGS, ROWS, PLACE, PARENT_PLACE, LAST = 8, 0, 1, 2, 5, 6, 7
NUMBERS = 24
MASS, MOMENT, EULER, START, MATRIX = 0, 1, 4, 10, 13
_SNAP = 1e-14


class Program(NamedTuple):
    """A tree as the kernels read it, one row a joint in each of two flat arrays.

    links: (n * 8,), a row: parent; flags, a sum of the constants above; the addresses (8 k for component k) at which
    the parent keeps what are x, y and z for the joint; the places in scratch memory of the body and of its parent; the
    last joint beyond it. A place holds what is needed only until everything beyond a joint is done, after which another
    joint may have it: a few places, all in the first cache, do for a tree of any size. numbers: (n * 24,), a row: mass;
    first moment of mass (3); Euler's inertia tensor about the origin, its entries xx yy zz xy xz yz; offset (3); fixed
    rotation (9).
    """

    links: npt.NDArray[np.int64]
    numbers: Array


def build_program(
    *,
    parents: npt.NDArray[np.int64],
    axes: Array,
    sliders: npt.NDArray[np.bool_],
    rotations: Array,
    offsets: Array,
    masses: Array,
    centres: Array,
    inertias: Array,
) -> tuple[Program, Array]:
    """Return the program of a tree that has been checked, and our axes of each body in the user's frame (n, 3, 3)."""
    n = len(parents)
    frames = _frames_of(axes)
    above = np.concatenate([frames, np.eye(3)[None]])[parents]  # index -1 is the world
    before = above.transpose(0, 2, 1) @ rotations @ frames
    shifts = _shifts_of(before)
    turned = shifts < 0
    shifts[turned] = 0
    components = (np.arange(3) + shifts[:, None]) % 3
    starts = np.einsum("nji,nj->ni", above, offsets)
    starts = np.take_along_axis(starts, components, axis=1)
    moments, euler = _mass_properties(frames, masses, centres, inertias)

    numbers = np.zeros((n, NUMBERS))
    numbers[:, MASS] = masses
    numbers[:, MOMENT:EULER] = moments
    numbers[:, EULER:START] = euler
    numbers[:, START:MATRIX] = starts
    numbers[:, MATRIX : MATRIX + 9] = before.reshape(n, 9)
    offset = np.any(starts != 0, axis=1)
    shape = _shape_of(tuple(parents.tolist()), tuple(offset.tolist()))
    links = np.zeros((n, LINKS), np.int64)
    links[:, PARENT] = parents
    links[:, FLAGS] = shape.flags + _flags_of(parents, sliders, turned, numbers)
    links[:, ROWS : ROWS + 3] = 8 * components
    links[:, LAST] = shape.last
    links[:, PLACE], links[:, PARENT_PLACE] = shape.places[:-1], shape.places[parents]
    return Program(links.ravel(), numbers.ravel()), frames


class _Shape(NamedTuple):
    """Values that follow from the tree alone: for each joint the last one beyond it, its place, and some flags."""

    last: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    flags: npt.NDArray[np.int64]


@lru_cache(maxsize=64)
def _shape_of(parents: tuple[int, ...], offset: tuple[bool, ...]) -> _Shape:
    """Return the shape of a tree; whether joints start away from their parents' origins is part of it."""
    last = _last_beyond(parents)
    first, first_offset = np.zeros(len(parents), bool), np.zeros(len(parents), bool)
    done, done_offset = set(), set()
    for i in np.argsort(last).tolist():
        first[i] = parents[i] not in done
        done.add(parents[i])
        if offset[i]:
            first_offset[i] = parents[i] not in done_offset
            done_offset.add(parents[i])
    leaf = ~np.isin(np.arange(len(parents)), parents)
    carrier = np.isin(np.arange(len(parents)), np.array(parents)[list(offset)])
    flags = OFFSET * np.array(offset) + LEAF * leaf + CARRIER * carrier + FIRST * first + FIRST_OFFSET * first_offset
    return _Shape(last, np.append(_places_of(parents, last), 0), flags.astype(np.int64))


def _last_beyond(parents: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """Return for each joint the last one in order that is beyond it, or is it: when that is done, all is."""
    last = np.arange(len(parents))
    for i in range(len(parents) - 1, -1, -1):
        if parents[i] >= 0:
            last[parents[i]] = max(last[parents[i]], last[i])
    return last


def _places_of(parents: tuple[int, ...], last: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return a place in scratch memory for each joint, such that no two joints have the same one at the same time."""
    places = np.zeros(len(parents), np.int64)
    free: list[int] = []
    used = 0
    for i in range(len(parents)):
        if not free:
            free.append(used)
            used += 1
        places[i] = free.pop()
        done = i
        while done >= 0 and last[done] == i:
            free.append(int(places[done]))
            done = parents[done]
    return places


def _frames_of(axes: Array) -> Array:
    """Return frames (n, 3, 3) whose z axes are the given ones, as columns; exchanges of axes where possible."""
    frames: Array = _EXCHANGES[np.argmax(axes, axis=1)]
    askew = np.abs(axes - frames[:, :, 2]).max(axis=1) >= _SNAP
    for i in np.flatnonzero(askew).tolist():
        frames[i] = _frame_of(tuple(axes[i].tolist()))
    return frames


@lru_cache(maxsize=256)
def _frame_of(axis: tuple[float, float, float]) -> Array:
    return quaternion.to_matrix(quaternion.from_two_vectors([0.0, 0.0, 1.0], axis, [1.0, 0.0, 0.0]))


# the frame whose z axis is the k-th: a roll of the identity
_EXCHANGES = np.stack([np.roll(np.eye(3), 2 - k, axis=1) for k in range(3)])
_ROLLS = np.stack([np.roll(np.eye(3), shift, axis=0) for shift in range(3)])


def _shifts_of(matrices: Array) -> npt.NDArray[np.int64]:
    """Return s where a rotation takes component k from component k + s, or -1 if it is no cyclic exchange."""
    same = np.abs(matrices[:, None] - _ROLLS).max(axis=(2, 3)) < _SNAP
    return np.where(same.any(axis=1), np.argmax(same, axis=1), -1)


def _mass_properties(frames: Array, masses: Array, centres: Array, inertias: Array) -> tuple[Array, Array]:
    """Return first moments and Euler's inertia tensors (xx yy zz xy xz yz) about the origin, in our frames.

    Euler's tensor about the centre is J = tr(I)/2 - I, [Rose1996] A.1; moving it to the origin adds m c c'.
    """
    centres = np.einsum("nji,nj->ni", frames, centres)
    inertias = frames.transpose(0, 2, 1) @ inertias @ frames
    euler = np.trace(inertias, axis1=1, axis2=2)[:, None, None] / 2 * np.eye(3) - inertias
    euler = euler + masses[:, None, None] * centres[:, :, None] * centres[:, None, :]
    moments = masses[:, None] * centres
    scale = np.abs(euler).max(axis=(1, 2))[:, None]
    entries = euler[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return np.where(np.abs(moments) < _SNAP, 0.0, moments), np.where(np.abs(entries) < _SNAP * scale, 0.0, entries)


def _flags_of(
    parents: npt.NDArray[np.int64], sliders: npt.NDArray[np.bool_], turned: npt.NDArray[np.bool_], numbers: Array
) -> npt.NDArray[np.int64]:
    """Return the flags that depend on more than the tree's shape."""
    n = len(parents)
    leaf = ~np.isin(np.arange(n), parents)
    massive = leaf | np.any(numbers[:, MASS:START] != 0, axis=1)
    dense = np.any(numbers[:, EULER + 3 : START] != 0, axis=1)
    carrier = np.isin(np.arange(n), parents[np.any(numbers[:, START:MATRIX] != 0, axis=1)])
    flags = np.zeros(n, np.int64)
    for bit, holds in (
        (SLIDER, sliders),
        (TURN, turned),
        (MASSIVE, massive),
        (DENSE, dense),
        (RIGID, massive | carrier),
        (PARENT_MASSIVE, np.append(massive, False)[parents]),
    ):
        flags += bit * holds.astype(np.int64)
    return flags
