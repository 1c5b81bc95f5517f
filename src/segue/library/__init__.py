"""A library of the user's own clips: how people went on from moments like those at a gap."""

from segue.library.build import Builder, BuildReport, remove_clips
from segue.library.entry import Entry, entry_of
from segue.library.inspection import Inspection, Trouble, find_troubles, inspect_library
from segue.library.library import Library
from segue.library.record import ClipOptions

__all__ = [
    "BuildReport",
    "Builder",
    "ClipOptions",
    "Entry",
    "Inspection",
    "Library",
    "Trouble",
    "entry_of",
    "find_troubles",
    "inspect_library",
    "remove_clips",
]
