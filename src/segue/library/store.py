"""A library's folder: a manifest and shards, read without a lock, and changed in steps that happen whole or not at all.

Whoever changes something takes the lock, reads what is there by then, writes new shards beside the old ones, replaces
the manifest, and only then takes away what it no longer names. So two that build at once both end up in it, and one
that is killed leaves what was there before its last step.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from segue.errors import FileFormatError
from segue.library.catalogue import Catalogue
from segue.library.lock import held
from segue.library.manifest import MANIFEST, Manifest, read_manifest, write_manifest
from segue.library.record import ClipRecord, SkippedRecord, printable
from segue.library.shards import (
    PoseArrays,
    ShardMap,
    arrays_of,
    block_checksum,
    flaw_of,
    offsets_of,
    packed,
    write_shard,
)

__all__ = ["Change", "Snapshot", "Store"]

_SHARDS = "shards"
_LOCK = "lock"
_ATTEMPTS = 20

Key = tuple[str, str]


@dataclass
class Change:
    """What is to become of a library.

    clips: new records, or newer ones of the same source. blocks: poses that are not in it yet, by checksum. skipped:
    files that hold no clip. gone: sources that are to be forgotten before the others are taken in.
    """

    clips: dict[Key, ClipRecord] = field(default_factory=dict)
    blocks: dict[str, bytes] = field(default_factory=dict)
    skipped: dict[Key, SkippedRecord] = field(default_factory=dict)
    gone: set[Key] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.clips or self.skipped or self.gone)

    def keep(self, clip: ClipRecord, block: bytes | None = None) -> None:
        """Have a clip in the library, with its poses where they are not in it yet."""
        self.skipped.pop(clip.source.key, None)
        self.clips[clip.source.key] = clip
        if block is not None:
            self.blocks[clip.place.checksum] = block

    def skip(self, record: SkippedRecord) -> None:
        """Have it known that a file holds no clip."""
        self.forget(record.source.key)
        self.skipped[record.source.key] = record

    def forget(self, key: Key) -> None:
        """Have nothing of a source in the library."""
        self.clips.pop(key, None)
        self.skipped.pop(key, None)
        self.gone.add(key)


class Snapshot:
    """A library as it was at one moment: its manifest, and its shards mapped, whatever happens to them later."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.manifest = manifest
        self._maps = {name: ShardMap(path / _SHARDS / name) for name in {clip.place.shard for clip in manifest.clips}}

    @property
    def complete(self) -> bool:
        """Whether every clip's poses are there."""
        return all(self.block(clip) is not None for clip in self.manifest.clips)

    def block(self, clip: ClipRecord) -> memoryview | None:
        """Return the bytes of a clip's poses; None where there are none."""
        return self._maps[clip.place.shard].block(clip.place.offset, clip.frames)

    def poses(self, clip: ClipRecord) -> PoseArrays | None:
        """Return a clip's poses, mapped; None where there are none."""
        block = self.block(clip)
        return None if block is None else arrays_of(block)

    def flaw(self, clip: ClipRecord) -> str | None:
        """Return what is wrong with the poses of a clip, all of which are read for that; None where nothing is."""
        block = self.block(clip)
        if block is None:
            return f"the shard {clip.place.shard} {self._maps[clip.place.shard].state}"
        if block_checksum(block) != clip.place.checksum:
            return f"its poses in the shard {clip.place.shard} are damaged (their checksum is another)"
        return flaw_of(arrays_of(block))

    def flaws(self) -> dict[str, str]:
        """Return what is wrong, by the names of the clips whose poses are missing or damaged."""
        found = {clip.name: self.flaw(clip) for clip in self.manifest.clips}
        return {name: flaw for name, flaw in found.items() if flaw is not None}


