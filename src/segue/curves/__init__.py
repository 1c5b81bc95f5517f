"""Curves and rotations: the mathematics every other package stands on; of Segue it needs only the errors."""

from segue.curves.bspline import Elimination, SampledBasis, SplineBasis, eliminate, end_conditions
from segue.curves.chart import Chart, EulerChart, RotationVectorChart
from segue.curves.quadrature import Quadrature, gauss_legendre, midpoints, uniform

__all__ = [
    "Chart",
    "Elimination",
    "EulerChart",
    "Quadrature",
    "RotationVectorChart",
    "SampledBasis",
    "SplineBasis",
    "eliminate",
    "end_conditions",
    "gauss_legendre",
    "midpoints",
    "uniform",
]
