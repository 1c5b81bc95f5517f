"""The dance library: patterns that come with Segue, and the user's own."""

from segue.dance.notation.writing import template, template_text
from segue.dance.patterns.folders import FOLDER_VARIABLE, SHIPPED, SUFFIX, Entry, user_folder
from segue.dance.patterns.store import DanceLibrary, Remark, examine, examine_file, read_pattern_file

__all__ = [
    "FOLDER_VARIABLE",
    "SHIPPED",
    "SUFFIX",
    "DanceLibrary",
    "Entry",
    "Remark",
    "examine",
    "examine_file",
    "read_pattern_file",
    "template",
    "template_text",
    "user_folder",
]
