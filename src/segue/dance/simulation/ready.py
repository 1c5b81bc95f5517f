"""A dancer before the dance begins: the body's model, how it stands, and the whole course of what it is to do."""

from __future__ import annotations

from dataclasses import dataclass

from segue.body.figure import Figure
from segue.dance.planning.model import Plan
from segue.dance.simulation.course.course import Course
from segue.dance.simulation.course.limbs import initial_joints
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.feasible import check_steps
from segue.dance.simulation.model import BodyModel
from segue.dance.simulation.standing import standing
from segue.errors import ArgumentError
from segue.typing import Array

_STATURES, _MASSES = (0.5, 3.0), (5.0, 500.0)  # m, kg: beyond them the engine's inertias and steps make no sense


@dataclass(frozen=True, eq=False)
class Ready:
    """All that is known of a dancer at time 0; positions: (51,) the engine's."""

    model: BodyModel
    positions: Array
    course: Course

    @classmethod
    def of(cls, plan: Plan, environment: Environment) -> Ready:
        """Return a dancer who stands as a plan begins, and knows its course."""
        _check_size(plan.figure)
        check_steps(plan)
        engine, model = mujoco(), BodyModel(plan.figure, environment)
        data = engine.MjData(model.engine_model)
        data.qpos[:] = standing(model, plan.begins, initial_joints(plan))
        engine.mj_forward(model.engine_model, data)
        return cls(model, data.qpos.copy(), Course.of(plan, model, data))


def _check_size(figure: Figure) -> None:
    """Raise an `ArgumentError` if a figure is too small, tall, light or heavy to be simulated."""
    for name, value, unit, (least, most) in (
        ("stature", figure.stature, "m", _STATURES),
        ("mass", figure.mass, "kg", _MASSES),
    ):
        if not least <= value <= most:
            raise ArgumentError(
                f"{name} is {value:.3g} {unit}: a simulated dancer needs a {name} from {least:g} to {most:g} {unit}"
            )
