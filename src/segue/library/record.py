"""Records of a library: the source of each clip, its body, the checksum of its poses, and the files without a clip."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from segue.body.figure import Figure
from segue.errors import printable
from segue.motion.options import ClipOptions

Key = tuple[str, str]
"""Identifies a source: the folder that was indexed, and the file's path below it."""


@dataclass(frozen=True)
class Source:
    """The file that a clip was read from.

    folder: the folder that was indexed, absolute. file: the path below it, with slashes. size, mtime_ns: of the file
    when it was read. checksum: SHA-256 of its content. options: how it was read.
    """

    folder: str
    file: str
    size: int
    mtime_ns: int
    checksum: str
    options: ClipOptions = field(default_factory=ClipOptions)

    @property
    def key(self) -> Key:
        """The folder and the file."""
        return self.folder, self.file

    @property
    def path(self) -> Path:
        """The path of the file, whether it still exists or not."""
        return Path(self.folder, *PurePosixPath(self.file).parts)

    @property
    def on_disk(self) -> bool:
        """Whether the file still exists."""
        try:
            return self.path.is_file()
        except (OSError, ValueError):
            return False


@dataclass(frozen=True)
class ClipRecord:
    """Everything a library stores about one clip except its poses.

    name: unique in the library. skeleton: its family and number of joints, for people. person: a hash of the bone
    lengths. frames: the number of poses. sections: frames that may be used, as in `LibraryClip`. poses: SHA-256 of the
    bytes of the poses.
    """

    name: str
    source: Source
    skeleton: str
    person: str
    figure: Figure
    frames: int
    sections: tuple[tuple[int, int], ...]
    poses: str


@dataclass(frozen=True)
class SkippedRecord:
    """A file without a usable clip, and the reason. A build reads it again only after it has changed."""

    source: Source
    reason: str


class Catalogue:
    """The records of a library by source. Each clip has a name of its own.

    clips, skipped: by source; change them through the methods only.
    """

    def __init__(self, records: Iterable[ClipRecord | SkippedRecord] = ()) -> None:
        self.clips: dict[Key, ClipRecord] = {}
        self.skipped: dict[Key, SkippedRecord] = {}
        self._contents: dict[tuple[str, ClipOptions], set[Key]] = {}
        self._names: set[str] = set()
        for record in records:
            self.put(record)

    @property
    def sorted_clips(self) -> list[ClipRecord]:
        """The clips in the order of their names."""
        return sorted(self.clips.values(), key=lambda clip: clip.name)

    @property
    def folders(self) -> list[str]:
        """The folders of all sources, in alphabetical order."""
        return sorted({folder for folder, _ in (*self.clips, *self.skipped)})

    def put(self, record: ClipRecord | SkippedRecord) -> None:
        """Add a record in place of the one of the same source. A clip whose name is taken gets another name."""
        key = record.source.key
        self.pop(key)
        if isinstance(record, SkippedRecord):
            self.skipped[key] = record
            return
        if record.name in self._names:
            record = replace(record, name=self.new_name(record.source))
        self.clips[key] = record
        self._contents.setdefault(_content(record.source), set()).add(key)
        self._names.add(record.name)

    def pop(self, key: Key) -> bool:
        """Remove the record of a source. Return whether there was one."""
        clip = self.clips.pop(key, None)
        if clip is not None:
            self._contents[_content(clip.source)].remove(key)
            self._names.remove(clip.name)
        return self.skipped.pop(key, None) is not None or clip is not None

    def same_content(self, source: Source) -> list[ClipRecord]:
        """Return the clips whose files have the same content and were read with the same options."""
        return [self.clips[key] for key in sorted(self._contents.get(_content(source), ()))]

    def new_name(self, source: Source) -> str:
        """Return a name for a clip that no other clip has."""
        return _unique_name(source, self._names)


def _unique_name(source: Source, taken: Container[str]) -> str:
    """Return the path of a file below its folder; the folder's name and a number make it unique where needed."""
    plain = printable(source.file)
    within = printable(f"{Path(source.folder).name or 'clips'}/{source.file}")
    if plain not in taken:
        return plain
    count, name = 1, within
    while name in taken:
        count += 1
        name = f"{within} ({count})"
    return name


def _content(source: Source) -> tuple[str, ClipOptions]:
    return source.checksum, source.options
