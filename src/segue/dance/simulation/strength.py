"""How hard a dancer's joints can push: the torque that each one has at its disposal."""

from __future__ import annotations

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.plausibility.torque import strength_of
from segue.typing import Array

# What the table of strong people's joints leaves out. The girdle has to bear what the shoulder does. Toe flexors reach
# 14 +- 6 N m in men [Goldmann2012]; the plantar aponeurosis, which is no muscle, bears about as much again.
_UNLISTED = {"clavicle": 1.5, "toe": 0.5}


def joint_strengths(figure: Figure) -> Array:
    """Return the largest torque of each joint but the root, in N m, in the order of `HUMAN.joints`, (18,).

    A joint of two or three degrees of freedom has that much in any direction.
    """
    return np.array([figure.mass * _per_kilogram(joint.name) for joint in HUMAN.joints[1:]])


def _per_kilogram(joint: str) -> float:
    listed = strength_of(joint)
    return _UNLISTED[joint.partition("_")[2]] if listed is None else listed
