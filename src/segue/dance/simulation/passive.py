"""A passive body: muscles drive no joint any more, tissue damps all of them, and the physics stays stable.

A controller that has lost the floor asks for accelerations that no posture can give. It would put 10 to 30 kW into
light segments until they spin at 300 rad/s, where explicit integration gains energy in every step and diverges.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from segue.body.human import HUMAN
from segue.dance.simulation.engine import mujoco
from segue.typing import Array

FASTEST = 20.0
"""Joint speed in rad/s above which a dancer has lost control; in the shipped patterns no joint turns faster than 13."""

# N m s/rad per N m of strength: with 68 kg, 2.4 N m s/rad at the knee and 0.3 at the wrist
_DAMPING = 0.01


def make_passive(engine_model: Any, strengths: Array) -> None:
    """Let tissue damp all joints of the engine's model from now on, in place; strengths: (18,) N m.

    The engine then integrates damping, Coriolis and centrifugal forces implicitly. Explicit integration gains a share
    (h w)^2 of the energy in each step of h seconds at w rad/s.
    """
    counts = [span.stop - span.start for span in HUMAN.joint_dofs[1:]]
    engine_model.dof_damping[HUMAN.root_dofs :] = np.repeat(_DAMPING * strengths, counts)
    engine_model.opt.integrator = mujoco().mjtIntegrator.mjINT_IMPLICIT
