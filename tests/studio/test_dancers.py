"""Lake's gesture, vocabulary and environment editors in a real browser: a drag changes numbers of the text alone."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from segue.body.human import HUMAN
from segue.cli import app
from segue.dance.behaviour import Dancer, Environment, Ground, environment_text
from segue.dance.behaviour.dancer import Proficiency, dancer_text
from segue.dance.gestures import SHIPPED, read_gestures
from segue.toml_spans import Place, edited
from tests.studio.pages import Tab
from tests.studio.servers import studio_of
from tests.view.chromium import chromium, needs_axe, needs_chromium, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = needs_chromium

KNOWN = {"waltz": {"box step": Proficiency(0.9, 0.5), "hesitation": Proficiency(0.7, 0.3)}}
ADA = "# 💃 Ada\n" + dancer_text(Dancer("Ada and Ben", vocabulary=KNOWN))
HAND = HUMAN.segments.index("left_hand")
HALL = "# the hall\n" + environment_text(Environment(minutes=0.05, couples=2, floor=Ground(7.0, 9.0)))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as made:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("dancers")
    (made / "ada.toml").write_text(ADA, encoding="utf-8")
    (made / "hall.toml").write_text(HALL, encoding="utf-8")
    (made / "gestures").mkdir()
    for name in ("arms", "foot_position"):
        shutil.copy(SHIPPED / f"{name}.toml", made / "gestures" / f"{name}.toml")
    return made


class Editor(Tab):
    """A page with the layout of the three editors."""

    def text_of(self, file: str) -> str:
        return str(self.page.evaluate("(file) => segueStudio.store.texts.get(file)?.said.text ?? ''", file))

    def changed(self, file: str, before: str) -> str:
        """Wait until a file has another text and no gesture is open, and return it."""
        said = f"segueStudio.store.texts.get({json.dumps(file)}).said"
        self.until(f"{said}.text !== {json.dumps(before)} && {said}.gesture === ''")
        return self.text_of(file)

    def undone(self, file: str, text: str) -> None:
        """Take back the last step by its key, and wait for a text."""
        self.page.keyboard.press("Control+z")
        self.until(f"segueStudio.store.texts.get({json.dumps(file)}).said.text === {json.dumps(text)}")

    def notice(self) -> str:
        self.until("document.querySelector('.notice.error') !== null")
        return str(self.page.locator(".notice.error").last.inner_text())


@pytest.fixture(scope="module")
def tab(browser: Browser, folder: Path) -> Iterator[Editor]:
    with studio_of(folder) as studio:
        made = Editor(browser, studio, viewport={"width": 1400, "height": 950})
        made.page.evaluate("segueStudio.layout.preset('dancers')")
        made.until("segueStudio.store.texts.has('hall.toml') && segueStudio.store.texts.has('gestures/arms.toml')")
        yield made
        assert made.heard == []


def changes(before: str, after: str) -> dict[Place, Any]:
    """Return the values that differ, after a check that the text is that before with these values alone."""

    def leaves(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
        inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        if not isinstance(value, dict | list):
            yield place, value
        for key, each in inside:
            yield from leaves(each, (*place, key))

    old, new = dict(leaves(tomllib.loads(before))), dict(leaves(tomllib.loads(after)))
    found = {place: value for place, value in new.items() if place not in old or old[place] != value}
    assert edited(before, found) == after
    return found


def joint(tab: Editor, segment: str) -> list[float]:
    """Return where the posed figure has a segment, in m."""
    found: list[float] = tab.page.evaluate(
        "(name) => { const view = segueGesture, s = view.tree.segments.indexOf(name); "
        "return Array.from(view.stage.figures[0].placement.places.subarray(3 * s, 3 * s + 3)); }",
        segment,
    )
    return found


def test_a_hand_is_dragged_by_mouse_and_by_keys(tab: Editor, folder: Path) -> None:
    file = "gestures/arms.toml"
    tab.until("window.segueGesture?.motions.length > 0")
    before, hand = tab.text_of(file), joint(tab, "left_hand")
    tab.drag(tab.middle("[data-limb='left hand']"), (30, -40))
    after = tab.changed(file, before)
    found = changes(before, after)
    assert found
    assert {place[:4] for place in found} <= {("leader", "goals", 0, f"left_{part}") for part in
                                             ("clavicle", "shoulder", "elbow", "wrist")}  # fmt: skip
    tab.until(f"segueGesture.stage.figures[0].placement.places[3 * {HAND} + 1] > {hand[1] + 0.05}")
    tab.page.locator("[data-limb='left hand']").focus()
    tab.undone(file, before)
    tab.page.keyboard.press("Shift+ArrowUp")
    tab.page.keyboard.press("Shift+ArrowUp")
    nudged = tab.changed(file, before)
    assert changes(before, nudged)
    tab.page.keyboard.press("Control+s")
    tab.until(f"segueStudio.store.texts.get('{file}').said.changed === false")
    assert (folder / file).read_text(encoding="utf-8") == tab.text_of(file)
    assert read_gestures(folder / file).usual["leader"]


def test_limits_and_other_categories_are_refused_with_the_reason(tab: Editor) -> None:
    file = "gestures/arms.toml"
    before = tab.text_of(file)
    slider = tab.page.locator("input[type=number][data-place='leader/goals/0/left_elbow/flexion']")
    slider.fill("170")
    slider.press("Enter")
    assert "left elbow flexion is 170: it must be from -8 to 155" in tab.notice()
    knee = tab.page.evaluate(
        "() => { const view = segueGesture, s = view.tree.segments.indexOf('left_shank');"
        "const places = view.stage.figures[0].placement.places, at = view.camera.project(view.camera.matrix(),"
        "[places[3*s], places[3*s+1] - 0.12, places[3*s+2]]); const box = view.canvas.getBoundingClientRect();"
        "return [box.left + at[0], box.top + at[1]]; }"
    )
    tab.page.mouse.move(*knee)
    tab.until("document.querySelector('.limb-reason').textContent.includes('left knee belongs to Foot Position')")
    tab.page.mouse.down()
    tab.page.mouse.up()
    tab.until(
        "[...document.querySelectorAll('.notice.error')].some((each) => each.textContent.includes('Foot Position'))"
    )
    assert tab.text_of(file) == before


def test_a_leg_is_posed_for_the_other_foot(tab: Editor) -> None:
    file = "gestures/foot_position.toml"
    tab.page.select_option("#panel-gestures .tools select", file)
    tab.until(f"segueStudio.store.texts.has('{file}')")
    tab.page.get_by_role("button", name="FWD", exact=True).click()
    tab.page.get_by_role("button", name="As danced with the right foot").click()
    tab.page.wait_for_timeout(500)
    before = tab.text_of(file)
    tab.page.locator("[data-limb='right knee']").focus()
    tab.page.keyboard.press("Shift+ArrowUp")
    found = changes(before, tab.changed(file, before))
    assert {place[:4] for place in found} == {("FWD", "goals", 0, "left_hip")}
    tab.undone(file, before)
    row = tab.page.locator("input[type=range][data-place='FWD/goals/0/left_knee/flexion']")
    row.focus()
    row.press("ArrowRight")
    found = changes(before, tab.changed(file, before))
    assert list(found) == [("FWD", "goals", 0, "left_knee", "flexion")]
    tab.undone(file, before)
    tab.page.get_by_role("button", name="As danced with the right foot").click()
    tab.page.select_option("#panel-gestures .tools select", "gestures/arms.toml")


def test_character_and_vocabulary_by_mouse_and_by_keys(tab: Editor, folder: Path) -> None:
    tab.page.evaluate("segueStudio.layout.show('dancer')")
    tab.until("document.querySelector('[data-trait=drive]') !== null")
    middle, corner = tab.middle(".radar"), tab.middle("[data-trait=drive]")
    tab.drag(corner, (0, (middle[1] - corner[1]) * 0.4))
    after = tab.changed("ada.toml", ADA)
    ((place, drive),) = changes(ADA, after).items()
    assert place == ("character", "drive")
    assert 0.0 < drive < 0.7
    tab.page.locator("[data-trait=drive]").focus()
    tab.undone("ada.toml", ADA)
    tab.page.locator("[data-trait=drive]").focus()
    tab.page.keyboard.press("Shift+ArrowUp")
    assert changes(ADA, tab.changed("ada.toml", ADA)) == {("character", "drive"): 0.8}
    tab.undone("ada.toml", ADA)
    skill = tab.page.locator("[data-pattern='box step'] [data-level=skill]")
    skill.focus()
    skill.press("ArrowLeft")
    assert changes(ADA, tab.changed("ada.toml", ADA)) == {("vocabulary", "waltz", "box step", "skill"): 0.89}
    tab.undone("ada.toml", ADA)
    box = skill.bounding_box()
    assert box is not None
    tab.page.mouse.click(box["x"] + 0.25 * box["width"], box["y"] + 0.5 * box["height"])
    ((place, value),) = changes(ADA, tab.changed("ada.toml", ADA)).items()
    assert place == ("vocabulary", "waltz", "box step", "skill")
    assert 0.15 < value < 0.35
    tab.undone("ada.toml", ADA)
    tab.page.locator("[data-pattern='progressive'] input[type=checkbox]").check()
    taught = tab.changed("ada.toml", ADA)
    assert taught == ADA + "progressive = { skill = 0.8, liking = 0.5 }\n"
    tab.until("document.querySelector('#panel-dancer').textContent.includes('alone on an empty floor')", 60)
    assert re.search(r"\d+ × · ", tab.page.locator(".vocabulary").inner_text())
    tab.page.locator("#panel-dancer").get_by_role("button", name="Save").click()
    tab.until("segueStudio.store.texts.get('ada.toml').said.changed === false")
    done = CliRunner().invoke(app, ["dance", "dancer", "check", str(folder / "ada.toml")])
    assert (done.exit_code, "3 patterns of 1 dances, no fault found" in " ".join(done.output.split())) == (0, True)


def test_the_floor_by_mouse_and_by_keys(tab: Editor, folder: Path) -> None:
    tab.until("document.querySelector('[data-couple=\"1\"]') !== null", 60)
    scale = tab.page.evaluate("document.querySelector('.floor-couple').r.baseVal.value / 0.55")
    tab.drag(tab.middle("[data-wall=length]"), (scale, 0))
    found = changes(HALL, tab.changed("hall.toml", HALL))
    assert found == {("floor", "length"): pytest.approx(11.0, abs=0.15)}
    tab.page.locator("[data-wall=length]").focus()
    tab.undone("hall.toml", HALL)
    tab.page.keyboard.press("ArrowDown")
    assert changes(HALL, tab.changed("hall.toml", HALL)) == {("floor", "length"): 8.9}
    tab.undone("hall.toml", HALL)
    tab.page.wait_for_timeout(800)
    tab.until("document.querySelector('[data-couple=\"1\"]') !== null", 60)
    tab.drag(tab.middle("[data-couple='0']"), (1.5 * scale, 0))
    moved = tab.changed("hall.toml", HALL)
    ((x, z),) = tomllib.loads(moved)["places"]
    assert moved.replace(f"places = [[{x}, {z}]]\n", "") == HALL
    tab.undone("hall.toml", HALL)
    tab.page.locator("#panel-floor li[data-file='ada.toml']").drag_to(tab.page.locator(".floor-plan"))
    dropped = tomllib.loads(tab.changed("hall.toml", HALL))
    assert dropped["dancers"] == ["ada.toml"]
    assert len(dropped["places"]) == 1
    tab.page.locator("#panel-floor").get_by_role("button", name="Save").click()
    tab.until("segueStudio.store.texts.get('hall.toml').said.changed === false")
    done = CliRunner().invoke(app, ["dance", "environment", "check", str(folder / "hall.toml")])
    assert (done.exit_code, "no fault found" in " ".join(done.output.split())) == (0, True), done.output


def test_a_setting_beyond_its_range_is_refused_with_the_reason(tab: Editor) -> None:
    before = tab.text_of("hall.toml")
    friction = tab.page.locator("input[type=number][data-place='floor/friction']")
    friction.fill("9")
    friction.press("Enter")
    tab.until(
        "[...document.querySelectorAll('.notice.error')].some((each) => "
        "each.textContent.includes('friction is 9: it must be from 0.05 to 2'))"
    )
    assert tab.text_of("hall.toml") == before


@needs_axe
@pytest.mark.parametrize(("scheme", "size"), [("light", (1400, 950)), ("dark", (1400, 950)), ("light", (320, 640))])
def test_axe_finds_no_violation(tab: Editor, scheme: Any, size: tuple[int, int]) -> None:
    tab.page.emulate_media(color_scheme=scheme)
    tab.page.set_viewport_size({"width": size[0], "height": size[1]})
    for panel in ("gestures", "dancer", "floor"):
        tab.page.evaluate("(panel) => segueStudio.layout.show(panel)", panel)
        tab.page.wait_for_timeout(300)
        assert violations(tab.page) == {}
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= size[0]
