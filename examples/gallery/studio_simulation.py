"""Pictures of the studio's simulation for the documentation: `python -m examples.gallery.studio_simulation [FOLDER]`.

It starts a studio on this machine and opens it in a Chromium without a window, as `studio_panels` does.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from examples.gallery.studio_panels import opened_studio, save, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCRIPT = 'dance("waltz/box step")\n'
# the middle of the torso in the window
_TORSO = """(() => {
  const { view } = segueStudio.store.stage, { places } = view.stage.figures[0].placement;
  const k = 3 * view.tree.segments.indexOf("torso"), at = [places[k], places[k + 1] + 0.12, places[k + 2]];
  const [x, y] = view.camera.project(view.camera.matrix(), at), box = view.canvas.getBoundingClientRect();
  return [x + box.left, y + box.top];
})()"""


def simulated(page: Page, pattern: str, part: str, seconds: float) -> None:
    """Simulate a pattern for so long, and pause."""
    page.locator("#simulate-pattern").fill(pattern)
    page.locator("#simulate-part").select_option(part)
    page.locator("#simulate").click()
    until(page, "segueSimulation.simulation.frames === 0")
    grown(page, seconds)


def grown(page: Page, seconds: float) -> None:
    """Wait for some seconds of the dance, and pause."""
    until(page, f"segueSimulation.simulation.frames >= {100 * seconds}")
    page.locator("#simulation-pause").click()
    until(page, "segueSimulation.simulation.state.state === 'paused'")


def at(page: Page, time: float) -> None:
    """Go to a time, and wait for the finest picture."""
    page.evaluate("(time) => { segueStudio.store.clock.pause(); segueStudio.store.seek(time); }", time)
    page.wait_for_timeout(4000)


def pictures(page: Page, folder: Path) -> None:
    """Write a picture of a pushed dancer, and one of a couple."""
    page.evaluate("""() => {
      const { layout } = segueStudio;
      layout.show("simulation");
      layout.resize("bottom", 400);
      for (const region of ["left", "right"]) layout.resize(region, 0);
    }""")
    until(page, "window.segueSimulation")
    simulated(page, "swing/single basic", "leader", 3.5)
    at(page, 2.3)
    x, y = page.evaluate(_TORSO)
    page.mouse.move(x, y)
    page.mouse.down()
    for k in range(1, 9):
        page.mouse.move(x + 9 * k, y - k)
    page.wait_for_timeout(3000)
    save(page, "#studio", folder / "studio_simulation_push.png", Image.Quantize.FASTOCTREE)
    page.mouse.up()
    until(page, "segueSimulation.simulation.state.pushes.length === 1")
    grown(page, 4.2)
    at(page, 2.65)
    save(page, "#bottom", folder / "studio_simulation_answer.png", Image.Quantize.FASTOCTREE)
    simulated(page, "waltz/box step", "couple", 2.6)
    at(page, 2.5)
    save(page, "#studio", folder / "studio_simulation_couple.png", Image.Quantize.FASTOCTREE)


def main(folder: Path) -> None:
    """Write all pictures to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened_studio("waltz.segue", SCRIPT) as page:
        pictures(page, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/studio"))
