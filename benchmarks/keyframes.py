"""Rotations through seven hard keyframes: energy and time beside constrained optimisation and other splines.

Energy is the integral of squared covariant acceleration, of unit quaternions in every case. The peer is the discretised
constrained method of [Barr1992] on three numbers of samples; its samples are joined by a C2 spline, which is kinder to
it than its own differences. It is measured against the fastest of our settings that reaches its energy or less. Times
are those that the processor spent, on one thread. Pictures are left in out/bench.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation, RotationSpline
from splines.quaternion import CatmullRom, UnitQuaternion
from tests.support.barr1992 import solve
from tests.support.rotation_keys import keys, measured_energy, random_keys

from benchmarks import Row
from benchmarks._one_thread import on_one_thread
from benchmarks._rotation_pictures import draw
from segue.curves import quaternion
from segue.keyframe import Adaptive, RotationPath, Settings, inbetween_rotations
from segue.typing import Array

ROUNDS = 25
SAMPLES = (8, 12, 16)
TARGET = 100.0
NOT_PICKED = 120

Curve = Callable[[Array], Array]


class Result(NamedTuple):
    """The energy of a path, the seconds it took, and a word on it."""

    energy: float
    seconds: float
    note: str = ""


def main() -> list[Row]:
    """Race all in a process of their own, and draw the pictures."""
    draw()
    return on_one_thread(contest)


def contest() -> list[Row]:
    """Return the report."""
    times, turned = keys()
    fine = Settings(between=29, ends="free", subdivision=None, tolerance=1e-10)
    best = inbetween_rotations(times, turned, settings=fine).path.energy
    initial = inbetween_rotations(times, turned).initial.energy
    ours = {"segue, exact": _ours()}
    for frames in (1, 2, 3):
        plan = Settings(between=frames, ends="free", subdivision=None, samples=5)
        ours[f"segue, exact, {frames} a span"] = _ours(settings=plan)
    ours |= {"segue, soft": _ours(form="soft"), "segue, soft, |1 - q.q|": _ours(form="soft", departure="absolute")}
    others = {
        "SciPy RotationSpline": _timed(lambda: _rotation_spline(times, turned), times),
        "splines CatmullRom": _timed(lambda: _catmull_rom(times, turned), times),
    }
    rows = [Row("spline in R^4, where all begin", _figure(Result(initial, 0.0), best))]
    rows += [
        Row(f"{name}: energy, initial by its own", _figure(found, best), initial / found.energy, 1 / 0.7)
        for name, found in ours.items()
    ]
    rows += [
        Row(f"{name}: energy by ours", _figure(found, best), found.energy / ours["segue, exact"].energy, 1.0)
        for name, found in others.items()
    ]
    for method, per_span in (("trust-constr", SAMPLES[0]), *(("SLSQP", count) for count in SAMPLES)):
        peer = _constrained(times, turned, per_span, method)
        equal = min((found for found in ours.values() if found.energy <= peer.energy), key=lambda found: found.seconds)
        name = f"{method} on {per_span} samples a span: time by ours"
        rows.append(Row(name, _figure(peer, best), peer.seconds / equal.seconds, TARGET))
    rows += _spans(times, turned, best)
    rows += _subdivision(times, turned, best)
    return rows + _not_picked()


def _ours(**options: object) -> Result:
    inbetween = partial(inbetween_rotations, *keys(), **options)  # type: ignore[arg-type]
    found = inbetween()
    steps = f"{found.details.iterations} steps, {len(found.path.spline.times)} frames"
    return Result(found.path.energy, _seconds(inbetween), f"{steps}, length within {found.path.deviation:.1g}")


def _timed(make: Callable[[], Curve], times: Array) -> Result:
    return Result(measured_energy(make(), times), _seconds(make))


def _seconds(function: Callable[[], object]) -> float:
    """Return the median seconds of the processor, after one call that does not count."""
    function()
    spent = []
    for _ in range(ROUNDS):
        start = time.process_time()
        function()
        spent.append(time.process_time() - start)
    return statistics.median(spent)


def _rotation_spline(times: Array, turned: Array) -> Curve:
    spline = RotationSpline(times, Rotation.from_quat(turned, scalar_first=True))
    return lambda at: spline(at).as_quat(scalar_first=True)


def _catmull_rom(times: Array, turned: Array) -> Curve:
    grid = [UnitQuaternion.from_unit_xyzw(q) for q in np.roll(quaternion.make_continuous(turned), -1, axis=1)]
    spline = CatmullRom(grid, times.tolist())
    return lambda at: np.roll([spline.evaluate(t).xyzw for t in at], 1, axis=1)


def _constrained(times: Array, turned: Array, per_span: int, method: str) -> Result:
    start = time.process_time()
    found = solve(times, turned, per_span, method=method)
    seconds = time.process_time() - start
    joined = CubicSpline(found.times, found.quaternions, bc_type="natural")
    energy = measured_energy(lambda at: quaternion.normalise(joined(at)), times)
    return Result(energy, seconds, f"{found.iterations} steps")


def _spans(times: Array, turned: Array, best: float) -> list[Row]:
    """Return both forms with some variable frames in every span, and the exact form with other ends."""
    rows = []
    for form, frames, ends in (
        *(("exact", frames, ends) for ends in ("natural", "not-a-knot", "free") for frames in (1, 2, 3)),
        ("exact", 5, "free"),
        *(("soft", frames, "free") for frames in (1, 2, 3, 5)),
    ):
        plan = Settings(between=frames, ends=ends, subdivision=None, samples=5)
        found = inbetween_rotations(times, turned, form=form, settings=plan)
        figure = f"{_above(found.path.energy, best)}, {found.details.iterations} steps"
        rows.append(
            Row(f"{form}, {frames} a span, {ends} ends", f"{figure}, length off by {100 * found.path.deviation:.2g} %")
        )
    return rows


def _subdivision(times: Array, turned: Array, best: float) -> list[Row]:
    """Return how two frames where the residual says compare with one in every span, as in figure 10."""
    rows = []
    for ends in ("natural", "free"):
        two = Settings(between=0, ends=ends, subdivision=Adaptive(rounds=1, points=2))
        six = Settings(between=1, ends=ends, subdivision=None)
        paths: list[RotationPath] = [inbetween_rotations(times, turned, settings=plan).path for plan in (two, six)]
        figure = f"{_above(paths[0].energy, best)} with 2, {_above(paths[1].energy, best)} with 6"
        rows.append(
            Row(f"2 frames by the residual beside 6, {ends} ends", figure, paths[1].energy / paths[0].energy, 0.97)
        )
    return rows


def _not_picked() -> list[Row]:
    """Return the same on random keyframes: those above were picked as ones on which there is much to gain."""
    found: dict[str, list[float]] = {"less than initial": [], "above the best": [], "soft length": [], "2 beside 6": []}
    for seed in range(NOT_PICKED):
        key = random_keys(seed)
        plans = {
            "best": Settings(between=15, ends="free", subdivision=None, samples=5, tolerance=1e-9),
            "two": Settings(between=0, ends="free", subdivision=Adaptive(rounds=1, points=2), samples=5),
            "six": Settings(between=1, ends="free", subdivision=None, samples=5),
        }
        energy = {name: inbetween_rotations(*key, settings=plan).path.energy for name, plan in plans.items()}
        exact, soft = inbetween_rotations(*key), inbetween_rotations(*key, form="soft")
        found["less than initial"].append(100 * (1 - exact.path.energy / exact.initial.energy))
        found["above the best"].append(100 * (exact.path.energy / energy["best"] - 1))
        found["soft length"].append(100 * soft.path.deviation)
        found["2 beside 6"].append(100 * (energy["two"] / energy["six"] - 1))
    return [
        Row(f"{NOT_PICKED} random sets, not picked: {name}", "min {:.2f}, median {:.2f}, max {:.2f} %".format(*ends))
        for name, ends in ((name, np.quantile(values, [0.0, 0.5, 1.0])) for name, values in found.items())
    ]


def _figure(result: Result, best: float) -> str:
    spent = f", {1e3 * result.seconds:.3g} ms" if result.seconds else ""
    note = f" ({result.note})" if result.note else ""
    return f"energy {result.energy:.4f}, {_above(result.energy, best)}{spent}{note}"


def _above(energy: float, best: float) -> str:
    return f"{100 * (energy / best - 1):.2f} % above the best"
