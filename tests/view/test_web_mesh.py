"""The user's own mesh in the viewer: every vertex where Python says, textured, tinted in gaps, and switched off."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue import view
from segue.view.character import character_of
from tests.view.chromium import needs_chromium
from tests.view.test_web_browser import Open, at, browser, changed, count_like, opened, until

pytestmark = [needs_chromium, pytest.mark.filterwarnings("ignore:.*has [23] animations")]
__all__ = ["browser", "opened"]

CHARACTER = Path(__file__).parents[1] / "io" / "character" / "character.glb"


@pytest.fixture(scope="module")
def joined() -> sg.Motion:
    return sg.transition(sg.load(f"{CHARACTER}#Walk"), sg.load(f"{CHARACTER}#Wave"), 0.5)


def test_vertices_are_where_python_has_them(opened: Open, joined: sg.Motion) -> None:
    page = opened(view.page({"walk": sg.clips.walk, "mine": joined}))
    character = character_of(joined)
    assert character is not None
    wanted, _ = character.vertices()
    frames = range(0, len(joined), 9)
    got = np.array([page.evaluate(f"segueViewer.vertices(1, {frame})") for frame in frames])
    assert np.linalg.norm(got.reshape(len(frames), -1, 3) - wanted[::9], axis=2).max() < 1e-3


def test_the_mesh_is_shown_textured_and_can_be_switched_off(opened: Open, joined: sg.Motion) -> None:
    page = opened(view.page(joined, fills=lambda motion: motion.fills))
    until(page, "segueViewer.drawn > 1")
    mesh = at(page, 0.5)
    bluish = lambda red, green, blue: (blue > red + 40) & (blue > 90)  # noqa: E731
    assert count_like(mesh, bluish) > 50  # the cloth
    middle = joined.fills[0].start + 0.5 * (joined.fills[0].stop - joined.fills[0].start)
    assert changed(at(page, middle), mesh) > 200
    page.keyboard.press("m")
    figure = at(page, 0.5)
    assert changed(figure, mesh) > 200
    assert count_like(figure, bluish) < 20
    page.keyboard.press("g")
    page.keyboard.press("m")
    assert changed(at(page, 0.5), mesh) > 200  # ghosts of the mesh


def test_a_page_without_meshes(joined: sg.Motion) -> None:
    assert '"skin":null' in view.page(joined, mesh=False).text
    assert '"skin":null' in view.page(sg.clips.walk).text
