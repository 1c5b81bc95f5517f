"""Masses, centres and inertias of human body segments, from published tables.

Segment masses, centres of mass and radii of gyration are those of [DeLeva1996], table 4 (young adults). Proportions of
a figure that no clip prescribes are from the same table's mean segment lengths and from [DrillisContini1964].
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np

from segue.checks import choice
from segue.typing import Array

SEXES = ("female", "male", "average")

STANDARD_GRAVITY = 9.80665
"""Standard acceleration of gravity on Earth in m/s^2."""


@dataclass(frozen=True)
class SegmentRow:
    """One row of [DeLeva1996] table 4, as fractions.

    mass: of the body's. centre: along the segment from its origin. sagittal, transverse, longitudinal: radii of
    gyration about the front-to-back, side-to-side and long axes through the centre, of the segment's length.
    """

    mass: float
    centre: float
    sagittal: float
    transverse: float
    longitudinal: float


def _percent(*values: float) -> SegmentRow:
    return SegmentRow(*(value / 100 for value in values))


# Endpoints as in the table: head from vertex to C7; upper trunk C7 to xiphion; middle trunk xiphion to navel; lower
# trunk navel to mid-hip; hand from wrist to third metacarpal; shank to the ankle joint centre; foot from heel to toe
# tip.
_TABLE_4 = {
    "female": {
        "head": _percent(6.68, 48.41, 27.1, 29.5, 26.1),
        "upper_trunk": _percent(15.45, 50.50, 46.6, 31.4, 44.9),
        "middle_trunk": _percent(14.65, 45.12, 43.3, 35.4, 41.5),
        "lower_trunk": _percent(12.47, 49.20, 43.3, 40.2, 44.4),
        "upper_arm": _percent(2.55, 57.54, 27.8, 26.0, 14.8),
        "forearm": _percent(1.38, 45.59, 26.1, 25.7, 9.4),
        "hand": _percent(0.56, 74.74, 53.1, 45.4, 33.5),
        "thigh": _percent(14.78, 36.12, 36.9, 36.4, 16.2),
        "shank": _percent(4.81, 43.52, 26.7, 26.3, 9.2),
        "foot": _percent(1.29, 40.14, 29.9, 27.9, 13.9),
    },
    "male": {
        "head": _percent(6.94, 50.02, 30.3, 31.5, 26.1),
        "upper_trunk": _percent(15.96, 50.66, 50.5, 32.0, 46.5),
        "middle_trunk": _percent(16.33, 45.02, 48.2, 38.3, 46.8),
        "lower_trunk": _percent(11.17, 61.15, 61.5, 55.1, 58.7),
        "upper_arm": _percent(2.71, 57.72, 28.5, 26.9, 15.8),
        "forearm": _percent(1.62, 45.74, 27.6, 26.5, 12.1),
        "hand": _percent(0.61, 79.00, 62.8, 51.3, 40.1),
        "thigh": _percent(14.16, 40.95, 32.9, 32.9, 14.9),
        "shank": _percent(4.33, 43.95, 25.1, 24.6, 10.2),
        "foot": _percent(1.37, 44.15, 25.7, 24.5, 12.4),
    },
}

# Mean mass (kg) and stature (m) of the two samples of [DeLeva1996].
_SAMPLE = {"female": (61.9, 1.735), "male": (73.0, 1.741)}

PROPORTIONS = {
    # [DeLeva1996] table 4, mean lengths of both samples over mean stature
    "head": (0.2437 + 0.2429) / (1.735 + 1.741),
    "upper_trunk": (0.2280 + 0.2421) / (1.735 + 1.741),
    "middle_trunk": (0.2053 + 0.2155) / (1.735 + 1.741),
    "lower_trunk": (0.1815 + 0.1457) / (1.735 + 1.741),
    "upper_arm": (0.2751 + 0.2817) / (1.735 + 1.741),
    "forearm": (0.2643 + 0.2689) / (1.735 + 1.741),
    "hand": (0.0780 + 0.0862) / (1.735 + 1.741),
    "thigh": (0.3685 + 0.4222) / (1.735 + 1.741),
    "shank": (0.4386 + 0.4403) / (1.735 + 1.741),
    "foot": (0.2283 + 0.2581) / (1.735 + 1.741),
    # [DrillisContini1964]: breadths and heights over stature
    "hip_breadth": 0.100,  # between hip joint centres; the 0.191 of the table is over the soft tissue
    "shoulder_breadth": 0.220,  # between shoulder joint centres: 0.259 over the acromia, less half a humeral head each
    "ankle_height": 0.039,
    "hand_whole": 0.108,
}
"""Lengths of a body that no clip prescribes, as fractions of stature."""


def segment_row(segment: str, sex: str) -> SegmentRow:
    """Return a segment's row of [DeLeva1996] table 4; "average" is the mean of female and male.

    The masses are scaled to add up to the whole body: the printed percentages do so only to their last digit.
    """
    choice("sex", sex, SEXES)
    tables = [_TABLE_4[sex]] if sex != "average" else list(_TABLE_4.values())
    rows = np.array([astuple(table[segment]) for table in tables])
    rows[:, 0] /= [_total(table) for table in tables]
    return SegmentRow(*rows.mean(axis=0).tolist())


def _total(table: dict[str, SegmentRow]) -> float:
    trunk = ("head", "upper_trunk", "middle_trunk", "lower_trunk")
    return sum((1 if name in trunk else 2) * row.mass for name, row in table.items())


def default_mass(stature: float, sex: str) -> float:
    """Return the mass in kg of a body of this stature with the body mass index of the table's sample."""
    choice("sex", sex, SEXES)
    samples = [_SAMPLE[sex]] if sex != "average" else list(_SAMPLE.values())
    index = sum(mass / height**2 for mass, height in samples) / len(samples)
    return index * stature**2


