"""How far the gradient of the torque energy is from what a core can do: operations counted, rate beside dgemm's."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
from tests.support import torque_energy
from tests.support.torque_energy import TorqueEnergy

from benchmarks import Row
from benchmarks._dynamics_trees import person
from benchmarks._timing import best_times
from segue.curves import SplineBasis, uniform
from segue.dynamics import Tree, _adjoint, _forward, _lanes
from segue.dynamics._memory import Memory

SAMPLES, COEFFICIENTS = 24, 9


class Counter:
    """Stands for eight lanes and counts what is done with them."""

    operations = 0

    def _operate(self, other: object = None) -> Counter:
        Counter.operations += 1
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _operate

    def __neg__(self) -> Counter:
        return self  # a change of sign becomes part of the next operation


def _counting(module: types.ModuleType, stand_ins: dict[str, Any]) -> dict[str, Any]:
    """Return a module's names with every kernel as plain Python that works on counters."""
    names = vars(module) | stand_ins
    for name, value in list(names.items()):
        if hasattr(value, "py_func"):
            names[name] = types.FunctionType(value.py_func.__code__, names, name)
    return names


def _remainder(angle: Counter, turns: Counter) -> Counter:
    Counter.operations += 4  # two products, two differences
    return angle


def operations(tree: Tree, energy: TorqueEnergy) -> dict[str, int]:
    """Return floating-point operations of one gradient, all samples, by stage; an FMA counts as two."""
    lane = Counter()
    stand_ins: dict[str, Any] = {
        "load": lambda pointer, at: lane,
        "store": lambda pointer, at, value: None,
        "splat": lambda value: lane,
        "number": lambda pointer, at: pointer[at].item(),
        "put": lambda pointer, at, value: None,
        "total": lambda value: lane + lane,
        "window": lambda before, after, skip: before,
        "_nearest": lambda value: value + value,
        "_remainder": _remainder,
        "_to_quadrant": lambda turns, sine, cosine: (sine, cosine),
    }
    stand_ins["sincos"] = _counting(_lanes, stand_ins)["sincos"]
    forward = _counting(_forward, stand_ins)
    shared = {name: forward[name] for name in ("load3", "store3", "into_turn", "back_turn")}
    adjoint = _counting(_adjoint, stand_ins | shared)
    around = _counting(torque_energy, stand_ins)

    program = tree.program[0]
    nothing = np.zeros(0)
    pointers = dict.fromkeys(Memory._fields[2:], nothing) | {"links": program.links, "numbers": program.numbers}
    memory = Memory(joints=len(tree), wrenched=0, **(pointers | {"gravity": np.zeros(3)}))
    terms = torque_energy.EnergyMemory(
        energy._table[0].item(), energy.basis.count, 0, nothing, energy._support.ravel(), nothing
    )
    coefficients = np.zeros(energy.basis.count * len(tree))
    blocks = range(terms.blocks)
    stages = {
        "spline to joint values": lambda: [around["motion_block"](memory, terms, coefficients, b) for b in blocks],
        "inverse dynamics": lambda: [forward["forward_block"](memory, b, 0, 0, memory.joints) for b in blocks],
        "energy": lambda: [around["_squares"](memory, terms, b) for b in blocks],
        "adjoint": lambda: [adjoint["adjoint_block"](memory, b, 0, 0, memory.joints) for b in blocks],
        "back to coefficients": lambda: around["_by_coefficients"](memory, terms, coefficients),
    }
    counts = {}
    for name, run in stages.items():
        Counter.operations = 0
        run()
        counts[name] = Counter.operations * _lanes.LANES
    return counts


def main() -> list[Row]:
    """Count the operations of each stage, and compare the rate with that of a matrix product."""
    tree = person()
    basis = SplineBasis.uniform(0.0, 0.6, COEFFICIENTS)
    energy = TorqueEnergy(tree, basis, uniform(0.0, 0.6, SAMPLES))
    coefficients = np.random.default_rng(0).normal(size=energy.shape) * 0.2
    counts = operations(tree, energy)
    whole = sum(counts.values())
    size = 256
    a, b, c = np.random.default_rng(1).normal(size=(3, size, size))
    best = best_times(
        {"gradient": (lambda: energy.with_gradient(coefficients), 50), "dgemm": (lambda: np.dot(a, b, out=c), 1)}, 200
    )
    rate, peak = whole / best["gradient"] / 1e9, 2 * size**3 / best["dgemm"] / 1e9

    rows = [Row(f"operations, {name}", f"{count:,}, {count / SAMPLES:,.0f} a sample") for name, count in counts.items()]
    figure = f"{best['gradient'] * 1e6:.1f} us, {rate:.1f} GFLOP/s; a product of {size} x {size} {peak:.1f} GFLOP/s"
    return [
        *rows,
        Row("operations of one gradient", f"{whole:,}, {whole / SAMPLES:,.0f} a sample"),
        Row(f"one gradient, {len(tree)} DOF, {SAMPLES} samples", figure, rate / peak),
    ]


if __name__ == "__main__":
    for row in main():
        print(row)
