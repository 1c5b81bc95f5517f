"""Where patterns take a dancer on the floor: from how they begin to how they end, and the way of the body between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from segue.body.figure import Figure
from segue.dance.notation.model import Pattern
from segue.dance.planning.feet import Point, local, other_foot
from segue.dance.planning.model import PLAIN, Footprint, Plan, Stance, Style, Tempo
from segue.dance.planning.plan import Course, course_of
from segue.typing import Array


@dataclass(frozen=True, eq=False)
class Travel:
    """A way over the floor.

    begins, ends: how the dancer stands. times: (N,) s from the plan's first moment, rising. way: (N, 3) x and z of the
    body's middle, in m, and its heading, unwrapped.
    """

    begins: Stance
    ends: Stance
    times: Array
    way: Array

    @property
    def displacement(self) -> tuple[float, float, float]:
        """How far it leads to the left, forward, and round to the left, as the dancer faces at first: m, m, rad."""
        start, stop = middle_of(self.begins), middle_of(self.ends)
        left, forward = local(stop, start, self.begins.heading)
        return left, forward, self.ends.heading - self.begins.heading


def travel_of(
    patterns: Sequence[Pattern],
    figure: Figure,
    *,
    tempo: Tempo | None = None,
    style: Style = PLAIN,
    begins: Stance | None = None,
    lead_in: float | None = None,
) -> Travel:
    """Return where patterns take a dancer, without planning every footstep; arguments as `plan` has them."""
    course = course_of(patterns, figure, tempo=tempo, style=style, begins=begins, lead_in=lead_in)
    knots = np.array(list(_knots(course)))
    kept = np.append(np.diff(knots[:, 0]) > 1e-9, True)
    return Travel(course.begins, course.moves[-1].stance, knots[kept, 0], knots[kept, 1:])


def body_way(plan: Plan) -> tuple[Array, Array]:
    """Return times (N,) of a plan's body goals, and x, z (m) and heading (rad) of the body then, (N, 3)."""
    feet = {"left": plan.begins.left, "right": plan.begins.right}
    waiting = sorted(plan.footsteps, key=lambda step: step.land)
    rows = []
    for goal in plan.body:
        while waiting and waiting[0].land <= goal.time + 1e-9:
            step = waiting.pop(0)
            feet[step.foot] = step.end
        x, z = _between(feet["left"], feet["right"], goal.weight)
        rows.append((goal.time, x, z, goal.heading))
    table = np.array(rows)
    return table[:, 0], table[:, 1:]


def middle_of(stance: Stance) -> Point:
    """Return the point of the floor midway between the feet."""
    return _between(stance.left, stance.right, 0.5)


def _knots(course: Course) -> Iterator[tuple[float, float, float, float]]:
    """Yield time, x, z and heading: as each foot leaves the body is over the other, as it lands between both."""
    yield (0.0, *middle_of(course.begins), course.begins.heading)
    heading = course.begins.heading
    for move, moment in zip(course.moves, course.times, strict=True):
        turning = move.turning
        if move.foot is None or move.landing is None:
            x, z = _between(move.end["left"], move.end["right"], 0.5)
        else:
            standing = move.start[other_foot(move.foot)]
            yield moment.lift, standing.x, standing.z, heading
            yield (moment.land, *_between(standing, move.landing, 0.5), turning.landed)
            x, z = (move.end[move.foot] if move.step.takes_weight else move.end[other_foot(move.foot)])[:2]
        heading = turning.released + turning.facing
        yield moment.release, x, z, heading
    last = course.moves[-1]
    yield (course.times[-1].stop, *middle_of(last.stance), last.turning.after)


def _between(one: Footprint, other: Footprint, share: float) -> Point:
    return one.x + share * (other.x - one.x), one.z + share * (other.z - one.z)
