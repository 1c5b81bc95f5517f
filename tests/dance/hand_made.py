"""Plans written by hand: short dances whose every number is known."""

from __future__ import annotations

from segue.body.figure import Figure
from segue.dance.notation.model import Foot, FootPosition, Footwork, Pattern, Step
from segue.dance.planning.model import (
    Bearing,
    BodyGoal,
    Footprint,
    Footstep,
    Plan,
    PlannedStep,
    Stance,
    Tempo,
)

__all__ = ["APART", "LANDINGS", "STRIDE", "walking_plan"]

APART = 0.085
STRIDE = 0.55
LANDINGS = (1.5, 2.5, 3.5, 4.5)


def walking_plan(figure: Figure | None = None, stride: float = STRIDE) -> Plan:
    """Return four slow steps, forward with a negative stride backward, the left foot first, on the beats at 1 s."""
    figure = Figure.standard() if figure is None else figure
    places = {"left": Footprint(APART, 0.0, 0.0), "right": Footprint(-APART, 0.0, 0.0)}
    begins = Stance(places["left"], places["right"], 0.0)
    step = Step(Foot.LEFT, FootPosition.FORWARD, 2, footwork=Footwork.HEEL)
    pattern = Pattern("walk", "four steps", (step,) * len(LANDINGS))
    ahead = stride > 0
    footsteps, body, planned = [], [BodyGoal(0.0, 0.0, 0.5, 0.0, 0.0, False)], []
    for k, land in enumerate(LANDINGS):
        foot = ("left", "right")[k % 2]
        end = Footprint(places[foot].x, (k + 1) * stride, 0.0)
        landing = Bearing.HEEL if ahead else Bearing.TOE
        footsteps.append(
            Footstep(foot, places[foot], end, land - 0.6, land, land + 0.15, landing, Bearing.FLAT, True, k)
        )
        places[foot] = end
        body.append(BodyGoal(land + 0.4, 0.0, float(foot == "right"), 0.0, 0.0, False))
        stance = Stance(places["left"], places["right"], 0.0, foot)
        planned.append(PlannedStep(step, pattern, k + 1, land, land + 1.0, stance))
    return Plan(figure, Tempo(30.0, 4), begins, tuple(planned), tuple(footsteps), tuple(body), (), 1.5, 6.5)
