"""The picture of arm reaches: a row of figures and a chart for each."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from segue.body.figure import Figure
from segue.errors import ArgumentError
from tests.support.thesis.picture import arm_reaches
from tests.support.thesis.reach import ArmReach, arm_reach

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")


@cache
def reach() -> ArmReach:
    return arm_reach(Figure.standard(), 0.3, footing="held")


def test_every_reach_has_a_row_of_its_own() -> None:
    one, two = arm_reaches([reach()]).pixels(), arm_reaches([reach()] * 2).pixels()
    assert one.shape[1] == two.shape[1]
    assert two.shape[0] > one.shape[0] + 150
    for rows in (slice(None, len(one)), slice(len(one), None)):
        assert (two[rows] < 128).any()


def test_arms_are_seen_to_rise() -> None:
    image = arm_reaches([reach()]).pixels().astype(int)
    blue = (image[..., 2] > image[..., 0] + 60) & (image[..., 2] > 90)
    figures = np.flatnonzero(blue[:, :860].any(axis=0))
    first, last = blue[:, figures[0] : figures[0] + 40], blue[:, figures[-1] - 40 : figures[-1]]
    assert np.flatnonzero(last.any(axis=1)).max() < np.flatnonzero(first.any(axis=1)).max()


def test_the_same_reach_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one.png", "two.png"):
        arm_reaches([reach()]).save(tmp_path / name)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_nothing_cannot_be_drawn() -> None:
    with pytest.raises(ArgumentError, match="at least one is needed"):
        arm_reaches([])
