"""Segue: motion that a body with mass could really do."""

from segue.errors import SegueError, SegueWarning
from segue.motion.clip import Clip

__all__ = ["Clip", "SegueError", "SegueWarning"]
