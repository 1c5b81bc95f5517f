"""Simulate one dancer: physics at 1 kHz, motor control at 500 Hz."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from segue.dance.planning.model import Plan
from segue.dance.simulation.assistance import Mode
from segue.dance.simulation.dancer import FPS, TICKS, Dancer
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import InitialState
from segue.dance.simulation.push import Push, push_forces
from segue.dance.simulation.result import SimulatedDance

Progress = Callable[[int, int], None]
"""Called after each frame with the number of frames done and of all frames."""


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
    ready = InitialState.of(plan, environment or Environment())
    dancer = Dancer(ready, push_forces(pushes, plan.stop), Mode.of(mode), adjusting=adjusting)
    frames = int(plan.stop * FPS) + 1
    interrupted = False
    try:
        for frame in range(frames):
            dancer.record()
            for _ in range(TICKS):
                dancer.tick()
            if progress is not None:
                progress(frame + 1, frames)
            if dancer.done:
                break
    except KeyboardInterrupt:
        if not dancer.recorded:
            raise
        interrupted = True
    return dancer.result(interrupted)