class Store:
    """The folder of a library."""

    def __init__(self, path: Path) -> None:
        if "\0" in str(path):
            raise FileFormatError("is not the path of a folder: it holds a NUL", printable(str(path)))
        self.path = path

    def check_readable(self) -> None:
        """Raise where there is no library."""
        try:
            if not os.path.lexists(self.path):
                wanted = f"'segue library build FOLDER -o {self.path}' makes one"
                raise FileFormatError(f"there is no library: {wanted}", self.path)
            if not self.path.is_dir():
                raise FileFormatError("is not a library: a library is a folder", self.path)
            if not (self.path / MANIFEST).exists():
                raise FileFormatError(f"is not a library: the folder has no {MANIFEST}", self.path)
        except (OSError, ValueError) as error:
            if isinstance(error, FileFormatError):
                raise
            raise FileFormatError(f"cannot be read: {_words(error)}", self.path) from None

    def check_writable(self) -> None:
        """Raise where a library could neither be changed nor made."""
        try:
            exists = os.path.lexists(self.path)
            inside = {name for name in os.listdir(self.path) if not name.startswith(".segue-")} if exists else set()
            writable = os.access(self.path, os.W_OK) if exists else self.path.parent.is_dir()
        except NotADirectoryError:
            raise FileFormatError("is a file: a library is a folder, name a new one", self.path) from None
        except (OSError, ValueError) as error:
            raise FileFormatError(f"cannot be written: {_words(error)}", self.path) from None
        if inside - {_SHARDS, _LOCK} and MANIFEST not in inside:
            raise FileFormatError("the folder holds other things than a library: name a new or an empty one", self.path)
        if not exists and not writable:
            raise FileFormatError(f"there is no folder '{self.path.parent}': create it first", self.path)
        if not writable:
            raise FileFormatError("the library is write-protected: allow writing to its folder", self.path)

    def manifest(self) -> Manifest:
        """Return what is in the library now."""
        self.check_readable()
        return read_manifest(self.path)

    def snapshot(self) -> Snapshot:
        """Return the library as it is now, also while another process changes it."""
        manifest = self.manifest()
        for _ in range(_ATTEMPTS):
            taken = Snapshot(self.path, manifest)
            if taken.complete:
                break
            # either something is broken, or shards were replaced after the manifest was read: then it was too
            newer = self.manifest()
            if [clip.place for clip in newer.clips] == [clip.place for clip in manifest.clips]:
                break
            manifest = newer
        return taken

    def size(self) -> int:
        """Return the bytes of all files."""
        total = 0
        for file in (self.path / MANIFEST, *(self.path / _SHARDS).glob("*")):
            with contextlib.suppress(FileNotFoundError):  # another process may take it away meanwhile
                total += file.lstat().st_size
        return total

    def create(self) -> None:
        """Make the folder, and a manifest without clips, where there is none."""
        self.check_writable()
        try:
            (self.path / _SHARDS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileFormatError(f"cannot be made: {_words(error)}", self.path) from error
        with held(self.path / _LOCK):
            if not (self.path / MANIFEST).exists():
                write_manifest(self.path, Manifest())

    def commit(self, change: Change, *, damaged: Iterable[str] = ()) -> Manifest:
        """Bring a change into the library, and return what is in it then.

        damaged: checksums of poses that are known not to be what they should: they stay where they are.
        """
        self.check_writable()
        with held(self.path / _LOCK):
            before = self.snapshot()
            after = _merged(before.manifest, change)
            after = self._stored(before, after, change.blocks, frozenset(damaged))
            write_manifest(self.path, after)
            self._clean({clip.place.shard for clip in after.clips})
        return after

    def _stored(
        self, before: Snapshot, wanted: Manifest, new: Mapping[str, bytes], damaged: frozenset[str]
    ) -> Manifest:
        """Write shards such that all poses of a manifest are in them; return it with their places."""
        known = {clip.place.checksum: clip for clip in before.manifest.clips}
        sources: dict[str, memoryview | bytes] = {}
        for checksum in {clip.place.checksum for clip in wanted.clips}:
            if checksum in new:
                sources[checksum] = new[checksum]
            elif checksum in known and checksum not in damaged:
                block = before.block(known[checksum])
                if block is not None:
                    sources[checksum] = block
        sizes = {checksum: len(block) for checksum, block in sources.items()}
        there = {(clip.place.shard, clip.place.checksum, clip.place.offset) for clip in before.manifest.clips}
        # what cannot be copied stays where it is; what another process took away meanwhile is gone
        places = {checksum: (clip.place.shard, clip.place.offset) for checksum, clip in known.items()}
        for name, checksums in packed(sizes):
            offsets = offsets_of(checksums, sizes)
            kept = all((name, *each) in there for each in zip(checksums, offsets, strict=True))
            if not kept or not new.keys().isdisjoint(checksums):
                write_shard(self.path / _SHARDS / name, (sources[checksum] for checksum in checksums))
            places |= {checksum: (name, offset) for checksum, offset in zip(checksums, offsets, strict=True)}
        clips = (clip for clip in wanted.clips if clip.place.checksum in places)
        return replace(wanted, clips=tuple(clip.stored(*places[clip.place.checksum]) for clip in clips))

    def _clean(self, named: set[str]) -> None:
        """Take away shards that no manifest names, and what killed processes left half written."""
        for folder, left in ((self.path / _SHARDS, "*"), (self.path, ".segue-*")):
            for file in folder.glob(left):
                if file.name not in named:
                    with contextlib.suppress(OSError):  # mapped by a reader on some systems: the next change does it
                        file.unlink()


def _merged(manifest: Manifest, change: Change) -> Manifest:
    """Return what is in a library after a change, in the order of names."""
    clips = Catalogue(manifest.clips)
    skipped = {record.source.key: record for record in manifest.skipped}
    for key in change.gone | change.clips.keys() | change.skipped.keys():
        skipped.pop(key, None)
    for key in change.gone | change.skipped.keys():
        clips.pop(key)
    for clip in change.clips.values():
        clips.put(clip)
    skipped |= change.skipped
    return Manifest(
        tuple(sorted(clips, key=lambda clip: clip.name)),
        tuple(sorted(skipped.values(), key=lambda record: record.source.key)),
    )


def _words(error: OSError | ValueError) -> str:
    return f"the system says '{error.strerror}'" if isinstance(error, OSError) else f"its path is none ({error})"
