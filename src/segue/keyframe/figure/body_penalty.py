"""Penalties on how the figure's bodies move: what all of them share, and several of them as one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from segue.body.figure import Figure
from segue.errors import ArgumentError
from segue.keyframe.figure._body_kernels import BodyPull
from segue.keyframe.figure.bodies import FigureBodies, FigureMotion, bodies_of
from segue.keyframe.figure.columns import COLUMN_COUNT
from segue.keyframe.path import Samples
from segue.keyframe.penalty import LocallyMeasured, Weighted
from segue.typing import Array


def check_of_figure(name: str, samples: Samples) -> None:
    """Raise ArgumentError where samples that a penalty is given are not of a path of the figure."""
    if samples.value.shape[1] != COLUMN_COUNT:
        raise ArgumentError(
            f"the penalty '{name}' is for paths of the figure, which have {COLUMN_COUNT} coordinates, "
            f"not {samples.value.shape[1]}"
        )


class BodyPenalty(ABC):
    """A penalty that is a function of how the bodies of a figure move in the world."""

    name: str

    def __init__(self, body: FigureBodies | Figure) -> None:
        self.body = bodies_of(body)

    @abstractmethod
    def add_pull(self, samples: Samples, motion: FigureMotion, pull: BodyPull, factor: float) -> float:
        """Return the integral, and add factor times its derivatives by the bodies' motion to others."""

    def evaluate(self, samples: Samples) -> tuple[float, Samples]:
        """Return the integral, and its gradient by the path at the samples."""
        check_of_figure(self.name, samples)
        motion = self.body.motion(samples)
        pull = motion.no_pull()
        value = self.add_pull(samples, motion, pull, 1.0)
        return value, motion.gradient(pull, samples) if value > 0.0 else samples.zeros()

    @abstractmethod
    def curvature(self, samples: Samples) -> Array:
        """Return about the second derivatives of the integral, (4, 51, S), of each coordinate alone."""


class Together(BodyPenalty):
    """Several penalties of one figure, weighted, as one: the way back from bodies to coordinates is gone once."""

    name = "figure"

    def __init__(self, body: FigureBodies, parts: Sequence[Weighted]) -> None:
        super().__init__(body)
        self.parts: list[tuple[BodyPenalty, float]] = []
        for part in parts:
            if not isinstance(part.penalty, BodyPenalty) or part.penalty.body is not body:
                raise ArgumentError(f"the penalty '{part.penalty.name}' is not of this figure: take it alone")
            self.parts.append((part.penalty, part.weight))

    def add_pull(self, samples: Samples, motion: FigureMotion, pull: BodyPull, factor: float) -> float:
        """Return the sum of the integrals, and add to the derivatives."""
        return sum(weight * part.add_pull(samples, motion, pull, factor * weight) for part, weight in self.parts)

    def curvature(self, samples: Samples) -> Array:
        """Return the sum of what the parts have."""
        bends = np.zeros((4, COLUMN_COUNT, len(samples.times)))
        for part, weight in self.parts:
            bends += weight * part.curvature(samples)
        return bends

    def residual(self, samples: Samples) -> Array:
        """Return what the parts that are measured locally are before they are integrated, (S,)."""
        density = np.zeros(len(samples.times))
        for part, weight in self.parts:
            if isinstance(part, LocallyMeasured):
                density += weight * part.residual(samples)
        return density
