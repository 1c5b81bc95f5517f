"""The page as a browser shows it: quiet, closed, right to the millimetre, and moved by mouse, fingers and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import segue as sg
from segue import view
from segue.body.figure import Poses
from segue.curves import quaternion
from segue.files import show
from tests.view.chromium import chromium, needs_axe, needs_chromium, picture, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame, Page

pytestmark = needs_chromium

WALK = sg.clips.walk
SIZE = {"width": 420, "height": 320}
EVIL = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'
Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Open a page of motions, still unless `moving`; what it says on the console or asks of the network is a failure.

    prelude: a script that is run before. forgiven: what it may say.
    """
    heard: list[str] = []
    contexts = []

    def open_page(
        shown: view.Page, *, moving: bool = False, prelude: str = "", forgiven: str = "nothing", **options: Any
    ) -> Page:
        shown.save(tmp_path / "page.html")
        still: Any = "no-preference" if moving else "reduce"
        context = browser.new_context(**{"viewport": SIZE, "reduced_motion": still} | options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: _is_noise(message.text, forgiven) or heard.append(message.text))
        page.on("pageerror", lambda error: heard.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (heard.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: request.url.startswith(("file:", "data:")) or heard.append(request.url))
        if prelude:
            page.add_init_script(prelude)
        page.goto((tmp_path / "page.html").as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert heard == []


def _is_noise(text: str, forgiven: str) -> bool:
    # the browser complains of how it takes pictures off a card that is none
    return forgiven in text or "GPU stall due to ReadPixels" in text


def until(page: Page | Frame, truth: str) -> None:
    """Wait until an expression is true; Playwright's own way needs what the page forbids."""
    for _ in range(200):
        if page.evaluate(truth):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {truth}")


def at(page: Page, time: float) -> np.ndarray:
    """Return the picture at a time, standing still."""
    page.evaluate(f"segueViewer.pause(), segueViewer.seek({time})")
    page.evaluate("document.activeElement.blur()")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.evaluate("segueViewer.redraw()")  # as finely as can be
    return picture(page)


def changed(first: np.ndarray, second: np.ndarray) -> int:
    """Return how many pixels of the upper part, where no controls are, differ clearly."""
    return int((np.abs(first - second)[: SIZE["height"] - 100].max(axis=-1) > 24).sum())


def count_like(shown: np.ndarray, test: Callable[..., np.ndarray]) -> int:
    red, green, blue = np.moveaxis(shown[: SIZE["height"] - 100], -1, 0)
    return int(test(red, green, blue).sum())


def wild() -> sg.Motion:
    """Return a figure that turns all its joints any way, far from where the world begins."""
    random = np.random.default_rng(3)
    turns = quaternion.exp(np.cumsum(random.normal(size=(40, 7, 3)) * 0.3, axis=0))
    root = random.normal(size=(40, 3)) + np.array([150.0, 1.0, -80.0])
    poses = Poses(root, turns, 0.4 * random.normal(size=(40, 20)))
    return sg.Motion.from_poses(WALK.figure, poses, 30.0)


def test_joints_are_where_the_figure_has_them(opened: Open) -> None:
    motions = {"walk": WALK, "run": sg.clips.run, "wild": wild()}
    page = opened(view.page(motions))
    for k, motion in enumerate(motions.values()):
        wanted, _ = motion.figure.forward(motion.poses)
        frames = range(0, len(motion), 7)
        got = np.array([page.evaluate(f"segueViewer.positions({k}, {frame})") for frame in frames]).reshape(-1, 19, 3)
        assert np.abs(got - wanted[::7]).max() < 1e-3


def test_it_plays_by_itself_and_the_picture_changes(opened: Open) -> None:
    page = opened(show(WALK), moving=True)
    until(page, "segueViewer.drawn > 3")
    first, begin = picture(page), page.evaluate("segueViewer.time")
    until(page, f"Math.abs(segueViewer.time - {begin}) > 0.3")
    assert changed(first, picture(page)) > 500
    page.click("#play")
    assert page.evaluate("segueViewer.playing") is False


def test_who_wants_no_motion_gets_a_still_picture(opened: Open) -> None:
    page = opened(show(WALK))
    assert page.evaluate("[segueViewer.playing, segueViewer.time]") == [False, 0]


def test_scrubbing_shows_that_time_and_always_the_same(opened: Open) -> None:
    page = opened(show(WALK))
    first, second = at(page, 0.5), at(page, 1.0)
    assert changed(first, second) > 500
    assert changed(first, at(page, 0.5)) == 0
    page.locator("#time").evaluate("(slider) => { slider.value = 60; slider.dispatchEvent(new Event('input')); }")
    assert page.evaluate("segueViewer.time") == pytest.approx(1.0)
    until(page, f"document.getElementById('readout').textContent === '1.00 / {WALK.stop:.2f} s · frame 60'")


def test_the_mouse_turns_moves_and_zooms_and_reset_undoes_it(opened: Open) -> None:
    page = opened(show(WALK))
    home = at(page, 0.5)

    def drag(button: str = "left") -> np.ndarray:
        page.mouse.move(200, 150)
        page.mouse.down(button=button)
        page.mouse.move(260, 140, steps=3)
        page.mouse.up(button=button)
        return at(page, 0.5)

    seen = [drag(), drag("right")]
    page.mouse.wheel(0, 300)
    seen.append(at(page, 0.5))
    for before, after in zip([home, *seen], seen, strict=False):
        assert changed(before, after) > 500
    page.keyboard.press("r")
    assert changed(home, at(page, 0.5)) == 0


def test_fingers_turn_and_pinch(opened: Open) -> None:
    page = opened(show(WALK), has_touch=True)
    home, touch = at(page, 0.5), page.context.new_cdp_session(page)

    def fingers(kind: str, *places: tuple[int, int]) -> None:
        points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", (200, 150))
    fingers("touchMove", (280, 150))
    fingers("touchEnd")
    turned = at(page, 0.5)
    assert changed(home, turned) > 500
    fingers("touchStart", (200, 150), (260, 150))
    fingers("touchMove", (140, 150), (320, 150))
    fingers("touchEnd")
    assert changed(turned, at(page, 0.5)) > 1500


def test_keys_play_step_and_jump(opened: Open) -> None:
    page = opened(show(WALK))
    assert page.locator("#time").get_attribute("aria-valuetext") == f"0.00 seconds of {WALK.stop:.2f}"
    for key, frame in (("ArrowRight", 1), ("ArrowRight", 2), ("Shift+ArrowRight", 12), ("ArrowLeft", 11), ("Home", 0)):
        page.keyboard.press(key)
        assert page.evaluate("segueViewer.time") == pytest.approx(frame / 60), key
    page.keyboard.press("End")
    assert page.evaluate("segueViewer.time") == pytest.approx(len(WALK) / 60 - 1 / 60)
    page.keyboard.press("Space")
    assert page.evaluate("segueViewer.playing") is True
    page.keyboard.press("Space")
    assert page.evaluate("segueViewer.playing") is False


def test_speed_and_loop(opened: Open) -> None:
    page = opened(show(WALK))
    page.select_option("#speed", "2")
    page.click("#loop")
    page.evaluate(f"segueViewer.seek({WALK.stop} - 0.1), segueViewer.play()")
    until(page, "!segueViewer.playing")
    assert page.evaluate("segueViewer.time") == pytest.approx(WALK.stop, abs=1 / 60)


def test_two_motions_are_two_figures_beside_each_other_or_overlaid(opened: Open) -> None:
    page = opened(show({"walk": WALK, "kick": sg.clips.kick}))
    beside = at(page, 0.5)
    columns = np.nonzero((np.ptp(beside[60 : SIZE["height"] - 100], axis=-1) > 90).any(axis=0))[0]
    assert len(columns) > 15, "the second figure is orange"
    labels = [page.locator("#labels span").nth(k).bounding_box() for k in (0, 1)]
    assert labels[1]["x"] - labels[0]["x"] > 60
    assert abs(columns.mean() - labels[1]["x"] - labels[1]["width"] / 2) < 40
    page.click("#menu")
    page.click("#overlay")
    assert page.get_attribute("#overlay", "aria-pressed") == "true"
    assert changed(beside, at(page, 0.5)) > 500


def test_the_shorter_motion_holds_its_last_frame(opened: Open) -> None:
    short = sg.trim(WALK, 0.0, 0.5)
    page = opened(show({"short": short, "walk": WALK}))
    page.click("#menu")
    page.click("#follow")
    wanted = at(page, 0.5)
    late = at(page, 1.5)
    half = SIZE["width"] // 2
    grey = np.ptp(wanted[: SIZE["height"] - 100], axis=-1) < 30
    dark = grey & (wanted[: SIZE["height"] - 100].mean(axis=-1) < 150)
    held = dark[:, :half].sum()
    assert held > 300
    same = (np.abs(late - wanted)[: SIZE["height"] - 100].max(axis=-1) < 24) & dark
    assert same[:, :half].sum() > 0.9 * held


def test_ghosts_and_trails_add_to_the_picture(opened: Open) -> None:
    page = opened(show(WALK))
    plain = at(page, 1.0)
    page.click("#menu")
    with_menu = at(page, 1.0)
    page.click("#trails")
    trails = at(page, 1.0)
    page.click("#trails")
    page.click("#ghosts")
    ghosts = at(page, 1.0)
    page.locator("#ghost-count").evaluate("(slider) => { slider.value = 2; slider.dispatchEvent(new Event('input')); }")
    fewer = at(page, 1.0)
    left = slice(0, 270)  # beside the panel
    added = [changed(with_menu[:, left], each[:, left]) for each in (trails, ghosts, fewer)]
    assert added[0] > 100
    assert added[1] > 1000
    assert 100 < added[2] < 0.7 * added[1]
    assert count_like(trails, lambda r, g, b: b - r > 80) > 40 + count_like(plain, lambda r, g, b: b - r > 80)


def test_what_was_filled_is_blue_then_red_and_limbs_are_green(opened: Open) -> None:
    joined = sg.transition(WALK, sg.clips.run, 0.6, leave=1.9, enter=0.2)
    page = opened(show(joined))
    before, first, last = (at(page, time) for time in (1.5, 1.92, 2.48))
    assert count_like(before, lambda r, g, b: abs(r - b) > 60) < 20
    assert count_like(first, lambda r, g, b: b - r > 60) > 500
    assert count_like(last, lambda r, g, b: r - b > 60) > 500
    assert page.locator("#note").inner_text() == "whole body filled, 1.90 to 2.50 s"
    assert page.locator(".fill").count() == 1
    arm = view.page(WALK, fills=lambda _: [sg.TrackSpan(1.0, 1.5, sg.only(WALK, "right_arm").tracks)])
    green = at(opened(arm), 1.2)
    assert 50 < count_like(green, lambda r, g, b: g - r > 50) < 0.4 * count_like(first, lambda r, g, b: b - r > 60)


def test_labels_do_nothing_but_be_read(opened: Open) -> None:
    page = opened(view.page({EVIL: WALK, "b": WALK}, title=EVIL))
    assert page.locator("#legend li").first.inner_text() == EVIL
    assert page.title() == EVIL
    assert page.locator("img").count() == 0


def test_nothing_may_be_fetched(opened: Open) -> None:
    page = opened(show(WALK), forgiven="Content Security Policy")
    tried = page.evaluate("""() => new Promise((done) => {
        addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
        const picture = new Image();
        picture.src = "file:///nowhere.png";
    })""")
    assert tried == "img-src"


def test_everything_that_can_be_pressed_has_a_name(opened: Open) -> None:
    page = opened(show({"a": WALK, "b": WALK}), viewport={"width": 1000, "height": 700})
    unnamed = page.evaluate("""() => [...document.querySelectorAll("button, input, select, canvas")].filter((each) =>
        !(each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.length)).map((each) => each.id)""")
    assert unnamed == []
    reached = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    assert {"picture", "time", "play", "speed", "loop", "follow", "ghosts", "overlay", "reset", "help"} <= reached


@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(opened: Open, scheme: str) -> None:
    page = opened(show({"a": WALK, "b": WALK}), viewport={"width": 1000, "height": 700}, color_scheme=scheme)
    page.click("#ghosts")
    page.click("#help")
    assert violations(page) == {}
    page.set_viewport_size({"width": 320, "height": 480})
    assert violations(page) == {}


@pytest.mark.parametrize("size", [(320, 480), (640, 300)])
def test_a_phone_has_room_for_all(opened: Open, size: tuple[int, int]) -> None:
    width, height = size
    page = opened(show({"a": WALK, "b": WALK}), viewport={"width": width, "height": height}, device_scale_factor=2)
    for name in ("#play", "#back", "#on", "#time", "#speed", "#loop", "#readout", "#menu"):
        box = page.locator(name).bounding_box()
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= width, name
        assert box["y"] + box["height"] <= height, name
    page.click("#menu")
    assert page.locator("#reset").is_visible()


def test_the_picture_follows_the_window_and_the_screen(opened: Open) -> None:
    page = opened(show(WALK), device_scale_factor=2)
    at(page, 0.5)
    assert page.evaluate("[picture.width, picture.height]") == [840, 640]
    page.set_viewport_size({"width": 300, "height": 280})
    until(page, "picture.width === 600 && picture.height === 560")


def test_dark_systems_get_a_dark_picture(opened: Open) -> None:
    light, dark = (at(opened(show(WALK), color_scheme=scheme), 0.5).mean() for scheme in ("light", "dark"))
    assert light > 180
    assert dark < 80


def test_a_lost_graphics_card_is_got_over(opened: Open) -> None:
    page = opened(show(WALK))
    before = at(page, 0.5)
    page.evaluate("""() => new Promise((done) => {
        const card = picture.getContext("webgl2").getExtension("WEBGL_lose_context");
        picture.addEventListener("webglcontextrestored", () => done(), { once: true });
        picture.addEventListener("webglcontextlost", () => setTimeout(() => card.restoreContext(), 50), { once: true });
        card.loseContext();
    })""")
    assert changed(before, at(page, 0.5)) == 0


def test_without_webgl_there_is_a_sentence(opened: Open) -> None:
    page = opened(show(WALK), prelude="HTMLCanvasElement.prototype.getContext = () => null;")
    assert "A browser with WebGL 2 is needed" in page.locator("#message").inner_text()
    assert not page.locator("#bar").is_visible()


def test_a_notebook_runs_it_in_a_frame(opened: Open) -> None:
    page = opened(show(WALK))
    page.evaluate("document.body.replaceChildren()")
    page.goto("about:blank")
    page.set_content(WALK.show()._repr_html_())
    frame = page.frames[1]
    until(frame, "window.segueViewer?.drawn > 0")
    assert frame.evaluate("segueViewer.positions(0, 0).length") == 57


def test_a_single_frame_can_be_looked_at(opened: Open) -> None:
    page = opened(show(sg.Motion.from_poses(WALK.figure, WALK.at([0.5]), 60.0)))
    page.keyboard.press("Space")
    assert page.evaluate("segueViewer.time") == pytest.approx(0.0, abs=0.02)
    assert count_like(at(page, 0.0), lambda r, g, b: r + g + b < 400) > 300
