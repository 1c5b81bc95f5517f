"""Motion over time: clips on the user's skeleton, the figure fitted to them, and the algebra of motions.

A `Clip` is frames as they were read. A `Take` is a clip that is understood, with the figure that follows it. A `Motion`
is tracks of functions of time; operators combine motions, and `dress` writes them back on the skeleton they came from.
"""

from segue.motion.clip import Clip, Origin
from segue.motion.interval import Interval, Track
from segue.motion.motion import Motion, conflicts, gaps
from segue.motion.take import Take, understand

__all__ = ["Clip", "Interval", "Motion", "Origin", "Take", "Track", "conflicts", "gaps", "understand"]
