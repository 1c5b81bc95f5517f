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
from segue.cycle import cycle_of, cyclify, find_cycles, repeat
from segue.errors import ArgumentError, FileFormatError, SegueError, SegueWarning, SkeletonError
from segue.files import load, save
from segue.filling.report import fills
from segue.keyframe import Key, Keyframes, improve, improve_rotations, improvement_of, key, pose_key, spline_figure
from segue.library import Join, Library, cut_points, fill, sp, takes, transition, transitions
from segue.motion.clip import Clip
from segue.motion.interval import Interval, Track
from segue.motion.motion import Motion, conflicts, gaps
from segue.motion.operators import (
    affine,
    blend,
    clip,
    clip_in_place,
    concatenate,
    delete,
    insert,
    mirror,
    place,
    prefer,
    reverse,
    select,
)
from segue.motion.options import ClipOptions
from segue.motion.track_table import Stretch
from segue.plausibility import check
from segue.showing import show

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "Clip",
    "ClipOptions",
    "Figure",
    "FileFormatError",
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
    "Stretch",
    "Track",
    "affine",
    "blend",
    "check",
    "clip",
    "clip_in_place",
    "clips",
    "concatenate",
    "conflicts",
    "cut_points",
    "cycle_of",
    "cyclify",
    "dance",
    "delete",
    "fill",
    "fills",
    "find_cycles",
    "gaps",
    "improve",
    "improve_rotations",
    "improvement_of",
    "insert",
    "key",
    "load",
    "mirror",
    "place",
    "pose_key",
    "prefer",
    "repeat",
    "reverse",
    "save",
    "select",
    "show",
    "sp",
    "spline_figure",
    "takes",
    "transition",
    "transitions",
]
