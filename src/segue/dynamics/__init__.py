"""Batched kinematics and inverse dynamics of trees of rigid bodies, with adjoints: compiled, time samples in lanes."""

from segue.dynamics.energy import TorqueEnergy
from segue.dynamics.figure import FigureTree
from segue.dynamics.inverse import (
    GRAVITY,
    MotionDerivatives,
    inverse_dynamics,
    inverse_dynamics_adjoint,
    inverse_dynamics_jacobians,
)
from segue.dynamics.kinematics import BodyMotion, Kinematics, forward_kinematics
from segue.dynamics.tree import Tree

__all__ = [
    "GRAVITY",
    "BodyMotion",
    "FigureTree",
    "Kinematics",
    "MotionDerivatives",
    "TorqueEnergy",
    "Tree",
    "forward_kinematics",
    "inverse_dynamics",
    "inverse_dynamics_adjoint",
    "inverse_dynamics_jacobians",
]
