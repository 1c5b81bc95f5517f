"""An objective of one's own: weights under a name; and a cost that the solver does not know, minimised with SciPy.

The new cost is the fourth power of torques against strength: it spares the joint that is strained most. Its gradient
comes from the adjoint of the dynamics. Run it with: python examples/08_own_objective.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import segue as sg
from segue.body.human import HUMAN
from segue.curves import SplineBasis, end_conditions
from segue.dynamics import FigureTree, inverse_dynamics, inverse_dynamics_adjoint
from segue.spacetime import register_objective
from segue.spacetime.objectives import torque, velocity
from segue.view import plot_compared_curves

START, STOP, UNKNOWN = 0.8, 1.2, 8
ARM = [
    k for k, name in enumerate(HUMAN.dof_names) if name.startswith(("right_clavicle", "right_shoulder", "right_elbow"))
]


def least_strain(motion: sg.Motion, times: np.ndarray) -> tuple[FigureTree, np.ndarray, float, float]:
    """Return joint values at some times in which the arm is strained least, and the cost before and after."""
    state = motion.state([START, STOP])
    tree = FigureTree.between(motion.figure, *state.balls.value)
    q = tree.coordinates(motion.at(times))
    given = [np.gradient(q, times, axis=0), np.gradient(np.gradient(q, times, axis=0), times, axis=0)]
    basis = SplineBasis.uniform(START, STOP, UNKNOWN + 4)
    elimination, sampled = end_conditions(basis), basis.sampled(times)
    coefficients = basis.fit(times, q[:, ARM])
    ends = np.stack([basis.evaluate(coefficients, [at], order)[0] for at in (START, STOP) for order in (0, 1)])
    step = times[1] - times[0]

    def cost(unknowns: np.ndarray) -> tuple[float, np.ndarray]:
        spline = elimination.coefficients(ends, unknowns.reshape(UNKNOWN, -1))
        path = [q.copy(), given[0].copy(), given[1].copy()]
        for part, values in zip(path, sampled.motion(spline), strict=True):
            part[:, ARM] = values
        strain = inverse_dynamics(tree.tree, *path)[:, ARM] / 30.0
        seed = np.zeros_like(q)
        seed[:, ARM] = 4.0 * step * strain**3 / 30.0
        _, by = inverse_dynamics_adjoint(tree.tree, *path, seed)
        gradient = sum(m.T @ part[:, ARM] for m, part in zip(sampled.matrices, (by.q, by.qd, by.qdd), strict=False))
        calm = 1e-4 * path[2][:, ARM]  # without it light axes do what they like
        gradient = gradient + 2.0 * step * 1e-4 * sampled.matrices[2].T @ calm
        return step * float((strain**4).sum() + (calm**2).sum()), elimination.gradient(gradient).ravel()

    begin = coefficients[elimination.unknown].ravel()
    found = minimize(cost, begin, jac=True, method="L-BFGS-B", options={"maxiter": 200})
    q[:, ARM] = sampled.motion(elimination.coefficients(ends, found.x.reshape(UNKNOWN, -1)))[0]
    return tree, q, cost(begin)[0], found.fun


def main(folder: Path) -> None:
    """Raise an arm in a walk by three objectives, and compare them."""
    arm = sg.trim(sg.only(sg.clips.salute, "right_arm"), 0.9, 1.9)
    composed = sg.retime(arm, STOP) + (sg.clips.walk - sg.retime(arm, START, 1.8))

    # Costs that the solver knows: any sum of weighted ones, under a name that Python, language and command line share.
    register_objective("lazy", torque(1.0, acceleration=0.1) + velocity(50.0))
    natural, lazy = sg.fill_gaps(composed), sg.fill_gaps(composed, objective="lazy")

    # A cost that it does not know.
    times = np.linspace(START, STOP, 49)
    tree, q, before, after = least_strain(natural, times)
    print(f"strain of the arm: {before:.4f} by the natural objective, {after:.4f} by its own")
    patch = sg.Motion.from_poses(
        natural.figure, tree.poses(q), 1 / (times[1] - times[0]), start=START, joints="right_arm"
    )
    strained = sg.override(patch, natural)
    versions = {"natural": natural.at(times), "lazy": lazy.at(times), "least strain": strained.at(times)}
    plot_compared_curves(versions, ["right_shoulder", "right_elbow_flexion"], times).save(folder / "objectives.png")
    sg.save(strained, folder / "least_strain.bvh")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/08")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
