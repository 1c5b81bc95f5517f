"""The tracks of a motion by name: operators on all of them, gaps, conflicts, and the rows of a timeline.

In most motions the whole body is defined at the same times by the same sources. All names then share one `Track`, and
an operator computes its result once for the names that share it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from segue.body.human import HUMAN
from segue.body.layout import mirror_name
from segue.motion.functions import Function, Piece
from segue.motion.interval import TINY, Interval, Track
from segue.motion.tracks import TRACKS, joints_of, tracks_of

LIMBS = ("root", "trunk", "left_arm", "right_arm", "left_leg", "right_leg")
"""Groups of joints that together are the whole body, each joint once."""

_NOTHING = Track()
_NAMES = dict(TRACKS)  # a dict, from which other dicts are made fastest


class TrackTable(Mapping[str, Track]):
    """Tracks by name, in the figure's order. A track without intervals is left out."""

    def __init__(self, tracks: Mapping[str, Track]) -> None:
        self._tracks = {name: track for name in TRACKS if (track := tracks.get(name))}
        self._shared: Track | None = None
        if self.is_full_body and len(self.unique_tracks) == 1:
            self._shared = self.unique_tracks[0]

    @classmethod
    def from_shared(cls, track: Track) -> TrackTable:
        """Return a table of the whole body in which all names share one track."""
        if not track.intervals:
            return cls({})
        table = cls.__new__(cls)
        table._tracks, table._shared, table.unique_tracks = dict.fromkeys(_NAMES, track), track, (track,)
        return table

    def __getitem__(self, name: str) -> Track:
        return self._tracks[name]

    def __contains__(self, name: object) -> bool:
        return name in self._tracks

    def __iter__(self) -> Iterator[str]:
        return iter(self._tracks)

    def __len__(self) -> int:
        return len(self._tracks)

    def __repr__(self) -> str:
        return f"TrackTable({', '.join(self)})"

    @property
    def is_full_body(self) -> bool:
        """Whether the table has every track of the figure."""
        return len(self._tracks) == len(TRACKS)

    @cached_property
    def unique_tracks(self) -> tuple[Track, ...]:
        """The tracks, each that several names share once."""
        return tuple({id(track): track for track in self._tracks.values()}.values())

    @property
    def start(self) -> float:
        """When the first track begins, in seconds."""
        return min((track.start for track in self.unique_tracks), default=0.0)

    @property
    def stop(self) -> float:
        """When the last track ends, in seconds."""
        return max((track.stop for track in self.unique_tracks), default=0.0)

    def changed(self, change: Callable[[Interval], Interval | None]) -> TrackTable:
        """Return the tracks with every interval changed, as `Track.changed` does."""
        return self._each(lambda track: track.changed(change))

    def mirrored(self) -> TrackTable:
        """Return the tracks of the mirror image, left and right exchanged."""
        images = self.changed(lambda interval: interval.changed(lambda function: function.mirrored()))
        return (
            images if images._shared is not None else TrackTable({mirror_name(name): images[name] for name in images})
        )

    def erased(self, start: float, stop: float, names: Collection[str]) -> TrackTable:
        """Return the tracks with some of them undefined between two times."""
        span = Track((Interval(start, stop, ()),))
        if self._shared is not None and _NAMES.keys() <= set(names):
            return TrackTable.from_shared(self._shared - span)
        erased = self.only(name for name in self if name in names)._each(lambda track: track - span)
        return TrackTable({name: track for name, track in self.items() if name not in names} | dict(erased))

    def only(self, names: Iterable[str]) -> TrackTable:
        """Return the named tracks alone."""
        return TrackTable({name: self[name] for name in names})

    def __and__(self, other: TrackTable) -> TrackTable:
        return self._pairwise(other, Track.__and__)

    def __sub__(self, other: TrackTable) -> TrackTable:
        return self._pairwise(other, Track.__sub__)

    def __add__(self, other: TrackTable) -> TrackTable:
        return self._pairwise(other, Track.__add__)

    def _each(self, change: Callable[[Track], Track]) -> TrackTable:
        """Return the tracks changed. Names that share a track share the result."""
        if self._shared is not None:
            return TrackTable.from_shared(change(self._shared))
        changed = {id(track): change(track) for track in self.unique_tracks}
        return TrackTable({name: changed[id(track)] for name, track in self._tracks.items()})

    def _pairwise(self, other: TrackTable, combine: Callable[[Track, Track], Track]) -> TrackTable:
        """Return each track combined with the other table's of that name. Equal pairs share the result."""
        if self._shared is not None and other._shared is not None:
            return TrackTable.from_shared(combine(self._shared, other._shared))
        combined: dict[tuple[int, int], Track] = {}
        tracks = {}
        for name in TRACKS:
            mine, theirs = self._tracks.get(name, _NOTHING), other._tracks.get(name, _NOTHING)
            pair = id(mine), id(theirs)
            if pair not in combined:
                combined[pair] = combine(mine, theirs)
            tracks[name] = combined[pair]
        return TrackTable(tracks)


