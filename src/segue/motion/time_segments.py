"""Time segments of a motion: between two edges of any track, one function defines each track.

The tracks that one function defines are evaluated at once, as a state of the whole figure.
"""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple

import numpy as np

from segue.errors import ArgumentError
from segue.motion._state_kernels import copy_tracks, rest_tracks, segment_runs
from segue.motion.functions import Function
from segue.motion.interval import TINY, Interval
from segue.motion.track_table import TrackTable
from segue.motion.tracks import TRACKS, State, describe
from segue.typing import Array, Flags

_NAMES = tuple(TRACKS)

ALL: Flags = np.ones(len(TRACKS), dtype=bool)
"""All tracks."""
_NO_TRACKS: Flags = ~ALL


class ActiveFunctions(NamedTuple):
    """The functions that define the tracks in a time segment.

    Tracks are counted in the order of `TRACKS`; masks are (28,). functions: each with the tracks that it defines.
    undefined: the tracks without a function. conflicts: the tracks with more than one. full_body: the function that
    defines all tracks, if one does.
    """

    functions: list[tuple[Function, Flags]]
    undefined: Flags
    conflicts: list[tuple[int, Interval]]
    full_body: Function | None

    def check(self, wanted: Flags, time: float) -> None:
        """Raise ArgumentError if a wanted track is undefined, at a time, or in conflict."""
        if self.full_body is not None:
            return
        missing = wanted & self.undefined
        if missing.any():
            track = describe(_NAMES[int(np.argmax(missing))])
            raise ArgumentError(f"{track} is undefined at {time:g} s: fill the gap, or add a motion that defines it")
        for k, interval in self.conflicts:
            if wanted[k]:
                raise ArgumentError(
                    f"{describe(_NAMES[k])} is in conflict from {interval.start:g} to {interval.stop:g} s: "
                    f"{len(interval.functions)} motions define it; resolve it with override or blend"
                )

    def state(self, wanted: Flags, times: Array) -> State | None:
        """Return the state of the wanted tracks at some times if one function defines them all, else None."""
        able = (function for function, defined in self.functions if not (wanted & ~defined).any())
        function = self.full_body or next(able, None)
        if function is None:
            return None
        state = function.state(times)
        if wanted is not ALL:
            rest_tracks(state.parts, wanted)
        return state

    def write(self, wanted: Flags, times: Array, first: int, out: State) -> None:
        """Write the wanted tracks at some times into a state, from its time number `first` on."""
        for function, defined in self.functions:
            chosen = wanted & defined
            if chosen.any():
                copy_tracks(function.state(times).parts, first, chosen, out.parts)


Run = tuple[slice, float, ActiveFunctions]
"""Successive times with the same active functions: which of the times, and one time at which the functions hold."""


class TimeSegments:
    """The time segments of a motion's tracks. The active functions of a segment are found when first needed."""

    def __init__(self, tracks: TrackTable) -> None:
        if tracks.is_full_body and len(tracks.unique_tracks) == 1:
            self._tracks = [(tracks.unique_tracks[0], ALL)]
        else:
            masks = [[tracks.get(name) is track for name in TRACKS] for track in tracks.unique_tracks]
            self._tracks = list(zip(tracks.unique_tracks, map(np.array, masks), strict=True))
        edges: list[float] = []
        for edge in sorted({edge for track, _ in self._tracks for part in track for edge in (part.start, part.stop)}):
            if not edges or edge - edges[-1] > TINY:
                edges.append(edge)
        self._edges = np.array(edges)
        self._found: dict[int, ActiveFunctions] = {}
        self._known: dict[tuple[int, ...], ActiveFunctions] = {}

    def state(self, times: Array, wanted: Flags) -> State:
        """Return the state of the wanted tracks at some times; the others are zero and at rest."""
        runs = self.runs(times)
        for chosen, _, active in runs:
            active.check(wanted, float(times[chosen.start]))
        if len(runs) == 1 and (state := runs[0][2].state(wanted, times)):
            return state
        if wanted is ALL:
            functions = [(active.full_body, times[chosen]) for chosen, _, active in runs]
            if all(function for function, _ in functions):
                return State.joined([function.state(own) for function, own in functions if function])
        out = State.still(len(times))
        for chosen, _, active in runs:
            active.write(wanted, times[chosen], chosen.start, out)
        return out

    def runs(self, times: Array) -> list[Run]:
        """Return the times as runs, in their order, each with the same active functions."""
        runs: list[Run] = []
        for first, last, segment in segment_runs(self._edges, times, TINY).tolist():
            active = self._active(segment)
            if runs and runs[-1][2] is active:
                runs[-1] = (slice(runs[-1][0].start, last), *runs[-1][1:])
            else:
                runs.append((slice(first, last), self._sample_time(segment), active))
        return runs

    def _sample_time(self, segment: int) -> float:
        """Return a time in a segment, counted as in `segment_runs`: an edge, or midway between two."""
        k, inside = divmod(segment, 2)
        if k < 0 or k + inside >= len(self._edges):
            return -np.inf if k < 0 else np.inf
        return float(0.5 * (self._edges[k] + self._edges[k + 1]) if inside else self._edges[k])

    def _active(self, segment: int) -> ActiveFunctions:
        if segment not in self._found:
            time = self._sample_time(segment)
            intervals = [track.at(time) for track, _ in self._tracks]
            # mostly the functions at an edge are those after it
            functions = tuple([id(part and part.functions) for part in intervals])
            if functions not in self._known:
                self._known[functions] = _active_functions(
                    [(part, mask) for part, (_, mask) in zip(intervals, self._tracks, strict=True)]
                )
            self._found[segment] = self._known[functions]
        return self._found[segment]


def _active_functions(intervals: list[tuple[Interval | None, Flags]]) -> ActiveFunctions:
    """Return the functions of intervals, each with the mask of the tracks that share it."""
    if len(intervals) == 1 and intervals[0][1] is ALL:  # the usual case: all tracks share the interval
        only = intervals[0][0]
        if only is not None and not only.is_conflict:
            return ActiveFunctions([(only.functions[0], ALL)], _NO_TRACKS, [], only.functions[0])
    functions: list[tuple[Function, Flags]] = []
    conflicts: list[tuple[int, Interval]] = []
    defined = np.zeros(len(TRACKS), dtype=bool)
    for interval, tracks in intervals:
        if interval is None:
            continue
        defined |= tracks
        if interval.is_conflict:
            conflicts += [(k, interval) for k in np.flatnonzero(tracks).tolist()]
            continue
        same = next((mask for function, mask in functions if function == interval.functions[0]), None)
        if same is None:
            functions.append((interval.functions[0], tracks.copy()))
        else:
            same |= tracks
    full_body = functions[0][0] if len(functions) == 1 and functions[0][1].all() else None
    return ActiveFunctions(functions, ~defined, sorted(conflicts, key=itemgetter(0)), full_body)
