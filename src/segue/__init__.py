"""Segue: motion that a body with mass could really do.

import segue as sg

motion = sg.load("walk.bvh")
sg.save(motion, "walk.glb")
"""

from segue.body.figure import Figure, Poses
from segue.body.skeleton import Skeleton
from segue.errors import ArgumentError, FileFormatError, SegueError, SegueWarning, SkeletonError
from segue.files import load, save
from segue.motion.clip import Clip
from segue.motion.motion import Motion

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "Clip",
    "Figure",
    "FileFormatError",
    "Motion",
    "Poses",
    "SegueError",
    "SegueWarning",
    "Skeleton",
    "SkeletonError",
    "load",
    "save",
]
