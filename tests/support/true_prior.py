"""A prior that knows the truth, more or less: the captured poses of a gap, perturbed, with their contacts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

import segue as sg
from segue.body.figure import FEET, Poses
from segue.filling.prior import GapRequest, Proposal
from segue.motion.contacts import contact_flags, find_contacts

_RATE = 30.0


@dataclass(eq=False)
class TruePrior:
    """Proposes the motion that was captured, with a bump of some metres in the root's path.

    error: what the prior says of itself. known: number of variants. requests: what it was asked.
    """

    truth: sg.Motion
    bump: float = 0.0
    error: float | None = 0.01
    known: int = 1
    reason: str = ""
    requests: list[GapRequest] = field(default_factory=list)

    def propose(self, request: GapRequest) -> Proposal:
        """Return the truth, see `segue.filling.Prior`."""
        self.requests.append(request)
        if not request.is_whole:
            return Proposal(None, reason="only some joints are missing")
        number = request.variant or 0
        if number >= self.known:
            return Proposal(None, reason="no further variant")
        count = max(3, round((request.stop - request.start) * _RATE)) + 1
        times = np.linspace(request.start, request.stop, count)
        poses = self.truth.at(times)
        u = np.linspace(0.0, 1.0, count)[:, None]
        away = self.bump * (1 + number) * 16.0 * u**2 * (1.0 - u) ** 2 * np.array([1.0, 0.0, 0.0])
        contacts = true_contacts(self.truth, times)
        return Proposal(Poses(poses.root + away, poses.balls, poses.hinges), contacts, self.error, self.reason)


def true_contacts(motion: sg.Motion, times: np.ndarray) -> np.ndarray:
    """Return (T, 4) whether the points of the feet touch the ground in a motion."""
    seen = np.linspace(motion.start, motion.stop, round(60 * motion.duration) + 1)
    poses = motion.at(seen)
    points = {name: motion.figure.point(name, poses) for name in FEET}
    flags = contact_flags(times, find_contacts(seen, points, motion.figure.stature), FEET)
    return np.stack([flags[name].astype(float) for name in FEET], axis=1)
