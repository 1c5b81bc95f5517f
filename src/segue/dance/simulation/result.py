"""The result of a simulated dance: motion, forces, torques, landings and slips, as a report and as series over time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from segue.body.human import HUMAN
from segue.dance.body.shapes import SOLE_POINTS
from segue.dance.planning.model import Footstep, Plan
from segue.dance.simulation.assistance import Help, Mode
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.model import joint_strengths
from segue.errors import FileFormatError
from segue.filesystem import atomic_write, writable_target
from segue.motion.motion import Motion
from segue.motion.tracks import poses_of
from segue.typing import Array

_LEAST_PUSH = 20.0  # N on the floor: with less the centre of pressure is undefined


@dataclass(frozen=True)
class Landing:
    """The landing of a foot.

    late: s after its beat, negative before it. miss: m, from the planned to the true middle of the sole once the foot
    stands flat; None if it never did. adjusted: whether the dancer chose another place or time than planned.
    """

    step: Footstep
    late: float
    miss: float | None
    adjusted: bool = False


@dataclass(frozen=True)
class Fall:
    """A fall: time in s, step (None before the first), and elapsed share of that step, 0 to 1."""

    time: float
    step: int | None
    elapsed: float

    def __str__(self) -> str:
        where = "before the first step" if self.step is None else f"{self.elapsed:.0%} through step {self.step}"
        return f"the dancer fell at {self.time:.2f} s, {where}"


@dataclass(frozen=True)
class Outside:
    """Forces from outside, other than gravity and floor.

    applied: N, the largest force that was applied to the root or any segment, without pushes; zero. unexplained: N,
    root mean square of the change of momentum that gravity, floor and pushes do not explain: the error of integration.
    """

    applied: float
    unexplained: float


@dataclass(frozen=True, eq=False)
class SimulatedDance:
    """A dance of a body with mass, at T times, `fps` per second.

    positions: (T, 51) of the engine. torques: (T, 38) N m, of the degrees of freedom after the root's. work: (T, 38) J,
    work of the torques since the beginning. forces: (T, 12, 3) N, of the floor on the balls under the soles, at points:
    (T, 12, 3). centre: (T, 3) centre of mass. unexplained: (T,) N, the largest change of momentum since the last frame
    that gravity, floor and pushes do not explain; NaN in the first frame and after a fall. slip: m, the farthest that a
    loaded point of a sole moved. touch: N, the largest force between the legs. interrupted: whether Ctrl-C ended the
    dance. mode: the motor control. help: the outside torque on the upper body. unplanned: number of steps that were not
    in the plan.
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

    @property
    def weight(self) -> float:
        """The body's weight, N."""
        return self.plan.figure.mass * self.environment.gravity

    @cached_property
    def motion(self) -> Motion:
        """The dance as a motion of the figure, which composes with any other."""
        return Motion.from_poses(self.plan.figure, poses_of(self.positions), self.fps)

    @cached_property
    def pressure(self) -> Array:
        """The centre of pressure on the floor, (T, 2), x and z; NaN if the floor bears less than 20 N."""
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
        """Number of landings whose place or time the dancer changed."""
        return sum(landing.adjusted for landing in self.landings)

    @property
    def due(self) -> int:
        """Number of flights in the plan."""
        return sum(step.land > step.lift for step in self.plan.footsteps)

    def report(self) -> dict[str, Any]:
        """Return the results as JSON values: SI units, and mm and ms where the name ends in them."""
        return report_of(self)


