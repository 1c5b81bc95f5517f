"""A baseline: what a motion has from its source does not count, and what it adds does, however small."""

from __future__ import annotations

import numpy as np
import pytest

from segue import clips
from segue.body.figure import Poses
from segue.filling import transition
from segue.motion.clip import Clip
from segue.motion.motion import Motion
from segue.motion.operators import concatenate, retime, trim
from segue.plausibility import Report, Severity, Thresholds, check, observe
from segue.plausibility.alignment import align
from tests.plausibility.faults import bump, changed, joint, leap, shoved, turned


def faults(report: Report) -> dict[str, float]:
    return {finding.option: finding.value for finding in report.faults}


def test_faults_of_the_source_do_not_count() -> None:
    motion = shoved("stand", 0, lambda t: 0.1 * np.clip(t - 1.0, 0.0, 1.0))
    assert check(motion).severity is Severity.FAULT
    report = check(motion, baseline=motion)
    assert report.severity is Severity.FINE
    assert all(finding.value < 1e-6 for finding in report.findings)


def test_a_small_slide_and_a_small_sink_are_found_at_their_size() -> None:
    walk = clips.motion("walk")
    slid = shoved("walk", 0, lambda t: 0.025 * np.clip((t - 1.05) / 0.4, 0.0, 1.0))
    assert check(slid).problems() == []
    found = faults(check(slid, baseline=walk))
    assert found == {"slide_cm": pytest.approx(2.5, abs=0.2)}
    sunk = shoved("walk", 1, lambda t: -0.025 * bump(t, 1.6, 0.6))
    assert check(sunk).problems() == []
    assert faults(check(sunk, baseline=walk))["sink_cm"] == pytest.approx(2.5, abs=0.2)


def test_small_pops_are_found_at_their_frame() -> None:
    def pop(times: np.ndarray, positions: np.ndarray, rotations: np.ndarray) -> None:
        positions[50, 0] += np.array([0.0, 0.0, 0.02])
        turned(rotations, joint("left_hand"), slice(100, 101), np.radians([8.0, 0.0, 0.0]))

    report = check(changed("run", pop), baseline=clips.motion("run"))
    found = {finding.option: finding for finding in report.faults}
    assert found["root_pop_cm"].value == pytest.approx(2.0, abs=0.01)
    assert found["root_pop_cm"].where.endswith("frame 50")
    assert found["pop_deg"].value == pytest.approx(8.0, abs=0.01)
    assert found["pop_deg"].where.startswith("left_hand")


def test_a_flight_that_falls_more_slowly_than_its_source() -> None:
    found = faults(check(leap(7.0), baseline=leap(9.80665)))
    assert found["fall"] == pytest.approx(2.8, abs=0.3)
    assert check(leap(7.0), thresholds=Thresholds(sink_cm=np.inf)).faults == ()


@pytest.mark.parametrize("factor", [0.8, 1.0, 1.25])
def test_the_playing_speed_is_found_from_the_frames(factor: float) -> None:
    """At the same rate of frames a retimed motion shows the source between its frames."""
    walk = clips.motion("walk")
    (piece,) = align(observe(retime(walk, 0.0, factor)), [observe(walk)])
    assert piece.speed == pytest.approx(1.0 / factor, rel=0.01)
    report = check(retime(walk, 0.0, factor), baseline=walk)
    assert set(faults(report)) == ({"speed_percent"} if factor != 1.0 else set())


def test_a_clip_whose_frames_are_played_too_fast() -> None:
    clip = clips.clip("walk")
    fast = Motion.from_clip(
        Clip.from_arrays(clip.skeleton, clip.positions.copy(), clip.rotations.copy(), 1.2 * clip.fps)
    )
    report = check(fast, baseline=clips.motion("walk"))
    assert faults(report)["speed_percent"] == pytest.approx(20.0, abs=0.1)
    assert any("plays 1.20 times as fast" in problem for problem in report.problems())


def test_a_piece_that_is_cut_out_turned_and_moved_is_still_its_source() -> None:
    walk = clips.motion("walk")
    part = trim(walk, 1.0, 2.5)
    (piece,) = align(observe(part), [observe(walk)])
    np.testing.assert_allclose(piece.at, 60.0 + np.arange(len(part)), atol=0.05)
    assert check(part, baseline=walk).problems() == []


@pytest.mark.parametrize(
    ("first", "second", "leave", "enter"), [("walk", "run", 1.9, 0.2), ("stand", "reach", 1.0, 0.5)]
)
def test_a_piece_ends_where_a_transition_begins(first: str, second: str, leave: float, enter: float) -> None:
    """Frames of a transition beside the cut are like the source, too, but the source is not played there."""
    sources = [clips.motion(first), clips.motion(second)]
    joined = transition(*sources, 0.6, leave=leave, enter=enter)
    before, after = align(observe(joined), [observe(source) for source in sources])
    assert (before.first, after.stop) == (0, len(joined))
    near = 2 if first == "walk" else 6  # the frames after the cut of a still body may be copies of it
    assert abs(before.stop - 1 - 60.0 * leave) <= near
    assert abs(after.first - 60.0 * (leave + 0.6)) <= near
    assert before.speed == pytest.approx(1.0, abs=1e-3)
    assert after.speed == pytest.approx(1.0, abs=1e-3)
    assert check(joined, baseline=sources, start=leave - 0.2, stop=leave + 0.8).problems() == []


def test_a_still_body_does_not_show_its_speed() -> None:
    stand = trim(clips.motion("stand"), 0.0, 1.0)
    poses = stand.poses.rows[np.full(40, 30)]
    still = Motion.from_poses(stand.figure, Poses.from_rows(poses), 60.0)
    (piece,) = align(observe(still), [observe(stand)])
    assert np.ptp(piece.at) < 20.0
    assert piece.speed == 1.0


def test_frames_of_two_sources_are_told_apart_and_the_seam_is_judged_by_itself() -> None:
    walk, wave = trim(clips.motion("walk"), 0.0, 2.0), trim(clips.motion("wave"), 1.0, 3.0)
    joined = concatenate(walk, wave)
    seen, sources = observe(joined), [observe(walk), observe(wave)]
    pieces = align(seen, sources)
    assert [piece.source for piece in pieces] == sources
    report = check(joined, baseline=[walk, wave])
    cut = [finding for finding in report.faults if finding.time is not None and abs(finding.time - 2.0) < 0.2]
    assert cut
    assert not any(finding.added for finding in cut)
