"""Inspect a library on disk: its contents, sources and faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from segue.errors import printable
from segue.filling.features import RATE
from segue.library.record import SkippedRecord, Source
from segue.library.scan import size_and_time
from segue.library.store import Store

KINDS = ("damaged", "changed", "deleted")
"""Faults of a clip: its poses are damaged, its file has changed, its file is gone."""


@dataclass(frozen=True)
class Trouble:
    """A fault of a clip: one of `KINDS`, the clip's name, and the fault in words."""

    kind: str
    name: str
    what: str


@dataclass(frozen=True)
class Inspection:
    """The contents of a library.

    seconds: length of all clips. usable: length of their sections in s. skeletons: clips by kind of skeleton. persons:
    number of bodies, by bone lengths. folders: clips by folder. size: bytes on disk.
    skipped: files without a usable clip. deleted: names of clips whose files are gone.
    """

    clips: int
    seconds: float
    usable: float
    skeletons: Mapping[str, int]
    persons: int
    folders: Mapping[str, int]
    size: int
    skipped: tuple[SkippedRecord, ...]
    deleted: tuple[str, ...]


def inspect_library(path: str | Path) -> Inspection:
    """Return the contents of a library on disk, without reading its poses."""
    catalogue = Store(Path(path)).catalogue()
    clips = catalogue.sorted_clips
    return Inspection(
        len(clips),
        sum(clip.frames for clip in clips) / RATE,
        sum(last - first for clip in clips for first, last in clip.sections) / RATE,
        dict(Counter(clip.skeleton for clip in clips).most_common()),
        len({clip.person for clip in clips}),
        {folder: sum(clip.source.folder == folder for clip in clips) for folder in catalogue.folders},
        Path(path).stat().st_size,
        tuple(catalogue.skipped[key] for key in sorted(catalogue.skipped)),
        tuple(clip.name for clip in clips if not clip.source.on_disk),
    )


def find_troubles(path: str | Path) -> list[Trouble]:
    """Read every pose of a library, check every file, and return all faults."""
    catalogue, flaws, wrong = Store(Path(path)).health()
    found = [] if wrong is None else [Trouble("damaged", Path(path).name, wrong)]
    for clip in catalogue.sorted_clips:
        if clip.name in flaws:
            found.append(Trouble("damaged", clip.name, flaws[clip.name]))
        if not clip.source.on_disk:
            found.append(Trouble("deleted", clip.name, f"its file {_shown(clip.source)} is gone"))
        elif _has_changed(clip.source):
            found.append(Trouble("changed", clip.name, f"its file {_shown(clip.source)} has changed since"))
    return found


def _has_changed(source: Source) -> bool:
    try:
        return size_and_time(source.path) != (source.size, source.mtime_ns)
    except OSError:
        return False


def _shown(source: Source) -> str:
    return printable(str(source.path))
