"""The learned prior: describe a gap to the network, and turn its answer into poses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from segue.body.figure import Poses
from segue.body.human import HUMAN
from segue.curves import quaternion
from segue.filling.prior import GapRequest, Proposal
from segue.filling.sides import reach_of
from segue.prior.network import Network
from segue.prior.tables import (
    CONTEXT,
    GROUPS,
    LONGEST,
    PLACING,
    RATE,
    WAYS,
    figure_tables,
    group_of,
    hermite_weights,
    profile,
    standard_figure,
)
from segue.prior.weights import read_prior
from segue.typing import Array, Flags

SHORT = "too short for the learned prior"
LONG = "too long for the learned prior"
UNLIKE = "unlike anything in training"
FLOOR_WORK = "floor work, which the training set has little of"
"""Reasons why the prior is unsure, or proposes nothing."""

_SHORTEST = 4
"""Frames of the shortest gap."""
_SLOWEST = 1.4
"""Times the length of a frame in training up to which frames may last."""
_UNLIKE = 1.5
"""Distance from the training set, as a part of what 99 % of the gaps left out have, from which a gap is unlike it."""
_LOW = 0.55
"""Height of the root in legs below which a person works on the floor."""
_BALLS = slice(3, 3 + 6 * len(HUMAN.ball_names))


@dataclass(frozen=True, eq=False)
class LearnedPrior:
    """A prior that a network proposes; see `segue.filling.prior.Prior`.

    about: what the network was trained on, and how well it does.
    """

    network: Network
    about: Mapping[str, Any]

    @classmethod
    def read(cls, path: str | Path) -> LearnedPrior:
        """Return the prior in a file."""
        found, tables = read_prior(path), figure_tables()
        return cls(Network(found.arrays, tables.input_count, tables.row_count, path), found.about)

    @cached_property
    def calibration(self) -> float:
        """The factor by which errors on persons left out exceed the network's estimates, in the median."""
        rows = [row for key, row in self.about.get("measures", {}).items() if key.endswith(f"/{CONTEXT}")]
        ratios = [row["calibration"] for row in rows]
        return float(np.median(ratios)) if ratios else 1.0

    def _usual_error(self, frames: int) -> float:
        """Return the mean estimate of the error in legs in gaps left out of so many frames; 0 if none was measured."""
        measured = [(key.partition("/"), row["estimate"]) for key, row in self.about.get("measures", {}).items()]
        known = sorted((int(gap), estimate) for (gap, _, after), estimate in measured if after == str(CONTEXT))
        if not known:
            return 0.0
        gaps, estimates = np.array(known).T
        return self.calibration * float(np.interp(frames, gaps, estimates))

    def propose(self, request: GapRequest) -> Proposal:
        """Return the path that the network proposes for a gap; see `Prior`."""
        duration = request.stop - request.start
        frames = round(duration * RATE) - 1
        if frames < _SHORTEST:
            return Proposal(None, reason=SHORT)
        if frames > _SLOWEST * LONGEST:
            return Proposal(None, reason=LONG)
        if request.variant is not None and request.variant >= WAYS:
            return Proposal(None, reason=f"the learned prior knows {WAYS} variants")
        view = _View(request, min(frames, LONGEST))
        way = 0 if request.variant is None else request.variant + 1
        answer = self.network(*view.inputs(), view.frames, way)
        path = view.base + np.where(view.known_columns, 0.0, profile(view.frames)[:, None] * answer.added)
        contacts = np.concatenate([answer.contacts[:1], answer.contacts, answer.contacts[-1:]]).astype(float)
        error = float(answer.error.mean()) * self.calibration * request.motion.figure.leg_length
        usual = self._usual_error(frames) * request.motion.figure.leg_length
        reason = self._reason(view, frames, answer.distance)
        return Proposal(view.poses(path), contacts, error, reason, usual=usual or None)

    def displacement(self, request: GapRequest) -> tuple[float, float] | None:
        """Return how far the motion after a gap is from where the network would put it; see `PlacingPrior`.

        The network estimates a turn, too. It is not used, so that straight walks go on straight.
        """
        frames = round((request.stop - request.start) * RATE) - 1
        if not (_SHORTEST <= frames <= LONGEST and request.is_whole):
            return None
        view = _View(request, frames)
        added = self.network(*view.inputs(), frames, PLACING).added
        return view.displacement(added[:, :3].mean(axis=0))

    def _reason(self, view: _View, frames: int, distance: float) -> str:
        if frames > LONGEST:
            return LONG
        if min(view.rows[CONTEXT - 1, 1], view.rows[CONTEXT, 1]) < _LOW:
            return FLOOR_WORK
        return UNLIKE if distance > _UNLIKE else ""


