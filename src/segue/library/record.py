"""What a library knows of each clip beside its poses: where it came from, whose body it is, where its poses lie."""

from __future__ import annotations

import os
import re
from collections.abc import Container
from dataclasses import dataclass, field, fields, replace
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from segue.body.anthropometry import SEXES
from segue.body.build import Build
from segue.body.figure import Figure
from segue.errors import ArgumentError
from segue.library.fields import Fields
from segue.motion.space import turn_to_y_up

__all__ = ["ClipOptions", "ClipRecord", "Place", "SkippedRecord", "Source", "printable", "unique_name"]

_LENGTHS = tuple((each.name, each.type == "float") for each in fields(Build))  # those that are no vectors
_CHECKSUM = re.compile(r"[0-9a-f]{64}")
_SHARD = re.compile(r"[0-9a-f]{32}\.poses")


@dataclass(frozen=True)
class ClipOptions:
    """How clips are to be taken, as in `segue.load`: all is found or usual where not given."""

    scale: float | None = None
    up: str | None = None
    mass: float | None = None
    sex: str = "average"

    def __post_init__(self) -> None:
        for what, value, unit in (("scale", self.scale, "metres per unit"), ("mass", self.mass, "kilograms")):
            if value is not None and not (np.isfinite(value) and value > 0):
                raise ArgumentError(f"{what} is {value}: it must be a positive number of {unit}")
        if self.up is not None:
            turn_to_y_up(self.up)
        if self.sex not in SEXES:
            raise ArgumentError(f"sex is '{self.sex}': it must be one of {', '.join(SEXES)}")

    @classmethod
    def of(cls, given: Fields) -> ClipOptions:
        """Return what a manifest says."""
        numbers = given.positive_or_none("scale"), given.positive_or_none("mass")
        texts = given.text_or_none("up"), given.text("sex")
        try:
            return cls(numbers[0], texts[0], numbers[1], texts[1])
        except ArgumentError as error:
            raise given.wrong(str(error)) from None


@dataclass(frozen=True)
class Source:
    """The file that a clip was read from.

    folder: the folder that was indexed, absolute. file: the path below it, with slashes. size, mtime_ns: of the file
    when it was read. checksum: a SHA-256 that tells its content. options: how it was taken.
    """

    folder: str
    file: str
    size: int
    mtime_ns: int
    checksum: str
    options: ClipOptions = field(default_factory=ClipOptions)

    @property
    def key(self) -> tuple[str, str]:
        """What tells one source from another: where it is."""
        return self.folder, self.file

    @property
    def path(self) -> Path:
        """Where the file is, or was."""
        return Path(self.folder, *PurePosixPath(self.file).parts)

    @property
    def on_disk(self) -> bool:
        """Whether there is still a file."""
        try:
            return self.path.is_file()
        except (OSError, ValueError):
            return False

    def to_json(self, folders: list[str]) -> dict[str, Any]:
        """Return the source as a manifest has it; folders: those that it counts."""
        return {
            "folder": folders.index(self.folder),
            "file": self.file,
            "size": self.size,
            "mtime_ns": self.mtime_ns,
            "sha256": self.checksum,
            "options": vars(self.options),
        }

    @classmethod
    def of(cls, given: Fields, folders: list[str]) -> Source:
        """Return what a manifest says."""
        return cls(
            folders[given.count("folder", below=len(folders))],
            given.matching("file", _stays_below, "a path below the folder, without '..'"),
            given.count("size"),
            given.count("mtime_ns", least=-(2**63), below=2**63),
            given.matching("sha256", _CHECKSUM.fullmatch, "a SHA-256 in 64 hexadecimal digits"),
            ClipOptions.of(given.inner("options")),
        )


@dataclass(frozen=True)
class Place:
    """Where a clip's poses lie.

    checksum: SHA-256 of their bytes. shard: the file's name, empty while they are in none yet. offset: in bytes.
    """

    checksum: str
    shard: str = ""
    offset: int = 0


