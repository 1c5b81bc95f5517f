"""A library of the user's own clips: how people went on from moments like those at a gap."""

from segue.library.build import Builder, BuildReport, remove_clips
from segue.library.cutting import CutPoint, cut_points, distance_map
from segue.library.cutting_map import DistanceMap
from segue.library.filling import fill, fill_gaps, guide_of, transition
from segue.library.frame_index import FrameIndex
from segue.library.inspection import Inspection, Trouble, find_troubles, inspect_library
from segue.library.joins import Join, transitions
from segue.library.library import Library
from segue.library.library_clip import LibraryClip, library_clip_of
from segue.library.takes import transition_variants, variants

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
    "fill_gaps",
    "find_troubles",
    "guide_of",
    "inspect_library",
    "library_clip_of",
    "remove_clips",
    "transition",
    "transition_variants",
    "transitions",
    "variants",
]
