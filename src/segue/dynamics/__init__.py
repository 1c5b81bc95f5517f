"""Batched kinematics and inverse dynamics of trees of rigid bodies, with adjoints: compiled, time samples in lanes."""

from segue.dynamics.figure import FigureTree
from segue.dynamics.inverse import (
    GRAVITY,
    Kinematics,
    MotionDerivatives,
    forward_kinematics,
    inverse_dynamics,
    inverse_dynamics_adjoint,
    inverse_dynamics_jacobians,
)
from segue.dynamics.tree import Tree

__all__ = [
    "GRAVITY",
    "FigureTree",
    "Kinematics",
    "MotionDerivatives",
    "Tree",
    "forward_kinematics",
    "inverse_dynamics",
    "inverse_dynamics_adjoint",
    "inverse_dynamics_jacobians",
]
