"""Filling from a library: ends are met, the truth is found where it is known, and what must hold holds as without."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segue as sg
from segue.body.figure import Poses
from segue.errors import ArgumentError
from segue.filling import fill, fill_gaps, transition, variants
from segue.filling.features import RATE
from segue.filling.guided import PARTIAL
from segue.library import FrameIndex, LibrarySource
from segue.library._search_kernels import local_linear
from segue.library.guide import CLOSE, LITTLE, NOTHING, SHORT, Guide, warped
from segue.library.library_clip import library_clip_of
from segue.library.library_source import own_clip
from segue.library.search import find_matches
from segue.motion.fills import Match
from tests.library.queries import query_in
from tests.mocap import mocap_file, needs_mocap

WALK, RUN, KICK, WAVE = (sg.clips.motion(name) for name in ("walk", "run", "kick", "wave"))
NAMED = {"walk": WALK, "run": RUN, "kick": KICK, "wave": WAVE}
# a little shorter than the motions themselves, whose copies are not drawn on
SHELF = FrameIndex([library_clip_of(sg.trim(motion, 0.0, motion.stop - 0.15), name) for name, motion in NAMED.items()])
CLIPS = LibrarySource(SHELF)


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small libraries count as much as large ones."""
    monkeypatch.setattr("segue.library.guide._EVIDENCE", 1.0)


def frames(motion: sg.Motion) -> bytes:
    state = motion.state(np.linspace(motion.start, motion.stop, 200))
    return b"".join(part.tobytes() for part in state.parts)


def error(motion: sg.Motion, truth: sg.Motion, start: float, stop: float) -> float:
    """Return how far joints are from the truth in a gap, in m on average."""
    times = np.linspace(start, stop, 40)
    places = [each.figure.forward(each.state(times).poses)[0] for each in (motion, truth)]
    return float(np.linalg.norm(places[0] - places[1], axis=-1).mean())


def match_of(motion: sg.Motion) -> Match:
    (report,) = motion.fills
    assert report.match is not None
    return report.match


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize(("start", "stop"), [(1.0, 1.5), (0.6, 1.6), (0.5, 0.7)])
def test_a_stretch_put_on_its_own_gap_is_itself(start: float, stop: float, mirrored: bool) -> None:
    motion = sg.move_to(sg.mirror(KICK) if mirrored else KICK, (2.0, 1.0), heading=1.2)
    query = query_in(motion, start, stop)
    found = find_matches([SHELF], query, 400)
    own = (np.abs(found.start - len(WALK_AND_RUN) - round(start * RATE)) < 1) & (found.mirrored == mirrored)
    own &= found.span == round((stop - start) * RATE)
    if not own.any():
        pytest.skip("the neighbouring frame stands for this one")
    path, _ = warped([SHELF], query, found[np.flatnonzero(own)[:1]], np.ones(1))
    truth = motion.state(np.linspace(start, stop, len(path))).poses
    there, should = (motion.figure.forward(each)[0] for each in (path, truth))
    # as far as velocities at 30 frames a second tell those of a kick
    assert np.linalg.norm(there - should, axis=-1).mean() < 0.006


WALK_AND_RUN = FrameIndex(SHELF.entries[:2])


@given(st.sampled_from(sorted(NAMED)), st.floats(0.4, 1.0), st.floats(0.2, 1.2), st.integers(0, 40))
def test_ends_are_met_in_value_and_velocity(name: str, start: float, lasts: float, which: int) -> None:
    query = query_in(NAMED[name], start, start + lasts)
    found = find_matches([SHELF], query, 41)
    path, rests = warped([SHELF], query, found[np.array([which])], np.ones(1))
    ends = query.ends
    np.testing.assert_allclose(path.root[[0, -1]], ends.root.value)
    np.testing.assert_allclose(path.hinges[[0, -1]], ends.hinges.value)
    # the speed at either end, to second order from three frames of the path
    step = lasts / (len(path) - 1)
    if len(path) > 8:
        for rates, first, second, third in ((0, 0, 1, 2), (1, -1, -2, -3)):
            slope = (4 * path.root[second] - path.root[third] - 3 * path.root[first]) / (2 * step) * (1 - 2 * rates)
            np.testing.assert_allclose(slope, ends.root.velocity[rates], atol=0.35)
    assert ((rests >= 0) & (rests <= 1)).all()


@given(st.integers(2, 60), st.integers(1, 12), st.floats(0.1, 10.0), st.integers(0, 1000))
def test_local_linear_weights_are_those_of_the_whole_matrix(count: int, size: int, ridge: float, seed: int) -> None:
    apart = np.random.default_rng(seed).normal(0.3, 1.0, (count, size)).astype(np.float32)
    weights, left = local_linear(apart, ridge)
    gram = apart.astype(float) @ apart.T.astype(float)
    plain = np.linalg.solve(gram + ridge * np.diag(np.diag(gram)), np.ones(count))
    np.testing.assert_allclose(weights, plain / plain.sum(), rtol=1e-4, atol=1e-6)
    assert weights.sum() == pytest.approx(1.0)
    assert left == pytest.approx(np.square(weights @ apart).sum(), rel=1e-4, abs=1e-8)


