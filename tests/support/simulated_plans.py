"""Plans of plain walking, side steps and a foxtrot basic, made by hand to be danced by simulated bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from segue.body.figure import Figure
from segue.curves import quaternion
from segue.dance.notation.model import Foot, FootPosition, Pattern, Step
from segue.dance.planning.model import (
    Bearing,
    BodyGoal,
    Footprint,
    Footstep,
    JointGoal,
    Plan,
    PlannedStep,
    Stance,
    Tempo,
)
from segue.dance.simulation.push import Push
from segue.dance.simulation.result import SimulatedDance
from segue.dance.simulation.solo import simulate

LEAD_IN, TAIL = 2.5, 2.0
WIDTH = 0.16


class Pace(NamedTuple):
    """A foot that goes to a point (x, z) relative to where the pattern began, in some seconds."""

    foot: str
    x: float
    z: float
    seconds: float
    landing: Bearing


def walking(count: int, seconds: float, length: float = 0.4, close: bool = True) -> list[Pace]:
    """Steps forward (backward with a negative length), and a closing one."""
    landing = Bearing.HEEL if length > 0 else Bearing.TOE
    paces, foot = [], "left"
    for k in range(1, count + 1):
        paces.append(Pace(foot, _aside(foot), k * length, seconds, landing))
        foot = "right" if foot == "left" else "left"
    return [*paces, Pace(foot, _aside(foot), count * length, seconds, Bearing.TOE)] if close else paces


def side_closes(count: int, seconds: float, length: float = 0.3) -> list[Pace]:
    paces = []
    for k in range(1, count + 1):
        paces.append(Pace("left", k * length + WIDTH / 2, 0.0, seconds, Bearing.TOE))
        paces.append(Pace("right", k * length - WIDTH / 2, 0.0, seconds, Bearing.TOE))
    return paces


def foxtrot(count: int, beat: float, length: float = 0.4, side: float = 0.3) -> list[Pace]:
    """The forward and back basic: slow, slow, quick (side), quick (close), and the same backwards."""
    paces, x, z = [], 0.0, 0.0
    for _ in range(count):
        for sign, landing in ((1.0, Bearing.HEEL), (-1.0, Bearing.TOE)):
            paces.append(Pace("left", x + WIDTH / 2, z + sign * length, 2 * beat, landing))
            paces.append(Pace("right", x - WIDTH / 2, z + 2 * sign * length, 2 * beat, landing))
            z += 2 * sign * length
            x += side
            paces.append(Pace("left", x + WIDTH / 2, z, beat, Bearing.TOE))
            paces.append(Pace("right", x - WIDTH / 2, z, beat, Bearing.TOE))
    return paces


def plan_of(
    paces: Sequence[Pace], figure: Figure | None = None, arms: bool = True, scale: float = 1.0, lead_in: float = LEAD_IN
) -> Plan:
    """Return a plan: every foot lands on its beat; both stand for a third of the time between two landings."""
    figure = figure or Figure.standard()
    feet = {side: Footprint(_aside(side) * scale, 0.0, 0.0) for side in ("left", "right")}
    begins = Stance(feet["left"], feet["right"], 0.0)
    pattern = Pattern("practice", "by hand", (), tempo=30.0)
    steps, footsteps, land = [], [], lead_in
    body = [BodyGoal(0.0, 0.0, 0.5, 0.0, 0.0, False)]
    for k, pace in enumerate(paces):
        share = 0.3 if pace.seconds >= 0.7 else 0.2
        if k > 0:
            land += pace.seconds
        lift = land - pace.seconds + min(share * pace.seconds, 0.8)
        end = Footprint(pace.x * scale, pace.z * scale, 0.0)
        footsteps.append(
            Footstep(pace.foot, feet[pace.foot], end, lift, land, land + 0.12, pace.landing, Bearing.FLAT, True, k)
        )
        feet[pace.foot] = end
        step = Step(Foot.LEFT if pace.foot == "left" else Foot.RIGHT, FootPosition.FORWARD, 1)
        after = paces[k + 1].seconds if k + 1 < len(paces) else pace.seconds
        steps.append(PlannedStep(step, pattern, k + 1, land, land + after, Stance(feet["left"], feet["right"], 0.0)))
    goals = frame_goals(1.0, 0.2) if arms else []
    return Plan(
        figure, Tempo(30.0, 4), begins, tuple(steps), tuple(footsteps), tuple(body), tuple(goals), lead_in, land + TAIL
    )


def frame_goals(stop: float, start: float = 0.0) -> list[JointGoal]:
    """Arms that hang, and are raised to a ballroom frame."""
    goals = []
    for side, sign in (("left", 1.0), ("right", -1.0)):
        hanging = quaternion.exp(np.array([0.0, 0.0, -1.35 * sign]))
        raised = quaternion.exp(np.array([0.0, -0.5 * sign, -0.35 * sign]))
        for time, turn, bend in ((start, hanging, 0.25), (stop, raised, 1.4)):
            goals.append(JointGoal(time, f"{side}_shoulder", turn, False))
            goals.append(JointGoal(time, f"{side}_elbow_flexion", np.array([bend]), False))
    return goals


def _aside(foot: str) -> float:
    return WIDTH / 2 if foot == "left" else -WIDTH / 2


def begun(plan: Plan, frames: int, pushes: Sequence[Push] = (), adjusting: bool = True) -> SimulatedDance:
    """Return the first frames of a dance, 100 a second."""

    def stop(done: int, of: int) -> None:
        if done == frames:
            raise KeyboardInterrupt

    return simulate(plan, pushes=pushes, adjusting=adjusting, progress=stop)
