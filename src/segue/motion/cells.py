"""Cells of time: between two edges of any track, each track is ruled by one function, and many by one source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from segue.body.layout import mirror_name
from segue.errors import ArgumentError
from segue.motion._state_kernels import copy_tracks, place_runs, rest_tracks
from segue.motion.coverage import describe
from segue.motion.functions import Curve, Function, View
from segue.motion.interval import TINY, Interval
from segue.motion.state import State
from segue.motion.track_table import TrackTable
from segue.motion.tracks import TRACKS
from segue.typing import Array, Flags

_NAMES = tuple(TRACKS)
_MIRRORED = tuple(mirror_name(name) for name in TRACKS)
_NONE = np.zeros(len(TRACKS), dtype=bool)

ALL: Flags = ~_NONE
"""All tracks."""


class Rule(NamedTuple):
    """Which functions rule: whole views of sources with the tracks they give, single functions, and what is wrong.

    Tracks are counted in the order of `TRACKS`; masks are (28,). whole: the view that gives all tracks, if one does.
    """

    views: list[tuple[View, Flags]]
    singles: list[tuple[int, Function]]
    undefined: Flags
    conflicts: list[tuple[int, Interval]]
    whole: View | None = None

    def check(self, wanted: Flags, time: float) -> None:
        """Raise ArgumentError where a wanted track is undefined, at a time, or in conflict."""
        if self.whole is not None:
            return
        missing = wanted & self.undefined
        if missing.any():
            raise undefined_error(_NAMES[int(np.argmax(missing))], time)
        for k, interval in self.conflicts:
            if wanted[k]:
                only_function(_NAMES[k], interval)

    def state(self, wanted: Flags, times: Array) -> State | None:
        """Return the state of the wanted tracks at some times if one view gives them all, else None."""
        whole = self.whole or next((view for view, given in self.views if not (wanted & ~given).any()), None)
        if whole is None:
            return None
        state = whole.state(times)
        if wanted is not ALL:
            rest_tracks(state.parts, wanted)
        return state

    def write(self, wanted: Flags, times: Array, first: int, out: State) -> None:
        """Write the wanted tracks at some times into a state, from its time number `first` on."""
        for view, given in self.views:
            chosen = wanted & given
            if chosen.any():
                copy_tracks(view.state(times).parts, first, chosen, out.parts)
        for k, function in self.singles:
            if wanted[k]:
                for part, values in zip(out.of(_NAMES[k]), function.sample(times), strict=True):
                    part[first : first + len(times)] = values


class Run(NamedTuple):
    """Successive times, counted from `first` to `last` - 1, under one rule; `probe` is a time at which it rules."""

    first: int
    last: int
    probe: float
    rule: Rule


class Cells:
    """The cells of a motion's tracks; rules are worked out when first needed."""

    def __init__(self, tracks: TrackTable) -> None:
        self._tracks = tracks
        found = {edge for track in tracks.different for part in track for edge in (part.start, part.stop)}
        edges: list[float] = []
        for edge in sorted(found):
            if not edges or edge - edges[-1] > TINY:
                edges.append(edge)
        self._edges = np.array(edges)
        self._rules: dict[int, Rule] = {}
        self._known: dict[tuple[int, ...], Rule] = {}

    def state(self, times: Array, wanted: Flags) -> State:
        """Return the state of the wanted tracks at some times; the others are zero and at rest."""
        runs = self.runs(times)
        for run in runs:
            run.rule.check(wanted, times[run.first])
        if len(runs) == 1 and (state := runs[0].rule.state(wanted, times)):
            return state
        if wanted is ALL and all(run.rule.whole for run in runs):
            return State.joined([run.rule.whole.state(times[run.first : run.last]) for run in runs if run.rule.whole])
        out = State.still(len(times))
        for run in runs:
            run.rule.write(wanted, times[run.first : run.last], run.first, out)
        return out

    def runs(self, times: Array) -> list[Run]:
        """Return the times as runs, in their order, each within one rule."""
        runs: list[Run] = []
        for first, last, place in place_runs(self._edges, times, TINY).tolist():
            rule = self._rule(place)
            if runs and runs[-1].rule is rule:
                runs[-1] = runs[-1]._replace(last=last)
            else:
                runs.append(Run(first, last, self._probe(place), rule))
        return runs

    def _probe(self, place: int) -> float:
        """Return a time at a place, counted as in `place_runs`: an edge, or midway between two."""
        k, inside = divmod(place, 2)
        if k < 0 or k + inside >= len(self._edges):
            return -np.inf if k < 0 else np.inf
        return float(0.5 * (self._edges[k] + self._edges[k + 1]) if inside else self._edges[k])

    def _rule(self, place: int) -> Rule:
        if place not in self._rules:
            time, model = self._probe(place), self._tracks.model
            intervals = [track.at(time) for track in self._tracks.different]
            # at an edge mostly the same functions rule as after it
            functions = tuple([id(part and part.functions) for part in intervals])
            if functions not in self._known:
                self._known[functions] = (
                    _rule_alike(intervals[0])
                    if model is not None
                    else _rule(dict(zip(self._tracks, intervals, strict=True)))
                )
            self._rules[place] = self._known[functions]
        return self._rules[place]


def _rule_alike(interval: Interval | None) -> Rule:
    """Return the rule where all tracks are as one interval says, if there is any."""
    if interval is None:
        return Rule([], [], ALL, [])
    if interval.is_conflict:
        return Rule([], [], _NONE, [(k, interval) for k in range(len(_NAMES))])
    function = interval.functions[0]
    if isinstance(function, Curve):
        return Rule([(function.view, ALL)], [], _NONE, [], function.view)
    return Rule([], [(k, function.on(name)) for k, name in enumerate(_NAMES)], _NONE, [])


def _rule(intervals: Mapping[str, Interval | None]) -> Rule:
    """Return the rule where each track is as its own interval says."""
    rule = Rule([], [], np.zeros(len(_NAMES), dtype=bool), [])
    for k, name in enumerate(_NAMES):
        interval = intervals.get(name)
        if interval is None:
            rule.undefined[k] = True
        elif interval.is_conflict:
            rule.conflicts.append((k, interval))
        else:
            function = interval.functions[0]
            if isinstance(function, Curve) and function.track == (_MIRRORED if function.mirror else _NAMES)[k]:
                _view_mask(rule.views, function)[k] = True
            else:
                rule.singles.append((k, function))
    if len(rule.views) == 1 and rule.views[0][1].all():
        return rule._replace(whole=rule.views[0][0])
    return rule


def _view_mask(views: list[tuple[View, Flags]], curve: Curve) -> Flags:
    """Return which tracks the curve's view gives, from a list of views to which it is added where it is new."""
    for view, mask in reversed(views):
        if (
            view.source is curve.source
            and view.time == curve.time
            and view.mirror == curve.mirror
            and view.placement == curve.placement
        ):
            return mask
    views.append((curve.view, np.zeros(len(_NAMES), dtype=bool)))
    return views[-1][1]


def only_function(track: str, interval: Interval) -> Function:
    """Return an interval's one function, or raise ArgumentError where it has more."""
    if interval.is_conflict:
        raise ArgumentError(
            f"{describe(track)} is in conflict from {interval.start:g} to {interval.stop:g} s: "
            f"{len(interval.functions)} motions define it; resolve it with prefer or blend"
        )
    return interval.functions[0]


def undefined_error(track: str, time: float) -> ArgumentError:
    """Return the error for a track that is undefined at a time."""
    return ArgumentError(f"{describe(track)} is undefined at {time:g} s: fill the gap, or add a motion that defines it")
