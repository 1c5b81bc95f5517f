"""Curves and rotations: the mathematics every other package stands on; it imports no other package."""

from segue.curves.bspline import Elimination, SampledBasis, SplineBasis, eliminate, end_conditions
from segue.curves.chart import EulerChart
from segue.curves.interpolate import least_jerk
from segue.curves.sampled import Quadrature, gauss_legendre, uniform

__all__ = [
    "Elimination",
    "EulerChart",
    "Quadrature",
    "SampledBasis",
    "SplineBasis",
    "eliminate",
    "end_conditions",
    "gauss_legendre",
    "least_jerk",
    "uniform",
]
