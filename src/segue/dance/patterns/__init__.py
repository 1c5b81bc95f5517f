"""The dance library: patterns that come with Segue, and the user's own."""

from segue.dance.patterns.names import SUFFIX
from segue.dance.patterns.store import FOLDER_VARIABLE, SHIPPED, DanceLibrary, Entry, read_pattern_file, user_folder

__all__ = ["FOLDER_VARIABLE", "SHIPPED", "SUFFIX", "DanceLibrary", "Entry", "read_pattern_file", "user_folder"]
