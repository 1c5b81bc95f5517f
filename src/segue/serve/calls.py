"""Calls on arrays: what programs such as Blender ask for, one function each.

A call has a name, arguments as a JSON object, and arrays. `answer` checks them, runs the call and returns a value with
arrays. `array_clips` describes how clips are sent. Times are frames of the clips that were sent, counted from 0.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from segue.checks import hint, shown
from segue.cycle import loop_of, make_loop, repeat
from segue.errors import ArgumentError, SegueWarning
from segue.filling import Options, fill, transition
from segue.filling.cutting import check_pair, cut_times
from segue.keyframe import Key, inbetween, inbetween_report
from segue.keyframe.improvement import State
from segue.motion.contacts import Contact
from segue.motion.motion import Motion
from segue.motion.planting import foot_contacts, plant_feet
from segue.motion.retarget import frames_at
from segue.plausibility import Severity, check
from segue.serve.array_clips import (
    Answer,
    Arrays,
    Cancelled,
    ClipShape,
    GivenClip,
    Progress,
    frames_of,
    read_clip,
    whole_frames,
)
from segue.serve.call_arguments import Check, Fill, HeldPoint, Improve, Loop, Plant, Recognise, Transition, Warm
from segue.serve.dance_calls import Dance, Patterns, dance, patterns
from segue.serve.file_calls import ReadFile, WriteFile, read_file, write_file
from segue.serve.messages import read_arguments

OWN, FIRST, SECOND = 0, 1, 2
"""Sources of a frame: computed, a frame of the first clip, a frame of the second clip."""

_ROUNDING = 1e-9  # by which frames at seams may differ from those of their clip


@dataclass(frozen=True, eq=False)
class Running:
    """The arrays and controls of a running call. stop: set to 1 to end solves early."""

    arrays: Arrays
    progress: Progress
    stop: npt.NDArray[np.int64]

    def clip(self, clips: tuple[ClipShape, ...], number: int = 0) -> GivenClip:
        """Return a clip that was sent, fitted."""
        if number >= len(clips):
            raise ArgumentError(f"the call has {len(clips)} clips: {number + 1} are needed")
        given = read_clip(clips[number], self.arrays, number)
        self.progress(0, 1)
        given.motion.fit()
        return given


def recognise_clip(asked: Recognise, run: Running) -> Answer:
    """Return roles with their joints, the family, the stature in m, notes, and contacts of the feet."""
    given = read_clip(asked.clips[0] if asked.clips else _missing(), run.arrays, 0)
    source = given.motion.clip_source
    roles = source.roles
    joints: dict[str, list[int]] = {
        "pelvis": [roles.pelvis],
        "spine": list(roles.spine),
        "neck": list(roles.neck),
        "head": [roles.head],
    } | {role: [joint] for role, joint in roles.limbs().items()}
    value = {
        "roles": {role: [source.skeleton.names[j] for j in listed] for role, listed in joints.items()},
        "family": roles.family,
        "stature": source.space.stature,
        "notes": list(given.motion.notes),
        "contacts": _contacts(given),
    }
    return value, {}


def make_transition(asked: Transition, run: Running) -> Answer:
    """Return the frames of both clips with the transition between them, and where each frame comes from."""
    first, second = run.clip(asked.clips, 0), run.clip(asked.clips, 1)
    fps = first.clip.fps
    if second.clip.fps != fps:
        raise ArgumentError(f"the clips have {fps:g} and {second.clip.fps:g} frames a second: sample both at one rate")
    options = Options(stop=run.stop)
    check_pair(first.motion, second.motion, asked.mode)
    seconds: float | str = asked.duration / fps if asked.duration > 0 else "auto"
    leave = None if asked.leave is None else first.time(asked.leave)
    enter = None if asked.enter is None else second.time(asked.enter)
    length, left, entered = cut_times(first.motion, second.motion, seconds, leave, enter, asked.mode, options)
    assert not isinstance(left, str)
    assert not isinstance(entered, str)
    run.progress(1, 2)
    if isinstance(length, str):
        found = transition(first.motion, second.motion, leave=left, enter=entered, duration=length, mode=asked.mode)
        length = found.fills[0].stop - found.fills[0].start
    # whole frames: then every frame of the second clip is kept as it is
    count = whole_frames(length * fps, 2)
    left, entered = whole_frames(left * fps) / fps, whole_frames(entered * fps) / fps
    joined = transition(
        first.motion, second.motion, count / fps, leave=left, enter=entered, mode=asked.mode, options=options
    )
    _check_stop(run)
    made = joined.to_clip()
    times = joined.times
    ends = left + count / fps
    kind = np.where(times <= left + 1e-6, FIRST, np.where(times >= ends - 1e-6, SECOND, OWN)).astype(np.uint8)
    came = np.round(times * fps).astype(np.int32) + first.skipped
    came[kind == SECOND] += second.frame(entered - ends) - first.skipped
    came[kind == OWN] = -1
    positions, rotations = np.array(made.positions), np.array(made.rotations)
    kept, later = kind == FIRST, np.ix_(kind == SECOND, np.array(second.clip.parents) >= 0)
    positions[kept], rotations[kept] = first.clip.positions[came[kept]], first.clip.rotations[came[kept]]
    if second.clip.skeleton == first.clip.skeleton:
        source = np.ix_(came[kind == SECOND], np.array(second.clip.parents) >= 0)
        positions[later], rotations[later] = second.clip.positions[source], second.clip.rotations[source]
    report = joined.fills[0]
    value = {
        "leave": first.frame(left),
        "enter": second.frame(entered),
        "duration": count,
        "notes": [*report.notes],
        "report": report.to_dict(),
        "fps": fps,
    }
    return value, {"positions0": positions, "rotations0": rotations, "kind": kind, "frame": came}


def fill_frames(asked: Fill, run: Running) -> Answer:
    """Return all frames of the clip with some filled; value: the joints that changed."""
    given = run.clip(asked.clips)
    tracks = given.tracks(asked.joints)
    options = Options(
        stop=run.stop,
        supports=dict(asked.supports),
        variant=asked.variant - 1 if asked.variant else None,
        use_own_frames=True if asked.variant else None,
    )
    made = fill(given.motion, [(given.time(asked.start), given.time(asked.stop))], tracks, options=options)
    _check_stop(run)
    report = made.fills[0]
    if tracks is not None:
        # joints of other tracks are as they were, but for rounding
        moved = given.motion.clip_source.retargeter.joints_of_track
        allowed = [j for track in tracks for j in moved.get(track, ())]
    else:
        allowed = list(range(len(given.clip.names)))
    return _changed(given, made, allowed, {"notes": list(report.notes), "report": report.to_dict()})


def loop_clip(asked: Loop, run: Running) -> Answer:
    """Return frames of one or more periods, and the frame of their very end, at which the first pose comes back.

    The last row of the arrays is that end. `period` is in frames and rarely whole.
    """
    given = run.clip(asked.clips)
    start = None if asked.start is None else given.time(asked.start)
    stop = None if asked.stop is None else given.time(asked.stop)
    made = make_loop(given.motion, start, stop, straight=asked.straight)
    run.progress(1, 2)
    cycle = loop_of(made)
    count = max(asked.count, 1)
    lasting = repeat(made, count) if count > 1 else made
    fps, lasts = given.clip.fps, cycle.period * count
    times = np.arange(int(np.floor(lasts * fps - 1e-3)) + 1) / fps
    times = np.append(times, lasts)
    frames = frames_at(lasting, times, fps)
    value = {
        "period": cycle.period * fps,
        "start": cycle.seam.start * fps + given.skipped,
        "stop": cycle.seam.stop * fps + given.skipped,
        "turn": cycle.travel.turn,
        "score": cycle.seam.score,
        "notes": [cycle.describe()],
    }
    return value, frames_of(frames) | {"times": times * fps}


def check_clip(asked: Check, run: Running) -> Answer:
    """Return findings that are suspicious or faults, each with its frame, worst first, and all slides of feet."""
    given = run.clip(asked.clips)
    report = check(given.motion)
    found = sorted((each for each in report.findings if each.severity > Severity.FINE), key=lambda each: each.badness)
    findings = [
        {
            "severity": str(each.severity),
            "measure": each.measure,
            "sentence": str(each),
            "frame": None if each.time is None else given.frame(each.time),
        }
        for each in reversed(found)
    ]
    feet = [
        {
            "point": foot.point,
            "start": given.frame(foot.start),
            "stop": given.frame(foot.stop),
            "slide": foot.slide,
        }
        for foot in report.measures.slide.planted
    ]
    return {"severity": str(report.severity), "findings": findings, "feet": feet}, {}


def improve_keyframes(asked: Improve, run: Running) -> Answer:
    """Return all frames of the clip, with better ones between the keyframes, which stay as they are."""
    given = run.clip(asked.clips)
    frames = sorted({whole_frames(frame) for frame in asked.frames})
    if len(frames) < 2:
        raise ArgumentError(f"{len(frames)} keyframes are given: at least two different frames are needed")

    def on_step(state: State) -> bool:
        run.progress(0, 1)
        return bool(run.stop[0])

    better = inbetween([Key.from_motion(given.motion, given.time(frame)) for frame in frames], on_step=on_step)
    _check_stop(run)
    told = inbetween_report(better)
    between = np.arange(frames[0], frames[-1] + 1)
    inner = frames_at(better, np.array([given.time(int(frame)) for frame in between]), given.clip.fps)
    positions, rotations = np.array(given.clip.positions), np.array(given.clip.rotations)
    moved = ~np.isin(between, frames)
    positions[between[moved]], rotations[between[moved]] = inner.positions[moved], inner.rotations[moved]
    kind = np.full(len(positions), FIRST, dtype=np.uint8)
    kind[between[moved]] = OWN
    value = {"before": sum(told.before.values()), "after": sum(told.after.values()), "joints": list(given.clip.names)}
    return value, {"positions0": positions, "rotations0": rotations, "kind": kind}


def plant_clip(asked: Plant, run: Running) -> Answer:
    """Return all frames of the clip with feet that stay, and how far each contact strays, before and after, in m."""
    given = run.clip(asked.clips)
    held = None if asked.contacts is None else [_held(given, each) for each in asked.contacts]
    made = plant_feet(given.motion, held, ease=asked.ease / given.clip.fps)
    positions, rotations = np.array(given.clip.positions), np.array(given.clip.rotations)
    positions[given.skipped :], rotations[given.skipped :] = made.clip.positions, made.clip.rotations
    contacts = [
        {"point": each.point, "start": given.frame(each.start), "stop": given.frame(each.stop)}
        for each in made.contacts
    ]
    value = {"contacts": contacts, "before": list(made.before), "after": list(made.after), "sunk": made.sunk}
    return _sent(given, positions, rotations, value)


def warm(asked: Warm, run: Running) -> Answer:
    """Load what transitions, fills, loops, checks and planted feet need."""
    from segue import clips

    walk = clips.walk
    tours: tuple[Callable[[], object], ...] = (
        lambda: Motion.from_clip(walk.to_clip(), scale=1.0, up="Y").fit(),
        lambda: transition(walk, clips.run, 0.4).to_clip(),
        lambda: fill(walk, [(1.0, 1.3)], "right_arm"),
        lambda: make_loop(walk),
        lambda: check(walk),
    )
    for done, tour in enumerate(tours):
        run.progress(done, len(tours))
        tour()
    run.progress(len(tours), len(tours))
    return {}, {}


def _held(given: GivenClip, point: HeldPoint) -> Contact:
    """Return a contact at the median of where its point is while it is held."""
    from segue.motion.contacts import foot_points

    source = given.motion.clip_source
    known = foot_points(source.clip, source.roles, source.space)
    if point.point not in known:
        raise ArgumentError(f"'{point.point}' cannot be planted: the skeleton has {', '.join(known)}")
    first, last = (whole_frames(frame) - given.skipped for frame in (point.start, point.stop))
    inside = known[point.point][max(first, 0) : last + 1]
    if last < first or len(inside) == 0:
        raise ArgumentError(f"the contact of {point.point} from frame {point.start:g} to {point.stop:g} has no frame")
    return Contact(point.point, given.time(point.start), given.time(point.stop), np.median(inside, axis=0))


def _contacts(given: GivenClip) -> list[dict[str, Any]]:
    return [
        {"point": each.point, "start": given.frame(each.start), "stop": given.frame(each.stop)}
        for each in foot_contacts(given.motion)
    ]


def _changed(given: GivenClip, motion: Motion, joints: list[int], value: dict[str, Any]) -> Answer:
    """Return all frames of a motion that has as many as its clip; joints: those that may differ."""
    made = motion.to_clip()
    positions, rotations = np.array(given.clip.positions), np.array(given.clip.rotations)
    positions[given.skipped :, joints] = made.positions[:, joints]
    rotations[given.skipped :, joints] = made.rotations[:, joints]
    return _sent(given, positions, rotations, value)


def _sent(given: GivenClip, positions: npt.NDArray[Any], rotations: npt.NDArray[Any], value: dict[str, Any]) -> Answer:
    own, placed = given.clip.rotations, given.clip.positions
    turned = np.minimum(np.abs(rotations - own).max(axis=2), np.abs(rotations + own).max(axis=2))
    differs = np.maximum(turned, np.abs(positions - placed).max(axis=2))
    apart = differs > _ROUNDING
    rotations[~apart], positions[~apart] = own[~apart], placed[~apart]
    kind = np.where(apart.any(axis=1), OWN, FIRST).astype(np.uint8)
    names = [given.clip.names[j] for j in np.flatnonzero(apart.any(axis=0))]
    return value | {"joints": names}, {"positions0": positions, "rotations0": rotations, "kind": kind}


def _check_stop(run: Running) -> None:
    if run.stop[0]:
        raise Cancelled


def _missing() -> ClipShape:
    raise ArgumentError("the call has no clip: one is needed")


CALLS: Mapping[str, tuple[type, Callable[[Any, Any], Answer]]] = {
    "recognise": (Recognise, recognise_clip),
    "transition": (Transition, make_transition),
    "fill": (Fill, fill_frames),
    "loop": (Loop, loop_clip),
    "check": (Check, check_clip),
    "improve": (Improve, improve_keyframes),
    "plant": (Plant, plant_clip),
    "dance": (Dance, dance),
    "patterns": (Patterns, patterns),
    "read": (ReadFile, read_file),
    "write": (WriteFile, write_file),
    "warm": (Warm, warm),
}
"""The calls by name: the class of their arguments, and the function."""


def answer(
    name: str,
    arguments: Mapping[str, Any],
    arrays: Arrays,
    progress: Progress | None = None,
    stop: npt.NDArray[np.int64] | None = None,
) -> Answer:
    """Return the value and the arrays of a call; raise SegueError with one sentence, or Cancelled.

    progress: called from time to time; it may raise Cancelled. stop: an array of one number, which another thread sets
    to 1 to end the call early. Warnings of the call are listed as `warnings` of the value.
    """
    if name not in CALLS:
        raise ArgumentError(f"there is no call {shown(name)}: {hint(name, list(CALLS), 'there are')}")
    made, function = CALLS[name]
    asked = read_arguments(made, arguments, name)
    run = Running(arrays, progress or (lambda done, of: None), np.zeros(1, np.int64) if stop is None else stop)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SegueWarning)
        value, parts = function(asked, run)
    told = [str(each.message) for each in caught if issubclass(each.category, SegueWarning)]
    return {**value, "warnings": list(dict.fromkeys(told))}, parts
