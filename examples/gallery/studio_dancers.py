"""Pictures of the studio's editors of dancers for the documentation: `python -m examples.gallery.studio_dancers`.

It takes a folder, starts a studio on this machine and opens it in a Chromium without a window, as `studio_panels` does.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from examples.gallery.studio_panels import opened_studio, save, until
from segue.dance.behaviour import Dancer, Environment, dancer_text, environment_text
from segue.dance.gestures import SHIPPED
from segue.dance.patterns import DanceLibrary

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCRIPT = 'dance("waltz/box step")\n'
_DANCED = "document.querySelectorAll('.floor-couple').length"


def files() -> dict[str, str]:
    """Return the files of the folder: two dancers, an environment, and gestures."""
    library = DanceLibrary()
    patterns = [library.read(entry) for dance in ("waltz", "tango") for entry in library.entries(dance)]
    ada, cleo = (
        Dancer.random(name, patterns, np.random.default_rng(seed)) for name, seed in (("Ada and Ben", 3), ("Cleo", 5))
    )
    return {
        "ada.toml": dancer_text(ada),
        "cleo.toml": dancer_text(cleo),
        "hall.toml": environment_text(Environment(minutes=0.5, couples=5, dancers=("ada.toml",))),
        "gestures/arms.toml": (SHIPPED / "arms.toml").read_text(encoding="utf-8"),
    }


def pictures(page: Page, folder: Path) -> None:
    """Write a picture of each editor."""
    page.set_viewport_size({"width": 1280, "height": 860})
    page.keyboard.press("4")
    until(page, f"window.segueGesture?.motions.length > 0 && {_DANCED} === 5")
    page.wait_for_timeout(1500)
    hand = page.locator("[data-limb='left hand']").bounding_box()
    assert hand is not None
    page.mouse.move(hand["x"] + 7, hand["y"] + 7)
    page.wait_for_timeout(300)
    until(page, "segueStudio.store.state && !segueStudio.store.state.busy")
    save(page, "body", folder / "studio_gestures.png", colours=256)
    page.evaluate("segueStudio.layout.show('dancer')")
    until(page, "document.querySelector('#panel-dancer').textContent.includes('alone on an empty floor')")
    page.set_viewport_size({"width": 1280, "height": 960})
    page.wait_for_timeout(1000)
    save(page, "#right", folder / "studio_vocabulary.png")
    page.set_viewport_size({"width": 1280, "height": 860})
    page.evaluate("document.documentElement.dataset.theme = 'dark'; segueStudio.store.emit('theme')")
    page.locator(".floor-frame input[type=range]").fill("520")
    page.evaluate("document.activeElement.blur()")
    page.wait_for_timeout(800)
    save(page, "#bottom", folder / "studio_environment.png")


def main(folder: Path) -> None:
    """Write all pictures to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened_studio("waltz.segue", SCRIPT, files()) as page:
        pictures(page, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/studio"))
