"""Transitions in the frame of the piece that they leave: the same path anywhere, remembered or not."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.filling.joining import join
from segue.filling.options import Options
from segue.filling.own_frame import JoinMemory, OwnFrame, remembering
from segue.motion.functions import Placement
from segue.motion.ground import Ground

WALKING = sg.repeat(sg.make_loop(sg.clips.walk), duration=3.6)
RUNNING = sg.repeat(sg.make_loop(sg.clips.run), duration=3.6)
CHAIN = (WALKING, RUNNING, WALKING, RUNNING)
NEAR = 1e-6  # m, rad


def chain(leave: float) -> sg.Motion:
    """Return a chain of transitions, the first of which is left at a time."""
    made = sg.transition(WALKING, RUNNING, 0.5, leave=leave, enter=0.3)
    for second in CHAIN[2:]:
        made = sg.transition(made, second, 0.5, leave="end", enter=0.3)
    return made


def rows(motion: sg.Motion) -> bytes:
    return motion.poses.rows.tobytes()


def moved(motion: sg.Motion, placement: Placement, later: float) -> sg.Motion:
    return sg.Motion(motion.tracks.changed(lambda part: part.retimed(1.0, -later).placed(placement)), motion.source)


def frame_of(
    first: sg.Motion = WALKING, second: sg.Motion = RUNNING, leave: float = 2.0, enter: float = 0.3, **given: object
) -> OwnFrame | None:
    options = Options(**given).with_prior_for([first, second])  # type: ignore[arg-type]
    return OwnFrame.of(first, leave, second, enter, 0.5, options)


def test_a_change_of_one_transition_solves_no_later_one_and_remembers_the_same_bytes() -> None:
    memory = JoinMemory()
    with remembering(memory):
        chain(3.4)
        assert memory.solved == len(CHAIN) - 1
        warm = chain(3.3)
    assert memory.solved == len(CHAIN)
    assert rows(warm) == rows(chain(3.3))


def test_what_is_forgotten_is_solved_again_to_the_same_bytes() -> None:
    memory = JoinMemory(most=1)
    with remembering(memory):
        first, again = chain(3.4), chain(3.4)
    assert memory.solved > len(CHAIN) - 1
    assert rows(first) == rows(again)


def test_a_stopped_solve_is_not_remembered() -> None:
    memory, stopped = JoinMemory(), np.ones(1, np.int64)
    with remembering(memory):
        sg.transition(WALKING, RUNNING, 0.5, leave=2.0, enter=0.3, stop=stopped)
        whole = sg.transition(WALKING, RUNNING, 0.5, leave=2.0, enter=0.3)
    assert memory.solved == 2
    assert rows(whole) == rows(sg.transition(WALKING, RUNNING, 0.5, leave=2.0, enter=0.3))


def test_another_place_and_time_move_the_whole_transition() -> None:
    onto, later = Placement(0.7, 3.0, -2.0), 5.0
    here = sg.transition(WALKING, RUNNING, 0.5, leave=2.0, enter=0.3)
    there = sg.transition(moved(WALKING, onto, later), RUNNING, 0.5, leave=2.0 + later, enter=0.3)
    wanted = moved(here, onto, later).state(here.times + later)
    found = there.state(here.times + later)
    assert np.abs(found.root.value - wanted.root.value).max() < NEAR
    assert np.abs(found.hinges.value - wanted.hinges.value).max() < NEAR
    assert np.abs(np.abs((found.balls.value * wanted.balls.value).sum(axis=-1)) - 1.0).max() < NEAR
    assert [each.start for each in there.fills] == pytest.approx([2.0 + later])
    assert there.fills[0].cut is not None
    assert there.fills[0].cut.leave == 2.0 + later


@pytest.mark.parametrize("placement", [Placement(), Placement(-1.1, 4.0, 1.0)])
def test_frames_outside_the_gap_come_back_bit_for_bit(placement: Placement) -> None:
    first = moved(WALKING, placement, 2.5)
    joined = sg.transition(first, RUNNING, 0.5, leave=5.0, enter=0.3)
    times = joined.times[joined.times < 5.0]
    assert joined.at(times).rows.tobytes() == first.at(times).rows.tobytes()


def test_the_path_meets_both_sides_in_value_and_velocity() -> None:
    joined = chain(3.33337)
    for fill in joined.fills:
        for edge in (fill.start, fill.stop):
            before, after = joined.state([edge - 2e-9]), joined.state([edge + 2e-9])
            assert np.abs(before.root.value - after.root.value).max() < NEAR
            assert np.abs(before.root.velocity - after.root.velocity).max() < 1e-4


def test_pieces_on_level_ground_have_a_frame_of_their_own() -> None:
    assert frame_of() is not None
    assert frame_of(ground=0.1) is not None
    assert frame_of(prior=None) is not None


def test_what_depends_on_place_or_time_has_none() -> None:
    joined = sg.transition(WALKING, RUNNING, 0.5, leave=3.0, enter=0.3)
    assert frame_of(joined, leave=4.0) is None, "another gap is near the cut point"
    assert frame_of(ground=Ground.slope(0.1)) is None
    assert frame_of(supports={"left_foot": "enforce"}) is None
    assert frame_of(supports=(sg.Reach("right_hand", 2.2, 0.0, 1.5, 3.0),)) is None
    assert frame_of(use_own_frames=True) is None, "a prior of clips knows their places"


def test_pinned_transitions_keep_both_motions_where_they_are() -> None:
    options = Options().with_prior_for([WALKING, RUNNING])
    memory = JoinMemory()
    with remembering(memory):
        join(WALKING, RUNNING, 0.5, 2.0, 0.3, "pinned", options)
    assert memory.solved == 0
