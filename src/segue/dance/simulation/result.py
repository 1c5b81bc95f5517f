"""What came of a simulated dance: the motion, and forces, torques, landings and slips along with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from segue.body.human import HUMAN
from segue.dance.planning.model import Footstep, Plan
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.helping import Help
from segue.dance.simulation.modes import Mode
from segue.dance.simulation.report import report_of
from segue.dance.simulation.state import poses_of
from segue.dance.simulation.strength import joint_strengths
from segue.motion.motion import Motion
from segue.typing import Array

_LEAST_PUSH = 20.0  # N on the floor: with less there is no centre of pressure


@dataclass(frozen=True)
class Landing:
    """A foot that came down. late: s after its beat, negative before. miss: m between the middle of its sole, once it
    stands flat, and where it was to be; None where it never did. adjusted: whether it was put elsewhere or sooner than
    planned, on purpose.
    """

    step: Footstep
    late: float
    miss: float | None
    adjusted: bool = False


@dataclass(frozen=True)
class Fall:
    """A body that could not be held: when, s, in which step, None before the first, and how far through it, 0 to 1."""

    time: float
    step: int | None
    elapsed: float

    def __str__(self) -> str:
        where = "before the first step" if self.step is None else f"{self.elapsed:.0%} through step {self.step}"
        return f"the dancer fell at {self.time:.2f} s, {where}"


@dataclass(frozen=True)
class Outside:
    """What acted on the body from outside, other than gravity and floor.

    applied: N, the largest force that was applied to the root or any segment, pushes not counted; zero. unexplained: N,
    root mean square of the change of momentum that gravity, floor and pushes do not explain: the error of integration.
    """

    applied: float
    unexplained: float


@dataclass(frozen=True, eq=False)
class SimulatedDance:
    """A dance as a body with mass danced it, at T times, `fps` a second.

    positions: (T, 51) the engine's. torques: (T, 38) N m, of the degrees of freedom after the root's, and work:
    (T, 38) J, what these did since the beginning. forces: (T, 12, 3) N, of the floor on the balls under the soles, and
    points: (T, 12, 3) where. centre: (T, 3) the centre of mass. unexplained: (T,) N, the largest change of momentum
    since the frame before that gravity, floor and pushes do not explain; NaN at first, and of who has fallen. slip: m,
    the farthest that a sole's point moved while it bore weight. touch: N, the hardest that legs pressed each other.
    interrupted: whether it was ended before its time. mode: how it was danced. help: the torque on the upper body that
    no joint gave. unplanned: how many steps were taken that nobody planned, so as not to fall.
    """

    plan: Plan
    environment: Environment
    fps: float
    positions: Array
    torques: Array
    work: Array
    forces: Array
    points: Array
    centre: Array
    unexplained: Array
    landings: tuple[Landing, ...]
    slip: float
    touch: float
    outside: Outside
    fall: Fall | None
    interrupted: bool
    mode: Mode
    help: Help
    unplanned: int

    @property
    def times(self) -> Array:
        """Times of the frames, s."""
        times: Array = np.arange(len(self.positions)) / self.fps
        return times

    @cached_property
    def motion(self) -> Motion:
        """The dance as a motion of the figure, which composes with any other."""
        return Motion.from_poses(self.plan.figure, poses_of(self.positions), self.fps)

    @cached_property
    def pressure(self) -> Array:
        """The centre of pressure on the floor, (T, 2), x and z; NaN where hardly anything touches it."""
        normal = self.forces[:, :, 1]
        total = normal.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = np.einsum("tp,tpk->tk", normal, self.points[:, :, [0, 2]]) / total[:, None]
        return np.where((total > _LEAST_PUSH)[:, None], found, np.nan)

    @cached_property
    def shares(self) -> dict[str, Array]:
        """Each joint's torque over time as a share of its strength, (T,)."""
        strengths = joint_strengths(self.plan.figure)
        spans = [slice(span.start - HUMAN.root_dofs, span.stop - HUMAN.root_dofs) for span in HUMAN.joint_dofs[1:]]
        return {
            joint.name: np.linalg.norm(self.torques[:, span], axis=1) / strength
            for joint, span, strength in zip(HUMAN.joints[1:], spans, strengths, strict=True)
        }

    @cached_property
    def efforts(self) -> dict[str, float]:
        """The largest torque of each joint as a share of its strength."""
        return {joint: float(share.max(initial=0.0)) for joint, share in self.shares.items()}

    @property
    def beat_error(self) -> float:
        """The largest time between a landing and its beat, s."""
        return max((abs(landing.late) for landing in self.landings), default=0.0)

    @property
    def landing_error(self) -> float:
        """The farthest that a foot stood from its footprint, m."""
        return max((landing.miss for landing in self.landings if landing.miss is not None), default=0.0)

    @property
    def adjusted(self) -> int:
        """How many feet were put elsewhere or sooner than planned, so as not to fall."""
        return sum(landing.adjusted for landing in self.landings)

    @property
    def due(self) -> int:
        """How many flights the plan has."""
        return sum(step.land > step.lift for step in self.plan.footsteps)

    def report(self) -> dict[str, Any]:
        """Return the figures of the dance, ready for JSON: SI units, and mm and ms where the name says so."""
        return report_of(self)