def report_of(dance: SimulatedDance) -> dict[str, Any]:
    """Return the results of a dance as JSON values: SI units, and mm and ms where the name ends in them."""
    hardest = max(dance.efforts, key=lambda name: dance.efforts[name])
    figure, where = dance.plan.figure, dance.environment
    return {
        "mode": str(dance.mode),
        "seconds": round(float(dance.times[-1]) if len(dance.positions) else 0.0, 3),
        "fall": None if dance.fall is None else {"time": round(dance.fall.time, 3), "step": dance.fall.step},
        "interrupted": dance.interrupted,
        "landings": {"due": dance.due, "made": len(dance.landings)},
        "steps": {"adjusted": dance.adjusted, "unplanned": dance.unplanned},
        "slip_mm": round(1e3 * dance.slip, 2),
        "legs_touch_N": round(dance.touch, 1),
        "landing_error_mm": round(1e3 * dance.landing_error, 2),
        "beat_error_ms": round(1e3 * dance.beat_error, 1),
        "hardest_joint": {"name": hardest, "share_of_strength": round(dance.efforts[hardest], 3)},
        "outside_force_N": {
            "applied": dance.outside.applied,
            "unexplained_rms": round(dance.outside.unexplained, 3),
        },
        "helping_torque": {
            "largest_Nm": round(dance.help.largest, 2),
            "rms_Nm": round(dance.help.rms, 2),
            "impulse_Nms": round(dance.help.impulse, 2),
        },
        "patterns": _titles(dance),
        "bars_per_minute": dance.plan.tempo.bars,
        "figure": {"stature": figure.stature, "mass": round(figure.mass, 3)},
        "environment": {
            "gravity": where.gravity,
            "friction": where.friction,
            "believed_friction": where.expected_friction,
            "yielding": where.yielding,
            "damping": where.damping,
        },
        "shares_of_strength": {joint: round(share, 3) for joint, share in dance.efforts.items()},
        "each_landing": [_landed(dance, landing) for landing in dance.landings],
    }


def _titles(dance: SimulatedDance) -> list[str]:
    """Return the titles of the patterns in order; a pattern begins where step numbers restart."""
    return [
        step.pattern.title
        for k, step in enumerate(dance.plan.steps)
        if k == 0
        or step.number <= dance.plan.steps[k - 1].number
        or step.pattern is not dance.plan.steps[k - 1].pattern
    ]


def _landed(dance: SimulatedDance, landing: Landing) -> dict[str, Any]:
    steps, step = dance.plan.steps, landing.step
    return {
        "step": steps[step.step].number if step.step < len(steps) else None,
        "foot": step.foot,
        "time": round(step.land + landing.late, 3),
        "late_ms": round(1e3 * landing.late, 1),
        "miss_mm": None if landing.miss is None else round(1e3 * landing.miss, 2),
    }


_SUFFIXES = (".npz", ".csv")
_AXES = ("x", "y", "z")


def series_of(dance: SimulatedDance) -> dict[str, Array]:
    """Return columns (T,) by name: time, torques, forces on feet, centres of mass and pressure; a name ends in its
    unit.

    Pressure is NaN if the floor bears less than 20 N.
    """
    columns: dict[str, Array] = {"time_s": dance.times}
    for k, name in enumerate(HUMAN.dof_names[HUMAN.root_dofs :]):
        columns[f"torque_{name}_Nm"] = dance.torques[:, k]
    for k, side in enumerate(("left", "right")):
        force = dance.forces[:, SOLE_POINTS * k : SOLE_POINTS * (k + 1)].sum(axis=1)
        columns |= {f"force_{side}_foot_{axis}_N": force[:, a] for a, axis in enumerate(_AXES)}
    columns |= {f"mass_centre_{axis}_m": dance.centre[:, a] for a, axis in enumerate(_AXES)}
    columns |= {f"pressure_{axis}_m": dance.pressure[:, a] for a, axis in enumerate(("x", "z"))}
    return columns


def write_series(dance: SimulatedDance, path: str | Path) -> None:
    """Write the columns of a dance: .csv with one row per frame, or .npz with one array per column."""
    check_series(path)
    columns = series_of(dance)
    with atomic_write(path) as beside:
        if beside.suffix.lower() == ".npz":
            np.savez(beside, **columns)  # type: ignore[arg-type]
        else:
            table = np.stack(list(columns.values()), axis=1)
            np.savetxt(beside, table, fmt="%.9g", delimiter=",", header=",".join(columns), comments="", newline="\n")


def check_series(path: str | Path) -> None:
    """Raise if a file of series could not be written, before any work is done."""
    suffix = Path(path).suffix
    if suffix.lower() not in _SUFFIXES:
        raise FileFormatError(f"suffix '{suffix}': series over time are written as {' or '.join(_SUFFIXES)}", path)
    writable_target(path)
