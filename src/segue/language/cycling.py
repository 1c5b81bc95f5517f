"""Functions that make loops: make_loop, repeat and find_loops."""

from __future__ import annotations

from segue.cycle import find_loops, loop_of, make_loop, repeat
from segue.language.filling import GROUND, ground_of
from segue.language.signature import MOTION, NUMBER, Context, Function, Parameter
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