@lru_cache(maxsize=1)
def shipped_prior() -> LearnedPrior:
    """Return the prior that ships with Segue."""
    return LearnedPrior.read(shipped_path())


def shipped_path() -> Path:
    """Return the file of the prior that ships with Segue."""
    return Path(__file__).with_name("shipped.prior")


class _View:
    """A gap as the network sees it: in legs, from the origin, facing +z, above flat ground.

    rows: (20, 65) the frames before and after. base: (N, 65) the cubic path, the motion itself where it is known.
    """

    def __init__(self, request: GapRequest, frames: int) -> None:
        self.request, self.frames = request, frames
        step = (request.stop - request.start) / (frames + 1)
        first, last = reach_of(request.motion, request.start, request.stop)
        back, ahead = request.start - step * np.arange(CONTEXT - 1, -1, -1), request.stop + step * np.arange(CONTEXT)
        self.visible = np.concatenate([back >= first - 1e-6, ahead <= last + 1e-6])
        times = np.concatenate([np.maximum(back, first), np.minimum(ahead, last)])
        self._leg = request.motion.figure.leg_length
        poses = request.motion.state(times).poses
        ends = request.ends.poses
        for mine, given in ((poses.root, ends.root), (poses.balls, ends.balls), (poses.hinges, ends.hinges)):
            mine[CONTEXT - 1 : CONTEXT + 1] = given
        self._ends = ends
        low = request.ground.under(ends.root)
        u = np.clip((np.arange(frames + 2)) / (frames + 1.0), 0.0, 1.0)
        self._ground = low[0] + u * (low[1] - low[0])
        heading = _heading(poses.balls[CONTEXT - 1, 0])
        self._turn = np.array([np.cos(heading / 2), 0.0, np.sin(heading / 2), 0.0])
        self._origin = ends.root[0] * np.array([1.0, 0.0, 1.0])
        self.rows = self._rows(poses, np.repeat(low, CONTEXT))
        self.known = np.array([not any(group_of(track) == group for track in request.tracks) for group in GROUPS])
        self.known_columns: Flags = figure_tables().groups[self.known].any(axis=0)
        self.base = hermite_weights(frames) @ self._end_values()
        if self.known.any():
            inner = request.start + step * np.arange(1, frames + 1)
            within = self._rows(request.motion.state(inner).poses, self._ground[1:-1])
            self.base = np.where(self.known_columns, within, self.base)

    def _rows(self, poses: Poses, ground: Array) -> Array:
        """Return poses above ground at some heights as rows (T, 65)."""
        root = poses.root - self._origin
        root[:, 1] -= ground
        back = quaternion.conjugate(self._turn)
        root = quaternion.rotate(back, root / self._leg)
        balls = poses.balls.copy()
        balls[:, 0] = quaternion.multiply(back, balls[:, 0])
        columns = quaternion.to_matrix(balls)[..., :2].transpose(0, 1, 3, 2)
        return np.concatenate([root, columns.reshape(len(root), -1), poses.hinges], axis=1)

    def _end_values(self) -> Array:
        """Return values, and velocities a frame, at both ends, (4, 65), to the order that the context allows."""
        chord = (self.rows[CONTEXT] - self.rows[CONTEXT - 1]) / (self.frames + 1)
        found = []
        for at, step in ((CONTEXT - 1, -1), (CONTEXT, 1)):
            near, then, third = self.rows[[at, at + step, at + 2 * step]]
            if self.visible[at + 2 * step]:
                velocity = -step * (1.5 * near - 2.0 * then + 0.5 * third)
            else:
                velocity = -step * (near - then) if self.visible[at + step] else chord
            found += [near, velocity]
        return np.stack(found)

    def inputs(self) -> tuple[Any, Any, Any]:
        """Return what the network reads: frames (W, inputs), visible (W, 1) and flags (W, groups + 1)."""
        rows = np.concatenate([self.rows[:CONTEXT], self.base, self.rows[CONTEXT:]])
        visible = np.concatenate([self.visible[:CONTEXT], np.ones(self.frames, bool), self.visible[CONTEXT:]])
        points = _points(rows)
        velocity = np.zeros_like(points)
        velocity[1:] = np.diff(points, axis=0) * RATE * (visible[1:] & visible[:-1])[:, None]
        gap = np.zeros(len(rows), bool)
        gap[CONTEXT : CONTEXT + self.frames] = True
        flags = np.concatenate([np.where(gap[:, None], self.known, visible[:, None]), gap[:, None]], axis=1)
        described = np.concatenate([rows, points, velocity], axis=1)
        return described.astype(np.float32), visible[:, None].astype(np.float32), flags.astype(np.float32)

    def displacement(self, found: Array) -> tuple[float, float]:
        """Return a displacement (x, z) in the world in m; found: (3,) x in legs, turn in rad and z in legs."""
        x, _, z = quaternion.rotate(self._turn, np.array([found[0], 0.0, found[2]]) * self._leg).tolist()
        return x, z

    def poses(self, path: Array) -> Poses:
        """Return the poses of a path (N, 65) in the world, with the ends of the gap."""
        root = quaternion.rotate(self._turn, path[:, :3]) * self._leg + self._origin
        root[:, 1] += self._ground[1:-1]
        balls = _quaternions(path)
        balls[:, 0] = quaternion.multiply(self._turn, balls[:, 0])
        ends = self._ends
        whole = Poses(
            np.concatenate([ends.root[:1], root, ends.root[1:]]),
            np.concatenate([ends.balls[:1], balls, ends.balls[1:]]),
            np.concatenate([ends.hinges[:1], path[:, _BALLS.stop :], ends.hinges[1:]]),
        )
        return Poses(whole.root, quaternion.make_continuous(whole.balls), whole.hinges)


