"""Looking into a library on disk: what is in it, where it came from, and what is wrong with it."""

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
"""What can be wrong with a clip: its poses; its file is not what it was; its file is gone."""


@dataclass(frozen=True)
class Trouble:
    """What is wrong with a clip: one of `KINDS`, the clip's name, and the trouble in words."""

    kind: str
    name: str
    what: str


@dataclass(frozen=True)
class Inspection:
    """What is in a library.

    seconds: how long all clips last. drawn_on: how much of that is in sections. skeletons: clips by kind of skeleton.
    persons: how many bodies there are, by the lengths of their bones. folders: clips by folder. size: bytes on disk.
    skipped: files without a usable clip. deleted: names of clips whose files are gone.
    """

    clips: int
    seconds: float
    drawn_on: float
    skeletons: Mapping[str, int]
    persons: int
    folders: Mapping[str, int]
    size: int
    skipped: tuple[SkippedRecord, ...]
    deleted: tuple[str, ...]


def inspect_library(path: str | Path) -> Inspection:
    """Return what is in a library on disk, without reading its poses."""
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
    """Read every pose of a library, look for every file, and return everything that is wrong."""
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
