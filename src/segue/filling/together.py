"""Two priors together: the learned prior knows how people move, a library knows these people and these clips."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from segue.body.figure import Figure, Poses
from segue.curves import quaternion
from segue.filling.prior import GapRequest, PlacingPrior, Prior, Proposal
from segue.typing import Array

_TRUSTED, _APART = 0.5, 0.6
"""Weight of a library that proposes the learned prior's own path, and the distance of the two paths at which its weight
is half of that. The distance is a multiple of the learned prior's estimate of its error.

A library that proposes what the learned prior thinks impossible is wrong more often than the prior. Chosen on gaps of
persons of CMU that the prior was not trained on, with libraries of the same persons and of others.
"""
_USED = 0.05
"""The least weight of a library that is used."""


@dataclass(frozen=True, eq=False)
class TwoPriors:
    """Blends the proposals of the learned prior and of a library; variants alternate between the two."""

    learned: Prior
    library: Prior

    def propose(self, request: GapRequest) -> Proposal:
        """Return the blend of two proposals, or the only one that has poses; see `Prior`."""
        if request.variant is not None:
            return self._variant(request, request.variant)
        ours, theirs = self.learned.propose(request), self.library.propose(request)
        if theirs.poses is None or theirs.match is None or theirs.match.share <= 0.0:
            return ours
        return theirs if ours.poses is None else _blended(ours, theirs, request.motion.figure)

    def displacement(self, request: GapRequest) -> tuple[float, float] | None:
        """Return where the learned prior would move the motion after a gap; see `PlacingPrior`."""
        return self.learned.displacement(request) if isinstance(self.learned, PlacingPrior) else None

    def _variant(self, request: GapRequest, number: int) -> Proposal:
        asked, left = {self.learned: 0, self.library: 0}, [self.learned, self.library]
        proposal = Proposal(None, reason="no further variant differs enough")
        for _ in range(number + 1):
            while left:
                prior = left[0]
                proposal = prior.propose(replace(request, variant=asked[prior]))
                asked[prior] += 1
                left = left[1:] if proposal.poses is None else [*left[1:], prior]
                if proposal.poses is not None:
                    break
        return proposal


def _blended(learned: Proposal, library: Proposal, figure: Figure) -> Proposal:
    """Return the learned proposal with a part of the library's, which stays out where they are far apart.

    The error and the reason stay the learned prior's.
    """
    assert learned.poses is not None
    assert library.poses is not None
    times = np.linspace(0.0, 1.0, len(learned.poses))
    poses = resampled(library.poses, times)
    weight = _TRUSTED
    if learned.error:
        apart = figure.forward(poses)[0] - figure.forward(learned.poses)[0]
        weight /= 1.0 + (float(np.linalg.norm(apart, axis=-1).mean()) / (_APART * learned.error)) ** 2
    if weight < _USED:
        return learned
    contacts = learned.contacts
    if learned.contacts is not None and library.contacts is not None:
        own = np.linspace(0.0, 1.0, len(library.contacts))
        theirs = np.stack([np.interp(times, own, each) for each in library.contacts.T], axis=1)
        contacts = learned.contacts + weight * (theirs - learned.contacts)
    return replace(learned, poses=mixed(learned.poses, poses, weight), contacts=contacts, match=library.match)


def mixed(one: Poses, other: Poses, share: float) -> Poses:
    """Return poses with a share of others, rotations along great arcs."""
    return Poses(
        one.root + share * (other.root - one.root),
        quaternion.slerp(one.balls, other.balls, np.full((len(one), 1), share)),
        one.hinges + share * (other.hinges - one.hinges),
    )


def resampled(poses: Poses, times: Array) -> Poses:
    """Return poses at evenly spaced times as poses at other times, from 0 to 1."""
    at = np.clip(times, 0.0, 1.0) * (len(poses) - 1)
    low = np.minimum(at.astype(int), len(poses) - 2)
    part = (at - low)[:, None]
    return Poses(
        poses.root[low] + part * (poses.root[low + 1] - poses.root[low]),
        quaternion.slerp(poses.balls[low], poses.balls[low + 1], part),
        poses.hinges[low] + part * (poses.hinges[low + 1] - poses.hinges[low]),
    )
