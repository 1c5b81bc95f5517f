"""The task manager: takes step after step from its queue, and tells limbs and feet what they are to do and by when."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from segue.dance.planning.model import PlannedStep
from segue.dance.simulation.control.limbs import LimbPrograms
from segue.dance.simulation.control.positions import PositionProgram
from segue.dance.simulation.course.course import Course

__all__ = ["TaskManager", "Timer"]


@dataclass(frozen=True)
class Timer:
    """When a movement began, and when it is to be done, s."""

    start: float
    stop: float

    def elapsed(self, time: float) -> float:
        """Return the share of the time that has passed, from 0 to 1."""
        return min(max((time - self.start) / (self.stop - self.start), 0.0), 1.0) if self.stop > self.start else 1.0


class TaskManager:
    """Knows which step of the dance is under way, and sets goals, states and timers [Lake1990, section 6.1].

    queue: steps that are still to come. step: the one under way. feet: the position programs of both feet. limbs: the
    general limb programs. Goals come with the whole course, so that nothing slows down where a goal is only passed.
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self.queue: deque[PlannedStep] = deque(course.plan.steps)
        self.step: PlannedStep | None = None
        self.timer = Timer(0.0, course.plan.lead_in)
        self.feet = {side: PositionProgram(way) for side, way in course.feet.items()}
        self.limbs = LimbPrograms()

    @property
    def finished(self) -> bool:
        """Whether every step has been taken: the behaviour level may send the next pattern."""
        return not self.queue

    def advance(self, time: float) -> bool:
        """Take the next step from the queue when its time has come, and return whether one was taken."""
        if not self.queue or time < self.queue[0].start:
            return False
        self.step = self.queue.popleft()
        self.timer = Timer(self.step.start, self.step.stop)
        self.limbs.follow(self.course.limbs, self.course.tick(time))
        return True
