"""Functions that make cycles: cyclify, repeat and find_cycles."""

from __future__ import annotations

from segue.cycle import cycle_of, cyclify, find_cycles, repeat
from segue.language.signature import MOTION, NUMBER, Context, Function, Parameter
from segue.motion.motion import Motion


def _cyclify(context: Context, motion: Motion, start: float | None, stop: float | None) -> Motion:
    context.budget.comparing(motion, context.place)
    made = cyclify(motion, start, stop)
    context.say(cycle_of(made).describe())
    return made


def _repeat(context: Context, cycle: Motion, count: float | None, duration: float | None, phase: float) -> Motion:
    return repeat(cycle, count, duration=duration, phase=phase)


def _find_cycles(context: Context, motion: Motion) -> tuple[tuple[float, float, float], ...]:
    context.budget.comparing(motion, context.place)
    return tuple((round(found.start, 3), round(found.stop, 3), round(found.score, 3)) for found in find_cycles(motion))


CYCLING = (
    Function(
        "cyclify",
        (Parameter("motion", MOTION), Parameter("start", NUMBER, None), Parameter("stop", NUMBER, None)),
        _cyclify,
        "One period of a cycle without a seam. start, stop: about where it begins and ends; the best one if not given.",
        "cyclify(clips.walk, 0.2, 1.3)",
    ),
    Function(
        "repeat",
        (
            Parameter("cycle", MOTION),
            Parameter("count", NUMBER, None),
            Parameter("duration", NUMBER, None),
            Parameter("phase", NUMBER, 0.0),
        ),
        _repeat,
        "A cycle count times, such as 2.5, or for duration seconds; phase: where in the period to begin, 0 to 1.",
        "repeat(cyclify(clips.walk), 2.5)",
    ),
    Function(
        "find_cycles",
        (Parameter("motion", MOTION),),
        _find_cycles,
        "Where the motion comes back to itself: a list of [start, stop, score], best first; a score of 0 is perfect.",
        "find_cycles(clips.walk)",
    ),
)
"""The functions, in the order in which help lists them."""
