"""Dancing a plan: physics at 1 kHz, motor control at 500 Hz, and a record of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from segue.dance.planning.model import Plan
from segue.dance.simulation.assistance import Mode
from segue.dance.simulation.dancer import FPS, TICKS, Dancer
from segue.dance.simulation.environment import Environment
from segue.dance.simulation.initial_state import Ready
from segue.dance.simulation.push import Push, shoves_during
from segue.dance.simulation.result import SimulatedDance

Progress = Callable[[int, int], None]
"""Called now and then with how many frames are done, and of how many."""


def simulate(
    plan: Plan,
    environment: Environment | None = None,
    *,
    mode: Mode | str = Mode.TORQUE,
    pushes: Sequence[Push] = (),
    adjusting: bool = True,
    progress: Progress | None = None,
) -> SimulatedDance:
    """Dance a plan, and return what came of it: by joint torques alone, unless the mode says otherwise.

    adjusting: whether who is pushed, or far astray, puts feet elsewhere than planned; nobody does who has help from
    outside.
    A body that falls is let go: it falls like one, and the result says so. Ctrl-C ends the dance early; what was
    simulated so far is returned.
    """
    ready = Ready.of(plan, environment or Environment())
    dancer = Dancer(ready, shoves_during(pushes, plan.stop), Mode.of(mode), adjusting=adjusting)
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
