"""The studio's page in Chromium, against the real server: opening, waiting, and what it shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from segue.language.session import evaluate
from segue.motion.motion import Motion
from segue.studio.server import Studio

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

NOISE = ("GPU stall due to ReadPixels", "WebSocket connection to")
"""What a browser says by itself: of a card that is none, and of a server that is gone."""


class Tab:
    """A page that shows a studio. heard: what it said on the console, and errors."""

    def __init__(self, browser: Browser, studio: Studio, context: BrowserContext | None = None, **options: Any) -> None:
        size = {"width": 1100, "height": 700}
        self.context = context or browser.new_context(**{"viewport": size, "reduced_motion": "reduce"} | options)
        self.page: Page = self.context.new_page()
        self.heard: list[str] = []
        self.page.on("console", lambda said: any(each in said.text for each in NOISE) or self.heard.append(said.text))
        self.page.on("pageerror", lambda error: self.heard.append(f"error: {error}"))
        self.page.goto(studio.url)
        self.ready()

    def ready(self) -> None:
        """Wait until the script's motion is shown."""
        self.until("window.segueStage?.motions.length > 0 && document.querySelector('.tl-handle') !== null")

    def until(self, truth: str, seconds: float = 20.0) -> None:
        """Wait until an expression is true; Playwright's own way needs what the page forbids."""
        for _ in range(int(seconds / 0.025)):
            if self.page.evaluate(truth):
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"never: {truth}; heard {self.heard}")

    def settled(self) -> None:
        """Wait until the engine has nothing left to do for this page."""
        self.until(
            "(() => { const { doc, state, values, running } = segueStudio.store; "
            "return !running && doc.gesture === '' && state && !state.busy "
            "&& (values?.rev === doc.rev || doc.diagnostics.length > 0); })()"
        )

    @property
    def text(self) -> str:
        """The document's text as the page has it."""
        return str(self.page.evaluate("segueStudio.store.doc.text"))

    def middle(self, selector: str, index: int = 0) -> tuple[float, float]:
        """Return the middle of an element in the window."""
        box = self.page.locator(selector).nth(index).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, start: tuple[float, float], by: tuple[float, float], steps: int = 6, let_go: bool = True) -> None:
        """Drag the mouse."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        for k in range(1, steps + 1):
            mouse.move(start[0] + by[0] * k / steps, start[1] + by[1] * k / steps)
            self.page.wait_for_timeout(15)
        if let_go:
            mouse.up()

    @property
    def seconds_per_pixel(self) -> float:
        """The scale of the time line, from where it draws two handles or the play head."""
        return float(
            self.page.evaluate(
                "(() => { const { clock } = segueStudio.store, head = document.querySelector('.tl-head'); "
                "const x = (time) => { segueStudio.store.seek(time); return head.getBoundingClientRect().x; }; "
                "const [a, b] = [clock.start, clock.stop].map(x); return (clock.stop - clock.start) / (b - a); })()"
            )
        )

    def joints(self, frame: int) -> np.ndarray:
        """Return where the page has the segments of the shown motion, (19, 3), in m."""
        found = self.page.evaluate(
            "(frame) => { const motion = segueStage.motions[0]; const n = motion.tree.parents.length; "
            "const out = { places: new Float32Array(3 * n), turns: new Float32Array(4 * n) }; "
            "return Array.from(motion.place(frame, out).places); }",
            frame,
        )
        return np.array(found).reshape(-1, 3)


def shown_motion(text: str, folder: Path) -> Motion:
    """Return the last motion of a script, as `segue run` computes it."""
    value = evaluate(text, folder)
    assert isinstance(value, Motion)
    return value
