"""A plan performed by the figure without dynamics: feet planted, body upright, arms in hold.

`solo` and `couple` dance patterns by their names; `perform` and `perform_couple` perform plans; `measure` and
`measure_couple` say how well that was done.
"""

from segue.dance.performance.couple import CouplePerformance, couple_of, perform_couple
from segue.dance.performance.front import Wishes, couple, patterns_of, planned, repeated, solo
from segue.dance.performance.hold import Holding
from segue.dance.performance.measure import CoupleMeasures, Measures, measure, measure_couple
from segue.dance.performance.perform import FPS, perform

__all__ = [
    "FPS",
    "CoupleMeasures",
    "CouplePerformance",
    "Holding",
    "Measures",
    "Wishes",
    "couple",
    "couple_of",
    "measure",
    "measure_couple",
    "patterns_of",
    "perform",
    "perform_couple",
    "planned",
    "repeated",
    "solo",
]
