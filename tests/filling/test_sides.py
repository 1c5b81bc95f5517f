"""Both sides of a gap: looked at once, before the motions are joined, they are those of the joined motion."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.filling.root import RootHeading
from segue.filling.sides import GapContext, Side
from segue.motion.functions import IDENTITY, Placement
from segue.motion.motion import Motion

DURATION = 0.5


def joined(first: Motion, leave: float, second: Motion, enter: float, placement: Placement) -> Motion:
    """Return two motions with a gap between them."""
    before = sg.trim(first, first.start, leave, keep_time=True)
    after = sg.retime(sg.trim(second, enter, second.stop, keep_time=True), leave + DURATION)
    return Motion(before.tracks + after.tracks.changed(lambda part: part.placed(placement)), first.source)


def sides_of(first: Motion, leave: float, second: Motion, enter: float, placement: Placement) -> GapContext | None:
    shift = enter - leave - DURATION
    return Side.before(first, leave).joined(Side.after(second, enter), shift, placement)


@pytest.mark.parametrize("placement", [IDENTITY, Placement(0.7, 1.0, -2.0, 1.1)])
@pytest.mark.parametrize(("leave", "enter"), [(1.0, 0.7), (0.1, 0.0), (2.0, 1.9)])
def test_sides_before_joining_are_those_of_the_joined_motion(leave: float, enter: float, placement: Placement) -> None:
    first, second = sg.clips.walk, sg.trim(sg.clips.run, 0.0, 2.0)
    early = sides_of(first, leave, second, enter, placement)
    late = GapContext.sample(joined(first, leave, second, enter, placement), leave, leave + DURATION)
    assert early is not None
    np.testing.assert_allclose(early.times, late.times, atol=1e-12)
    for one, other in zip(early.state.parts, late.state.parts, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)
    for one, other in zip(early.seams.parts, late.state.parts, strict=True):
        np.testing.assert_allclose(one, other[6:8], atol=1e-9)


def test_a_motion_that_is_left_where_two_pieces_touch_ends_with_the_earlier() -> None:
    walk, run = sg.trim(sg.clips.walk, 0.0, 1.0), sg.trim(sg.move_to(sg.clips.run, (5.0, 5.0)), 0.0, 1.0)
    jumping = sg.concatenate(walk, run)
    assert Side.before(jumping, 1.0).state is None
    made = sg.transition(jumping, sg.clips.wave, DURATION, leave=1.0)
    np.testing.assert_allclose(
        made.sample("root_position", 1.0 + 1e-9).value, walk.sample("root_position", 1.0).value, atol=1e-6
    )


def test_a_motion_with_a_gap_near_its_cut_is_looked_at_after_joining() -> None:
    walk = sg.clips.walk
    torn = sg.trim(walk, 0.0, 0.8, keep_time=True) + sg.trim(walk, 0.9, walk.stop, keep_time=True)
    side = Side.before(torn, 1.0)
    assert side.state is None
    assert side.root.heading == pytest.approx(RootHeading.before(torn, 1.0).heading)
    assert Side.after(torn, 0.7).state is None
    whole = GapContext.sample(joined(torn, 1.0, walk, 0.5, IDENTITY), 1.0, 1.5)
    assert whole.times[0] == pytest.approx(0.9)


def test_the_course_of_a_side_is_the_course_of_its_motion() -> None:
    walk = sg.clips.walk
    for side, root in (
        (Side.before(walk, 1.2), RootHeading.before(walk, 1.2)),
        (Side.after(walk, 0.4), RootHeading.after(walk, 0.4)),
    ):
        np.testing.assert_array_equal(side.root.place, root.place)
        np.testing.assert_array_equal(side.root.velocity, root.velocity)
        assert (side.root.heading, side.root.turning) == (root.heading, root.turning)
