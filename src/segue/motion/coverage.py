"""Where tracks are undefined, and where too many functions define them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from segue.body.human import HUMAN
from segue.motion.interval import TINY, Track


@dataclass(frozen=True)
class Stretch:
    """A stretch of time, in seconds, and the tracks that have something in common there."""

    start: float
    stop: float
    tracks: tuple[str, ...]

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that the tracks belong to."""
        return joints_of(self.tracks)

    def __str__(self) -> str:
        return f"{self.start:g} to {self.stop:g} s: {', '.join(self.joints)}"


def _joint_of_track() -> dict[str, str]:
    owners = {"root_position": "root"}
    for joint in HUMAN.joints:
        owners |= dict.fromkeys([hinge.name for hinge in joint.hinges] or [joint.name], joint.name)
    return owners


_OWNER = _joint_of_track()


def joints_of(tracks: Iterable[str]) -> tuple[str, ...]:
    """Return the joints of some tracks, each once, in the figure's order."""
    owners = {_OWNER[track] for track in tracks}
    return tuple(joint.name for joint in HUMAN.joints if joint.name in owners)


def describe(track: str) -> str:
    """Return words for a track: "left elbow flexion"."""
    return track.replace("_", " ")


def gaps_of(tracks: Mapping[str, Track], start: float, stop: float) -> tuple[Stretch, ...]:
    """Return the times from start to stop in which some of the tracks are undefined."""
    found: dict[tuple[float, float], list[str]] = {}
    for name, track in tracks.items():
        edges = [start, *(edge for interval in track for edge in (interval.start, interval.stop)), stop]
        for low, high in list(pairwise(edges))[::2]:
            if high - low > TINY:
                found.setdefault((low, high), []).append(name)
    return _stretches(found)


def conflicts_of(tracks: Mapping[str, Track]) -> tuple[Stretch, ...]:
    """Return the times in which some of the tracks carry more than one function."""
    found: dict[tuple[float, float], list[str]] = {}
    for name, track in tracks.items():
        for interval in track:
            if interval.is_conflict:
                found.setdefault((interval.start, interval.stop), []).append(name)
    return _stretches(found)


def _stretches(found: Mapping[tuple[float, float], list[str]]) -> tuple[Stretch, ...]:
    return tuple(Stretch(start, stop, tuple(names)) for (start, stop), names in sorted(found.items()))
