"""The dance library: patterns that come with Segue, and the user's own."""

from segue.dance.patterns.examine import Remark, examine, examine_file
from segue.dance.patterns.folders import FOLDER_VARIABLE, SHIPPED, Entry, user_folder
from segue.dance.patterns.names import SUFFIX
from segue.dance.patterns.store import DanceLibrary, read_pattern_file
from segue.dance.patterns.template import template, template_text

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