@dataclass(frozen=True)
class ClipRecord:
    """All that a library knows of one clip except its poses.

    name: what a user calls it. skeleton: its kind, in words. person: tells bodies of different bone lengths apart.
    frames: how many poses there are. sections: those that may be drawn on, as in `Entry`.
    """

    name: str
    source: Source
    skeleton: str
    person: str
    figure: Figure
    frames: int
    sections: tuple[tuple[int, int], ...]
    place: Place

    def to_json(self, folders: list[str]) -> dict[str, Any]:
        """Return the record as a manifest has it."""
        return {
            "name": self.name,
            "source": self.source.to_json(folders),
            "skeleton": self.skeleton,
            "person": self.person,
            "figure": {"mass": self.figure.mass, "sex": self.figure.sex} | _lengths(self.figure.build),
            "frames": self.frames,
            "sections": [list(pair) for pair in self.sections],
            "shard": self.place.shard,
            "offset": self.place.offset,
            "sha256": self.place.checksum,
        }

    @classmethod
    def of(cls, given: Fields, folders: list[str]) -> ClipRecord:
        """Return what a manifest says."""
        frames = given.count("frames", least=1, below=2**40)
        return cls(
            given.matching("name", lambda name: name and printable(name) == name, "a text that can be printed"),
            Source.of(given.inner("source"), folders),
            given.text("skeleton"),
            given.text("person"),
            _figure(given.inner("figure")),
            frames,
            given.stretches("sections", frames),
            Place(
                given.matching("sha256", _CHECKSUM.fullmatch, "a SHA-256 in 64 hexadecimal digits"),
                given.matching("shard", _SHARD.fullmatch, "the name of a shard, 32 hexadecimal digits and '.poses',"),
                given.count("offset", below=2**50),
            ),
        )

    def stored(self, shard: str, offset: int) -> ClipRecord:
        """Return the record of poses that lie elsewhere."""
        return replace(self, place=Place(self.place.checksum, shard, offset))


@dataclass(frozen=True)
class SkippedRecord:
    """A file that holds no clip that could be used, with the reason: it is not read again until it changes."""

    source: Source
    reason: str

    def to_json(self, folders: list[str]) -> dict[str, Any]:
        """Return the record as a manifest has it."""
        return {"source": self.source.to_json(folders), "reason": self.reason}

    @classmethod
    def of(cls, given: Fields, folders: list[str]) -> SkippedRecord:
        """Return what a manifest says."""
        return cls(Source.of(given.inner("source"), folders), given.text("reason"))


def printable(name: str) -> str:
    """Return a file's name such that any terminal can show it: bytes and signs that none can become escapes."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in name)


def unique_name(source: Source, taken: Container[str]) -> str:
    """Return what a clip is called: its path below its folder, with the folder's name before it where that is taken."""
    plain = printable(source.file)
    within = printable(f"{Path(source.folder).name or 'clips'}/{source.file}")
    if plain not in taken:
        return plain
    count, name = 1, within
    while name in taken:
        count += 1
        name = f"{within} ({count})"
    return name


def _stays_below(file: str) -> bool:
    parts = PurePosixPath(file).parts
    return bool(parts) and "\0" not in file and ".." not in parts and not os.path.isabs(file)


def _lengths(build: Build) -> dict[str, float | list[float]]:
    return {name: float(getattr(build, name)) if single else getattr(build, name).tolist() for name, single in _LENGTHS}


def _figure(given: Fields) -> Figure:
    lengths: dict[str, Any] = {
        name: given.positive(name) if single else np.array(given.vector(name)) for name, single in _LENGTHS
    }
    try:
        return Figure(Build(**lengths), given.positive("mass"), given.text("sex"))
    except ArgumentError as error:
        raise given.wrong(f"the figure is none: {error}") from None
