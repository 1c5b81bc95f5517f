"""Simulated dancers: a whole dance against real time and against the engine alone, and a tick's program against a peer.

Seconds are the processor's, on one core; contenders take turns, so that a busy machine is unfair to none.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import quadprog
from tests.support.simulated_plans import foxtrot, plan_of

from benchmarks import Row, medians
from segue.dance.planning.model import Plan
from segue.dance.simulation import Environment, simulate
from segue.dance.simulation.control._force_kernels import solve_force_qp
from segue.dance.simulation.dancer import STEPS, Dancer
from segue.dance.simulation.engine import mujoco
from segue.dance.simulation.initial_state import InitialState

REAL_TIME, PEER = 4.0, 2.0
_TURNS = 5
_PYRAMID = np.array([[1, 0.4, 0], [-1, 0.4, 0], [0, 0.4, 1], [0, 0.4, -1], [0, 1, 0], [0, -1, 0]])


def _engine_alone(plan: Plan) -> Callable[[], object]:
    """Return a function that moves the same body the same way by torques that are known already."""
    ready, engine = InitialState.of(plan, Environment()), mujoco()
    dancer, torques = Dancer(ready), []
    while dancer.time < plan.stop:
        dancer.tick()
        torques.append((dancer.data.ctrl.copy(), dancer.data.qfrc_applied.copy()))
    model = ready.model.engine_model

    def replay() -> None:
        data = engine.MjData(model)
        data.qpos[:] = ready.positions
        for motors, ligaments in torques:
            data.ctrl[:], data.qfrc_applied[:] = motors, ligaments
            for _ in range(STEPS):
                engine.mj_step(model, data)
        assert np.abs(data.qpos - dancer.data.qpos).max() < 1e-6, "it is the same motion"

    return replay


def _programs(points: int) -> Row:
    """Compare solvers on programs of a tick, of some points on the floor."""
    rng = np.random.default_rng(points)
    wrench = rng.normal(size=(6, 3 * points))
    hessian = wrench.T @ wrench + 1e-3 * np.eye(3 * points)
    gradients = hessian @ (30.0 * rng.normal(size=(50, 3 * points)) + np.tile([0.0, 60.0, 0.0], points)).T
    least = np.tile([0.0, 0.0, 0.0, 0.0, 0.0, -300.0], (points, 1))
    sides, columns = np.repeat(_PYRAMID[None], points, axis=0), np.kron(np.eye(points), _PYRAMID.T)
    taken = medians(
        {
            "ours": lambda: [solve_force_qp(hessian, gradient, sides, least) for gradient in gradients.T.copy()],
            "quadprog": lambda: [
                quadprog.solve_qp(hessian, gradient, columns, least.ravel()) for gradient in gradients.T.copy()
            ],
        },
        clock=time.process_time,
    )
    ours, theirs = (1e6 * taken[name] / gradients.shape[1] for name in ("ours", "quadprog"))
    return Row(
        f"contact forces of {points} points, against quadprog", f"{ours:.0f} us, {theirs:.0f} us", theirs / ours, PEER
    )


def main() -> list[Row]:
    """Dance a foxtrot at 90 beats a minute: the whole call, its course included, and the engine's share."""
    plan = plan_of(foxtrot(1, 2.0 / 3.0))
    alone = _engine_alone(plan)  # compiles, too
    taken = medians({"whole": lambda: simulate(plan), "engine": alone}, _TURNS, time.process_time)
    whole, engine = taken["whole"], taken["engine"]
    return [
        Row("a whole dance", f"{whole:.2f} s for {plan.stop:.1f} s danced", plan.stop / whole, REAL_TIME),
        Row("the engine alone, the same motion", f"{engine:.2f} s: {engine / whole:.0%} of it", plan.stop / engine),
        *(_programs(points) for points in (6, 12)),
    ]
