"""Rows of a time line: tracks that are defined alike share one, under the name of their limb or joint."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from segue.body.human import HUMAN
from segue.motion.coverage import joints_of
from segue.motion.functions import Curve, Function
from segue.motion.interval import Track
from segue.motion.motion import Motion
from segue.motion.tracks import TRACKS, tracks_of

LIMBS = ("root", "trunk", "left_arm", "right_arm", "left_leg", "right_leg")
"""Groups of joints that together are the whole body, each joint once."""


def parts_of(tracks: Collection[str]) -> list[str]:
    """Return the fewest names for some tracks: the whole body, whole limbs, else joints."""
    if len(tracks) == len(TRACKS):
        return ["whole_body"]
    names: list[str] = []
    for limb in LIMBS:
        there = [track for track in tracks_of(limb) if track in tracks]
        names += [limb] if len(there) == len(tracks_of(limb)) else joints_of(there)
    return names


def track_rows(motion: Motion) -> list[tuple[str, Track]]:
    """Return rows of a time line: a label and a track that stands for all it covers.

    The whole body is one row where all its tracks are defined alike, else a limb is, else a joint, else a track.
    """
    if len(motion.tracks) == len(TRACKS) and _alike(motion.tracks.values()):
        return [("whole body", motion.tracks["root"])]
    rows = []
    for limb in LIMBS:
        for name, tracks in _split(motion, limb, HUMAN.groups[limb]):
            rows.append((name.replace("_", " "), motion.tracks[tracks[0]]))
    return rows


def _split(motion: Motion, limb: str, joints: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield names with the tracks they stand for, from a limb down to single tracks as far as these differ."""
    tracks = tracks_of(joints)
    defined = [track for track in tracks if track in motion.tracks]
    if len(defined) == len(tracks) and _alike(motion.tracks[track] for track in defined):
        yield limb, defined
    elif len(joints) > 1:
        for joint in joints_of(defined):
            yield from _split(motion, joint, [joint])
    else:
        yield from ((track, [track]) for track in defined)


def _alike(tracks: Iterable[Track]) -> bool:
    """Whether tracks are defined at the same times, each time from the same sources."""
    looks = {tuple((p.start, p.stop, tuple(map(_source, p.functions))) for p in track) for track in tracks}
    return len(looks) <= 1


def _source(function: Function) -> int | None:
    """Return something that is the same for functions from the same source; a blend comes from none."""
    return id(function.source) if isinstance(function, Curve) else None
