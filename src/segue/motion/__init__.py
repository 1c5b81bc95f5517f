"""Motion over time: clips on the user's skeleton, the figure fitted to them, and the algebra of motions.

A `Clip` is frames as they were read. A `ClipSource` knows what the clip's joints and numbers mean and fits the figure.
Intervals of a `Motion` hold pieces of sources. Operators combine motions, and `Motion.to_clip` writes them back on the
skeleton that they came from.
"""

from segue.motion.clip import Clip, Origin
from segue.motion.clip_source import ClipSource
from segue.motion.functions import PoseSource
from segue.motion.interval import Interval, Track
from segue.motion.motion import Motion, conflicts, gaps

__all__ = ["Clip", "ClipSource", "Interval", "Motion", "Origin", "PoseSource", "Track", "conflicts", "gaps"]
