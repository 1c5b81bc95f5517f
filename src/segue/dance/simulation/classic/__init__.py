"""The motor control of [Lake1990, chapter 6] on a body with real inertia: springs and dampers with feedback on beta."""

from segue.dance.simulation.classic.gains import SCALED, THESIS, Gains
from segue.dance.simulation.classic.limbs import LIMBS

__all__ = ["LIMBS", "SCALED", "THESIS", "Gains"]
