"""A simulated dance in a real browser: it grows while it is watched, goes back, and answers a push."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest

from segue.dance.simulation import Push
from segue.studio.server import Studio
from tests.studio.pages import Tab
from tests.studio.servers import studio_of
from tests.view.chromium import chromium, needs_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = needs_chromium
pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

TORSO = """(() => {
  const { view } = segueStudio.store.stage, { places } = view.stage.figures[0].placement;
  const k = 3 * view.tree.segments.indexOf("torso"), at = [places[k], places[k + 1] + 0.12, places[k + 2]];
  const [x, y] = view.camera.project(view.camera.matrix(), at), box = view.canvas.getBoundingClientRect();
  return [x + box.left, y + box.top];
})()"""
INK = """(() => {
  const canvas = document.querySelector(".live-plots"), { width, height } = canvas, colours = new Set();
  const pen = new OffscreenCanvas(width, height).getContext("2d");
  pen.drawImage(canvas, 0, 0);
  const { data } = pen.getImageData(0, 0, width, height);
  for (let k = 0; k < data.length; k += 4) colours.add(data.slice(k, k + 3).join());
  return colours.size;
})()"""


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with studio_of(tmp_path_factory.mktemp("studio")) as made:
        yield made


@pytest.fixture(scope="module")
def tab(studio: Studio) -> Iterator[Tab]:
    with chromium() as browser:
        yield opened(browser, studio)


def opened(browser: Browser, studio: Studio) -> Tab:
    made = Tab(browser, studio)
    made.page.evaluate("segueStudio.layout.show('simulation')")
    made.until("window.segueSimulation", 60)
    return made


def state(tab: Tab, name: str) -> object:
    return tab.page.evaluate(f"segueSimulation.simulation.state.{name}")


def test_it_grows_on_the_stage_and_in_the_plots(tab: Tab) -> None:
    blank = tab.page.evaluate(INK)
    tab.page.locator("#simulate-pattern").fill("swing/single basic")
    tab.page.locator("#simulate").click()
    tab.until("segueSimulation.simulation.frames >= 150", 240)
    assert tab.page.evaluate("segueStage.keys") == ["simulated 0"]
    tab.until("segueStudio.store.clock.time > 0.3", 60)
    assert tab.page.evaluate(INK) > blank + 3
    loads = tab.page.evaluate("Array.from(segueSimulation.simulation.channels.rows.get('left foot').slice(0, 100))")
    assert 100.0 < max(loads) < 1500.0
    assert tab.page.evaluate("segueStage.motions[0].forceEnds.slice(0, 600).some((each) => each > 0.5)")


def test_it_pauses_goes_back_and_goes_on_alike(tab: Tab) -> None:
    tab.page.locator("#simulation-pause").click()
    tab.until("segueSimulation.simulation.state.state === 'paused'", 60)
    before = tab.page.evaluate("Array.from(segueSimulation.simulation.channels.rows.get('energy').slice(0, 150))")
    tab.page.evaluate("segueStudio.store.clock.pause(); segueStudio.store.seek(0.6)")
    tab.page.locator("#simulation-branch").click()
    tab.until("segueSimulation.simulation.branch === 1", 60)
    tab.until("segueSimulation.simulation.frames >= 150", 60)
    after = tab.page.evaluate("Array.from(segueSimulation.simulation.channels.rows.get('energy').slice(0, 150))")
    # chunks begin at other frames now, where the velocity is known from one side only
    assert max(abs(one - other) for one, other in zip(before, after, strict=True)) < 5.0
    assert state(tab, "state") in ("running", "done")


def test_a_dragged_arrow_pushes_the_dancer(tab: Tab) -> None:
    tab.page.evaluate("segueStudio.store.clock.pause(); segueStudio.store.seek(1.0)")
    tab.page.wait_for_timeout(300)
    calm = tab.page.evaluate("(() => { const { roots } = segueStage.motions[0]; return roots[3 * 140]; })()")
    x, y = tab.page.evaluate(TORSO)
    tab.drag((x, y), (40, 0), let_go=False)
    assert tab.page.locator(".push-label").text_content() not in (None, "", "0 N")
    tab.page.keyboard.press("Escape")
    tab.page.mouse.up()
    assert state(tab, "pushes.length") == 0
    tab.drag((x, y), (40, 0))
    tab.until("segueSimulation.simulation.state.pushes.length === 1", 60)
    (push,) = tab.page.evaluate("segueSimulation.simulation.state.pushes")
    assert push["time"] == 1.0
    assert push["point"] in ("torso", "pelvis", "lower_back")
    assert push["force"] > 20.0
    tab.until("segueSimulation.simulation.frames > 141", 60)
    pushed = tab.page.evaluate("(() => { const { roots } = segueStage.motions[0]; return roots[3 * 140]; })()")
    assert abs(pushed - calm) > 0.003


def test_keys_push_too(tab: Tab) -> None:
    tab.page.evaluate("segueStudio.store.clock.pause(); segueStudio.store.seek(1.3)")
    tab.page.locator("#push-way").select_option("back")
    tab.page.locator("#push-force").fill("30")
    tab.page.evaluate("document.activeElement.blur()")
    tab.page.keyboard.press("p")
    tab.until("segueSimulation.simulation.state.pushes.length === 2", 60)
    assert "30.0 N" in tab.page.locator(".pushes").inner_text()
    push = Push.parse(tab.page.evaluate("segueSimulation.simulation.state.pushes[1].phrase"))
    assert abs(np.degrees(push.angle) % 360.0 - 180.0) < 1.0


def test_the_dance_goes_into_the_script(tab: Tab) -> None:
    tab.page.locator("#simulation-insert").click()
    tab.until("""segueStudio.store.doc.text.endsWith('dance("swing/single basic")\\n')""")


def test_the_studio_goes_on_without_the_process(tab: Tab, studio: Studio) -> None:
    process = studio.engine.simulations.pid
    assert process is not None
    os.kill(process, signal.SIGKILL)
    tab.until("segueSimulation.simulation.state.state === 'failed'", 60)
    assert "start it again" in tab.page.locator(".simulation-said").inner_text()
    tab.page.locator("#simulation-stop").click()
    tab.until("segueStage.keys[0] === 'shown 0'", 60)
    assert not tab.heard
