"""Plans of dances as footprints, for pages."""

from __future__ import annotations

from segue.dance.planning import Footprint, Plan
from segue.dance.planning.feet import FootShape
from segue.serve.outlines import FloorPlan, Sole, StepOnFloor


def floor_of(plan: Plan) -> FloorPlan:
    """Return where the feet of a plan stand at the end of each step."""
    shape = FootShape.of(plan.figure)
    steps = []
    for planned, done in zip(plan.steps, plan.step_ends, strict=True):
        after = planned.stance
        moves = {"LF": "left", "RF": "right"}.get(planned.step.foot, "")
        steps.append(
            StepOnFloor(
                planned.start,
                planned.stop,
                float(done),
                _sole(after.left),
                _sole(after.right),
                moves,  # type: ignore[arg-type]
                after.weight,
            )
        )
    part = plan.steps[0].pattern.part if plan.steps else ""
    begins = plan.begins
    return FloorPlan(
        str(part),
        begins.heading,
        _sole(begins.left),
        _sole(begins.right),
        tuple(steps),
        shape.heel,
        shape.tip,
        shape.half_width,
    )


def _sole(foot: Footprint) -> Sole:
    return Sole(*(round(float(value), 4) for value in foot))
