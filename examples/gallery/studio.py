"""Pictures of the studio and a recording of it in use: `python -m examples.gallery.studio [FOLDER]`.

It starts a studio on this machine, drives a Chromium without a window with the mouse, and writes .png and .webp files.
It needs `pip install playwright` and the system's Chromium.
"""

from __future__ import annotations

import io
import math
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from segue.serve.engine import Engine
from segue.serve.files import opened
from segue.studio.server import Studio

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCRIPT = """# A walk becomes a run; the walker waves on the way.
walk = clips.walk
arm = trim(only(clips.wave, right_arm), 1, 2)
waving = fill_gaps(retime(arm, 0.9) + (walk - retime(arm, 0.7, 1.4)))
transition(waving, clips.run, 0.6, leave=2.9, enter=0.2)
"""
SIZE = {"width": 1280, "height": 800}
_RATE = 8  # pictures a second of the recording
_SECONDS = 20
_WIDE = 880  # pixels of the recording
_SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"]
_CURSOR = """() => {
  const dot = document.createElement("div");
  Object.assign(dot.style, { position: "fixed", zIndex: 99, width: "18px", height: "18px", margin: "-9px",
    opacity: 0.85, borderRadius: "50%", background: "#ffd43b", border: "2px solid #7a4b00",
    pointerEvents: "none", left: "-50px" });
  document.body.append(dot);
  document.addEventListener("pointermove", ({ clientX, clientY }) => {
    dot.style.left = `${clientX}px`;
    dot.style.top = `${clientY}px`;
  }, true);
}"""


@contextmanager
def running(folder: Path) -> Iterator[Studio]:
    """Give a studio that serves the example script."""
    file = (folder / "walk_wave_run.segue").resolve()
    file.write_text(SCRIPT, encoding="utf-8")
    document, conflict = opened(folder.resolve(), file, SCRIPT)
    studio = Studio(Engine(folder, document, conflict=conflict))
    thread = threading.Thread(target=studio.run, daemon=True)
    thread.start()
    studio.started.wait(60)
    try:
        yield studio
    finally:
        studio.stop()
        thread.join(10)


