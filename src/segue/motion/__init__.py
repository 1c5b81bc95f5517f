"""Motion over time: clips on the user's skeleton, motions of our figure, and the way between them."""

from segue.motion.clip import Clip, Origin

__all__ = ["Clip", "Origin"]
