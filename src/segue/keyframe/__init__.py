"""Dynamic splines: paths through keyframes that improve themselves, after Ramamoorthi, Ball and Barr.

A path is the C2 cubic spline through the keyframes and through variable frames between them; the variable frames move
until the integral of weighted penalties is least. Keyframes are met exactly all the while.
"""

from segue.keyframe.figure_improvement import Coordinates, inbetween, inbetween_report, interpolate
from segue.keyframe.improvement import Improvement, Settings, State, improving, inbetween_vectors
from segue.keyframe.keyframes import VectorKeyframes
from segue.keyframe.keys import Key, t_pose
from segue.keyframe.rotations import Form, RotationImprovement, RotationPath, inbetween_rotations
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
    "RotationImprovement",
    "RotationPath",
    "Samples",
    "Settings",
    "State",
    "Status",
    "Term",
    "VectorKeyframes",
    "Weighted",
    "improving",
    "inbetween",
    "inbetween_report",
    "inbetween_rotations",
    "inbetween_vectors",
    "interpolate",
    "t_pose",
]
