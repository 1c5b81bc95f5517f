"""What was felt between two partners over a dance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from segue.dance.simulation.couple._hold_kernels import note_forces
from segue.typing import Array


@dataclass(frozen=True, eq=False)
class HoldRecord:
    """The hold over T frames, `fps` a second; C contacts, named.

    forces: (T, C, 3) N in the world, on the follower (the leader feels the opposite), and points: (T, C, 3) where.
    gaps: (T, C) m from palm to palm, or from palm to what it lies on; negative where flesh gives way. largest, rms:
    (C,) N, of every step of the physics, not of frames alone. drift: (C,) m, the farthest that palms which hold each
    other came apart, or hands that lie from what they lie on. bump: N, the hardest that trunks, legs or feet of both
    pressed on each other; touching: share of the time that they did.
    """

    names: tuple[str, ...]
    fps: float
    forces: Array
    points: Array
    gaps: Array
    largest: Array
    rms: Array
    drift: Array
    bump: float
    touching: float

    @property
    def times(self) -> Array:
        """Times of the frames, s."""
        times: Array = np.arange(len(self.forces)) / self.fps
        return times

    def report(self) -> dict[str, Any]:
        """Return the figures of the hold, ready for JSON."""
        return {
            "contacts": {
                name: {
                    "largest_N": round(float(self.largest[c]), 2),
                    "rms_N": round(float(self.rms[c]), 2),
                    "drift_mm": round(1e3 * float(self.drift[c]), 1),
                }
                for c, name in enumerate(self.names)
            },
            "bump_N": round(self.bump, 1),
            "touching": round(self.touching, 4),
        }


class HoldWriter:
    """Takes note of the hold, step by step and frame by frame."""

    def __init__(self, contacts: int) -> None:
        self._squares, self._largest, self._drift = np.zeros((3, contacts))
        self._steps = self._touching = 0
        self._bump = 0.0
        self._frames: list[tuple[Array, Array, Array]] = []

    def step(self, forces: Array, gaps: Array, shares: Array, bump: float) -> None:
        """Take note of a step of the physics; shares: (C,) how much each contact is to hold."""
        note_forces(forces, gaps, shares, self._squares, self._largest, self._drift)
        self._steps += 1
        self._touching += bump > 0.0
        self._bump = max(self._bump, bump)

    def frame(self, forces: Array, points: Array, gaps: Array) -> None:
        """Take note of a frame."""
        self._frames.append((forces.copy(), points.copy(), gaps.copy()))

    @property
    def frames(self) -> int:
        """How many frames were noted."""
        return len(self._frames)

    def result(self, names: tuple[str, ...], fps: float) -> HoldRecord:
        """Return all that was noted."""
        forces, points, gaps = (np.array(part) for part in zip(*self._frames, strict=True))
        steps = max(self._steps, 1)
        return HoldRecord(
            names=names,
            fps=fps,
            forces=forces,
            points=points,
            gaps=gaps,
            largest=np.sqrt(self._largest),
            rms=np.sqrt(self._squares / steps),
            drift=self._drift,
            bump=self._bump,
            touching=self._touching / steps,
        )
