"""A library of clips, from a file or from motions in memory."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Unpack

from segue.errors import ArgumentError, FileFormatError, SegueWarning, printable
from segue.filling.features import RATE
from segue.filling.prior import Clips, PriorSource, Span
from segue.library.build import Builder, BuildProgress
from segue.library.frame_index import FrameIndex
from segue.library.guide import Guide
from segue.library.library_clip import LibraryClip, library_clip_of, unpack_poses
from segue.library.library_source import LibrarySource
from segue.library.store import Store
from segue.motion.motion import Motion, check_motion
from segue.motion.options import ClipOptionNames, ClipOptions, clip_options


class Library:
    """Clips as poses of the figure, 30 a second, in the order of their names; `Library(path)` opens one on disk.

    All poses are read when it is opened. An open library does not change if another process changes the file.
    path: None for a library in memory.
    """

    def __init__(self, path: str | Path) -> None:
        self.path: Path | None = Path(path)
        entries, lost = [], []
        for clip, block in Store(self.path).contents():
            if block is None:
                lost.append(clip.name)
            else:
                entries.append(LibraryClip(clip.name, clip.figure, *unpack_poses(block), clip.sections))
        if lost:
            which = f"'{min(lost)}'" if len(lost) == 1 else f"'{min(lost)}' and {len(lost) - 1} more"
            sentence = f"the poses of {which} are missing or cut off: 'segue library check {path}' lists what to do"
            if not entries:
                raise FileFormatError(sentence, path)
            warnings.warn(f"{path}: {sentence}", SegueWarning, stacklevel=2)
        self.entries: tuple[LibraryClip, ...] = tuple(sorted(entries, key=lambda entry: entry.name))

    @classmethod
    def build(
        cls,
        sources: str | Path | Iterable[str | Path],
        path: str | Path,
        *,
        options: ClipOptions | None = None,
        prune: bool = False,
        progress: BuildProgress | None = None,
        **given: Unpack[ClipOptionNames],
    ) -> Library:
        """Bring a library on disk up to date with folders of clips, and open it.

        sources: folders, searched with their subfolders, or clips. Only files that are new or have changed are
        read. options, given: as in `segue.load`, for all clips, without `map`. prune: remove clips that are no longer
        in these folders. Segue warns about each file without a usable clip. `Builder` returns a full report.
        """
        wanted = [sources] if isinstance(sources, str | Path) else list(sources)
        report = Builder(path, wanted, options=clip_options(options, given), prune=prune, progress=progress).run()
        troubles = [*report.skipped, *((printable(each.path), each.reason) for each in report.unreadable)]
        for name, reason in troubles:
            warnings.warn(f"{name} is left out: {reason}", SegueWarning, stacklevel=2)
        return cls(path)

    @classmethod
    def from_motions(cls, motions: Mapping[str, Motion] | Iterable[Motion]) -> Library:
        """Return a library in memory, of motions by name, or of motions named as their clips."""
        pairs: list[tuple[str, Motion]] = []
        if isinstance(motions, Mapping):
            pairs = list(motions.items())
        else:
            for motion in motions:
                check_motion("a library is made of", motion)
                taken = {name for name, _ in pairs}
                name, count = motion.source.name, 1
                while name in taken:
                    count += 1
                    name = f"{motion.source.name} ({count})"
                pairs.append((name, motion))
        for name, motion in pairs:
            check_motion(f"the clip '{name}' of a library is", motion)
        return cls._with(
            None, [library_clip_of(motion, name) for name, motion in sorted(pairs, key=lambda pair: pair[0])]
        )

    @classmethod
    def _with(cls, path: Path | None, entries: Iterable[LibraryClip]) -> Library:
        library = cls.__new__(cls)
        library.path = path
        library.entries = tuple(entries)
        return library

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[LibraryClip]:
        return iter(self.entries)

    def __repr__(self) -> str:
        return f"Library({self.describe()})"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the clips."""
        return tuple(entry.name for entry in self.entries)

    @property
    def minutes(self) -> float:
        """The minutes of all clips."""
        return sum(map(len, self.entries)) / RATE / 60.0

    def describe(self) -> str:
        """Return the contents in a few words."""
        if not self.entries:
            return "no clips"
        count = "1 clip" if len(self) == 1 else f"{len(self)} clips"
        statures = [entry.figure.stature for entry in self.entries]
        tall = f"{min(statures):.2f}"
        if max(statures) - min(statures) > 0.005:
            tall += f" to {max(statures):.2f}"
        return f"{count}, {self.minutes:.1f} minutes, of persons {tall} m tall"

    @cached_property
    def index(self) -> FrameIndex:
        """The index of all frames, made once."""
        return FrameIndex(self.entries)

    def prior_for(
        self, motions: Sequence[Motion], erased: Iterable[Span] = (), *, use_own_frames: bool | None = None
    ) -> Guide:
        """Return a prior for gaps in motions; see `PriorSource`."""
        return LibrarySource(self.index).prior_for(motions, erased, use_own_frames=use_own_frames)

    def only(self, *patterns: str) -> Library:
        """Return a view of the clips with these names, or with names like `walk*`; raise if one matches no clip."""
        chosen = matching(self.names, patterns)
        return self._with(self.path, (entry for entry in self.entries if entry.name in chosen))

    def without(self, *patterns: str) -> Library:
        """Return a view of the clips that do not have these names, or names like `*subject4*`."""
        left = [entry for entry in self.entries if not any(_fits(entry.name, pattern) for pattern in patterns)]
        return self._with(self.path, left)


def matching(names: Iterable[str], patterns: Iterable[str]) -> set[str]:
    """Return the names that match one of the patterns; raise if a pattern matches none."""
    known, chosen = list(names), set()
    for pattern in patterns:
        fitting = {name for name in known if _fits(name, pattern)}
        if not fitting:
            some = f"there are {', '.join(known[:5])}{', ...' if len(known) > 5 else ''}" if known else "it has none"
            raise ArgumentError(f"no clip of the library matches '{pattern}': {some}")
        chosen |= fitting
    return chosen


def _fits(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)


def open_clips(clips: Clips | None) -> PriorSource:
    """Return the source of priors for a library, its file or its clips; None uses the motions' own frames alone."""
    if clips is None:
        return LibrarySource()
    if isinstance(clips, PriorSource):
        return clips
    if isinstance(clips, str | Path):
        return Library(clips)
    if isinstance(clips, Iterable):
        return LibrarySource(FrameIndex(iter(clips)))
    raise ArgumentError(f"the library is {clips!r}: a Library, its file, or clips are needed")
