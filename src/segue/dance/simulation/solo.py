"""Simulate one dancer: physics at 1 kHz, motor control at 500 Hz."""

from __future__ import annotations

from collections.abc import Sequence

from segue.dance.notation.model import Part
from segue.dance.planning.model import Plan
from segue.dance.simulation.assistance import Mode
from segue.dance.simulation.dancer import Dancer
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import InitialState
from segue.dance.simulation.push import Push
from segue.dance.simulation.result import SimulatedDance
from segue.dance.simulation.running import Progress, Simulation


class SoloSimulation(Simulation[SimulatedDance]):
    """A simulation of one dancer; arguments as for `simulate`."""

    def __init__(
        self,
        plan: Plan,
        environment: Environment | None = None,
        *,
        mode: Mode | str = Mode.TORQUE,
        pushes: Sequence[Push] = (),
        adjusting: bool = True,
    ) -> None:
        ready = InitialState.of(plan, environment or Environment())
        self.dancer = Dancer(ready, mode=Mode.of(mode), adjusting=adjusting)
        super().__init__({Part.LEADER: self.dancer})
        for push in pushes:
            self.push(push)

    @property
    def recorded(self) -> int:
        """Number of recorded frames."""
        return self.dancer.recorded

    def result(self, interrupted: bool = False, first: int = 0) -> SimulatedDance:
        """Return the recorded dance, from a frame on; interrupted: whether Ctrl-C ended it."""
        return self.dancer.result(interrupted, slice(first, None))

    def _record(self) -> None:
        self.dancer.record()

    def _tick(self) -> None:
        self.dancer.tick()


def simulate(
    plan: Plan,
    environment: Environment | None = None,
    *,
    mode: Mode | str = Mode.TORQUE,
    pushes: Sequence[Push] = (),
    adjusting: bool = True,
    progress: Progress | None = None,
) -> SimulatedDance:
    """Simulate a dancer that dances a plan, and return the motion with its forces, torques and landings.

    mode: the motor control; joint torques alone by default. pushes: forces from outside. adjusting: whether a dancer
    that is pushed, or whose balance is far off, changes its next footsteps; the modes with outside torque never do.
    progress: called with the frames done and the number of frames.

    A body that falls becomes passive, and the result has a `Fall`. Ctrl-C ends the dance early, and the part that was
    simulated is returned.
    """
    return SoloSimulation(plan, environment, mode=mode, pushes=pushes, adjusting=adjusting).run(progress)
