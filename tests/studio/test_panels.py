"""Panels of the studio in a real browser with the real engine: a gesture changes the text, undo restores its bytes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import segue
from segue import clips
from segue.language.parser import parse
from tests.studio.servers import studio_of
from tests.view.chromium import chromium, needs_axe, needs_chromium, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

pytestmark = needs_chromium

TEXT = """# 🕺
walk = clips.walk
joined = transition(walk, clips.run, 0.6, leave=1.9)
joined
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as made:
        yield made


class Studio:
    """A page of the studio."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.folder = folder
        self.lines: list[str] = []
        page.on("console", self._printed)
        page.on("pageerror", lambda error: self.lines.append(str(error)))

    def _printed(self, message: ConsoleMessage) -> None:
        # drawing without a graphics card is slow, and the browser reports that
        if message.type in ("error", "warning") and "GL Driver Message" not in message.text:
            self.lines.append(message.text)

    def until(self, script: str, seconds: float = 60.0) -> Any:
        """Evaluate a script until its value is true; the page's policy lets no page poll by itself."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.page.evaluate(script)
            if found:
                return found
            self.page.wait_for_timeout(30)
        raise AssertionError(f"never true: {script} {self.lines}")

    @property
    def text(self) -> str:
        return str(self.page.evaluate("segueStudio.store.doc.text"))

    def settle(self) -> None:
        """Wait until the newest text is evaluated."""
        self.until("(({ doc, values }) => values && values.rev === doc.rev && !doc.gesture)(segueStudio.store)")

    def reset(self, text: str) -> None:
        """Replace the text and select nothing."""
        self.page.evaluate(
            """async (text) => {
              const { store } = segueStudio;
              await store.edit([{ start: 0, stop: store.doc.text.length, text }]);
              store.select("");
            }""",
            text,
        )
        self.until(
            "segueStudio.store.doc.diagnostics.length || segueStudio.store.values.rev === segueStudio.store.doc.rev"
        )

    def undo(self) -> str:
        """Take back one step and return the text."""
        rev = self.page.evaluate("segueStudio.store.doc.rev")
        self.page.evaluate("segueStudio.store.commands.run('edit.undo')")
        self.until(f"segueStudio.store.doc.rev > {rev}")
        self.settle()
        return self.text

    def changed(self, before: str) -> str:
        """Wait until the text differs and is evaluated; return it."""
        end = time.monotonic() + 30
        while self.text == before and time.monotonic() < end:
            self.page.wait_for_timeout(30)
        self.settle()
        return self.text

    def show(self, panel: str) -> None:
        self.page.evaluate("(panel) => segueStudio.layout.show(panel)", panel)

    def select(self, label: str) -> None:
        """Select the first call of a name."""
        self.page.evaluate(
            "(label) => segueStudio.store.select(segueStudio.store.doc.tree.find((each) => each.label === label).node)",
            label,
        )


