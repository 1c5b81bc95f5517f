"""Check whether a body with mass could move like this.

Each measure is a module with a function over arrays of frames. `observe` takes the arrays from a motion, `examine`
measures a window of them, and `check` does both and compares with a baseline.
"""

from segue.plausibility.findings import Finding, Severity
from segue.plausibility.measures import Measures
from segue.plausibility.observed import Observed, observe
from segue.plausibility.report import Report, check, examine
from segue.plausibility.thresholds import (
    BASELINE,
    CheckConfig,
    Threshold,
    Thresholds,
    find_config,
    read_config,
)

__all__ = [
    "BASELINE",
    "CheckConfig",
    "Finding",
    "Measures",
    "Observed",
    "Report",
    "Severity",
    "Threshold",
    "Thresholds",
    "check",
    "examine",
    "find_config",
    "observe",
    "read_config",
]