@pytest.mark.usefixtures("trusting")
def test_what_is_known_is_found_again() -> None:
    gap = (0.9, 1.7)
    plain = fill(KICK, [gap])
    known = fill(KICK, [gap], library=CLIPS, prior="library", use_own_frames=False)
    match = match_of(known)
    assert match.confidence == CLOSE
    assert match.used_clips[0].name == "kick"
    assert not match.used_clips[0].mirrored
    assert sum(each.weight for each in match.used_clips) <= 1.0 + 1e-9
    assert error(known, KICK, *gap) < 0.6 * error(plain, KICK, *gap)


@pytest.mark.usefixtures("trusting")
def test_seams_are_smooth_and_what_surrounds_them_stays() -> None:
    gap = (0.9, 1.7)
    filled = fill(KICK, [gap], library=CLIPS, prior="library", use_own_frames=False)
    (report,) = filled.fills
    for at in (report.start, report.stop):
        inside, outside = (
            filled.state([at + side]) for side in ((1e-7, -1e-7) if at == report.start else (-1e-7, 1e-7))
        )
        for a, b in zip(inside, outside, strict=True):
            np.testing.assert_allclose(a.value, b.value, atol=1e-5)
            np.testing.assert_allclose(a.velocity, b.velocity, atol=0.02)
    before = np.linspace(0.0, 0.85, 30)
    np.testing.assert_allclose(filled.state(before).hinges.value, KICK.state(before).hinges.value, atol=1e-6)


@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize("name", sorted(NAMED))
def test_limits_supports_and_floor_are_kept(name: str) -> None:
    filled = fill(NAMED[name], [(0.8, 1.6)], library=CLIPS, prior="library")
    (report,) = filled.fills
    assert report.match is not None
    assert report.match.share > 0.3
    poses = filled.state(np.linspace(report.start, report.stop, 100)).poses
    ends = Poses(poses.root[[0, -1]], poses.balls[[0, -1]], poses.hinges[[0, -1]])
    allowed = np.maximum(filled.figure.limit_excess(ends).max(axis=0), 0.0)
    assert (filled.figure.limit_excess(poses) - allowed).max() < np.radians(1.0)
    assert all(support.moved is not None and support.moved < 0.005 for support in report.supports)
    soles = [
        filled.figure.point(f"{side}_{point}", poses)[:, 1]
        for side in ("left", "right")
        for point in ("heel", "toe_tip")
    ]
    assert np.min(soles) > -0.01


@pytest.mark.parametrize("none", ["none", None])
def test_without_a_prior_there_is_no_match(none: str | None) -> None:
    report = fill(KICK, [(1.0, 1.5)], prior=none).fills[0]
    assert report.match is None
    assert "match" not in report.to_dict()


@pytest.mark.parametrize(
    "library", [[], sg.Library.from_motions([]), [library_clip_of(sg.trim(WALK, 0.0, 0.3), "blink")]]
)
def test_an_empty_library_is_least_effort_and_says_so(library: object) -> None:
    filled = fill(KICK, [(1.0, 1.5)], library=library, prior="library", use_own_frames=False)  # type: ignore[arg-type]
    assert frames(filled) == frames(sg.fill(KICK, [(1.0, 1.5)], prior="none"))
    assert match_of(filled).confidence in (NOTHING, LITTLE)
    assert "least effort" in str(match_of(filled))


def test_the_little_that_a_small_library_knows_is_not_trusted() -> None:
    filled = fill(
        KICK,
        [(1.0, 1.5)],
        library=[library_clip_of(sg.trim(KICK, 0.0, 2.65), "kick")],
        prior="library",
        use_own_frames=False,
    )
    assert match_of(filled).confidence == LITTLE
    assert frames(filled) == frames(sg.fill(KICK, [(1.0, 1.5)], prior="none"))


def test_short_gaps_and_gaps_of_some_joints_are_left_to_least_effort() -> None:
    assert match_of(fill(KICK, [(1.0, 1.1)], library=CLIPS, prior="library")).confidence == SHORT
    arm = fill(KICK, [(1.0, 1.5)], "left_arm", library=CLIPS, prior="library")
    assert match_of(arm).confidence == PARTIAL
    assert frames(arm) == frames(sg.fill(KICK, [(1.0, 1.5)], "left_arm"))


@pytest.mark.usefixtures("trusting")
def test_a_motion_draws_on_itself_but_never_near_its_gaps() -> None:
    spans = [(1.0, 1.5), (2.2, 2.5)]
    filled = fill(WALK, spans, use_own_frames=True)
    assert len(filled.fills) == 2
    for report in filled.fills:
        assert report.match is not None
        assert report.match.used_clips
        for drawn in report.match.used_clips:
            assert all(drawn.stop < start - 0.09 or drawn.start > stop + 0.09 for start, stop in spans)


