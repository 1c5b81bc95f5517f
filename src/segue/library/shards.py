"""Poses on disk: blocks of single-precision numbers, one a clip, packed into few files that are mapped, never read.

A shard is written once and never changed. Which clips it holds follows from their checksums alone, and its name from
theirs: the same clips give the same files, in whatever order they came.
"""

from __future__ import annotations

import hashlib
import mmap
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from segue.body.joints import BALL_JOINTS, HINGE_NAMES
from segue.filesystem import atomic_write
from segue.library.entry import Single

__all__ = [
    "FRAME_BYTES",
    "PoseArrays",
    "ShardMap",
    "arrays_of",
    "block_checksum",
    "block_of",
    "flaw_of",
    "offsets_of",
    "packed",
    "write_shard",
]

PoseArrays = tuple[Single, Single, Single]
"""Root (T, 3), balls (T, 7, 4) and hinges (T, 20) of a clip."""

_NUMBER = np.dtype("<f4")
_WIDTHS = (3, 4 * len(BALL_JOINTS), len(HINGE_NAMES))

FRAME_BYTES = sum(_WIDTHS) * _NUMBER.itemsize
"""Bytes that a frame takes."""

_UNIT = 1e-3  # by which a unit quaternion's length may be wrong

_SHARD_BYTES = 2**25
"""About how large shards may be on average: a change rewrites one, and each is a file to keep open."""


def block_of(root: npt.ArrayLike, balls: npt.ArrayLike, hinges: npt.ArrayLike) -> bytes:
    """Return the bytes of a clip's poses: all of the root's, then the ball joints', then the hinges'."""
    return b"".join(np.ascontiguousarray(part, dtype=_NUMBER).tobytes() for part in (root, balls, hinges))


def arrays_of(block: memoryview | bytes) -> PoseArrays:
    """Return the poses in a block, without copying them."""
    numbers = np.frombuffer(block, dtype=_NUMBER)
    frames = len(block) // FRAME_BYTES
    edges = np.cumsum([0, *_WIDTHS]) * frames
    root, balls, hinges = (numbers[first:last] for first, last in pairwise(edges))
    return root.reshape(frames, -1), balls.reshape(frames, len(BALL_JOINTS), 4), hinges.reshape(frames, -1)


def block_checksum(block: memoryview | bytes) -> str:
    """Return the SHA-256 of a block."""
    return hashlib.sha256(block).hexdigest()


def flaw_of(poses: PoseArrays) -> str | None:
    """Return what makes numbers no poses, in words; None where nothing does."""
    if not all(np.isfinite(part).all() for part in poses):
        return "some of its poses are not finite"
    if np.abs(np.linalg.norm(poses[1], axis=-1) - 1.0).max() > _UNIT:
        return "some of its rotations are no unit quaternions"
    return None


def packed(sizes: dict[str, int]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each shard's name with the checksums of its blocks, in the order in which they lie in it.

    sizes: of the blocks, in bytes, by checksum.
    """
    shards = 1
    while shards * _SHARD_BYTES < sum(sizes.values()):
        shards *= 2
    groups: dict[int, list[str]] = {}
    for checksum in sorted(sizes):
        groups.setdefault(int(checksum[:8], 16) % shards, []).append(checksum)
    for group in groups.values():
        yield hashlib.sha256("".join(group).encode("ascii")).hexdigest()[:32] + ".poses", tuple(group)


def write_shard(path: Path, blocks: Iterable[memoryview | bytes]) -> None:
    """Write blocks to a file, which appears whole or not at all."""
    if path.is_symlink():
        path.unlink()  # a shard is a file of its own: nothing is to be written where a link leads
    with atomic_write(path) as beside, beside.open("wb") as file:
        for block in blocks:
            file.write(block)
        file.flush()
        os.fsync(file.fileno())


class ShardMap:
    """A shard mapped into memory; the map lives as long as what was taken from it. A file that is none is empty."""

    def __init__(self, path: Path) -> None:
        self._bytes = memoryview(b"")
        try:
            with path.open("rb") as file:
                if os.fstat(file.fileno()).st_size:
                    self._bytes = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except FileNotFoundError:
            self.state = "is missing"
        except OSError as error:
            self.state = f"cannot be read: the system says '{error.strerror}'"
        else:
            self.state = "is too short"

    def block(self, offset: int, frames: int) -> memoryview | None:
        """Return the bytes of a clip; None where the file does not hold them, and `state` says why."""
        stop = offset + frames * FRAME_BYTES
        return self._bytes[offset:stop] if stop <= len(self._bytes) else None


def offsets_of(checksums: Sequence[str], sizes: dict[str, int]) -> list[int]:
    """Return where each block begins in its shard, in bytes."""
    return [int(offset) for offset in np.cumsum([0, *(sizes[checksum] for checksum in checksums[:-1])])]
