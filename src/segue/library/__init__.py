"""A library of the user's own clips: how people went on from moments like those at a gap."""

from segue.library.build import Builder, BuildReport, remove_clips
from segue.library.cutting import CutPoint, cut_points, distance_map
from segue.library.cutting_map import DistanceMap
from segue.library.filling import fill, guide_of, sp, transition
from segue.library.frame_index import FrameIndex
from segue.library.inspection import Inspection, Trouble, find_troubles, inspect_library
from segue.library.joins import Join, transitions
from segue.library.library import Library
from segue.library.library_clip import LibraryClip, library_clip_of
from segue.library.takes import takes, transition_takes

__all__ = [
    "BuildReport",
    "Builder",
    "CutPoint",
    "DistanceMap",
    "FrameIndex",
    "Inspection",
    "Join",
    "Library",
    "LibraryClip",
    "Trouble",
    "cut_points",
    "distance_map",
    "fill",
    "find_troubles",
    "guide_of",
    "inspect_library",
    "library_clip_of",
    "remove_clips",
    "sp",
    "takes",
    "transition",
    "transition_takes",
    "transitions",
]
