"""Inverse dynamics, its adjoint and the torque energy's gradient, against Pinocchio called from Python, one core."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
from tests.support.torque_energy import TorqueEnergy
from tests.support.trees import pinocchio_model, random_motion

from benchmarks import Row
from benchmarks._dynamics_trees import person
from benchmarks._timing import best_times
from segue.curves import Quadrature, SplineBasis, uniform
from segue.dynamics import (
    GRAVITY,
    inverse_dynamics,
    inverse_dynamics_adjoint,
    inverse_dynamics_jacobians,
)

SAMPLES, COEFFICIENTS, DURATION = 24, 9, 0.6
LONG = 960


class PinocchioEnergy:
    """The energy and its gradient as one would write them with Pinocchio's derivatives and NumPy."""

    def __init__(self, model: pin.Model, basis: SplineBasis, quadrature: Quadrature, change: bool) -> None:
        self.model, self.data = model, model.createData()
        self.value, self.velocity, self.acceleration = basis.sampled(quadrature.times).matrices[:3]
        self.weights, self.steps, self.change = quadrature.weights[:, None], np.diff(quadrature.times)[:, None], change
        samples, n = len(quadrature.times), model.nv
        self.tau = np.empty((samples, n))
        self.by = np.empty((3, samples, n, n))

    def with_gradient(self, coefficients: np.ndarray) -> tuple[float, np.ndarray]:
        q, qd, qdd = (basis @ coefficients for basis in (self.value, self.velocity, self.acceleration))
        data = self.data
        for t in range(len(q)):
            pin.computeRNEADerivatives(self.model, data, q[t], qd[t], qdd[t])
            self.tau[t], self.by[0, t], self.by[1, t] = data.tau, data.dtau_dq, data.dtau_dv
            upper = np.triu(data.M)
            self.by[2, t] = upper + np.triu(upper, 1).T
        if self.change:
            changes = np.diff(self.tau, axis=0)
            pull = 2 * changes / self.steps
            energy = float(np.sum(pull * changes)) / 2
            seed = np.zeros_like(self.tau)
            seed[1:] += pull
            seed[:-1] -= pull
        else:
            seed = 2 * self.weights * self.tau
            energy = float(np.sum(seed * self.tau)) / 2
        by_q, by_qd, by_qdd = (np.einsum("ti,tij->tj", seed, part) for part in self.by)
        return energy, self.value.T @ by_q + self.velocity.T @ by_qd + self.acceleration.T @ by_qdd


def _torque_rows() -> list[Row]:
    """Compare torques, adjoint and Jacobians over a long motion, arrays in and arrays out."""
    tree = person()
    model = pinocchio_model(tree, GRAVITY)
    data = model.createData()
    q, qd, qdd = (part * 0.3 for part in random_motion(0, LONG, len(tree)))
    few = range(SAMPLES)

    def pinocchio_torques() -> None:
        for t in few:
            pin.rnea(model, data, q[t], qd[t], qdd[t])

    def pinocchio_derivatives() -> None:
        for t in few:
            pin.computeRNEADerivatives(model, data, q[t], qd[t], qdd[t])

    best = best_times(
        {
            "torques": (lambda: inverse_dynamics(tree, q, qd, qdd), 1),
            "adjoint": (lambda: inverse_dynamics_adjoint(tree, q, qd, qdd, q), 1),
            "jacobians": (lambda: inverse_dynamics_jacobians(tree, q[:SAMPLES], qd[:SAMPLES], qdd[:SAMPLES]), 1),
            "pinocchio torques": (pinocchio_torques, 1),
            "pinocchio derivatives": (pinocchio_derivatives, 1),
        }
    )
    ours = {"torques": LONG, "adjoint": LONG, "jacobians": SAMPLES}
    each = {name: seconds / ours.get(name, SAMPLES) * 1e6 for name, seconds in best.items()}
    rows = []
    for name, peer, target in (
        ("torques", "pinocchio torques", 10.0),
        ("adjoint", "pinocchio derivatives", None),
        ("jacobians", "pinocchio derivatives", None),
    ):
        figure = f"{each[name]:.2f} us a sample; {peer} {each[peer]:.1f} us"
        rows.append(Row(f"{name}, {len(tree)} DOF", figure, each[peer] / each[name], target))
    return rows


def _energy_rows() -> list[Row]:
    """Compare one energy with its gradient by the coefficients."""
    tree = person()
    model = pinocchio_model(tree, GRAVITY)
    basis, quadrature = SplineBasis.uniform(0.0, DURATION, COEFFICIENTS), uniform(0.0, DURATION, SAMPLES)
    coefficients = np.random.default_rng(0).normal(size=(COEFFICIENTS, len(tree))) * 0.2
    rows = []
    for change, name in ((False, "squared torque"), (True, "squared torque change")):
        ours = TorqueEnergy(tree, basis, quadrature, change=change)
        peer = PinocchioEnergy(model, basis, quadrature, change)
        gradient, expected = ours.with_gradient(coefficients)[1], peer.with_gradient(coefficients)[1]
        error = np.abs(gradient - expected).max() / np.abs(expected).max()
        best = best_times(
            {
                "ours": (lambda e=ours: e.with_gradient(coefficients), 20),
                "peer": (lambda e=peer: e.with_gradient(coefficients), 1),
            },
            100,
        )
        figure = (
            f"{best['ours'] * 1e6:.1f} us; Pinocchio + NumPy {best['peer'] * 1e6:.0f} us; they differ by {error:.0e}"
        )
        rows.append(Row(f"{name} with gradient, {SAMPLES} samples", figure, best["peer"] / best["ours"], 60.0))
    return rows


def main() -> list[Row]:
    return _torque_rows() + _energy_rows()


if __name__ == "__main__":
    for row in main():
        print(row)