def _heading(turn: Array) -> float:
    """Return the heading of a pelvis in rad, from its forward and its left axis together."""
    at = quaternion.to_matrix(turn)
    return float(np.arctan2(at[0, 2] - at[2, 0], at[2, 2] + at[0, 0]))


def _quaternions(rows: Array) -> Array:
    """Return the ball joints (T, 7, 4) of rows whose rotations need not be orthonormal."""
    pairs = rows[:, _BALLS].reshape(len(rows), -1, 2, 3)
    x = quaternion.directions(pairs[:, :, 0])
    y = pairs[:, :, 1] - np.einsum("tbi,tbi->tb", x, pairs[:, :, 1])[..., None] * x
    y = quaternion.directions(y)
    return quaternion.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))


def _points(rows: Array) -> Array:
    """Return the joints and outer points of the standard figure in legs, (T, 3 P)."""
    figure, tables = standard_figure(), figure_tables()
    poses = Poses(rows[:, :3] * figure.leg_length, _quaternions(rows), rows[:, _BALLS.stop :])
    positions, rotations = figure.forward(poses)
    on = tables.point_segments
    others = positions[:, on] + quaternion.rotate(rotations[:, on], tables.points * figure.leg_length)
    return np.concatenate([positions, others], axis=1).reshape(len(rows), -1) / figure.leg_length
