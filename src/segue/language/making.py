"""Functions that make motions: make_loop, repeat and find_loops; dance."""

from __future__ import annotations

from segue.body.figure import Figure
from segue.cycle import find_loops, loop_of, make_loop, repeat
from segue.dance.patterns import SHIPPED, SUFFIX, DanceLibrary
from segue.dance.performance.solo import FPS, preview
from segue.dance.planning.planner import plan as make_plan
from segue.errors import ArgumentError
from segue.language.filling import GROUND, ground_of
from segue.language.signature import MOTION, NUMBER, TEXT, Context, Function, Kind, Parameter
from segue.language.values import Value
from segue.motion.ground import AUTO
from segue.motion.motion import Motion


def _make_loop(
    context: Context, motion: Motion, start: float | None, stop: float | None, ground: float | str
) -> Motion:
    context.budget.comparing(motion, context.place)
    made = make_loop(motion, start, stop, ground=ground_of(ground, context.workspace))
    context.say(loop_of(made).describe())
    return made


def _repeat(context: Context, cycle: Motion, count: float | None, duration: float | None, phase: float) -> Motion:
    return repeat(cycle, count, duration=duration, phase=phase)


def _find_loops(context: Context, motion: Motion) -> tuple[tuple[float, float, float], ...]:
    context.budget.comparing(motion, context.place)
    return tuple((round(found.start, 3), round(found.stop, 3), round(found.score, 3)) for found in find_loops(motion))


LOOPING = (
    Function(
        "make_loop",
        (
            Parameter("motion", MOTION),
            Parameter("start", NUMBER, None, unit="s"),
            Parameter("stop", NUMBER, None, unit="s"),
            Parameter("ground", GROUND, AUTO, choices=(AUTO,), unit="m", usual=(-1, 1)),
        ),
        _make_loop,
        "One period of a loop without a seam. start, stop: about where it begins and ends; the best one if not given.",
        "make_loop(clips.walk, 0.2, 1.3)",
    ),
    Function(
        "repeat",
        (
            Parameter("cycle", MOTION),
            Parameter("count", NUMBER, None, usual=(1, 12)),
            Parameter("duration", NUMBER, None, unit="s", usual=(0.5, 30)),
            Parameter("phase", NUMBER, 0.0, usual=(0, 1)),
        ),
        _repeat,
        "A loop count times, such as 2.5, or for duration seconds; phase: where in the period to begin, 0 to 1.",
        "repeat(make_loop(clips.walk), 2.5)",
    ),
    Function(
        "find_loops",
        (Parameter("motion", MOTION),),
        _find_loops,
        "Times at which the motion returns to itself: a list of [start, stop, score], best first; score 0 is perfect.",
        "find_loops(clips.walk)",
    ),
)
"""The functions, in the order in which help lists them."""


def _dance(
    context: Context,
    pattern: str | tuple[str, ...],
    tempo: float | str | None,
    repeat: float,
    part: str,
    stature: float,
) -> Motion:
    names = pattern if isinstance(pattern, tuple) else (pattern,)
    listed = [context.workspace.to_open(name) if name.lower().endswith(SUFFIX) else name for name in names]
    if repeat != int(repeat):
        raise ArgumentError(f"repeat is {repeat:g}: it must be a whole number, 1 or more")
    plan = make_plan(
        listed,
        part=part,
        tempo=tempo,
        repeat=int(repeat),
        figure=Figure.standard(stature),
        # scripts can read their own folder and Segue's own files only
        library=DanceLibrary(SHIPPED),
    )
    context.budget.writing(plan.stop * FPS, context.place)
    return preview(plan)


def _titles() -> list[str]:
    return [entry.title for entry in DanceLibrary(SHIPPED).entries()]


def _are_texts(value: Value) -> bool:
    return isinstance(value, str) or (
        isinstance(value, tuple) and len(value) > 0 and all(isinstance(item, str) for item in value)
    )


_PATTERN = Kind("a pattern's name in quotes, or a list of them", _are_texts)
_TEMPO = Kind('bars a minute, or a text such as "120bpm"', lambda value: isinstance(value, float | str))

DANCING = (
    Function(
        "dance",
        (
            Parameter("pattern", _PATTERN, choices=_titles),
            Parameter("tempo", _TEMPO, None, usual=(20, 60)),
            Parameter("repeat", NUMBER, 1.0, usual=(1, 8)),
            Parameter("part", TEXT, "leader", choices=("leader", "follower")),
            Parameter("stature", NUMBER, 1.75, unit="m", usual=(1.4, 2.1)),
        ),
        _dance,
        "A ballroom pattern, or a list of them, danced on the beat: names, or files that end in .dance. tempo: bars a "
        'minute, or as "120bpm"; part: leader or follower.',
        'dance("foxtrot/forward basic")',
    ),
)
"""The function `dance`."""
