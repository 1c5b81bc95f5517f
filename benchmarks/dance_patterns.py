"""Every shipped pattern danced by a simulated body, both parts, eight bars, over five perturbed runs: kept, or why not.

A run begins from a state with random errors of about 1e-9, which grow as rounding does on another processor. A dance
counts as kept if all of its runs are. As a script it takes how many runs, and titles of patterns:
python -m benchmarks.dance_patterns 2 "waltz/box step"
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from benchmarks import Row
from benchmarks._dance_limits import figures_of, kept, worst_of
from segue.dance import plan as make_plan
from segue.dance.notation.model import Part
from segue.dance.patterns import DanceLibrary
from segue.dance.planning.model import Plan
from segue.dance.simulation import SimulatedDance
from segue.dance.simulation.solo import SoloSimulation

BARS, RUNS = 8, 5
PERTURBATION = 1e-9  # m, rad, m/s and rad/s, standard deviation


def main(titles: Sequence[str] = (), runs: int = RUNS) -> list[Row]:
    """Dance the patterns of those titles, or all, and print each as it is done; the last row counts them."""
    library = DanceLibrary()
    rows = []
    for title in [entry.title for entry in library.entries() if not titles or entry.title in titles]:
        for part in Part:
            dances = perturbed_runs(make_plan(title, part=part, bars=BARS, library=library), runs)
            count = sum(map(kept, dances))
            figure = f"{count} of {runs} runs kept; the worst: {figures_of(worst_of(dances)).partition(': ')[2]}"
            rows.append(Row(f"{title}, {part}", figure, count / runs, 1.0))
            print(f"{rows[-1].subject}: {figure}", flush=True)
    count = sum(row.ratio == 1.0 for row in rows)
    share = count / max(len(rows), 1)
    return [*rows, Row("all of them", f"{count} of {len(rows)} kept in all of {runs} runs", share, 1.0)]


def perturbed_runs(plan: Plan, runs: int) -> list[SimulatedDance]:
    """Return dances of a plan whose first states differ by random errors."""
    first = SoloSimulation(plan)
    dances = []
    for seed in range(runs):
        simulation, random = first.copy(), np.random.default_rng(seed)
        for values in (simulation.dancer.data.qpos, simulation.dancer.data.qvel):
            values += random.normal(scale=PERTURBATION, size=len(values))
        dances.append(simulation.run())
    return dances


if __name__ == "__main__":
    print(main(sys.argv[2:], *map(int, sys.argv[1:2]))[-1].figure)