@dataclass(frozen=True)
class TrackSpan:
    """A span of time, in seconds, and the tracks that are undefined or in conflict there."""

    start: float
    stop: float
    tracks: tuple[str, ...]

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that the tracks belong to."""
        return joints_of(self.tracks)

    def __str__(self) -> str:
        return f"{self.start:g} to {self.stop:g} s: {', '.join(self.joints)}"


def gaps_of(tracks: Mapping[str, Track], start: float, stop: float) -> tuple[TrackSpan, ...]:
    """Return the times from start to stop in which some of the tracks are undefined."""
    missing: dict[int, list[tuple[float, float]]] = {}
    for track in tracks.values():
        if id(track) not in missing:
            edges = [start, *(edge for interval in track for edge in (interval.start, interval.stop)), stop]
            missing[id(track)] = [(low, high) for low, high in list(pairwise(edges))[::2] if high - low > TINY]
    found: dict[tuple[float, float], list[str]] = {}
    for name, track in tracks.items():
        for span in missing[id(track)]:
            found.setdefault(span, []).append(name)
    return _track_spans(found)


def conflicts_of(tracks: Mapping[str, Track]) -> tuple[TrackSpan, ...]:
    """Return the times in which more than one function defines some of the tracks."""
    found: dict[tuple[float, float], list[str]] = {}
    for name, track in tracks.items():
        for interval in track:
            if interval.is_conflict:
                found.setdefault((interval.start, interval.stop), []).append(name)
    return _track_spans(found)


def _track_spans(found: Mapping[tuple[float, float], list[str]]) -> tuple[TrackSpan, ...]:
    return tuple(TrackSpan(start, stop, tuple(names)) for (start, stop), names in sorted(found.items()))


def parts_of(tracks: Collection[str]) -> list[str]:
    """Return the fewest names for some tracks: the whole body, whole limbs, else joints."""
    if len(tracks) == len(TRACKS):
        return ["whole_body"]
    names: list[str] = []
    for limb in LIMBS:
        there = [track for track in tracks_of(limb) if track in tracks]
        names += [limb] if len(there) == len(tracks_of(limb)) else joints_of(there)
    return names


def timeline_rows(tracks: TrackTable) -> list[tuple[str, Track]]:
    """Return the rows of a timeline: a label, and a track that stands for all that the row covers.

    The whole body is one row where all its tracks have the same intervals and sources, else a limb, a joint or a track.
    """
    if tracks.is_full_body and _look_alike(tracks.values()):
        return [("whole body", tracks["root"])]
    rows = []
    for limb in LIMBS:
        for name, shown in _split(tracks, limb, HUMAN.groups[limb]):
            rows.append((name.replace("_", " "), tracks[shown[0]]))
    return rows


def _split(tracks: TrackTable, limb: str, joints: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield names with the tracks they stand for, from a limb down to single tracks as far as these differ."""
    wanted = tracks_of(joints)
    defined = [track for track in wanted if track in tracks]
    if len(defined) == len(wanted) and _look_alike(tracks[track] for track in defined):
        yield limb, defined
    elif len(joints) > 1:
        for joint in joints_of(defined):
            yield from _split(tracks, joint, [joint])
    else:
        yield from ((track, [track]) for track in defined)


def _look_alike(tracks: Iterable[Track]) -> bool:
    """Return whether tracks are defined at the same times, each time by the same sources."""
    unique = {id(track): track for track in tracks}.values()
    looks = {tuple((p.start, p.stop, tuple(map(_source_id, p.functions))) for p in track) for track in unique}
    return len(looks) <= 1


def _source_id(function: Function) -> int | None:
    """Return a number that functions of one source share, or None for a blend."""
    return id(function.source) if isinstance(function, Piece) else None
