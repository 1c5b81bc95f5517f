"""Preview one dancer: the course of a plan as a motion of the figure, without dynamics."""

from __future__ import annotations

from typing import TypedDict, Unpack

import numpy as np

from segue.body.figure import Figure, Poses
from segue.checks import number
from segue.curves import quaternion
from segue.dance.course.course import Course
from segue.dance.notation.model import Part
from segue.dance.patterns import DanceLibrary
from segue.dance.patterns.program import Dances
from segue.dance.planning.model import Plan, Tempo
from segue.dance.planning.planner import plan
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.typing import Array

FPS = 120.0
"""Frames per second of a preview by default: enough for feet to keep to the floor between frames."""

_SLOWEST = 24.0


class DanceOptions(TypedDict, total=False):
    """Options of `preview`, with the meaning that they have for `plan`."""

    figure: Figure | None
    part: Part | str | None
    tempo: Tempo | str | float | None
    repeat: int
    bars: int | None
    library: DanceLibrary | None


def preview(dances: Dances | Plan, *, fps: float = FPS, **options: Unpack[DanceOptions]) -> Motion:
    """Return patterns, or a plan, danced by one figure without dynamics, from the plan's start to its end.

    Feet stand, leave, land and roll as planned. The centre of mass keeps its balance over them, as high as the legs
    reach. Head, trunk and arms pass through their goals. `simulate` follows the same course. fps: frames per second,
    at least 24. options: figure, part, tempo, repeat, bars and library, see `plan`; a plan has them already.
    """
    if isinstance(dances, Plan):
        if options:
            raise ArgumentError(f"{next(iter(options))} was given with a plan, which has it already: leave it out")
        made = dances
    else:
        made = plan(dances, **options)
    times = frame_times(made, fps)
    return Motion.from_poses(made.figure, continuous(Course.of(made).poses(times)), fps)


def frame_times(plan: Plan, fps: float) -> Array:
    """Return the times of a preview's frames in s, from 0 to the first frame at or after the end of the plan."""
    number("fps", fps, least=_SLOWEST, needed=f"a preview needs at least {_SLOWEST:g} frames a second")
    return np.arange(int(np.ceil(plan.stop * fps - 1e-9)) + 1) / fps


def continuous(poses: Poses) -> Poses:
    """Return poses whose quaternions are continuous in sign."""
    return Poses(poses.root, quaternion.make_continuous(poses.balls), poses.hinges)
