"""Simulated dances as pages that play them, with the floor's push on every foot, and what hands pass on."""

from __future__ import annotations

import numpy as np

from segue.dance.simulation import SimulatedDance
from segue.dance.simulation.couple import SimulatedCouple
from segue.dance.simulation.flesh import SOLE_POINTS
from segue.view.dance_simulation_panels import check_danced
from segue.view.web import Page, page
from segue.view.web.forces import ShownForces

__all__ = ["couple_page", "dance_page", "floor_forces"]

_LEAST = 5.0  # N: what presses less has no place
_HANDS = 10.0  # forces of hands are drawn so many times longer than those of feet, or they would not be seen


def dance_page(dance: SimulatedDance) -> Page:
    """Return a page that plays a dance. Lines at the feet are the floor's push, as long as a metre for the weight."""
    check_danced(dance)
    name = _name(dance)
    return page({name: dance.motion}, forces={name: floor_forces(dance)})


def couple_page(couple: SimulatedCouple) -> Page:
    """Return a page that plays a couple's dance, with the floor's push on all feet and the hold's on both partners.

    Forces of the hold are drawn ten times as long.
    """
    forces, hold = {}, couple.hold
    for sign, (who, dance) in zip((-1.0, 1.0), couple.parts.items(), strict=True):
        check_danced(dance)
        floor = floor_forces(dance)
        pulls = sign * _HANDS * hold.forces[: len(floor.points)] / _weight(dance)
        forces[who] = ShownForces(
            np.concatenate([floor.points, hold.points[: len(floor.points)]], axis=1),
            np.concatenate([floor.lines, pulls], axis=1),
        )
    return page(couple.motions, forces=forces, title=_name(couple.leader), together=True)


def floor_forces(dance: SimulatedDance) -> ShownForces:
    """Return the floor's push on each foot, (T, 2, 3): from its centre of pressure, and a metre for the weight."""
    forces = dance.forces.reshape(len(dance.forces), 2, SOLE_POINTS, 3)
    points = dance.points.reshape(forces.shape)
    normal = forces[..., 1]
    whole = np.maximum(normal.sum(axis=2), _LEAST)[..., None]
    centres = (normal[..., None] * points).sum(axis=2) / whole
    lines = forces.sum(axis=2) / _weight(dance)
    return ShownForces(centres, np.where(normal.sum(axis=2)[..., None] > _LEAST, lines, 0.0))


def _weight(dance: SimulatedDance) -> float:
    return dance.plan.figure.mass * dance.environment.gravity


def _name(dance: SimulatedDance) -> str:
    return dance.plan.steps[0].pattern.title if dance.plan.steps else "standing"