@pytest.fixture(scope="module")
def shared(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    folder = tmp_path_factory.mktemp("panels")
    (folder / "takes").mkdir()
    segue.save(clips.motion("kick"), folder / "kick.bvh")
    with studio_of(folder, TEXT) as served:
        page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        made = Studio(page, folder)
        page.goto(served.url)
        made.until("window.segueStudio?.store.values?.shown", 300)
        yield made
        page.close()


@pytest.fixture
def studio(shared: Studio) -> Iterator[Studio]:
    shared.reset(TEXT)
    shared.lines.clear()
    yield shared
    assert shared.lines == []


def test_a_number_of_the_form_changes_the_text_and_undo_restores_it(studio: Studio) -> None:
    studio.show("inspector")
    studio.select("transition")
    box = studio.page.locator("#option-leave")
    box.fill("1.75")
    box.press("Tab")
    assert studio.changed(TEXT) == TEXT.replace("leave=1.9", "leave=1.75")
    assert studio.undo() == TEXT


def test_a_slider_drag_is_one_step_of_undo_and_escape_restores(studio: Studio) -> None:
    studio.show("inspector")
    studio.select("transition")
    slider = studio.page.locator("[aria-label='duration, slider']")
    place = slider.bounding_box()
    assert place is not None
    y = place["y"] + place["height"] / 2
    for keep in (True, False):
        studio.page.mouse.move(place["x"] + 0.36 * place["width"], y)
        studio.page.mouse.down()
        for share in (0.4, 0.5, 0.6, 0.7):
            studio.page.mouse.move(place["x"] + share * place["width"], y)
            studio.page.wait_for_timeout(20)
        if keep:
            studio.page.mouse.up()
            after = studio.changed(TEXT)
            number = float(after.split("clips.run, ")[1].split(",")[0])
            assert 0.9 < number < 1.25
            assert after == TEXT.replace("0.6", after.split("clips.run, ")[1].split(",")[0])
            assert studio.undo() == TEXT
        else:
            studio.until("segueStudio.store.doc.gesture")
            studio.page.keyboard.press("Escape")
            studio.page.mouse.up()
            studio.until("!segueStudio.store.doc.gesture")
            assert studio.text == TEXT


def test_choices_words_and_reset_add_and_remove_arguments(studio: Studio) -> None:
    studio.show("inspector")
    studio.select("transition")
    studio.page.select_option("#option-objective", "jerk")
    with_objective = studio.changed(TEXT)
    assert with_objective == TEXT.replace("leave=1.9)", 'leave=1.9, objective="jerk")')
    studio.page.locator(".option", has_text="enter").get_by_role("button", name="start").click()
    with_enter = studio.changed(with_objective)
    assert with_enter == TEXT.replace("leave=1.9)", 'leave=1.9, objective="jerk", enter="start")')
    studio.page.get_by_role("button", name="Reset objective").click()
    assert studio.changed(with_enter) == TEXT.replace("leave=1.9)", 'leave=1.9, enter="start")')
    assert studio.undo() == with_enter
    assert studio.undo() == with_objective
    assert studio.undo() == TEXT


def test_the_why_card_has_costs_and_supports(studio: Studio) -> None:
    studio.show("inspector")
    studio.select("transition")
    studio.until("segueStudio.store.fills?.rev === segueStudio.store.doc.rev")
    assert studio.page.locator(".why").count() == 1
    rows = studio.page.locator(".costs tr").all_inner_texts()
    assert {row.split("\t")[0].strip() for row in rows} == {"torque change", "jerk", "velocity", "foot", "all"}
    terms = studio.page.evaluate("segueStudio.store.fills.fills.map(({ costs, energy }) => [costs, energy])")
    assert sum(terms[-1][0].values()) == pytest.approx(terms[-1][1], rel=0.05)
    choice = studio.page.locator(".supports select").first
    choice.select_option("never")
    after = studio.changed(TEXT)
    assert "support=" in after
    assert "=never" in after
    assert studio.undo() == TEXT


def test_a_click_on_the_cut_map_writes_leave_and_enter(studio: Studio) -> None:
    studio.show("inspector")
    studio.select("transition")
    studio.page.get_by_role("button", name="Cut map").click()
    studio.until("document.querySelector('.cut-picture')", 60)
    studio.page.locator(".cut-picture").focus()
    studio.page.keyboard.press("Shift+ArrowLeft")
    said = studio.page.locator(".cut-said").inner_text()
    studio.page.keyboard.press("Enter")
    after = studio.changed(TEXT)
    leave, enter = said.split("leave ")[1].split(" s")[0], said.split("enter ")[1].split(" s")[0]
    assert f"leave={float(leave):g}"[:8] in after
    assert f"enter={float(enter):g}"[:8] in after
    assert len(parse(after).statements) == 3
    assert studio.undo() == TEXT
    studio.page.get_by_role("button", name="Cut map").click()


def test_variants_are_a_filmstrip_and_a_click_writes_one(studio: Studio) -> None:
    studio.show("inspector")
    studio.select("transition")
    studio.page.get_by_role("button", name="Variants").click()
    studio.until("document.querySelectorAll('.variant .filmstrip path').length >= 14", 120)
    studio.page.locator(".variant").nth(1).click()
    after = studio.changed(TEXT)
    assert after != TEXT
    assert len(parse(after).statements) == 3
    assert studio.undo() == TEXT


def test_selecting_in_the_tree_selects_everywhere_and_values_are_live(studio: Studio) -> None:
    studio.show("tree")
    item = studio.page.locator("[role=treeitem].call", has_text="transition")
    item.click()
    node = studio.page.evaluate("segueStudio.store.node(segueStudio.store.selection)")
    assert node["label"] == "transition"
    assert item.get_attribute("aria-selected") == "true"
    assert studio.page.locator(".call-name").inner_text().strip() == "transition"
    assert " s" in item.locator(".about").inner_text()


def test_alt_arrow_and_drag_swap_motions(studio: Studio) -> None:
    studio.show("tree")
    swapped = TEXT.replace("transition(walk, clips.run", "transition(clips.run, walk")
    first = studio.page.locator("[role=treeitem]", has_text="walk").nth(2)
    first.focus()
    studio.page.keyboard.press("Alt+ArrowDown")
    assert studio.changed(TEXT) == swapped
    assert studio.undo() == TEXT
    items = studio.page.locator("[role=treeitem][draggable=true]")
    names = [text.split("\n")[0] for text in items.all_inner_texts()]
    items.nth(names.index("clips.run")).drag_to(items.nth(names.index("walk")))
    assert studio.changed(TEXT) == swapped
    assert studio.undo() == TEXT


def test_curves_share_the_cursor_and_follow_the_joints(studio: Studio) -> None:
    studio.show("curves")
    studio.page.locator(".curves select").select_option(["left_knee", "right_knee"])
    studio.until("document.querySelectorAll('.plots .curve').length === 6", 60)
    studio.page.locator(".curves select").select_option(["left_knee"])
    studio.until("document.querySelectorAll('.plots .curve').length === 3", 60)
    assert studio.page.locator(".plots .band").count() >= 1
    # the choice of joints is for the curves alone, not for the effort of the whole body
    assert studio.page.evaluate("(segueStudio.store.channels.effort?.rows.length ?? 9) > 5")
    place = studio.page.locator(".plots").bounding_box()
    assert place is not None
    studio.page.mouse.click(place["x"] + 0.5 * place["width"], place["y"] + 40)
    at = studio.page.evaluate("segueStudio.store.clock.time")
    assert studio.page.locator(".curve-said").inner_text().startswith(f"{at:.2f} s")
    cursor = float(studio.page.locator(".cursor").get_attribute("x1") or 0)
    assert abs(cursor - 0.5 * place["width"]) < 1.5


KEYS = "interpolate(key(clips.walk, 0.2), key(clips.walk, 0.6), key(clips.walk, 1))\n"


def test_keys_are_dragged_by_mouse_and_by_keyboard(studio: Studio) -> None:
    studio.reset(KEYS)
    studio.show("curves")
    studio.until("document.querySelectorAll('.key-grip').length === 3")
    left, right = (
        studio.page.locator(".key-grip").nth(k).evaluate("(grip) => parseFloat(grip.style.left)") for k in (0, 1)
    )
    scale = (right - left) / 0.4
    grip = studio.page.locator(".key-grip").nth(1)
    place = grip.bounding_box()
    assert place is not None
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    studio.page.mouse.move(x, y)
    studio.page.mouse.down()
    for step in range(1, 6):
        studio.page.mouse.move(x + 0.02 * step * scale, y)
        studio.page.wait_for_timeout(20)
    studio.page.mouse.up()
    after = studio.changed(KEYS)
    moved = float(after.split("0.6, time=")[1].split(")")[0])
    assert abs(moved - 0.7) < 0.02
    assert studio.undo() == KEYS
    studio.page.locator(".key-grip").nth(2).focus()
    studio.page.keyboard.press("ArrowRight")
    after = studio.changed(KEYS)
    assert 1 < float(after.split("1, time=")[1].split(")")[0]) <= 1.05
    assert studio.undo() == KEYS


def test_a_clip_of_the_library_joins_the_motion(studio: Studio) -> None:
    studio.show("library")
    studio.until("document.querySelector('[data-path=\"kick.bvh\"]')")
    studio.page.locator("[data-path='kick.bvh']").click()
    after = studio.changed(TEXT)
    assert after.endswith('kick = load("kick.bvh")\ntransition(joined, kick)\n')
    assert studio.undo() == TEXT
    studio.page.locator("[data-path='kick.bvh']").drag_to(studio.page.locator("#stage"))
    assert studio.changed(TEXT).endswith("transition(joined, kick)\n")
    assert studio.undo() == TEXT


def test_files_are_dropped_into_the_folder_and_found(studio: Studio, tmp_path: Path) -> None:
    studio.show("library")
    segue.save(clips.motion("wave"), tmp_path / "greeting.bvh")
    studio.page.locator(".library input[type=file]").set_input_files(tmp_path / "greeting.bvh")
    studio.until("document.querySelector('[data-path=\"greeting.bvh\"]')")
    assert (studio.folder / "greeting.bvh").read_bytes() == (tmp_path / "greeting.bvh").read_bytes()
    studio.page.locator(".library input[type=search]").fill("greet")
    studio.until("document.querySelectorAll('.files .file').length === 1")
    studio.page.locator(".library input[type=search]").fill("")
    studio.until("document.querySelectorAll('.files .file').length > 1")


def test_joints_are_shown_and_corrected(studio: Studio) -> None:
    studio.show("library")
    studio.page.get_by_role("button", name="Joints of kick.bvh").click()
    studio.until("document.querySelector('.mapping select')")
    studio.page.get_by_role("button", name="Write the map file").click()
    studio.until("document.querySelector('dialog') === null")
    studio.until("[...document.querySelectorAll('.notice')].some((each) => each.textContent.includes('kick.map.toml'))")
    assert "pelvis" in (studio.folder / "kick.map.toml").read_text()
    (studio.folder / "kick.map.toml").unlink()


def test_checks_jump_to_their_time(studio: Studio) -> None:
    studio.show("checks")
    studio.until("segueStudio.store.findings?.rev === segueStudio.store.doc.rev", 90)
    assert studio.page.locator(".findings li").count() > 5
    timed = studio.page.locator(".findings button:enabled")
    timed.first.click()
    assert studio.page.evaluate("segueStudio.store.clock.time") == pytest.approx(
        float(timed.first.locator("small").inner_text().split()[0]), abs=0.01
    )


def test_an_earlier_version_stands_beside_the_present_one(studio: Studio) -> None:
    studio.show("compare")
    studio.page.get_by_role("button", name="Keep this version").click()
    name = studio.page.locator(".versions-list button").first.inner_text()
    studio.reset(TEXT.replace("0.6", "1.0"))
    studio.page.get_by_role("button", name=name, exact=True).click()
    studio.until("segueStage.keys.some((key) => key.startsWith('compare'))")
    studio.page.select_option("[aria-label=Arrangement]", "beside")
    assert studio.page.evaluate("segueStage.stage.arrangement") == "beside"
    assert "- joined = transition(walk, clips.run, 0.6" in studio.page.locator(".difference").inner_text()
    studio.page.get_by_role("button", name="Stop comparing").click()
    studio.until("!segueStage.keys.some((key) => key.startsWith('compare'))")
    assert studio.page.evaluate("segueStage.stage.arrangement") == "overlaid"


def test_the_motion_is_exported_as_a_page_and_as_a_clip(studio: Studio) -> None:
    for suffix, head in ((".bvh", b"HIERARCHY"), (".html", b"<!DOCTYPE html>")):
        studio.page.keyboard.press("Control+e")
        studio.page.locator("#export-format").select_option(suffix)
        studio.page.locator("#export-path").fill(f"out{suffix}")
        studio.page.get_by_role("dialog").get_by_role("button", name="Export", exact=True).click()
        end = time.monotonic() + 60
        while not (studio.folder / f"out{suffix}").exists() and time.monotonic() < end:
            studio.page.wait_for_timeout(50)
        assert (studio.folder / f"out{suffix}").read_bytes()[: len(head)].upper() == head.upper()


def test_the_palette_runs_a_command_by_name(studio: Studio) -> None:
    studio.page.keyboard.press("Control+k")
    studio.page.keyboard.type("lay cur")
    studio.page.keyboard.press("Enter")
    assert studio.page.evaluate("segueStudio.layout.name") == "curves"
    studio.page.keyboard.press("Control+k")
    studio.page.keyboard.type("layout edit")
    studio.page.keyboard.press("Enter")
    assert studio.page.evaluate("segueStudio.layout.name") == "edit"
    studio.page.evaluate("document.activeElement?.blur()")
    studio.page.keyboard.press("?")
    assert studio.page.get_by_role("dialog", name="Help").locator("kbd").count() > 15
    studio.page.keyboard.press("Escape")
    studio.until("document.querySelector('dialog') === null")


@needs_axe
@pytest.mark.parametrize(("theme", "size"), [("light", (1440, 900)), ("dark", (1440, 900)), ("light", (320, 640))])
def test_axe_finds_no_violation(studio: Studio, theme: str, size: tuple[int, int]) -> None:
    page = studio.page
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    studio.select("transition")
    found = {}
    for panels in (
        ["tree", "inspector", "tracks"],
        ["library", "checks", "curves"],
        ["script", "compare", "simulation"],
    ):
        for panel in panels:
            studio.show(panel)
        page.wait_for_timeout(500)
        found |= violations(page)
    for keys in ("Control+k", "Shift+?"):
        page.evaluate("document.activeElement?.blur()")
        page.keyboard.press(keys)
        page.wait_for_timeout(200)
        found |= violations(page)
        page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(color_scheme="light")
    assert found == {}


@pytest.mark.parametrize("width", [320, 760, 1440, 3840])
def test_nothing_is_wider_than_the_window(studio: Studio, width: int) -> None:
    studio.page.set_viewport_size({"width": width, "height": max(640, width * 9 // 16)})
    for panel in ("tree", "inspector", "library", "curves", "simulation", "checks", "compare"):
        studio.show(panel)
    studio.page.wait_for_timeout(200)
    assert studio.page.evaluate("document.documentElement.scrollWidth") <= width
    studio.page.set_viewport_size({"width": 1440, "height": 900})
