"""The studio in headless Chromium without a graphics card: from a pointer event to the new picture, pictures, bytes.

The handle at the end of a transition is dragged back and forth by real pointer events. A time runs from the last
pointer event before an answer to the animation frame that draws the motion of that edit. The 60 s script is a chain of
10 transitions; a transition in the middle is dragged, and the later ones move with it.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
from tests.serve.engines import engine_of
from tests.studio.servers import origin, studio_of
from tests.view.chromium import CHROMIUM, chromium

from benchmarks import Row
from segue.serve.requests import Change, Edit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from segue.studio.server import Studio

MOVES, STEP = 40, 5  # pointer events, and pixels between them: no value comes twice
LONGEST = 3.0  # s to wait for a picture
EDITS = 30  # of the engine alone
SHORT = "walk = clips.walk\ntransition(walk, clips.run, 0.6, leave=1.9, enter=0.2)\n"
STAGE = {"width": 1100, "height": 700}  # pixels
DRAG, LONG_DRAG, PICTURES, WEIGHT = 50.0, 100.0, 30.0, 200.0  # ms, ms, a second, kB

# times of pointer events, of the motion that answers them, and of the animation frame that draws it
WATCH = """() => {
  const seen = { moved: 0, times: [], pictures: 0 };
  addEventListener("pointermove", (event) => { seen.moved = performance.now(); }, true);
  segueStudio.store.on("motion", () => requestAnimationFrame(() => {
    if (seen.moved) seen.times.push(performance.now() - seen.moved);
    seen.moved = 0;
  }));
  segueStudio.seen = seen;
}"""
PLAYED = """async () => {
  let count = 0, last = NaN;
  segueStudio.store.on("time", (time) => { count += time !== last; last = time; });
  await new Promise((done) => setTimeout(done, 3000));
  return count / 3;
}"""


def long_script(dragged: int = 5) -> str:
    """Return a script of 60 s with 10 transitions, one of them with a number that can be dragged."""
    lines = [f"{name}ing = repeat(make_loop(clips.{name}), duration=5.6)" for name in ("walk", "run")]
    lines += ["m0 = walking"]
    for k in range(1, 11):
        second, leave = "runing" if k % 2 else "walking", f"{5.8 * k - 0.4:g}" if k == dragged else '"end"'
        lines.append(f"m{k} = transition(m{k - 1}, {second}, 0.5, leave={leave}, enter=0.3)")
    return "\n".join([*lines, "m10", ""])


def main() -> list[Row]:
    """Drag, play, and weigh the page."""
    if CHROMIUM is None:
        return []
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        rows = _dragged(browser, Path(folder), "short", SHORT, 0, "drag of a transition's end, 5 s motion", DRAG)
        rows += _dragged(
            browser, Path(folder), "long", long_script(), 4, "60 s script with 10 transitions, one dragged", LONG_DRAG
        )
    return rows


def _dragged(
    browser: Browser, folder: Path, name: str, text: str, which: int, subject: str, target: float
) -> list[Row]:
    with studio_of(folder, text, f"{name}.segue") as studio:
        page = browser.new_page(viewport={"width": 1500, "height": 1050})
        page.goto(studio.url)
        studio.engine.wait(300)
        page.wait_for_selector(".tl-handle.leave", timeout=60_000)
        page.wait_for_timeout(1500)
        page.evaluate(WATCH)
        times = _times(page, which)
        slow = statistics.quantiles(times, n=20)[-1]
        rows = [
            Row(f"{subject}: 95 % within", f"{slow:.0f} ms", target / slow, 1.0),
            Row(f"{subject}: median", f"{statistics.median(times):.0f} ms"),
            *_processor(subject, text, which),
        ]
        if which == 0:
            weight, pictures = _weight(page, studio), _pictures(page)
            rows.append(Row("page weight, compressed", f"{weight:.0f} kB", WEIGHT / weight, 1.0))
            rows.append(Row("pictures a second, stage of 1100 x 700", f"{pictures:.0f}", pictures / PICTURES, 1.0))
        page.close()
    return rows


def _pictures(page: Page) -> float:
    """Return the pictures a second of the stage alone, at its size in the target, while the motion plays."""
    page.evaluate("['left', 'right', 'bottom'].forEach((region) => segueStudio.layout.resize(region, 0))")
    for _ in range(2):
        box, window = page.locator("#stage canvas").first.bounding_box(), page.viewport_size
        assert box is not None
        assert window is not None
        width, height = (round(window[side] + STAGE[side] - box[side]) for side in ("width", "height"))
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
    box = page.locator("#stage canvas").first.bounding_box()
    assert box is not None
    assert (round(box["width"]), round(box["height"])) == (STAGE["width"], STAGE["height"])
    page.keyboard.press("Space")
    return float(page.evaluate(PLAYED))


def _times(page: Page, which: int) -> list[float]:
    """Drag the handle of a transition and return the times from pointer event to picture, in ms."""
    box = page.locator(".tl-handle.leave").nth(which).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(MOVES):
        before = page.evaluate("segueStudio.seen.times.length")
        page.mouse.move(x - 4 - STEP * (k + 1) / (1 if which == 0 else 2), y)
        stop = time.monotonic() + LONGEST
        while page.evaluate("segueStudio.seen.times.length") == before and time.monotonic() < stop:
            time.sleep(0.02)
    page.mouse.up()
    page.wait_for_timeout(500)
    found: list[float] = page.evaluate("segueStudio.seen.times")
    assert len(found) > MOVES / 3, f"only {len(found)} pictures"
    return found[3:]


def _processor(subject: str, text: str, which: int) -> list[Row]:
    """Return the processor time of an edit in an engine without a browser: other programs hardly change it."""
    with tempfile.TemporaryDirectory() as folder, engine_of(Path(folder), text) as page:
        handle = [each for each in page.last("timeline")["handles"] if each["what"] == "leave"][which]
        rev, times = page.last("doc")["rev"], []
        for k in range(EDITS):
            number = f"{handle['value'] - 0.01 * (k + 1):.3f}"
            change = Change(handle["start"], handle["stop"], number)
            began = time.process_time()
            page.ask(Edit(rev, (change,), "drag"), wait=False)
            assert page.engine.solver.wait(60)
            times.append(1000.0 * (time.process_time() - began))
    slow = statistics.quantiles(times, n=20)[-1]
    return [
        Row(f"{subject}: processor time of the engine, 95 % within", f"{slow:.0f} ms"),
        Row(f"{subject}: processor time of the engine, median", f"{statistics.median(times):.0f} ms"),
    ]


def _weight(page: Page, studio: Studio) -> float:
    """Return the kB of all files that the page loaded, compressed as they were sent."""
    names = page.evaluate("performance.getEntriesByType('resource').map((each) => each.name)")
    addresses = {origin(studio) + "/", *(name for name in names if name.startswith("http"))}
    total = 0
    for address in addresses:
        with httpx.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as answer:
            total += sum(len(part) for part in answer.iter_raw())
    return total / 1000
