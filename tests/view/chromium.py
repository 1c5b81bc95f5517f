"""A headless Chromium, where the system has one: tests that need it are skipped, and say so, where it has not."""

from __future__ import annotations

import importlib.util
import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import matplotlib.image
import numpy as np
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None or importlib.util.find_spec("playwright") is None,
    reason="no Chromium on this machine (apt-get install chromium) or no playwright (pip install playwright)",
)

# WebGL without a graphics card; the page itself is put together without WebGL, which is quicker then
_SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the system's Chromium without a window; its sandbox cannot be had by root."""
    from playwright.sync_api import sync_playwright

    alone = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=[*_SOFTWARE, *alone])
        yield browser
        browser.close()


def picture(page: Page) -> np.ndarray:
    """Return what the page shows, (H, W, 3), from 0 to 255."""
    drawn = matplotlib.image.imread(io.BytesIO(page.screenshot(scale="css")), format="png")
    return np.round(255 * drawn[..., :3]).astype(int)
