"""The tracks of a motion: where all are defined alike, as they mostly are, one stands for the whole body."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from segue.body.layout import mirror_name
from segue.motion.interval import Interval, Track
from segue.motion.tracks import TRACKS

_NOTHING = Track()


class TrackTable(Mapping[str, Track]):
    """Tracks by name, in the figure's order; a name without intervals is not in it.

    Mostly the whole body is defined at the same times by the same sources. Then one track, the `model`, says all there
    is to know: operators change it alone, and the others are made from it when someone asks for them.
    """

    def __init__(self, tracks: Mapping[str, Track]) -> None:
        self.model: Track | None = None
        self._made = {name: track for name in TRACKS if (track := tracks.get(name))}

    @classmethod
    def alike(cls, model: Track) -> TrackTable:
        """Return the tracks of the whole body that all are as one of them is, of whichever joint that may be."""
        table = cls.__new__(cls)
        table.model = model or None
        table._made = {}
        return table

    def __getitem__(self, name: str) -> Track:
        made = self._made.get(name)
        if made is None:
            if self.model is None or name not in TRACKS:
                raise KeyError(name)
            made = self._made[name] = Track(tuple([part.on(name) for part in self.model]))
        return made

    def __contains__(self, name: object) -> bool:
        return name in (self._made if self.model is None else TRACKS)

    def __iter__(self) -> Iterator[str]:
        return iter(self._made if self.model is None else TRACKS)

    def __len__(self) -> int:
        return len(self._made if self.model is None else TRACKS)

    def __repr__(self) -> str:
        return f"TrackTable({', '.join(self)})"

    @property
    def whole(self) -> bool:
        """Whether all tracks of the figure are there."""
        return len(self) == len(TRACKS)

    @property
    def different(self) -> list[Track]:
        """The tracks, those that are alike once."""
        return list(self._made.values()) if self.model is None else [self.model]

    @property
    def start(self) -> float:
        """When the first track begins, in seconds."""
        return min((track.start for track in self.different), default=0.0)

    @property
    def stop(self) -> float:
        """When the last track ends, in seconds."""
        return max((track.stop for track in self.different), default=0.0)

    def changed(self, change: Callable[[Interval], Interval | None]) -> TrackTable:
        """Return the tracks with every interval changed, as `Track.changed` does, and those of all joints alike."""
        if self.model is not None:
            return TrackTable.alike(self.model.changed(change))
        return TrackTable({name: track.changed(change) for name, track in self._made.items()})

    def mirrored(self) -> TrackTable:
        """Return the tracks of the mirror image, left and right exchanged."""

        def mirror(interval: Interval) -> Interval:
            return interval.changed(lambda function: function.mirrored())

        if self.model is not None:
            return TrackTable.alike(self.model.changed(mirror))
        return TrackTable({mirror_name(name): track.changed(mirror) for name, track in self._made.items()})

    def erased(self, start: float, stop: float, names: Collection[str]) -> TrackTable:
        """Return the tracks, some of them without what they say between two times."""
        hole = Track((Interval(start, stop, ()),))
        if self.model is not None and len(names) == len(TRACKS):
            return TrackTable.alike(self.model - hole)
        return TrackTable({name: track - hole if name in names else track for name, track in self.items()})

    def only(self, names: Iterable[str]) -> TrackTable:
        """Return those of the tracks that are named."""
        return TrackTable({name: self[name] for name in names})

    def __and__(self, other: TrackTable) -> TrackTable:
        if self.model is not None and other.model is not None:
            return TrackTable.alike(self.model & other.model)
        return TrackTable({name: track & other[name] for name, track in self.items() if name in other})

    def __sub__(self, other: TrackTable) -> TrackTable:
        if self.model is not None and other.model is not None:
            return TrackTable.alike(self.model - other.model)
        return TrackTable({name: track - other.get(name, _NOTHING) for name, track in self.items()})

    def __add__(self, other: TrackTable) -> TrackTable:
        if self.model is not None and other.model is not None:
            return TrackTable.alike(self.model + other.model)
        return TrackTable({name: self.get(name, _NOTHING) + other.get(name, _NOTHING) for name in TRACKS})
