"""Pictures of the studio's panels for the documentation: `python -m examples.gallery.studio_panels [FOLDER]`.

It starts a studio on this machine and opens it in a Chromium without a window. It needs `pip install playwright` and
the system's Chromium.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

import segue
from segue import clips
from segue.serve.document import Document
from segue.serve.engine import Engine
from segue.studio.server import Studio

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCRIPT = """# A walk becomes a run; the walker waves on the way.
walk = clips.walk
arm = trim(only(clips.wave, right_arm), 1, 2)
waving = fill_gaps(retime(arm, 0.9) + (walk - retime(arm, 0.7, 1.4)))
transition(waving, clips.run, 0.7, leave=2.9, enter=0.2)
"""
WINDOW = {"width": 1280, "height": 960}
_SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"]


def until(page: Page, truth: str) -> None:
    """Wait until an expression is true."""
    for _ in range(3000):
        if page.evaluate(truth):
            return
        page.wait_for_timeout(50)
    raise RuntimeError(f"the studio never came to: {truth}")


def save(
    page: Page, selector: str, path: Path, method: Image.Quantize = Image.Quantize.MEDIANCUT, colours: int = 128
) -> None:
    """Write a picture of a part of the page with few colours, which is small; method: how these are chosen."""
    shown = Image.open(io.BytesIO(page.locator(selector).screenshot())).convert("RGB")
    shown.quantize(colours, method, dither=Image.Dither.NONE).save(path, optimize=True)


def pictures(page: Page, folder: Path) -> None:
    """Write a picture of each panel."""
    show = "(panel) => segueStudio.layout.show(panel)"
    page.evaluate(show, "tree")
    page.wait_for_timeout(500)
    save(page, "#bottom", folder / "studio_expressions.png")
    page.evaluate("segueStudio.store.select(segueStudio.store.values.shown)")
    page.get_by_role("button", name="Cut map").click()
    until(page, "document.querySelector('.cut-picture') && document.querySelector('.why')")
    # the whole form and the card in one picture
    page.set_viewport_size({"width": 1280, "height": 1720})
    page.wait_for_timeout(800)
    save(page, "#right", folder / "studio_inspector.png")
    page.set_viewport_size(WINDOW)  # type: ignore[arg-type]
    page.evaluate(show, "curves")
    page.locator(".curves select").select_option(["right_knee"])
    page.evaluate("segueStudio.store.seek(3.1)")
    until(page, "document.querySelectorAll('.plots .curve').length === 3")
    page.wait_for_timeout(500)
    save(page, "#bottom", folder / "studio_joints.png")
    page.evaluate(show, "library")
    until(page, "document.querySelectorAll('.files .file').length > 2")
    save(page, "#left", folder / "studio_library.png")
    page.keyboard.press("Control+k")
    page.keyboard.type("cam")
    page.wait_for_timeout(300)
    save(page, "dialog", folder / "studio_palette.png")
    page.keyboard.press("Escape")


@contextmanager
def opened_studio(name: str, script: str, others: Mapping[str, str] | None = None) -> Iterator[Page]:
    """Give the page of a studio that has opened a script beside some clips; others: texts of further files."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    alone = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as beside, sync_playwright() as driver:
        opened = Path(beside).resolve()
        for clip in ("kick", "reach", "wave"):
            segue.save(clips.motion(clip), opened / f"{clip}.bvh")
        for path, text in (others or {}).items():
            (opened / path).parent.mkdir(exist_ok=True)
            (opened / path).write_text(text, encoding="utf-8")
        file = opened / name
        file.write_text(script, encoding="utf-8")
        studio = Studio(Engine(opened, Document(script, file)))
        thread = threading.Thread(target=studio.run, daemon=True)
        thread.start()
        studio.started.wait(60)
        browser = driver.chromium.launch(executable_path=found, args=[*_SOFTWARE, *alone])
        page = browser.new_page(viewport=WINDOW, reduced_motion="reduce")  # type: ignore[arg-type]
        page.goto(studio.url)
        until(page, "window.segueStage?.motions.length > 0 && segueStudio.store.values !== null")
        page.wait_for_timeout(1000)
        yield page
        browser.close()
        studio.stop()
        thread.join(10)


def main(folder: Path) -> None:
    """Write all pictures to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened_studio("walk_wave_run.segue", SCRIPT) as page:
        pictures(page, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/studio"))
