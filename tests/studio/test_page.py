"""The studio in Chromium, against the real server: drags by mouse, fingers and keys change the right number."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from segue.language.parser import parse
from segue.serve.document import autosave_of
from segue.studio.server import Studio
from tests.studio import servers
from tests.studio.pages import Tab, shown_motion
from tests.studio.servers import TEXT, studio_of
from tests.view.chromium import chromium, launched, needs_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = needs_chromium

FRAME = 1.0 / 60.0


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    with studio_of(tmp_path) as started:
        yield started


@pytest.fixture
def tab(browser: Browser, studio: Studio) -> Iterator[Tab]:
    opened = Tab(browser, studio)
    yield opened
    assert opened.heard == []
    opened.context.close()


def number(text: str, name: str) -> float:
    """Return the number that a text gives an argument."""
    found = re.search(rf"{name}=([-\d.]+)", text)
    assert found is not None, text
    return float(found[1])


def snapped(value: float) -> float:
    """Return the nearest frame's time."""
    return round(value / FRAME) * FRAME


def assert_joints(tab: Tab, folder: Path) -> None:
    """Check that the page has the joints where `segue run` has them, within 1 mm."""
    motion = shown_motion(tab.text, folder)
    wanted, _ = motion.figure.forward(motion.poses)
    assert tab.page.evaluate("segueStage.motions[0].frames") == len(motion)
    for frame in range(0, len(motion), 9):
        assert np.abs(tab.joints(frame) - wanted[frame]).max() < 1e-3


@pytest.mark.parametrize(("handle", "by"), [("leave", -60.0), ("enter", 40.0), ("duration", 55.0)])
def test_a_drag_by_mouse_changes_one_number_and_undo_restores_every_byte(
    tab: Tab, tmp_path: Path, handle: str, by: float
) -> None:
    scale = tab.seconds_per_pixel
    before = {"leave": 1.9, "enter": 0.2, "duration": 0.6}[handle]
    tab.drag(tab.middle(f".tl-handle.{handle}"), (by, 0.0))
    tab.until(f"segueStudio.store.doc.text !== {TEXT!r}")
    tab.settled()
    after = float(re.search(r"clips.run, ([\d.]+)", tab.text)[1]) if handle == "duration" else number(tab.text, handle)  # type: ignore[index]
    assert abs(after - (before + by * scale)) <= 0.5 * FRAME + 0.002
    assert tab.text.replace(f"{after:g}", f"{before:g}") == TEXT
    assert_joints(tab, tmp_path)
    tab.page.keyboard.press("Control+z")
    tab.until(f"segueStudio.store.doc.text === {TEXT!r}")
    tab.settled()
    assert_joints(tab, tmp_path)


def test_escape_restores_the_text_before_a_drag(tab: Tab) -> None:
    tab.drag(tab.middle(".tl-handle.leave"), (-80.0, 0.0), let_go=False)
    tab.until(f"segueStudio.store.doc.text !== {TEXT!r}")
    tab.page.keyboard.press("Escape")
    tab.until(f"segueStudio.store.doc.text === {TEXT!r}")
    tab.page.mouse.up()
    tab.settled()
    assert tab.page.evaluate("segueStudio.store.doc.undo") is False


def test_a_run_of_keys_is_one_step_of_undo(tab: Tab) -> None:
    tab.page.locator(".tl-handle.leave").focus()
    for _ in range(4):
        tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Shift+ArrowLeft")
    tab.page.keyboard.press("Enter")
    tab.until(f"segueStudio.store.doc.text !== {TEXT!r}")
    tab.settled()
    assert abs(number(tab.text, "leave") - (1.9 - 6 * FRAME)) < 2e-3
    said = tab.page.locator(".tl-handle.leave").get_attribute("aria-valuetext")
    assert said == f"leave {number(tab.text, 'leave'):.2f} seconds"
    tab.page.keyboard.press("Control+z")
    tab.until(f"segueStudio.store.doc.text === {TEXT!r}")


