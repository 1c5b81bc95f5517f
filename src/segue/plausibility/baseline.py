"""Compare a motion with the motions it was made from: only what it adds to them counts.

Frames that show a source are compared with it, place by place, once the source is turned and moved on the floor to
where the motion has it. Frames that no source shows, such as a transition, are judged by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

from segue.curves import quaternion
from segue.curves.sampled import runs
from segue.motion.contacts import SOLE_POINTS
from segue.plausibility.alignment import Piece, align, heading
from segue.plausibility.findings import MEASURES, Finding, find, findings_of
from segue.plausibility.jumps import pops, root_breaks, turn_residuals
from segue.plausibility.measures import measure
from segue.plausibility.observed import Observed
from segue.plausibility.thresholds import Thresholds
from segue.typing import Array, Flags

_SEAM = 0.1  # s on either side of where a piece begins or ends that are judged by themselves
_LEAST_FLIGHT = 0.1  # s
_SURE_SPEED = 0.5  # s that a piece must last for its speed to be sure
_DIFFERENCES = ("penetration_cm", "limit_deg", "bend_deg", "twist_deg", "linear_s", "jerk", "float_s", "torque", "push")


def added_findings(
    seen: Observed, sources: Sequence[Observed], chosen: Flags, thresholds: Thresholds, added: Thresholds
) -> tuple[Finding, ...]:
    """Return for each measure the worst finding: of frames that show a source, and of those that show none.

    thresholds: for frames that show none. added: for what the others add to their source.
    """
    pieces = align(seen, sources)
    worst = {option: find(option, 0.0, added, added=True) for option in MEASURES}
    for finding in _all_findings(seen, pieces, chosen, thresholds, added):
        if finding.badness > worst[finding.option].badness:
            worst[finding.option] = finding
    return tuple(worst.values())


def _all_findings(
    seen: Observed, pieces: Sequence[Piece], chosen: Flags, thresholds: Thresholds, added: Thresholds
) -> Iterator[Finding]:
    alone = _alone(seen, pieces)
    if (alone & chosen).any():
        # people drag their feet at times, but frames that were made have no reason to
        made = thresholds.changed({"drag_cm": thresholds.of("drag_cm").suspicious})
        yield from findings_of(measure(seen, alone & chosen), made)
    for piece in pieces:
        inside = (chosen & ~alone)[piece.first : piece.stop]
        if inside.any():
            yield from _piece_findings(seen, piece, inside, added)


def _alone(seen: Observed, pieces: Sequence[Piece]) -> Flags:
    """Return (T,) which frames no source shows, and those around the ends of pieces."""
    alone = np.ones(len(seen), dtype=bool)
    for piece in pieces:
        alone[piece.first : piece.stop] = False
    reach = round(_SEAM * seen.fps)
    for edge in {edge for piece in pieces for edge in (piece.first, piece.stop)} - {0, len(seen)}:
        alone[max(edge - reach, 0) : edge + reach] = True
    return alone


def _piece_findings(seen: Observed, piece: Piece, chosen: Flags, added: Thresholds) -> Iterator[Finding]:
    """Yield what a piece adds to its source; chosen: which of its frames count."""
    times, source = seen.times[piece.first : piece.stop], piece.source
    if len(times) * seen.dt >= _SURE_SPEED or len(times) == len(seen):
        words = f"plays {piece.speed:.2f} times as fast as its source from {times[0]:.2f} to {times[-1]:.2f} s"
        yield find("speed_percent", 100 * abs(piece.speed - 1.0), added, (words, float(times[0])), added=True)
    move = _placement(seen, piece)

    def at_source(flags: Flags) -> Flags:
        found: Flags = flags[np.round(piece.at).astype(int)]
        return found

    # the same soles on both, however each figure was fitted
    soles = seen.points_of(SOLE_POINTS, source.figure)
    moved = {name: _own(track, piece) - move(source.soles[name]) for name, track in soles.items()}
    heights = [np.where(at_source(source.on_flesh), (_own(seen.root, piece) - move(source.root))[:, 1], np.nan)]
    for name, away in moved.items():
        bears = (_own(seen.bearing[name], piece) | at_source(source.bearing[name] | source.touching[name])) & chosen
        heights.append(np.where(bears, away[:, 1], np.nan))
        for first, stop in runs(bears):
            slid = np.linalg.norm(away[first:stop, [0, 2]] - away[first, [0, 2]], axis=1)
            place = f"{name.replace('_', ' ')} from {times[first]:.2f} to {times[stop - 1]:.2f} s"
            yield find("slide_cm", 100 * slid.max(), added, (place, float(times[first + slid.argmax()])), added=True)
    if np.isfinite(heights).any():
        # where the body rests on something, it must rest as high above it as in the source throughout
        away = np.nanmax(heights) - np.array(heights)
        frame = int(np.nanargmax(away)) % len(times)
        yield find(
            "sink_cm", 100 * np.nanmax(away), added, (f"at {times[frame]:.2f} s", float(times[frame])), added=True
        )
    yield from _pop_findings(seen, piece, move, chosen, added)
    falls = _own(seen.centre_of_mass, piece)[:, 1] - move(source.centre_of_mass)[:, 1]
    aloft = _own(seen.aloft, piece) | at_source(source.aloft)
    for first, stop in runs(aloft & chosen):
        if (stop - first) * seen.dt >= _LEAST_FLIGHT and stop - first > 3:
            fall = -2.0 * np.polyfit(np.arange(stop - first) * seen.dt, falls[first:stop], 2)[0]
            place = f"falls {fall:+.1f} m/s^2 faster from {times[first]:.2f} to {times[stop - 1]:.2f} s"
            yield find("fall", abs(fall), added, (place, float(times[first])), added=True)
    shown, of_source = np.zeros(len(seen), dtype=bool), np.zeros(len(source), dtype=bool)
    shown[piece.first : piece.stop] = chosen
    of_source[np.unique(np.round(piece.at[chosen]).astype(int))] = True
    before = {finding.option: finding.value for finding in findings_of(measure(source, of_source), added)}
    for finding in findings_of(measure(seen, shown), added):
        if finding.option in _DIFFERENCES:
            more = max(finding.value - before[finding.option], 0.0)
            yield find(finding.option, more, added, (finding.where, finding.time), added=True)


def _pop_findings(seen: Observed, piece: Piece, move: _Move, chosen: Flags, added: Thresholds) -> Iterator[Finding]:
    """Yield the pops of root, joints and rotations that the source does not have."""
    if piece.stop - piece.first < 5:
        return
    times, source = seen.times[piece.first : piece.stop], piece.source
    same = seen.names == source.names and seen.point_names == source.point_names
    names = seen.point_names if same else tuple(name for name in seen.origins if name in source.origins)
    places = seen.points if same else np.stack([seen.origins[name] for name in names], axis=1)
    others = source.points if same else np.stack([source.origins[name] for name in names], axis=1)
    away = np.stack([_own(places[:, k], piece) - move(others[:, k]) for k in range(len(names))], axis=1)
    root = _own(seen.root, piece) - move(source.root)
    sizes = [("pop_cm", 100.0, names, pops(away)), ("root_pop_cm", 100.0, names[:1], root_breaks(root, seen.dt))]
    if same:
        body = list(seen.body)
        between = quaternion.multiply(
            quaternion.conjugate(_turns(source.local[:, body], piece.at)), _own(seen.local[:, body], piece)
        )
        turned = turn_residuals(between)
        sizes.append(("pop_deg", np.degrees(1.0), tuple(seen.names[j] for j in body), turned))
    for option, factor, named, found in sizes:
        inside = np.where(chosen[:, None], found, 0.0)
        frame, joint = (int(k) for k in np.unravel_index(inside.argmax(), inside.shape))
        place = f"{named[joint]} at {times[frame]:.2f} s, frame {piece.first + frame}"
        yield find(option, factor * inside[frame, joint], added, (place, float(times[frame])), added=True)


class _Move:
    """Places of a source, as a piece of a motion has them: sampled at its frames, turned and moved on the floor."""

    def __init__(self, at: Array, turn: Array, shift: Array) -> None:
        self.at, self.turn, self.shift = at, turn, shift

    def __call__(self, track: Array) -> Array:
        """Return places (K, 3) from the source's (T, 3)."""
        moved: Array = quaternion.rotate(self.turn, _sampled(track, self.at)) + self.shift
        return moved


