"""Time lines and operator trees: drawn for what they are, whole, and by the command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from examples.gallery.figures_2_to_6 import SCRIPT

import segue as sg
from segue import view
from segue.language import evaluate, parse
from segue.language.operators_seen import operator_of
from segue.motion.track_table import LIMBS, timeline_rows
from segue.motion.tracks import TRACKS, tracks_of
from segue.view.expressions import Operator


def composed() -> sg.Motion:
    motion = evaluate(SCRIPT)
    assert isinstance(motion, sg.Motion)
    return motion


def inked(picture: view.Picture) -> np.ndarray:
    """Return which pixels are not white."""
    return (picture.pixels() < 250).any(axis=-1)


def test_limbs_are_the_whole_body_once() -> None:
    assert sorted(track for limb in LIMBS for track in tracks_of(limb)) == sorted(TRACKS)


def test_the_demo_walks_waves_and_walks_on() -> None:
    before, after = sg.gaps(composed())
    assert before.joints == after.joints
    assert before.start > composed().start + 0.5
    assert after.stop < composed().stop - 0.5


def test_rows_part_only_where_tracks_differ() -> None:
    assert [label for label, _ in timeline_rows(sg.clips.walk.tracks)] == ["whole body"]
    labels = [label for label, _ in timeline_rows(composed().tracks)]
    assert labels == ["root", "trunk", "left arm", "right arm", "left leg", "right leg"]
    elbow = sg.clips.walk - sg.retime(sg.only(sg.clips.wave, "left_elbow"), 1.0)
    assert "left elbow" in [label for label, _ in timeline_rows(elbow.tracks)]


def test_a_time_line_shows_gaps_and_sources_in_colours_of_their_own() -> None:
    pixels = view.plot_timeline(composed()).pixels().reshape(-1, 3)
    for name in ("blue", "vermilion"):
        near = np.abs(pixels.astype(int) - np.array(view.COLOURS[name])).max(axis=1) < 8
        assert near.sum() > 1000, name
    conflict = view.plot_timeline(sg.clips.walk + sg.retime(sg.clips.wave, 3.0))
    assert inked(conflict).any()
    with pytest.raises(sg.ArgumentError, match="defines nothing"):
        view.plot_timeline(sg.clips.walk - sg.clips.stand)


def test_the_tree_of_the_papers_expression() -> None:
    root = operator_of(parse(SCRIPT))
    assert root == Operator(
        "+",
        (
            Operator("retime(1.3)", (Operator("wave_arm"),)),
            Operator("-", (Operator("walk"), Operator("retime(1, 1.5)", (Operator("wave_arm"),)))),
        ),
    )
    named = operator_of(parse("m = mirror(clips.run)\nm"))
    assert named == Operator("mirror", (Operator("run"),))
    every = operator_of(parse("concat(trim(clips.walk, 0, i / 4) for i in 1..3)"))
    assert every.operands[0].label == "for i in 1..3"
    with pytest.raises(sg.ArgumentError, match="no expression"):
        operator_of(parse("m = clips.walk"))


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_pictures_are_whole_and_written(suffix: str, tmp_path: Path) -> None:
    root = operator_of(parse(SCRIPT))
    for name, picture in {
        "tree": view.plot_operator_tree(root),
        "both": view.plot_composition(root, composed()),
        "line": view.plot_timeline(composed()),
    }.items():
        ink = inked(picture)
        assert ink.any()
        assert not ink[[0, -1]].any(), f"{name} is cut off"
        assert not ink[:, [0, -1]].any(), f"{name} is cut off"
        picture.save(tmp_path / f"{name}{suffix}")
        assert (tmp_path / f"{name}{suffix}").stat().st_size > 1000


def test_a_tree_too_wide_to_read_is_refused() -> None:
    leaves = tuple(Operator(f"m{k}") for k in range(61))
    with pytest.raises(sg.ArgumentError, match="61 leaves"):
        view.plot_operator_tree(Operator("concat", leaves))
