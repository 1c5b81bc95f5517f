"""Segue: motion that a body with mass could really do.

import segue as sg

motion = sg.load("walk.bvh")
sg.save(motion, "walk.glb")
"""

from segue import _loading  # noqa: F401  (first: it handles Ctrl-C while the other modules load)

# isort: split
from segue import clips, dance
from segue.body.figure import Figure, Poses
from segue.body.skeleton import Skeleton
from segue.cycle import find_loops, loop_of, make_loop, repeat
from segue.errors import ArgumentError, FileFormatError, SegueError, SegueWarning, SkeletonError
from segue.files import load, save
from segue.filling import Join, cut_points, fill, fill_gaps, transition, transition_variants, transitions, variants
from segue.keyframe import Key, Keyframes, improve, improve_rotations, improvement_of, key, pose_key, spline_figure
from segue.library import Library
from segue.motion.clip import Clip
from segue.motion.ground import Ground
from segue.motion.interval import Interval, Track
from segue.motion.motion import Motion, conflicts, gaps
from segue.motion.operators import (
    blend,
    concatenate,
    delete,
    insert,
    mirror,
    move_to,
    override,
    retime,
    reverse,
    select,
    trim,
)
from segue.motion.options import ClipOptions
from segue.motion.track_table import TrackSpan
from segue.plausibility import check
from segue.showing import show

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "Clip",
    "ClipOptions",
    "Figure",
    "FileFormatError",
    "Ground",
    "Interval",
    "Join",
    "Key",
    "Keyframes",
    "Library",
    "Motion",
    "Poses",
    "SegueError",
    "SegueWarning",
    "Skeleton",
    "SkeletonError",
    "Track",
    "TrackSpan",
    "blend",
    "check",
    "clips",
    "concatenate",
    "conflicts",
    "cut_points",
    "dance",
    "delete",
    "fill",
    "fill_gaps",
    "find_loops",
    "gaps",
    "improve",
    "improve_rotations",
    "improvement_of",
    "insert",
    "key",
    "load",
    "loop_of",
    "make_loop",
    "mirror",
    "move_to",
    "override",
    "pose_key",
    "repeat",
    "retime",
    "reverse",
    "save",
    "select",
    "show",
    "spline_figure",
    "transition",
    "transition_variants",
    "transitions",
    "trim",
    "variants",
]
