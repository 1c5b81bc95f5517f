"""Pictures of the studio's dance panels for the documentation: `python -m examples.gallery.studio_dance [FOLDER]`.

It starts a studio on this machine and opens it in a Chromium without a window, as `studio_panels` does.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from examples.gallery.studio_panels import opened_studio, save, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCRIPT = 'dance("foxtrot/forward basic")\n'
_PLANNED = "(({ rehearsal, file }) => rehearsal?.rev === file?.said.rev)(segueStudio.patterns)"


def open_pattern(page: Page, path: str) -> None:
    """Open a pattern and wait for its preview."""
    page.locator(f'.dance-list [data-path="{path}"]').click()
    until(page, f"segueStudio.patterns.file?.file === '{path}' && {_PLANNED}")
    page.wait_for_timeout(1500)


def pictures(page: Page, folder: Path) -> None:
    """Write a picture of each panel."""
    page.keyboard.press("3")
    until(page, "document.querySelectorAll('.dance-list .file').length > 30")
    open_pattern(page, "segue:foxtrot/forward_basic.dance")
    page.get_by_role("button", name="Edit a copy").click()
    page.keyboard.press("Enter")
    until(page, f"segueStudio.patterns.writable && {_PLANNED}")
    page.locator('td[data-row="Foot Position"][data-step="2"]').click()
    page.wait_for_timeout(2500)
    save(page, "body", folder / "studio_dance.png", colours=256)
    page.locator('td[data-row="Foot Position"][data-step="3"]').click()
    page.keyboard.type("lf fwd\n")
    until(page, "document.querySelector('.remarks .error') !== null")
    save(page, "#bottom", folder / "studio_pattern.png")
    page.keyboard.press("Control+z")
    page.get_by_role("button", name="Simulate").click()
    until(page, f"segueStudio.patterns.beside !== '' && {_PLANNED} && seguePattern.motions.length === 2")
    page.get_by_role("button", name="View from the front").click()
    page.evaluate("segueStudio.patterns.select('Foot Position', 6)")
    page.wait_for_timeout(2500)
    save(page, "#stage", folder / "studio_simulated.png", colours=256)
    page.evaluate("document.documentElement.dataset.theme = 'dark'; segueStudio.store.emit('theme')")
    open_pattern(page, "segue:waltz/left_turning_box.dance")
    page.get_by_role("button", name="Couple", exact=True).click()
    page.get_by_role("button", name="View from the left").click()
    until(page, f"segueStudio.patterns.rehearsal?.couple && {_PLANNED} && seguePattern.motions.length === 2")
    page.evaluate("segueStudio.patterns.select('Foot Position', 4)")
    page.wait_for_timeout(2500)
    save(page, "body", folder / "studio_analyser.png", colours=256)


def main(folder: Path) -> None:
    """Write all pictures to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened_studio("dances.segue", SCRIPT) as page:
        pictures(page, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/studio"))
