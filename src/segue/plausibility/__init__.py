"""Does a body with mass move like this? Measures of any motion, and what of them is still plausible.

One measure a module, each over arrays of frames; `observe` gets the arrays from a motion, `plausibility` measures all.
"""

from segue.plausibility.observed import Observed, observe
from segue.plausibility.report import Check, Plausibility, examine, plausibility
from segue.plausibility.thresholds import Thresholds

__all__ = ["Check", "Observed", "Plausibility", "Thresholds", "examine", "observe", "plausibility"]
