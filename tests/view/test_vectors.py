"""Drawings in SVG: lines and letters, not pixels."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import segue as sg
from segue import view

SVG = "{http://www.w3.org/2000/svg}"
WALK = sg.clips.walk
ARM = sg.only(sg.clips.wave, "right_arm")

DRAWINGS = {
    "curves": (lambda: view.plot_curves(WALK.poses, fps=WALK.fps), {"time (s)", "(degrees)", "left", "right"}),
    "footprints": (
        lambda: view.plot_footprints(WALK.figure, WALK.poses, fps=WALK.fps),
        {"x, left (m)", "z, forward (m)"},
    ),
    "timeline": (lambda: view.plot_timeline(WALK - sg.retime(ARM, 1.0)), {"time (s)", "right arm", "gap"}),
    "tree": (lambda: view.plot_operator_tree(view.Operator("mirror", (view.Operator("walk"),))), {"mirror", "walk"}),
    "torques": (lambda: view.plot_torques(WALK, ["left_knee"]), {"time (s)", "(N m)", "knee"}),
}


@pytest.mark.parametrize("kind", DRAWINGS)
def test_a_drawing_is_made_of_lines_and_letters(kind: str, tmp_path: Path) -> None:
    make, words = DRAWINGS[kind]
    make().save(tmp_path / "drawing.svg")
    root = ET.parse(tmp_path / "drawing.svg").getroot()
    assert not list(root.iter(f"{SVG}image")), "no pixels"
    assert len(list(root.iter(f"{SVG}path"))) > 3
    written = {line.strip() for text in root.iter(f"{SVG}text") for line in "".join(text.itertext()).split("\n")}
    assert words <= written
