"""The motor control of each mode: who decides a body's torques, and what helps it from outside."""

from __future__ import annotations

from typing import Any

from segue.dance.simulation.classic.balance import Balance
from segue.dance.simulation.classic.controller import ClassicController
from segue.dance.simulation.control.assistance import Assistance
from segue.dance.simulation.control.body_controller import BodyController
from segue.dance.simulation.helping import HelpingTorque
from segue.dance.simulation.modes import Mode
from segue.dance.simulation.ready import Ready


def motor_control(mode: Mode, ready: Ready, data: Any) -> tuple[BodyController, HelpingTorque | None]:
    """Return the controller of a dancer who stands ready, and the helping torque of its mode, if any."""
    engine_model = ready.model.engine_model
    if mode is Mode.CLASSIC:
        return ClassicController(ready.model, data, ready.course), Balance(engine_model, data)
    assistance = Assistance(engine_model, data) if mode is Mode.ASSISTED else None
    return BodyController(ready.model, data, ready.course, assistance), assistance
