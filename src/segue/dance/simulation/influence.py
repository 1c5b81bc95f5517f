"""What pushes a dancer from outside: shoves, a partner's hands, a helping torque. Without any, only the floor does."""

from __future__ import annotations

from typing import Any, Protocol


class Influence(Protocol):
    """Something that acts on a body besides gravity and floor."""

    def press(self, time: float, data: Any) -> None:
        """Add forces and torques in the world (bodies, 6), at the segments' centres of mass, to `data.xfrc_applied`.

        It is asked before every step of the physics, and finds the engine's `data` as they are then.
        """
        ...