def test_a_finger_drags_as_a_mouse_does(browser: Browser, studio: Studio) -> None:
    tab = Tab(browser, studio, has_touch=True, viewport={"width": 800, "height": 900})
    scale = tab.seconds_per_pixel
    x, y = tab.middle(".tl-handle.leave")
    touch = tab.context.new_cdp_session(tab.page)
    for kind, at in [("touchStart", 0.0), *(("touchMove", -5.0 * k) for k in range(1, 9)), ("touchEnd", None)]:
        points = [] if at is None else [{"x": x + at, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        tab.page.wait_for_timeout(15)
    tab.until(f"segueStudio.store.doc.text !== {TEXT!r}")
    tab.settled()
    assert abs(number(tab.text, "leave") - (1.9 - 40.0 * scale)) <= 0.5 * FRAME + 0.002
    assert tab.heard == []
    tab.context.close()


def test_the_body_of_a_gap_moves_the_gap(tab: Tab) -> None:
    scale = tab.seconds_per_pixel
    x, y = tab.middle(".tl-piece.fill")
    tab.drag((x, y), (30.0, 0.0))
    tab.until(f"segueStudio.store.doc.text !== {TEXT!r}")
    tab.settled()
    assert abs(number(tab.text, "leave") - (1.9 + 30.0 * scale)) <= 0.5 * FRAME + 0.002


def test_a_dragged_hand_is_where_the_pointer_is(tab: Tab) -> None:
    tab.page.evaluate("segueStudio.store.seek(2.2)")
    tab.page.wait_for_timeout(200)
    name = "left hand: drag, or move by arrow keys"
    selector = f'.limb-handle[aria-label="{name}"]'
    x, y = tab.middle(selector)
    tab.drag((x, y), (12.0, -30.0), steps=24)  # more revisions than the engine keeps
    tab.until("segueStudio.store.doc.text.includes('reach(\"left_hand\"')")
    tab.settled()
    tab.page.wait_for_timeout(300)
    now = tab.middle(selector)
    assert abs(now[0] - x - 12.0) < 6.0
    assert abs(now[1] - y + 30.0) < 6.0
    tab.page.keyboard.press("Control+z")
    tab.until(f"segueStudio.store.doc.text === {TEXT!r}")


def test_a_press_that_changes_nothing_leaves_no_gesture_open(tab: Tab) -> None:
    tab.page.mouse.move(*tab.middle(".limb-handle"))
    tab.page.mouse.down()
    assert tab.page.evaluate("segueStudio.store.running !== null")
    tab.page.mouse.up()
    assert tab.page.evaluate("segueStudio.store.running") is None
    assert tab.text == TEXT


def test_a_dragged_footprint_becomes_a_footstep(tab: Tab, tmp_path: Path) -> None:
    tab.until("segueStudio.store.contacts?.contacts.some(({ start, stop }) => start < 2.4 && stop > 2.0)")
    tab.page.evaluate("document.getElementById('camera-top').click(); segueStudio.store.seek(2.2)")
    tab.page.wait_for_timeout(300)
    index = tab.page.evaluate(
        "segueStudio.store.contacts.contacts.findIndex(({ start, stop }) => start >= 1.9 && stop <= 2.55)"
    )
    assert index >= 0
    before = tab.page.evaluate(f"segueStudio.store.contacts.contacts[{index}]")
    tab.drag(tab.middle(".sole", index), (18.0, 0.0))
    tab.until("segueStudio.store.doc.text.includes('footstep(')")
    tab.settled()
    parse(tab.text, "test")
    step = re.search(r'footstep\("(\w+)", ([\d.]+), ([\d.]+), ([-\d.]+), ([-\d.]+)', tab.text)
    assert step is not None
    assert step[1] == before["foot"]
    x, z = float(step[4]), float(step[5])
    assert 0.02 < np.hypot(x - before["x"], z - before["z"]) < 0.5
    # the foot stands where the text says, within the 5 mm above which a fill notes a miss
    motion = shown_motion(tab.text, tmp_path)
    during = (motion.times > before["start"] + 0.05) & (motion.times < before["stop"] - 0.05)
    side = before["foot"].removesuffix("_foot")
    heel, tip = (motion.figure.point(f"{side}_{end}", motion.poses)[during] for end in ("heel", "toe_tip"))
    assert np.abs((0.5 * (heel + tip))[:, [0, 2]] - [x, z]).max() < 5e-3
    assert_joints(tab, tmp_path)


def test_a_contact_goes_through_enforce_and_never(tab: Tab) -> None:
    tab.until("segueStudio.store.contacts?.contacts.length > 0")
    index = tab.page.evaluate(
        "[...document.querySelectorAll('.tl-contact')].findIndex(({ mark }) => mark.start >= 1.9 && mark.stop <= 2.55)"
    )
    foot = tab.page.evaluate(f"document.querySelectorAll('.tl-contact')[{index}].mark.foot")
    for choice in ("enforce", "never"):
        bar = tab.page.locator(".tl-contact").nth(index)
        if choice == "never" and tab.page.evaluate("segueStudio.store.doc.diagnostics.length"):
            break
        bar.focus()
        tab.page.keyboard.press("Enter")
        tab.until(f"segueStudio.store.doc.text.includes('{foot}={choice}')")
        tab.settled()
        parse(tab.text, "test")
        if choice == "enforce":
            tab.page.wait_for_timeout(500)  # contacts are measured after the motion
            index = tab.page.evaluate(
                f"[...document.querySelectorAll('.tl-contact')].findIndex(({{ mark }}) => mark.foot === '{foot}' "
                "&& mark.start >= 1.5 && mark.stop <= 2.9)"
            )


def test_text_that_does_not_parse_keeps_the_last_motion_greyed(tab: Tab, tmp_path: Path) -> None:
    field = tab.page.locator(".script-field")
    field.focus()
    tab.page.keyboard.press("Control+End")
    tab.page.keyboard.type("broken = transition(walk,")
    tab.until("document.getElementById('stage').classList.contains('stale')")
    tab.until("document.querySelectorAll('.script-errors p').length === 1")
    assert tab.page.evaluate("segueStage.motions[0].frames") == len(shown_motion(TEXT, tmp_path))
    tab.page.keyboard.type(" clips.kick, 0.4)\nbroken\n")
    tab.until("!document.getElementById('stage').classList.contains('stale')")
    tab.page.wait_for_timeout(1000)  # the run of typing ends
    tab.settled()
    assert tab.text == TEXT + "broken = transition(walk, clips.kick, 0.4)\nbroken\n"
    assert_joints(tab, tmp_path)


def test_words_are_completed_and_explained(tab: Tab) -> None:
    tab.page.locator(".script-field").focus()
    tab.page.keyboard.press("Control+End")
    tab.page.keyboard.type("x = mirr")
    tab.until("document.querySelector('.completions:not([hidden])') !== null")
    tab.page.keyboard.press("Enter")
    tab.until("segueStudio.store.doc.text.endsWith('x = mirror') || segueStudio.store.doc.text.endsWith('x = mirror(')")
    tab.page.keyboard.press("F1")
    tab.until("document.querySelector('.script-help').textContent.includes('mirror')")


def test_the_prompt_tries_a_line_and_keeps_it(tab: Tab) -> None:
    prompt = tab.page.locator("#prompt input")
    prompt.fill("1 + 2")
    prompt.press("Enter")
    tab.until("document.querySelector('.answers').textContent.includes('3')")
    assert tab.text == TEXT
    prompt.fill("n = 7")
    prompt.press("Control+Enter")
    tab.until(f"segueStudio.store.doc.text === {TEXT + 'n = 7' + chr(10)!r}")


def test_a_selection_is_one_in_all_views(tab: Tab) -> None:
    tab.page.locator(".tl-piece.fill").click()
    node = tab.page.evaluate("segueStudio.store.selection")
    assert tab.page.evaluate("segueStudio.store.node(segueStudio.store.selection).label") == "transition"
    spans = tab.page.evaluate("[...CSS.highlights.get('script-selected')].map(String)")
    assert spans == ["transition(walk, clips.run, 0.6, leave=1.9, enter=0.2)"]
    field = tab.page.locator(".script-field")
    field.focus()
    field.evaluate("(field) => { field.setSelectionRange(9, 9); }")
    tab.until(f"segueStudio.store.selection !== {node!r}")


def test_two_tabs_and_a_reload_show_the_same_text(browser: Browser, studio: Studio, tab: Tab) -> None:
    other = Tab(browser, studio)
    tab.drag(tab.middle(".tl-handle.leave"), (-45.0, 0.0))
    tab.until(f"segueStudio.store.doc.text !== {TEXT!r}")
    tab.settled()
    other.until(f"segueStudio.store.doc.text === {tab.text!r}")
    assert other.page.evaluate("document.querySelector('.script-field').value") == tab.text
    other.page.reload()
    other.ready()
    assert other.text == tab.text
    assert other.heard == []
    other.context.close()


def test_a_server_that_ends_during_a_drag_loses_only_that_drag(browser: Browser, tmp_path: Path) -> None:
    with studio_of(tmp_path) as first:
        tab = Tab(browser, first)
        tab.drag(tab.middle(".tl-handle.leave"), (-30.0, 0.0))
        tab.until(f"segueStudio.store.doc.text !== {TEXT!r}")
        tab.settled()
        kept = tab.text
        tab.drag(tab.middle(".tl-handle.leave"), (-50.0, 0.0), let_go=False)
    tab.until("!segueStudio.store.online")
    assert tab.page.evaluate("document.getElementById('stage').classList.contains('stale')")
    tab.page.mouse.up()
    with studio_of(tmp_path) as second:
        again = Tab(browser, second)
        again.until("document.querySelector('dialog') !== null || segueStudio.store.doc.text !== ''")
        text = again.page.evaluate(
            "[...document.querySelectorAll('dialog pre')].map((each) => each.textContent).join('\\n')"
        )
        assert kept.split("leave=")[1][:4] in text + again.text or number(again.text, "leave") < 1.9
    assert tab.heard == []
    tab.context.close()


def test_kill_9_of_a_tab_during_a_drag_keeps_its_text(browser: Browser, studio: Studio, tmp_path: Path) -> None:
    other = servers.Tab(studio)
    other.send("hello")
    other.until("doc")
    doomed = launched(browser.browser_type)
    tab = Tab(doomed, studio)
    tab.drag(tab.middle(".tl-handle.leave"), (-30.0, 0.0), let_go=False)
    tab.until(f"segueStudio.store.doc.text !== {TEXT!r} && !segueStudio.store.running.gesture.busy")
    dragged = tab.text
    for process in doomed.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]:
        if process["type"] == "renderer":
            os.kill(process["id"], signal.SIGKILL)
    doc = other.until("doc", gesture="")
    doomed.close()
    assert doc["text"] == dragged
    assert autosave_of(tmp_path / "test.segue").read_text(encoding="utf-8") == dragged
    other.send("undo", request=7)
    assert other.until("doc", request=7)["text"] == TEXT


def test_after_drags_a_page_has_the_frames_that_a_new_page_gets(browser: Browser, studio: Studio, tab: Tab) -> None:
    frames = """(() => {
      const { frames, roots, balls, angles, moves } = segueStage.motions[0];
      return [frames, ...[roots, balls.packed, angles, moves.rows].map((each) => Array.from(each))];
    })()"""
    whole = tab.page.evaluate(frames)
    for handle, by in (("leave", -60.0), ("duration", 25.0), ("enter", 30.0), ("leave", 35.0)):
        before = tab.text
        tab.drag(tab.middle(f".tl-handle.{handle}"), (by, 0.0))
        tab.until(f"segueStudio.store.doc.text !== {before!r}")
        tab.settled()
    found = tab.page.evaluate(frames)
    assert found != whole
    new = Tab(browser, studio)
    new.settled()
    assert new.page.evaluate(frames) == found
    assert new.heard == []
    new.context.close()


def test_pictures_of_a_drag_tell_how_finely_the_machine_can_draw(tab: Tab) -> None:
    tab.settled()
    drawn, noted = tab.page.evaluate(
        """async () => {
          const { quality } = segueStage, draw = segueStage.draw.bind(segueStage);
          const later = () => new Promise((done) => requestAnimationFrame(done));
          await later();
          await later();
          let drawn = 0;
          const noted = [];
          segueStage.draw = (still) => { drawn += still ? 0 : 1; draw(still); };
          quality.note = (spent) => noted.push(spent);
          for (let k = 0; k < 3; k++) {
            segueStage.moved();
            for (let n = 0; n <= k; n++) await later();
          }
          await later();
          await later();
          return [drawn, noted];
        }"""
    )
    assert drawn >= 3
    assert len(noted) == drawn
    assert all(0.0 < each < 5000.0 for each in noted)


def test_the_finest_picture_comes_after_the_drag(tab: Tab) -> None:
    tab.settled()
    tab.page.evaluate(
        """() => {
          const draw = segueStage.draw.bind(segueStage);
          segueStage.quality.level = 3;
          segueStage.finest = [];
          segueStage.draw = (still) => { if (still) segueStage.finest.push(!segueStudio.store.running); draw(still); };
        }"""
    )
    tab.drag(tab.middle(".tl-handle.leave"), (-50.0, 0.0), let_go=False)
    tab.until(f"segueStudio.store.doc.text !== {TEXT!r}")
    tab.page.wait_for_timeout(700)
    assert tab.page.evaluate("segueStage.finest.filter((after) => !after)") == []
    tab.page.mouse.up()
    tab.until("segueStage.finest.at(-1) === true")


def test_the_page_weighs_little(browser: Browser, studio: Studio) -> None:
    context = browser.new_context()
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    bytes_by_request: dict[str, float] = {}
    network.on(
        "Network.loadingFinished", lambda done: bytes_by_request.update({done["requestId"]: done["encodedDataLength"]})
    )
    page.goto(studio.url)
    for _ in range(200):
        if page.evaluate("window.segueStage?.motions.length > 0"):
            break
        page.wait_for_timeout(50)
    page.wait_for_timeout(500)
    assert len(bytes_by_request) > 20
    assert sum(bytes_by_request.values()) < 200_000
    context.close()


@pytest.mark.parametrize("size", [(320, 640), (760, 1000), (3840, 2160)])
def test_every_size_of_window_shows_the_stage_and_the_time_line(
    browser: Browser, studio: Studio, size: tuple[int, int]
) -> None:
    width, height = size
    tab = Tab(browser, studio, viewport={"width": width, "height": height})
    assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name in ("#stage canvas", ".tl-body", ".tl-handle.leave", "#play"):
        box = tab.page.locator(name).first.bounding_box()
        assert box is not None
        assert box["width"] > 5
        assert box["x"] >= -1
        assert box["x"] + box["width"] <= width + 1
    assert tab.heard == []
    tab.context.close()
