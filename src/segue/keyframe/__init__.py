"""Dynamic splines: paths through keyframes that improve themselves, after Ramamoorthi, Ball and Barr.

A path is the C2 cubic spline through the keyframes and through variable frames between them; the variable frames move
until the integral of weighted penalties is least. Keyframes are met exactly all the while.
"""

from segue.keyframe.descent import Status
from segue.keyframe.figure.improve import Coordinates, improve, improve_figure, improvement_of, spline_figure
from segue.keyframe.figure.keys import Key, key, pose_key, t_pose
from segue.keyframe.improvement import Improvement, Settings, State, improving
from segue.keyframe.keyframes import Keyframes
from segue.keyframe.path import DynamicSpline, Samples
from segue.keyframe.penalty import Penalty, Weighted
from segue.keyframe.rotations import Form, RotationImprovement, RotationPath, improve_rotations
from segue.keyframe.spline_space import Ends
from segue.keyframe.subdivision import Adaptive, Everywhere

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
    "Penalty",
    "RotationImprovement",
    "RotationPath",
    "Samples",
    "Settings",
    "State",
    "Status",
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
