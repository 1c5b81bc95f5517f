"""Ballroom dance [Lake1990]: from notation to footsteps on the beat, and their performance by the figure.

from segue.dance import couple, solo

motion = solo("foxtrot/forward basic", bars=16)
both = couple("waltz/box step", tempo="90bpm")
"""

from segue.dance.performance import couple, measure, measure_couple, perform, perform_couple, planned, solo

__all__ = ["couple", "measure", "measure_couple", "perform", "perform_couple", "planned", "solo"]
