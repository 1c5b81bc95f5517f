"""Libraries of the user's own clips, a prior that fills gaps after similar frames."""

from segue.library.build import Builder, BuildReport, remove_clips
from segue.library.frame_index import FrameIndex
from segue.library.guide import Guide
from segue.library.inspection import Inspection, Trouble, find_troubles, inspect_library
from segue.library.library import Library
from segue.library.library_clip import LibraryClip, library_clip_of
from segue.library.library_source import LibrarySource

__all__ = [
    "BuildReport",
    "Builder",
    "FrameIndex",
    "Guide",
    "Inspection",
    "Library",
    "LibraryClip",
    "LibrarySource",
    "Trouble",
    "find_troubles",
    "inspect_library",
    "library_clip_of",
    "remove_clips",
]
