"""The tables of the standard figure, as the network reads it."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.motion.tracks import joints_of
from segue.prior.tables import GROUPS, Tables
from segue.spacetime.gap import FEET
from segue.typing import Flags


@lru_cache(maxsize=1)
def standard_figure() -> Figure:
    """Return the figure whose points the network reads, whoever moves."""
    return Figure.standard()


@lru_cache(maxsize=1)
def figure_tables() -> Tables:
    """Return the standard figure in legs."""
    figure = standard_figure()
    tree, names = figure.tree, figure.outer_points
    segments, places = figure.places(names)
    return Tables(
        parents=tree.parents,
        offsets=tree.offsets / figure.leg_length,
        balls=tree.balls,
        hinges=tree.hinges,
        axes=tree.axes,
        point_segments=segments,
        points=places / figure.leg_length,
        feet=len(tree.parents) + np.array([names.index(name) for name in FEET]),
        mirrored_balls=HUMAN.mirrored_balls,
        mirrored_hinges=HUMAN.mirrored_hinges,
        groups=_groups(),
    )


@cache
def group_of(track: str) -> str:
    """Return the part of the body, of `GROUPS`, that a track moves."""
    (joint,) = joints_of([track])
    return next(group for group in GROUPS if joint in HUMAN.groups[group])


def _groups() -> Flags:
    balls, hinges = len(HUMAN.ball_names), len(HUMAN.hinge_names)
    found = np.zeros((len(GROUPS), 3 + 6 * balls + hinges), bool)
    found[0, :3] = True
    for k, name in enumerate(HUMAN.ball_names):
        found[GROUPS.index(group_of(name)), 3 + 6 * k : 9 + 6 * k] = True
    for k, name in enumerate(HUMAN.hinge_names):
        found[GROUPS.index(group_of(name)), 3 + 6 * balls + k] = True
    return found