@dataclass(frozen=True, eq=False)
class Inertia:
    """A rigid body's mass in kg, centre of mass (3,) in m and inertia tensor about that centre (3, 3) in kg m^2."""

    mass: float
    centre: Array
    tensor: Array

    @classmethod
    def of_segment(cls, row: SegmentRow, mass: float, start: Array, stop: Array, front: Array) -> Inertia:
        """Make the inertia of a segment that runs from start to stop, for a body of the given mass.

        front: the direction that the table's sagittal axis takes in this segment.
        """
        along = np.asarray(stop - start, dtype=float)
        length = float(np.linalg.norm(along))
        longitudinal = along / length
        sagittal = front - (front @ longitudinal) * longitudinal
        sagittal /= np.linalg.norm(sagittal)
        axes = np.column_stack([sagittal, np.cross(longitudinal, sagittal), longitudinal])
        radii = np.array([row.sagittal, row.transverse, row.longitudinal]) * length
        own = row.mass * mass
        return cls(own, start + row.centre * along, own * axes @ np.diag(radii**2) @ axes.T)

    @classmethod
    def of_ellipsoid(cls, mass: float, centre: Array, semi_axes: Array) -> Inertia:
        """Make a solid ellipsoid with axes parallel to the frame's."""
        squares = np.asarray(semi_axes, dtype=float) ** 2
        return cls(mass, np.asarray(centre, dtype=float), np.diag(mass / 5 * (squares.sum() - squares)))

    def about(self, point: Array) -> Array:
        """Return the tensor about another point (parallel-axis theorem)."""
        arm = self.centre - point
        return self.tensor + self.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))

    def plus(self, other: Inertia, sign: float = 1.0) -> Inertia:
        """Return the two bodies welded together, or with sign -1 what is left when the other is cut out."""
        mass = self.mass + sign * other.mass
        centre = (self.mass * self.centre + sign * other.mass * other.centre) / mass
        return Inertia(mass, centre, self.about(centre) + sign * other.about(centre))

    def moved(self, offset: Array) -> Inertia:
        """Return the same body with its frame's origin moved by -offset."""
        return Inertia(self.mass, self.centre + offset, self.tensor)
