"""How the time of a gradient grows with the number of joints, against the route over full Jacobians; draws the plot."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.support.torque_energy import TorqueEnergy

from benchmarks import Row
from benchmarks._dynamics_trees import random_limbs
from benchmarks._timing import best_times
from segue.curves import SplineBasis, uniform
from segue.dynamics import Tree, inverse_dynamics_jacobians

SIZES = (10, 20, 40, 80, 160, 320)
SAMPLES, COEFFICIENTS = 24, 9
HIGHEST_POWER = 1.05
PICTURE = Path(__file__).parents[1] / "out" / "bench" / "dynamics_growth.png"


def _contestants(tree: Tree) -> dict[str, tuple[object, int]]:
    basis, quadrature = SplineBasis.uniform(0.0, 0.6, COEFFICIENTS), uniform(0.0, 0.6, SAMPLES)
    energy = TorqueEnergy(tree, basis, quadrature)
    sampled = basis.sampled(quadrature.times)
    coefficients = np.random.default_rng(0).normal(size=energy.shape) * 0.2

    def over_jacobians() -> np.ndarray:
        tau, by = inverse_dynamics_jacobians(tree, *sampled.motion(coefficients))
        seed = 2 * quadrature.weights[:, None] * tau
        return sum(
            matrix.T @ np.einsum("ti,tij->tj", seed, part)
            for matrix, part in zip(sampled.matrices[:3], by, strict=True)
        )

    return {"adjoint": (lambda: energy.with_gradient(coefficients), 5), "jacobian": (over_jacobians, 1)}


def measure() -> dict[str, np.ndarray]:
    """Return seconds for each size: the adjoint's on chains and bushy trees, and the Jacobian's on chains."""
    contestants = {}
    for joints in SIZES:
        for shape in ("chain", "tree"):
            both = _contestants(random_limbs(joints, bushy=shape == "tree"))
            contestants[f"adjoint {shape} {joints}"] = both["adjoint"]
            if shape == "chain":
                contestants[f"jacobian {shape} {joints}"] = both["jacobian"]
    best = best_times(contestants, 40)
    series = ("adjoint chain", "adjoint tree", "jacobian chain")
    return {name: np.array([best[f"{name} {joints}"] for joints in SIZES]) for name in series}


def exponent(name: str, seconds: np.ndarray) -> float:
    """Return p of the fit seconds = c n^p; for Jacobians from 40 joints on, where the work outweighs the calls."""
    first = 2 if name.startswith("jacobian") else 0
    return float(np.polyfit(np.log(SIZES[first:]), np.log(seconds[first:]), 1)[0])


def draw(times: dict[str, np.ndarray]) -> None:
    """Save the plot."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4), dpi=80, layout="constrained")
    labels = {
        "jacobian chain": "full Jacobians, chain",
        "adjoint chain": "adjoint, chain",
        "adjoint tree": "adjoint, limbs of 10",
    }
    for (name, label), marker in zip(labels.items(), "so^", strict=True):
        fit = exponent(name, times[name])
        axes.loglog(SIZES, times[name] * 1e6, marker=marker, label=f"{label}: $n^{{{fit:.2f}}}$")
    axes.set_xticks(SIZES, [str(size) for size in SIZES])
    axes.minorticks_off()
    axes.set(xlabel="joints", ylabel="microseconds", title="Energy with gradient, 24 samples, one core")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(PICTURE)
    pyplot.close(figure)


def main() -> list[Row]:
    times = measure()
    draw(times)
    rows = []
    for name, seconds in times.items():
        figure = ", ".join(f"{joints}: {us:.0f} us" for joints, us in zip(SIZES, seconds * 1e6, strict=True))
        power = exponent(name, seconds)
        ours = name.startswith("adjoint")
        subject = f"{name}, at most n^{HIGHEST_POWER}" if ours else name
        rows.append(Row(subject, f"n^{power:.2f}; {figure}", HIGHEST_POWER / power, 1.0 if ours else None))
    return rows


if __name__ == "__main__":
    for row in main():
        print(row)
