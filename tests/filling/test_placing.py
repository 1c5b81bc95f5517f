"""A second motion is placed where steps lead, so that feet hardly slide."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segue as sg
from segue.body.figure import FEET
from segue.filling.placing import _to_standing_foot
from segue.filling.prior import GapRequest, Proposal
from segue.filling.stances import body_glide
from segue.motion.ground import Ground

moves = st.floats(-0.15, 0.15)


class Mover:
    """Proposes nothing but another place for the second motion."""

    def __init__(self, x: float, z: float) -> None:
        self.move = x, z

    def propose(self, request: GapRequest) -> Proposal:
        return Proposal(None, reason="it knows places only")

    def displacement(self, request: GapRequest) -> tuple[float, float]:
        return self.move


@pytest.mark.parametrize(
    "names", [("stand", "walk"), ("walk", "kick"), ("walk", "run"), ("run", "stand"), ("wave", "walk"), ("kick", "run")]
)
def test_feet_between_built_in_clips_hardly_slide(names: tuple[str, str]) -> None:
    joined = sg.transition(*(sg.clips.motion(name) for name in names))
    fill = joined.fills[-1]
    report = sg.check(joined, start=fill.start, stop=fill.stop)
    assert report.measures.slide.largest < 0.015
    assert not report.faults


def test_a_prior_moves_the_second_motion() -> None:
    walk, kick = sg.clips.walk, sg.clips.kick
    plain = sg.transition(walk, kick, 0.6, leave=1.0, enter=0.3, prior="none")
    moved = sg.transition(walk, kick, 0.6, leave=1.0, enter=0.3, prior=Mover(0.1, -0.05))
    assert np.allclose(moved.at([1.6]).root - plain.at([1.6]).root, [[-0.1, 0.0, 0.05]], atol=1e-9)
    assert np.allclose(moved.at([1.6]).balls, plain.at([1.6]).balls)


@pytest.mark.parametrize("case", ["pinned", "short"])
def test_pinned_and_short_transitions_stay(case: str) -> None:
    given = {"duration": 0.25 if case == "short" else 0.6, "mode": "pinned" if case == "pinned" else "free"}
    both = [
        sg.transition(sg.clips.walk, sg.clips.walk, leave=1.0, enter=1.6, prior=prior, **given)
        for prior in ("none", Mover(0.2, 0.2))
    ]
    assert np.array_equal(both[0].poses.root, both[1].poses.root)


@given(moves, moves)
def test_a_foot_that_stands_throughout_is_met(x: float, z: float) -> None:
    places = {name: np.zeros((2, 3)) for name in FEET}
    for name in FEET[:2]:
        places[name][1] = x, 0.0, z
    for name in FEET[2:]:
        places[name][1] = 0.7, 0.0, 0.0
    predicted = np.zeros((9, 4))
    predicted[:, :2] = 0.9
    assert np.allclose(_to_standing_foot(places, predicted), (-x, -z))
    predicted[4, :2] = 0.1  # it leaves the ground
    assert _to_standing_foot(places, predicted) == (0.0, 0.0)


def test_a_body_glides_if_every_foot_on_the_ground_moves() -> None:
    rest, steps = np.zeros((11, 3)), np.linspace(0.0, 0.5, 11)
    sliding = rest.copy()
    sliding[:, 2] = steps
    high = sliding + np.array([0.0, 0.2, 0.0])
    ground = Ground.flat()
    one, other = FEET[:2], FEET[2:]

    def paths(left: np.ndarray, right: np.ndarray) -> dict[str, np.ndarray]:
        return dict.fromkeys(one, left) | dict.fromkeys(other, right)

    assert body_glide(paths(rest, sliding), ground) == 0.0
    assert body_glide(paths(high, high), ground) == 0.0
    assert body_glide(paths(high, sliding), ground) == pytest.approx(0.5)
    slower = 0.5 * sliding
    assert body_glide(paths(slower, sliding), ground) == pytest.approx(0.25)
    glides = [body_glide(paths(share * sliding, sliding), ground) for share in (0.0, 0.3, 0.9)]
    assert all(a < b for a, b in pairwise(glides))
