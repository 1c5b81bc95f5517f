"""Ten bodies of all sizes and weights dance the foxtrot under one and the same motor control: kept, or why not."""

from __future__ import annotations

import numpy as np

from benchmarks import Row
from benchmarks._dance_limits import figures_of, kept, timed
from segue.body.figure import Figure
from segue.dance import plan as make_plan

COUNT, SEED = 10, 1
STATURES, MASSES = (1.5, 2.0), (50.0, 110.0)  # m, kg
DANCE = "foxtrot/forward and back basic"


def main() -> list[Row]:
    """Draw statures and masses at random, each apart from the other, and let every body dance."""
    random = np.random.default_rng(SEED)
    rows, count = [], 0
    for k in range(COUNT):
        stature, mass = round(random.uniform(*STATURES), 2), round(random.uniform(*MASSES))
        sex = ("female", "male")[k % 2]
        dance, speed = timed(make_plan(DANCE, figure=Figure.standard(stature, mass, sex)))
        rows.append(Row(f"{stature:.2f} m, {mass} kg, {sex}", figures_of(dance), speed))
        count += kept(dance)
    return [*rows, Row("all of them", f"{count} of {COUNT} kept", count / COUNT, 1.0)]
