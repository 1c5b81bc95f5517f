"""Dynamic splines: paths through keyframes that improve themselves, after Ramamoorthi, Ball and Barr.

A path is the C2 cubic spline through the keyframes and through variable frames between them; the variable frames move
until the integral of weighted penalties is least. Keyframes are met exactly all the while.
"""

from segue.keyframe.figure_improvement import Coordinates, improve, improve_figure, improvement_of, spline_figure
from segue.keyframe.improvement import Improvement, Settings, State, improving
from segue.keyframe.keyframes import Keyframes
from segue.keyframe.keys import Key, key, pose_key, t_pose
from segue.keyframe.rotations import Form, RotationImprovement, RotationPath, improve_rotations
from segue.keyframe.subdivision import Adaptive, Everywhere
from segue.spacetime.descend import Status
from segue.spacetime.path import DynamicSpline, Samples
from segue.spacetime.spline_space import Ends
from segue.spacetime.terms.term import Term, Weighted

__all__ = [
    "Adaptive",
    "Coordinates",
    "DynamicSpline",
    "Ends",
    "Everywhere",
    "Form",
    "Improvement",
    "Key",
    "Keyframes",
    "RotationImprovement",
    "RotationPath",
    "Samples",
    "Settings",
    "State",
    "Status",
    "Term",
    "Weighted",
    "improve",
    "improve_figure",
    "improve_rotations",
    "improvement_of",
    "improving",
    "key",
    "pose_key",
    "spline_figure",
    "t_pose",
]
