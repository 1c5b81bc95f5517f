"""A headless Chromium, where the system has one: tests that need it are skipped, and say so, where it has not."""

from __future__ import annotations

import importlib.util
import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib.image
import numpy as np
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None or importlib.util.find_spec("playwright") is None,
    reason="no Chromium on this machine (apt-get install chromium) or no playwright (pip install playwright)",
)

_AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"

needs_axe = pytest.mark.skipif(not _AXE.exists(), reason="no axe-core here: run make node_modules/.ready")

# WebGL without a graphics card; the page itself is put together without WebGL, which is quicker then
_SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the system's Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = launched(driver.chromium)
        yield browser
        browser.close()


def launched(kind: BrowserType) -> Browser:
    """Return a Chromium of its own; its sandbox cannot be had by root."""
    alone = ["--no-sandbox"] if os.geteuid() == 0 else []
    return kind.launch(executable_path=CHROMIUM, args=[*_SOFTWARE, *alone])


def picture(page: Page) -> np.ndarray:
    """Return what the page shows, (H, W, 3), from 0 to 255."""
    drawn = matplotlib.image.imread(io.BytesIO(page.screenshot(scale="css")), format="png")
    return np.round(255 * drawn[..., :3]).astype(int)


def violations(page: Page) -> dict[str, list[str]]:
    """Return the rules of axe-core that a page violates, each with the first elements that do."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(_AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return {each["id"]: [node["html"][:160] for node in each["nodes"]][:3] for each in found["violations"]}
