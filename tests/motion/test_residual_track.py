"""Residuals across functions that bring none: nothing pops and nothing kinks where they meet others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import segue as sg
from segue.curves import quaternion
from segue.motion.clip_source import ClipSource
from segue.motion.residual_track import ResidualTracks
from segue.motion.retargeter import Residual
from tests.motion.test_motion import wandering

JOINT = 3
STEP = 1e-4


def swinging() -> sg.Motion:
    """Return 4 s of motion whose residuals swing to and fro, so that they have a rate everywhere."""
    take = sg.Motion.from_clip(wandering(241)).clip_source
    phase = 1.3 * take.clip.times[:, None] + np.arange(len(take.clip.skeleton))
    turns = quaternion.exp(0.4 * np.stack([np.sin(phase), np.cos(phase), np.sin(2 * phase)], axis=-1))
    pelvis_offset = 0.02 * np.stack([np.sin(phase[:, 0])] * 3, axis=-1)
    dressed = take.retargeter.to_skeleton(take.fit().poses, Residual(turns, pelvis_offset, take.clip.positions))
    clip = sg.Clip(take.clip.names, take.clip.parents, take.clip.offsets, *dressed, take.fps)
    lively = ClipSource(clip, take.roles, take.space)
    lively.__dict__ |= {
        "_fit": take.fit(),
        "retargeter": take.retargeter,
    }  # the same figure, though its clip has changed
    whole = sg.Motion.from_clip(clip)
    tracks = {
        name: track.changed(lambda part: part.changed(lambda function: replace(function, source=lively)))
        for name, track in whole.tracks.items()
    }
    return sg.Motion(tracks, lively)


def patch(motion: sg.Motion, start: float, stop: float) -> sg.Motion:
    """Return the same poses between two times as computed ones, which no clip stands behind."""
    times = np.arange(round(start * motion.fps), round(stop * motion.fps) + 1) / motion.fps
    return sg.Motion.from_poses(motion.figure, motion.at(times), motion.fps, start=start)


def turns(motion: sg.Motion, host: ClipSource, times: list[float], within: float) -> np.ndarray:
    return ResidualTracks(motion.tracks, host).at(np.array(times), within).turns[:, JOINT]


def turn_rate(motion: sg.Motion, host: ClipSource, first: float, second: float, within: float) -> np.ndarray:
    a, b = turns(motion, host, [first, second], within)
    return quaternion.log(quaternion.multiply(quaternion.conjugate(a), b)) / (second - first)


@pytest.mark.parametrize("edges", [(1.0, 1.5), (1.0, 3.0), (1.0, 1.1)])
def test_residuals_leave_and_arrive_with_the_neighbours_values_and_rates(edges: tuple[float, float]) -> None:
    motion = swinging()
    host, (start, stop) = motion.clip_source, edges
    whole = sg.override(patch(motion, start, stop), motion)
    middle = 0.5 * (start + stop)
    seams = ((start, start - 0.1, -STEP), (stop, stop + 0.1, STEP))
    for edge, outside, out in seams:
        here, there = turns(whole, host, [edge], middle), turns(whole, host, [edge], outside)
        assert quaternion.angle_between(here, there).max() < 1e-9
        inner = turn_rate(whole, host, edge, edge - out, middle)
        outer = turn_rate(whole, host, edge, edge + out, outside)
        assert np.linalg.norm(outer) > 0.3
        np.testing.assert_allclose(inner, outer, atol=0.01)


def test_bare_functions_in_a_row_share_one_passage() -> None:
    motion = swinging()
    host = motion.clip_source
    one = sg.override(patch(motion, 1.0, 2.0), motion)
    two = sg.override(patch(motion, 1.0, 1.4) + patch(motion, 1.4, 2.0), motion)
    for within, times in ((1.2, [1.0, 1.1, 1.4]), (1.7, [1.4, 1.6, 2.0])):
        np.testing.assert_allclose(turns(two, host, times, within), turns(one, host, times, within), atol=1e-12)


def test_a_residual_without_a_neighbour_to_go_to_comes_to_rest() -> None:
    motion = swinging()
    ended = sg.concatenate(sg.trim(motion, 0.0, 2.0), patch(motion, 0.0, 3.0))
    at_rest = turns(ended, motion.clip_source, [2.5, 3.0, 4.9], 3.0)
    edge = turns(ended, motion.clip_source, [2.0], 1.0)
    assert quaternion.angle_between(at_rest, np.repeat(edge, 3, axis=0)).max() < 1e-9
    lone = patch(motion, 0.0, 1.0)
    mean = motion.clip_source.mean_residual.turns[:, JOINT]
    assert quaternion.angle_between(turns(lone, motion.clip_source, [0.0, 0.7], 0.5), mean).max() < 1e-9


def test_no_frame_pops_after_a_blend_into_another_body() -> None:
    motion = swinging()
    other = sg.Motion.from_poses(motion.figure, motion.poses, motion.fps, start=2.0)
    blended = sg.blend(motion, other).to_clip()
    steps = quaternion.angle_between(blended.rotations[1:], blended.rotations[:-1]).max(axis=1)
    seam = round(motion.stop * motion.fps)
    assert steps[seam - 2 : seam + 2].max() < 1.5 * np.median(steps)
