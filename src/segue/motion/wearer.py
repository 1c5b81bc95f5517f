"""Sources that know a user's skeleton: what the figure leaves out of it, at any of their times."""

from __future__ import annotations

from abc import ABC, abstractmethod

from segue.body.skeleton import Skeleton
from segue.motion.carry import Carry, Residual
from segue.typing import Array


class Wearer(ABC):
    """A source of functions that brings its residual: frames of its motion wear the skeleton as the clip did."""

    @property
    @abstractmethod
    def skeleton(self) -> Skeleton:
        """The joints that the residual is for."""

    @property
    @abstractmethod
    def carry(self) -> Carry:
        """The way from poses of the figure to the skeleton."""

    @abstractmethod
    def residual_at(self, times: Array) -> Residual:
        """Return what the figure leaves out at times of the source."""
