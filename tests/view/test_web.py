"""The page as text: small, the same every time, closed to the network and to what labels might hold."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segue as sg
from segue import view
from segue.body.figure import Poses
from segue.curves import quaternion
from segue.files import show
from segue.view.web.contents import EncodedPoses, encode
from segue.view.web.pages import ENTRY, modules, script

WALK = sg.clips.walk
EVIL = "</script><script>alert(1)</script><!--"
RANDOM = np.random.default_rng(7)


def decoded(packed: EncodedPoses) -> Poses:
    """Return what was packed, by the words of `EncodedPoses` alone."""
    content, frames = base64.b64decode(packed.text), packed.frames
    root = np.frombuffer(content, "<f4", 3 * frames).reshape(frames, 3)
    rest = np.frombuffer(content, "<u2", offset=12 * frames)
    balls = rest[: 21 * frames].reshape(frames, 7, 3).astype(int)
    hinges = np.array(packed.lows) + rest[21 * frames :].reshape(frames, 20) * np.array(packed.steps)
    left_out = (balls[..., 0] >> 15) + 2 * (balls[..., 1] >> 15)
    small = ((balls & 0x7FFF) / 0x7FFF * 2 - 1) * np.sqrt(0.5)
    turns = np.empty((frames, 7, 4))
    for index in np.ndindex(frames, 7):
        largest = np.sqrt(1 - np.sum(small[index] ** 2))
        turns[index] = np.insert(small[index], left_out[index], largest)
    return Poses(root.astype(float), turns, hinges)


def given_to(page: view.Page) -> dict:
    """Return what a page gives its script."""
    found = re.search(r'<script type="application/json" id="contents">(.*?)</script>', page.text, re.DOTALL)
    assert found
    return json.loads(found[1])


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_a_pose_comes_back_within_half_a_millimetre(seed: int) -> None:
    random = np.random.default_rng(seed)
    poses = Poses(
        random.uniform(-90, 90, (5, 3)), quaternion.exp(random.normal(size=(5, 7, 3)) * 2), random.normal(size=(5, 20))
    )
    wanted, _ = WALK.figure.forward(poses)
    got, _ = WALK.figure.forward(decoded(encode(poses)))
    assert np.abs(got - wanted).max() < 5e-4


def test_angles_that_never_change_are_exact() -> None:
    poses = Poses.zero(3)
    poses.hinges[:] = 0.7
    assert np.array_equal(decoded(encode(poses)).hinges, poses.hinges)


def test_what_is_not_finite_is_refused() -> None:
    poses = Poses.zero(4)
    poses.root[2, 1] = np.nan
    with pytest.raises(sg.ArgumentError, match="frame 2 cannot be shown"):
        encode(poses)


def test_half_a_minute_is_small(tmp_path: Path) -> None:
    walking = sg.repeat(sg.make_loop(WALK), duration=30.0)
    show(walking).save(tmp_path / "walk.html")
    frames = given_to(show(walking))["motions"][0]["frames"]
    assert frames >= 1800
    assert (tmp_path / "walk.html").stat().st_size < 400_000


def test_the_same_motion_is_the_same_page() -> None:
    assert show(WALK).text == show(WALK).text


def test_a_page_names_no_other_place_and_forbids_the_network() -> None:
    text = view.page(WALK).text
    assert not re.search(r"https?:|@import|url\(|\bimport\b|XMLHttpRequest|fetch\(|WebSocket", text)
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1])
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for name, content in (("script", script()), ("style", re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1])):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy


def test_labels_and_titles_cannot_leave_their_place() -> None:
    page = view.page({EVIL: WALK}, title=EVIL)
    assert page.text.count("</script>") == view.page(WALK).text.count("</script>")
    assert page.text.count("<!--") == 0
    assert given_to(page)["motions"][0]["label"] == EVIL
    assert EVIL not in page._repr_html_()


def test_what_was_filled_is_told() -> None:
    joined = sg.transition(WALK, sg.clips.run, 0.6, leave=1.9, enter=0.2)
    (fill,) = given_to(show(joined))["motions"][0]["fills"]
    assert (fill["start"], fill["stop"], fill["whole"]) == (pytest.approx(1.9), pytest.approx(2.5), True)
    arm = view.page(WALK, fills=lambda _: [sg.TrackSpan(1.0, 1.5, ("right_shoulder", "right_elbow_flexion"))])
    (fill,) = given_to(arm)["motions"][0]["fills"]
    assert fill["whole"] is False
    assert [given_to(arm)["tree"]["segments"][s] for s in fill["segments"]] == ["right_upper_arm", "right_forearm"]
    assert fill["what"] == "right shoulder, right elbow"


def test_a_page_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    page = show(WALK)
    page.save(tmp_path / "walk.html")
    assert (tmp_path / "walk.html").read_text(encoding="utf-8") == page.text
    with pytest.raises(sg.FileFormatError, match=r"a page's name ends in \.html"):
        page.save(tmp_path / "walk.png")
    with pytest.raises(sg.FileFormatError, match="there is no folder"):
        page.save(tmp_path / "nowhere" / "walk.html")
    assert [path.name for path in tmp_path.iterdir()] == ["walk.html"]


def test_a_motion_shows_itself_in_a_notebook() -> None:
    frame = WALK.show()._repr_html_()
    assert frame.startswith('<iframe title="walk" srcdoc="')
    assert 'sandbox="allow-scripts"' in frame
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1]) == show(WALK).text


def test_without_a_notebook_display_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "IPython.display", None)
    with pytest.raises(sg.ArgumentError, match=r"save it as a \.html file"):
        WALK.show().display()


def test_what_cannot_be_shown_is_told() -> None:
    with pytest.raises(sg.ArgumentError, match="at least one motion"):
        view.page({})
    with pytest.raises(sg.ArgumentError, match="at least 200 pixels"):
        view.page(WALK, height=20)
    with pytest.raises(sg.ArgumentError, match="root position is undefined"):
        show(sg.only(WALK, "left_arm"))


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node on this machine")
def test_the_script_is_well_formed(tmp_path: Path) -> None:
    whole = tmp_path / "viewer.js"
    whole.write_text(script(), encoding="utf-8")
    checked = subprocess.run(["node", "--check", whole], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test_every_part_of_the_script_is_used_and_short() -> None:
    folder = Path(view.web.__file__).parent
    parts = sorted(path.name for path in folder.glob("*.js"))

    def read(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    # only the studio picks limbs with the mouse; the page of an evening has modules of its own
    assert sorted([*modules(ENTRY, read), *modules("floor_page.js", read), "picking.js"]) == parts
    for name in parts:
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 300, name
        assert max(map(len, lines)) <= 120, f"{name}:{1 + max(range(len(lines)), key=lambda k: len(lines[k]))}"
        assert lines[0].startswith("// "), f"{name} does not say what it is about"