def test_nothing_of_a_gap_is_looked_at() -> None:
    """Whatever is in the gap, the filled motion is the same."""
    other = sg.override(sg.trim(sg.move_to(RUN, (0.0, 0.0)), 1.1, 1.4, keep_time=True), WALK)
    spans = [(1.0, 1.5)]
    kept = [own_clip(motion, "own", spans) for motion in (WALK, other)]
    assert kept[0] is not None
    assert kept[1] is not None
    np.testing.assert_array_equal(kept[0].root, kept[1].root)
    np.testing.assert_array_equal(kept[0].balls, kept[1].balls)


@pytest.mark.usefixtures("trusting")
def test_gaps_and_transitions_draw_on_a_library() -> None:
    holed = sg.trim(KICK, 0.0, 1.0, keep_time=True) + sg.trim(KICK, 1.6, 2.8, keep_time=True)
    assert match_of(fill_gaps(holed, library=CLIPS, prior="library")).used_clips
    joined = transition(WALK, WALK, 0.6, leave=2.0, enter=0.5, library=CLIPS, prior="library")
    assert match_of(joined).share > 0.1
    assert match_of(transition(WALK, RUN, "auto", prior="library", use_own_frames=True)).cost is not None
    assert match_of(transition(WALK, RUN, 0.6)).used_clips == ()


@pytest.mark.usefixtures("trusting")
def test_takes_are_different_stretches() -> None:
    made = variants(KICK, (0.9, 1.7), 3, library=CLIPS, prior="library", use_own_frames=False)
    assert len(made) == 3
    drawn = [match_of(each).used_clips for each in made]
    assert all(len(each) == 1 for each in drawn)
    moments = [(each[0].name, each[0].start) for each in drawn]
    assert all(a[0] != b[0] or abs(a[1] - b[1]) > 0.4 for k, a in enumerate(moments) for b in moments[:k])
    assert [match_of(each).cost for each in made] == sorted(match_of(each).cost or 0.0 for each in made)
    assert len({frames(each) for each in made}) == 3
    few = variants(
        KICK,
        (0.9, 1.7),
        9,
        library=[replace(SHELF.entries[2], sections=((0, 34),))],
        prior="library",
        use_own_frames=False,
    )
    assert len(few) < 3


@pytest.mark.usefixtures("trusting")
def test_reports_tell_what_was_drawn_on() -> None:
    (report,) = fill(KICK, [(0.9, 1.7)], library=CLIPS, prior="library").fills
    told = json.loads(json.dumps(report.to_dict()))["match"]
    assert told["confidence"] == CLOSE
    assert {"clip", "start_s", "stop_s", "mirrored", "weight"} == set(told["used_clips"][0])
    assert "drawn from" in str(report.match)


def test_the_same_library_gives_the_same_bytes() -> None:
    made = [fill(WALK, [(1.0, 1.6)], library=SHELF.entries, use_own_frames=True) for _ in range(2)]
    assert frames(made[0]) == frames(made[1])


def test_bad_input_is_told() -> None:
    with pytest.raises(ArgumentError, match="the library is 3: a Library, its file, or clips are needed"):
        fill(KICK, [(1.0, 1.5)], library=3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="both a library and a prior are given: give one of them"):
        fill(KICK, [(1.0, 1.5)], library=CLIPS, prior=Guide(SHELF))
    with pytest.raises(ArgumentError, match="the prior is 3: one of auto, learned, library, both, none"):
        sg.fill(KICK, [(1.0, 1.5)], prior=3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="the prior is 'both', but there is no library: give one"):
        sg.fill(KICK, [(1.0, 1.5)], prior="both")
    for name in ("learned", "none"):
        with pytest.raises(ArgumentError, match=f"a library is given, but the prior is '{name}'"):
            sg.fill(KICK, [(1.0, 1.5)], prior=name, library=CLIPS)
    for start, stop in ((1.0, np.inf), (np.nan, 1.5)):
        with pytest.raises(ArgumentError, match=f"the gap from {start:g} to {stop:g} s is empty"):
            fill(KICK, [(start, stop)], library=CLIPS, prior="library")
        with pytest.raises(ArgumentError, match=f"the gap from {start:g} to {stop:g} s is empty"):
            variants(KICK, (start, stop), 2, library=CLIPS, prior="library")
    with pytest.raises(ArgumentError, match="the number of variants is 0: a whole number of 1 or more is needed"):
        variants(KICK, (1.0, 1.5), 0, library=CLIPS, prior="library")
    with pytest.raises(ArgumentError, match="is not a pair of times"):
        fill(KICK, [1.0], library=CLIPS, prior="library")  # type: ignore[list-item]


@needs_mocap
def test_real_walking_is_filled_nearer_to_the_truth_from_the_same_take() -> None:
    motion = sg.load(mocap_file("walk4_subject1"))
    walk = sg.trim(motion, 5.0, 65.0)
    gaps = [(20.0, 21.0), (35.0, 36.0)]
    plain, known = fill(walk, gaps, prior="none"), fill(walk, gaps, prior="library", use_own_frames=True)
    assert sum(error(known, walk, *gap) for gap in gaps) < 0.8 * sum(error(plain, walk, *gap) for gap in gaps)
    for report in known.fills:
        assert all(support.moved is None or support.moved < 0.005 for support in report.supports)
