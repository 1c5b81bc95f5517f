"""The residual of a cycle: what the figure leaves out of the user's skeleton, made to close with it."""

from __future__ import annotations

import numpy as np

from segue.curves import quaternion
from segue.curves.spline_kernels import evaluate_rows
from segue.cycle.closing import ClosedBasis, closed_rotations, closed_values, flips_of
from segue.cycle.travel import Travel
from segue.motion.carry import Residual
from segue.motion.motion import Motion
from segue.motion.residual_track import ResidualTracks
from segue.motion.take import Take
from segue.typing import Array


def residual_of(motion: Motion, host: Take, times: Array) -> Residual:
    """Return what the figure leaves out of the host's skeleton at times of a whole motion."""
    tracks = ResidualTracks(motion.tracks, host)
    parts = [tracks.at(times[chosen], at) for chosen, at, _ in motion.segments.runs(times)]
    turns, seat, positions = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("turns", "seat", "positions")
    )
    return Residual(turns, seat, positions)


class ClosedResidual:
    """Residuals over a period, as cyclic splines."""

    def __init__(self, motion: Motion, host: Take, start: float, basis: ClosedBasis, travel: Travel) -> None:
        self.host = host
        ends = residual_of(motion, host, start + np.array([0.0, basis.period]))
        inside = residual_of(motion, host, start + basis.times)
        # a root above the pelvis that keeps still in the clip keeps still in the cycle; any other travels with the body
        standing = host.carry.strangers
        moves = np.ptp(inside.positions[:, standing], axis=0).any(axis=1) | np.ptp(
            inside.turns[:, standing], axis=0
        ).any(axis=1)
        self._strangers = standing[moves]
        self._see(ends, np.array([0.0, basis.period]), travel)
        self._see(inside, basis.times, travel)
        self._moving = np.flatnonzero(np.ptp(inside.positions, axis=0).any(axis=1))
        self._still = inside.positions[0]
        turns = quaternion.make_continuous(closed_rotations(inside.turns, basis.shares, *ends.turns))
        places = [
            closed_values(values, basis.shares, *both).reshape(len(values), -1)
            for values, both in (
                (inside.seat, ends.seat),
                (inside.positions[:, self._moving], ends.positions[:, self._moving]),
            )
        ]
        flips = np.repeat(flips_of(turns), 4)
        rows = np.concatenate([turns.reshape(len(turns), -1), *places], axis=1)
        flips = np.append(flips, np.zeros(rows.shape[1] - len(flips), dtype=bool))
        self._knots = basis.knots(basis.fit(rows, flips), flips)

    def _see(self, residual: Residual, times: Array, travel: Travel) -> None:
        """Change the joints that stand in the world to how they are seen from the frame that travels, in place."""
        if len(self._strangers):
            space, chosen = self.host.space, (slice(None), self._strangers)
            places, turns = space.to_metres(residual.positions[chosen]), space.turn(residual.turns[chosen])
            residual.positions[chosen] = space.from_metres(travel.seen(places, times))
            residual.turns[chosen] = space.turn_back(travel.turned_back(turns, times))

    def at(self, phase: Array, times: Array, travel: Travel) -> Residual:
        """Return the residual at times, which are given also within their period."""
        rows = evaluate_rows(self._knots, phase, 0, self._knots.values.shape[1])[0]
        joints = len(self._still)
        turns = quaternion.normalise(rows[:, : 4 * joints].reshape(len(rows), joints, 4))
        seat = rows[:, 4 * joints : 4 * joints + 3].copy()
        positions = np.tile(self._still, (len(rows), 1, 1))
        positions[:, self._moving] = rows[:, 4 * joints + 3 :].reshape(len(rows), -1, 3)
        if len(self._strangers):
            space, chosen = self.host.space, (slice(None), self._strangers)
            places, rotations = space.to_metres(positions[chosen]), space.turn(turns[chosen])
            positions[chosen] = space.from_metres(travel.placed(places, times))
            turns[chosen] = space.turn_back(travel.turned(rotations, times))
        return Residual(turns, seat, positions)