def _placement(seen: Observed, piece: Piece) -> _Move:
    """Return how a source lies in a motion: the medians over a piece, which no fault in a part of it changes."""
    at = np.round(piece.at).astype(int)
    angles: Array = _own(heading(seen), piece) - heading(piece.source)[at]
    middle = np.arctan2(np.sin(angles).mean(), np.cos(angles).mean())
    middle += np.median(quaternion.within_half_turn(angles - middle))
    turn = quaternion.about_up(middle)
    move = _Move(piece.at, turn, np.zeros(3))
    return _Move(piece.at, turn, np.median(_own(seen.root, piece) - move(piece.source.root), axis=0))


_Frames = TypeVar("_Frames", Array, Flags)


def _own(values: _Frames, piece: Piece) -> _Frames:
    """Return the frames of a motion that a piece holds."""
    return values[piece.first : piece.stop]


def _sampled(track: Array, at: Array) -> Array:
    """Return (K, 3) places between frames of a track (T, 3)."""
    whole = np.round(at).astype(int)
    if np.array_equal(whole, at) or len(track) < 4:
        frames: Array = track[whole]
        return frames
    from scipy.interpolate import CubicSpline  # slow to import

    found: Array = CubicSpline(np.arange(len(track)), track)(at)
    return found


def _turns(rotations: Array, at: Array) -> Array:
    """Return (K, J, 4) rotations between frames of (T, J, 4)."""
    low = np.minimum(np.floor(at).astype(int), len(rotations) - 1)
    high = np.minimum(low + 1, len(rotations) - 1)
    return quaternion.slerp(rotations[low], rotations[high], (at - low)[:, None])
