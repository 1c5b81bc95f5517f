"""Constants of the torque functions: as the thesis chooses them, and scaled to real inertia."""

from __future__ import annotations

from dataclasses import dataclass, fields

from segue import checks


@dataclass(frozen=True)
class Gains:
    """Constants of tau = alpha (e^(beta delta) - 1) - gamma omega, per unit of inertia [Lake1990, 6.2].

    move_spring: alpha of a movement of one second, 1/s^2; it is proportional to 1 / seconds^2. move_damper: gamma, 1/s;
    None: critical for the duration. main_spring, main_damper, main_beta: alpha, gamma and beta of maintained limbs.
    stand_spring, stand_damper: alpha and gamma of legs. updates: how many times the error is added to beta in a
    movement. every_tick: whether that amount is spread over all ticks. predicted: whether beta starts at the value for
    the normal curve, and errors only correct it. chained: whether inertia and weight include all that a joint moves or
    bears, else its own link alone. transfer: s, time constant of the change from move to maintain. free_damper: 1/s, of
    free limbs.
    """

    name: str
    move_spring: float
    move_damper: float | None
    main_spring: float
    main_damper: float
    main_beta: float
    stand_spring: float
    stand_damper: float
    updates: int
    every_tick: bool
    predicted: bool
    chained: bool
    transfer: float
    free_damper: float

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self)):
            value = getattr(self, name)
            if isinstance(value, (bool, str)) or value is None:
                continue
            least = 1 if name == "updates" else 1e-6 if name.endswith("spring") else 0
            checks.number(f"{name} of the gains", value, least=least)


THESIS = Gains(
    name="thesis",
    move_spring=1e5,
    move_damper=1500.0,
    main_spring=1e5,
    main_damper=1200.0,
    main_beta=4.0,
    stand_spring=1e5,
    stand_damper=1200.0,
    updates=10,
    every_tick=False,
    predicted=False,
    chained=False,
    transfer=0.0,
    free_damper=0.0,
)
"""Sections 6.2 and 6.4 to the letter, but with real inertia: the thesis multiplied it by 300.

The thesis does not give its constants. Of those that were tried, stronger springs leave less to go and overshoot more,
and none reaches all goals. These overshoot little, and the body stands.
"""

SCALED = Gains(
    name="scaled",
    move_spring=1000.0,
    move_damper=None,
    main_spring=160.0,
    main_damper=50.0,
    main_beta=4.0,
    stand_spring=25.0,
    stand_damper=20.0,
    updates=10,
    every_tick=True,
    predicted=True,
    chained=True,
    transfer=0.15,
    free_damper=1.0,
)
"""The same torque functions for the inertia of all that a joint moves, with critical dampers.

Maintained joints are springs of 25 rad/s, legs of 10 rad/s: stiffer ones make the body rock on its soles.
"""