class Camera:
    """Takes pictures of a page while the mouse moves over it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.at = (SIZE["width"] * 0.6, SIZE["height"] * 0.4)

    def shoot(self) -> None:
        """Add a picture to the recording."""
        data = self.page.screenshot(type="jpeg", quality=92)
        tall = round(_WIDE * SIZE["height"] / SIZE["width"])
        self.frames.append(Image.open(io.BytesIO(data)).convert("RGB").resize((_WIDE, tall), Image.Resampling.LANCZOS))

    def rest(self, seconds: float) -> None:
        """Let the page stand for some seconds of the recording."""
        for _ in range(round(_RATE * seconds)):
            self.page.wait_for_timeout(40)
            self.shoot()

    def play(self, start: float, seconds: float) -> None:
        """Show the motion from a time on, at the speed of life."""
        for k in range(round(_RATE * seconds)):
            self.page.evaluate(f"segueStudio.store.seek({start + k / _RATE})")
            self.page.wait_for_timeout(60)
            self.shoot()

    def move(self, x: float, y: float, seconds: float = 0.6) -> None:
        """Move the mouse, slower at both ends."""
        steps, (from_x, from_y) = max(round(_RATE * seconds), 1), self.at
        for k in range(1, steps + 1):
            share = 0.5 - 0.5 * math.cos(math.pi * k / steps)
            self.page.mouse.move(from_x + share * (x - from_x), from_y + share * (y - from_y))
            self.page.wait_for_timeout(120)  # the solver answers
            self.shoot()
        self.at = (x, y)

    def middle(self, selector: str, index: int = 0) -> tuple[float, float]:
        """Return the middle of an element."""
        box = self.page.locator(selector).nth(index).bounding_box()
        assert box is not None, selector
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, selector: str, places: list[tuple[float, float]], index: int = 0, seconds: float = 1.0) -> None:
        """Drag an element through places, relative to where it was."""
        x, y = self.middle(selector, index)
        self.move(x, y)
        self.page.mouse.down()
        for right, down in places:
            self.move(x + right, y + down, seconds)
        self.page.mouse.up()
        self.page.wait_for_timeout(300)


def until(page: Page, truth: str) -> None:
    """Wait until an expression is true."""
    for _ in range(1200):
        if page.evaluate(truth):
            return
        page.wait_for_timeout(50)
    raise RuntimeError(f"the studio never came to: {truth}")


def warm_up(page: Page) -> None:
    """Solve the transition again and save it, so that the bar shows the time of a solve without loading of kernels."""
    for seconds in ("0.65", "0.7"):
        page.evaluate(
            """(seconds) => {
              const { store } = segueStudio, call = "transition(waving, clips.run, ";
              const start = store.doc.text.indexOf(call) + call.length, stop = store.doc.text.indexOf(",", start);
              return store.edit([{ start, stop, text: seconds }]);
            }""",
            seconds,
        )
        until(page, "!segueStudio.store.state.busy && segueStudio.store.values.rev === segueStudio.store.doc.rev")
        page.wait_for_timeout(1000)
    page.evaluate("void segueStudio.store.commands.run('file.save')")
    until(page, "!segueStudio.store.doc.changed")


def record(page: Page) -> list[Image.Image]:
    """Return the pictures of the story: play, drag the gap, the hand and a footprint, undo."""
    camera = Camera(page)
    page.evaluate(_CURSOR)
    camera.play(1.6, 3.4)
    page.evaluate("segueStudio.store.seek(3.2)")
    camera.drag(".tl-handle.leave", [(-90.0, 0.0), (35.0, 0.0)])
    camera.drag(".tl-handle.duration", [(70.0, 0.0)])
    camera.play(2.2, 2.4)
    page.evaluate("segueStudio.store.seek(3.3)")
    camera.drag(".limb-handle", [(40.0, -70.0), (90.0, -40.0)], 0)
    camera.play(2.8, 1.5)
    page.evaluate("segueStudio.store.commands.run('view.heat')")
    camera.play(2.8, 1.5)
    page.evaluate("segueStudio.store.commands.run('view.heat')")
    for _ in range(2):
        page.keyboard.press("Control+z")
        camera.rest(1.0)
    camera.play(2.2, 3.0)
    return camera.frames[: _RATE * _SECONDS]


def pictures(page: Page, folder: Path) -> None:
    """Write pictures of the whole window and of its presets."""
    page.evaluate("segueStudio.store.seek(3.2)")
    page.locator(".tl-piece.fill").first.click()
    page.wait_for_timeout(1500)
    save(page, folder / "studio.png")
    for name, act in {
        "studio_curves": "segueStudio.store.commands.run('preset.curves')",
        "studio_tree": "segueStudio.store.commands.run('preset.edit'), segueStudio.layout.show('tree')",
        "studio_floor": "segueStudio.layout.show('tracks'), segueStudio.store.commands.run('camera.plan')",
    }.items():
        page.evaluate(f"void ({act})")
        page.wait_for_timeout(1500)
        save(page, folder / f"{name}.png")
    page.evaluate("void segueStudio.store.commands.run('camera.persp')")
    page.emulate_media(color_scheme="dark")
    page.evaluate("segueStudio.store.emit('theme')")
    page.wait_for_timeout(800)
    save(page, folder / "studio_dark.png")
    page.emulate_media(color_scheme="light")
    page.evaluate("segueStudio.store.emit('theme')")


def save(page: Page, path: Path) -> None:
    """Write a picture of the page with few colours, which is small."""
    shown = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    shown.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def main(folder: Path) -> None:
    """Write all pictures to a folder."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    options: dict[str, Any] = {"executable_path": chromium, "args": [*_SOFTWARE]}
    if os.geteuid() == 0:
        options["args"].append("--no-sandbox")
    with tempfile.TemporaryDirectory() as beside, running(Path(beside)) as studio, sync_playwright() as driver:
        browser = driver.chromium.launch(**options)
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")  # type: ignore[arg-type]
        page.goto(studio.url)
        until(page, "window.segueStage?.motions.length > 0 && segueStudio.store.contacts !== null")
        page.wait_for_timeout(1500)
        warm_up(page)
        pictures(page, folder)
        frames = record(page)
        frames[0].save(
            folder / "studio.webp",
            save_all=True,
            append_images=frames[1:],
            duration=1000 // _RATE,
            quality=55,
            method=4,
        )
        browser.close()
    print(f"{len(frames)} pictures in {folder / 'studio.webp'}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/studio"))
