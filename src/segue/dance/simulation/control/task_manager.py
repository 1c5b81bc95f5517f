"""The task manager: takes step after step from its queue, and tells limbs and feet what they are to do and by when."""

from __future__ import annotations

from collections import deque

from segue.dance.planning.model import PlannedStep
from segue.dance.simulation.control.limbs import LimbPrograms
from segue.dance.simulation.control.positions import PositionProgram
from segue.dance.simulation.course.course import Course


class TaskManager:
    """Knows which step of the dance is under way, and when it is to be done [Lake1990, section 6.1].

    queue: steps that are still to come. step: the one under way. feet: the position programs of both feet. limbs: the
    general limb programs. Goals come with the whole course, so that nothing slows down where a goal is only passed.
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self.queue: deque[PlannedStep] = deque(course.plan.steps)
        self.step: PlannedStep | None = None
        self.feet = {side: PositionProgram(way) for side, way in course.feet.items()}
        self.limbs = LimbPrograms()

    def advance(self, time: float) -> None:
        """Take the next step from the queue when its time has come."""
        if self.queue and time >= self.queue[0].start:
            self.step = self.queue.popleft()

    def follow(self, course: Course, time: float) -> None:
        """Go on with another course, which is the same so far."""
        self.course = course
        for side, program in self.feet.items():
            program.follow(course.feet[side], time)

    def elapsed(self, time: float) -> float:
        """Return the share of the step under way, or of the lead-in, that has passed, from 0 to 1."""
        start, stop = (0.0, self.course.plan.lead_in) if self.step is None else (self.step.start, self.step.stop)
        return min(max((time - start) / (stop - start), 0.0), 1.0)
