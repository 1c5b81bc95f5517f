"""Build a library: fit the new and changed clips of folders, and keep everything else."""

from __future__ import annotations

import hashlib
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from segue.errors import ArgumentError, FileFormatError, SegueError, SegueWarning, printable
from segue.filling.features import RATE
from segue.library.indexing import index_clip
from segue.library.record import Catalogue, ClipRecord, Key, SkippedRecord, Source
from segue.library.scan import Unreadable, find_clips, parts_of
from segue.library.store import Change, Store
from segue.motion.options import ClipOptions

BuildProgress = Callable[[int, int, str], None]
"""Called repeatedly with the bytes of clips done, the bytes of all clips, and the name of the present clip."""

_BETWEEN = 5.0  # s between two commits
_SHARE = 10.0  # time between two commits, at least, as a multiple of the time of a commit


@dataclass
class BuildReport:
    """Results of a build, by the names of clips.

    added, changed, mended: fitted clips, because they are new, changed, or damaged in the library. moved: found in
    another place with the same content. unchanged: number of clips left as they are. doubled: clips with the same
    content as another clip, and the name of that clip. skipped: files without a usable clip, with the reason. missing:
    clips of the library that are no longer in their folder. removed: missing clips that were removed. damaged: clips
    that are still damaged, because their files are gone or were not among the sources. unreadable: files and folders
    that could not be read. notes: warnings about clips. seconds: total length of the fitted clips.
    """

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    unchanged: int = 0
    doubled: list[tuple[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0


class Builder:
    """One build. `run` builds; `report` holds the results so far, also after an interruption.

    path: the library's file. sources: folders or clips. options: of all clips. prune: remove clips that are no longer
    in their folder.
    """

    def __init__(
        self,
        path: str | Path,
        sources: Iterable[str | Path],
        *,
        options: ClipOptions | None = None,
        prune: bool = False,
        progress: BuildProgress | None = None,
    ) -> None:
        self.report = BuildReport()
        self._store = Store(Path(path))
        self._store.check_writable()
        self._prune = prune
        self._progress = progress
        options = options or ClipOptions()
        if options.map is not None:
            raise ArgumentError("a library is built without a map of joints: leave map out")
        if options.fps is not None:
            raise ArgumentError("a library is built at the frame rates of its files: leave fps out")
        self._scan = find_clips(sources, options)
        self.report.unreadable = self._scan.unreadable
        self._change = Change()
        self._catalogue = Catalogue()
        self._damaged: set[str] = set()
        self._due = 0.0

    def run(self) -> BuildReport:
        """Bring the library up to date; an interrupted build keeps the clips that were finished."""
        self._store.create()
        self._catalogue, flaws, wrong = self._store.health()
        if wrong is not None:
            self._store.repair()
        self._damaged = {clip.poses for clip in self._catalogue.sorted_clips if clip.name in flaws}
        pending = [found for found in self._scan.clips.values() if not self._is_known(found)]
        self._due = time.monotonic() + _BETWEEN
        try:
            self._work(pending)
            self._look_for_missing()
        finally:
            self._commit()
        self.report.damaged = [clip.name for clip in self._catalogue.sorted_clips if clip.poses in self._damaged]
        return self.report

    def _is_known(self, found: Source) -> bool:
        """Return whether a file was read before and has the same size and time since."""
        skipped, clip = self._catalogue.skipped.get(found.key), self._catalogue.clips.get(found.key)
        if skipped is not None and replace(skipped.source, checksum="") == found:
            self.report.skipped.append((printable(found.file), skipped.reason))
            return True
        if clip is not None and replace(clip.source, checksum="") == found and clip.poses not in self._damaged:
            self.report.unchanged += 1
            return True
        return False

    def _work(self, pending: list[Source]) -> None:
        done, total = 0, sum(found.size for found in pending)
        for found in pending:
            self._report_progress(done, total, found)

            def partly(frames: int, all_frames: int, found: Source = found, done: int = done) -> None:
                self._report_progress(done + found.size * frames // (all_frames + 1), total, found)

            self._take_in(found, partly)
            done += found.size
            self._report_progress(done, total, found)
            if time.monotonic() > self._due:
                self._commit()

    def _report_progress(self, done: int, total: int, found: Source) -> None:
        if self._progress is not None:
            self._progress(done, total, printable(found.file))

    def _take_in(self, found: Source, progress: Callable[[int, int], None]) -> None:
        """Bring one file into the library; fit it only if no clip has the same content."""
        try:
            source = replace(found, checksum=_checksum(found.path))
        except OSError as error:
            self._scan.miss(str(found.path), error)
            return
        known = self._catalogue.clips.get(found.key)
        same = self._same_content(source)
        if same is None:
            self._fit(source, known, progress)
        elif same is known:
            self.report.unchanged += 1
            self._keep(replace(same, source=source))
        elif same.source.on_disk:
            self.report.doubled.append((printable(found.file), same.name))
            self._forget(found.key)
        else:
            self._forget(same.source.key)
            name = same.name if same.source.file == source.file else self._catalogue.new_name(source)
            self.report.moved.append(name)
            self._keep(replace(same, name=name, source=source))

    def _same_content(self, source: Source) -> ClipRecord | None:
        """Return a clip of the library with the same content, preferably the clip of the source itself."""
        intact = [clip for clip in self._catalogue.same_content(source) if clip.poses not in self._damaged]
        return min(intact, key=lambda clip: (clip.source.key != source.key, clip.source.on_disk), default=None)

    def _fit(self, source: Source, known: ClipRecord | None, progress: Callable[[int, int], None]) -> None:
        name = self._catalogue.new_name(source) if known is None else known.name
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", SegueWarning)
            try:
                record, block = index_clip(source, name, progress)
            except Exception as error:  # a third-party reader may raise anything, and no clip should stop a build
                self._skip(source, known, error)
                return
        self.report.notes += [(name, str(each.message)) for each in caught if issubclass(each.category, SegueWarning)]
        damaged = known is not None and known.poses in self._damaged
        (self.report.added if known is None else self.report.mended if damaged else self.report.changed).append(name)
        self.report.seconds += record.frames / RATE
        self._damaged.discard(record.poses)
        self._keep(record, block)

    def _skip(self, source: Source, known: ClipRecord | None, error: Exception) -> None:
        """Record that a file holds no usable clip; an earlier clip of the file stays."""
        reason = _reason(error)
        if known is not None:
            reason += "; the library keeps the clip as it was before"
        elif isinstance(error, SegueError):  # other errors may be temporary, such as a lack of memory
            self._change.records[source.key] = SkippedRecord(source, reason)
        self.report.skipped.append((printable(source.file), reason))

    def _keep(self, record: ClipRecord, block: bytes | None = None) -> None:
        self._catalogue.put(record)
        key = record.source.key
        self._change.records[key] = self._catalogue.clips[key]
        if block is not None:
            self._change.blocks[record.poses] = block

    def _forget(self, key: Key) -> None:
        if self._catalogue.pop(key):
            self._change.records[key] = None

    def _look_for_missing(self) -> None:
        """Report or remove clips that are no longer in the folders that were searched."""
        for key, skipped in list(self._catalogue.skipped.items()):
            if not skipped.source.on_disk:
                self._forget(key)  # the file is gone, so the reason is obsolete
        for key, clip in list(self._catalogue.clips.items()):
            if key[0] not in self._scan.folders or key in self._scan.clips or self._scan.hides(clip.source.path):
                continue
            if self._prune:
                self._forget(key)
                self.report.removed.append(clip.name)
            else:
                self.report.missing.append(clip.name)

    def _commit(self) -> None:
        if self._change.records:
            start = time.monotonic()
            self._store.commit(self._change)
            self._change = Change()
            self._due = time.monotonic() + max(_BETWEEN, _SHARE * (time.monotonic() - start))


def _checksum(path: Path) -> str:
    """Return the SHA-256 of the content of a clip's files."""
    digest = hashlib.sha256()
    for part in parts_of(path):
        with part.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _reason(error: Exception) -> str:
    """Return the reason why a file holds no usable clip, without its path."""
    if isinstance(error, FileFormatError) and error.path is not None:
        lines = str(error).removeprefix(str(error.path)).removeprefix(":").strip()
        reason = lines if error.line is None else f"line {lines}"
    elif isinstance(error, SegueError):
        reason = str(error)
    else:
        reason = f"its reader failed ({type(error).__name__}: {error})"
    return printable(" ".join(reason.split()))


def remove_clips(path: str | Path, names: Iterable[str]) -> None:
    """Remove clips from a library on disk; their files stay."""
    store, wanted = Store(Path(path)), set(names)
    gone = [key for key, clip in store.catalogue().clips.items() if clip.name in wanted]
    if gone:
        store.commit(Change(dict.fromkeys(gone)))
