"""Lake's pattern editor and analyser in a real browser: the foxtrot of figure 5.2 by mouse and by keys, to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from segue.dance.patterns import SHIPPED
from segue.studio.server import Studio
from tests.studio.pages import Tab
from tests.studio.servers import studio_of
from tests.view.chromium import chromium, needs_axe, needs_chromium, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = needs_chromium

FIGURE = (SHIPPED / "foxtrot" / "forward_basic.dance").read_text(encoding="utf-8")  # figure 5.2 of [Lake1990]
COMMENT, NOTE = FIGURE.split("\n")[0], "Travels along the line of dance; repeat it freely."
FEET = ["LF FWD", "RF FWD", "LF SWD", "RF CL/LF"] * 2
FOOTWORK = ["H", "H-T", "T", "T-H"] * 2
BEATS = ["2", "2", "1", "1"] * 2
BODY = ["SCBM", "SCBM", "SWR", "SWR"] * 2
COMMENTED = FIGURE.replace(" |\nAmount", " | # soft knees 🕺\nAmount").replace("\n\nStep", "\n\n# the steps\nStep")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as made:
        yield made


class Dances:
    """The dance panels of a page."""

    def __init__(self, browser: Browser, studio: Studio) -> None:
        self.tab = Tab(browser, studio)
        self.page = self.tab.page
        self.page.keyboard.press("3")
        self.tab.until("document.querySelectorAll('.dance-list .file').length > 30")

    @property
    def text(self) -> str:
        return str(self.page.evaluate("segueStudio.patterns.text"))

    def settled(self) -> None:
        """Wait until all edits are made."""
        self.page.evaluate("segueStudio.patterns.queue")

    def open(self, path: str) -> None:
        self.page.locator(f'.dance-list [data-path="{path}"]').click()
        self.tab.until(f"segueStudio.patterns.file?.file === {path!r}")

    def planned(self) -> None:
        """Wait for the preview of the present text."""
        self.tab.until(
            "(({ rehearsal, file }) => rehearsal?.rev === file.said.rev)(segueStudio.patterns) "
            "&& window.seguePattern?.motions.length > 0",
            60,
        )

    def cell(self, row: str, step: int) -> Locator:
        return self.page.locator(f'td[data-row="{row}"][data-step="{step}"]')

    def press(self, row: str, step: int, words: str) -> None:
        """Enter words by mouse: press the cell, then each symbol that is not there."""
        self.cell(row, step).click()
        for word in words.split():
            key = self.page.locator(f'fieldset[data-row="{row}"] [data-symbol="{word}"]')
            if key.get_attribute("aria-pressed") == "false":
                key.click()
                self.settled()

    def command(self, title: str, then: str = "td.selected") -> None:
        """Run a command by the palette, and wait until an element has the focus."""
        self.page.keyboard.press("Control+k")
        self.tab.until("document.activeElement.closest('dialog') !== null")
        self.page.keyboard.type(title)
        self.page.keyboard.press("Enter")
        self.tab.until(f"document.activeElement.matches('{then}')")

    def remarks(self) -> list[str]:
        return self.page.locator(".remarks li").all_inner_texts()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("dances")
    (made / "mine.dance").write_text(COMMENTED, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def studio(folder: Path) -> Iterator[Studio]:
    with studio_of(folder) as made:
        yield made


@pytest.fixture(scope="module")
def dances(browser: Browser, studio: Studio) -> Iterator[Dances]:
    made = Dances(browser, studio)
    yield made
    assert made.tab.heard == []


def begun(dances: Dances, name: str) -> str:
    """Begin a pattern by the dialog, which is open, and return its text."""
    dances.page.get_by_role("textbox", name="New pattern: dance/name").wait_for()
    dances.page.keyboard.press("Control+a")
    dances.page.keyboard.type(name + "\n")
    dances.tab.until(f"segueStudio.patterns.outline?.title === {name!r}")
    return dances.text


def test_the_foxtrot_of_figure_52_by_mouse(dances: Dances, folder: Path) -> None:
    page = dances.page
    page.get_by_role("button", name="New pattern…").click()
    begun(dances, "foxtrot/forward basic")
    dances.cell("Foot Position", 3).click()
    for _ in range(4):
        page.get_by_role("button", name="Add a step").click()
        dances.settled()
    for row, words in (("Foot Position", FEET), ("Footwork", FOOTWORK), ("Beats", BEATS)):
        for step, each in enumerate(words):
            dances.press(row, step, each)
    dances.press("Head Position", 0, "NP")
    page.locator(".rows-menu summary").click()
    for row in ("Timing", "CBM and Sway"):
        page.get_by_role("checkbox", name=row).click()
        dances.settled()
    page.locator(".rows-menu summary").click()
    for step, each in enumerate(BODY):
        dances.press("CBM and Sway", step, each)
    page.get_by_role("textbox", name="note").fill(NOTE)
    page.get_by_role("textbox", name="note").blur()
    page.get_by_role("button", name="Text of the file").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type(COMMENT + "\n")
    page.get_by_role("button", name="Text of the file").click()
    dances.tab.until(f"segueStudio.patterns.text.length === {len(FIGURE)}")
    assert dances.text == FIGURE
    page.get_by_role("button", name="Save the pattern").click()
    dances.tab.until("!segueStudio.patterns.file.said.changed")
    assert (folder / "foxtrot" / "forward_basic.dance").read_bytes() == FIGURE.encode()


def test_the_foxtrot_of_figure_52_by_keys_and_back(dances: Dances, folder: Path) -> None:
    keyboard = dances.page.keyboard
    (folder / "foxtrot" / "forward_basic.dance").unlink(missing_ok=True)
    # the file of another test may be open still: another name, which the text then gets
    dances.command("new dance pattern", "dialog input")
    begin = begun(dances, "foxtrot/typed basic")
    dances.tab.until("document.activeElement.matches('td.selected')")
    for _ in range(4):
        keyboard.press("End")
        keyboard.press("Insert")
        dances.settled()
    dances.command("row timing")
    dances.settled()
    dances.command("row cbm")
    dances.settled()
    head = ["NP"]
    for words in (FEET, head, FOOTWORK, ["NT"], BEATS, ["S", "S", "Q", "Q"] * 2, BODY):
        keyboard.press("Home")
        for each in words:
            keyboard.type(each.lower())
            keyboard.press("Tab")
            dances.settled()
        keyboard.press("ArrowDown")
    dances.command("pattern as text", "textarea")
    keyboard.press("Control+Home")
    keyboard.type(COMMENT + "\n")
    for _ in range(8):
        keyboard.press("ArrowDown")
    keyboard.type(f"note:       {NOTE}\n")
    wanted = FIGURE.replace("forward basic\n", "typed basic\n", 1)
    dances.tab.until(f"segueStudio.patterns.text.length === {len(wanted)}")
    assert dances.text == wanted
    dances.command("pattern as text")
    keyboard.press("Control+s")
    dances.tab.until("!segueStudio.patterns.file.said.changed")
    assert (folder / "foxtrot" / "typed_basic.dance").read_bytes() == wanted.encode()
    while dances.page.evaluate("segueStudio.patterns.file.said.undo"):
        rev = dances.page.evaluate("segueStudio.patterns.file.said.rev")
        keyboard.press("Control+z")
        dances.tab.until(f"segueStudio.patterns.file.said.rev > {rev}")
    assert dances.text == begin
    while dances.page.evaluate("segueStudio.patterns.file.said.redo"):
        rev = dances.page.evaluate("segueStudio.patterns.file.said.rev")
        keyboard.press("Control+Shift+z")
        dances.tab.until(f"segueStudio.patterns.file.said.rev > {rev}")
    assert dances.text == wanted


def test_a_step_that_cannot_be_danced_shows_its_reason(dances: Dances) -> None:
    dances.open("mine.dance")
    dances.planned()
    assert dances.remarks() == ["The pattern can be danced."]
    dances.press("Foot Position", 1, "LF")
    (first, *_) = dances.remarks()
    reason = "LF bears the weight since step 1 and cannot move: move RF, or add NW to step 1"
    assert first == f"Step 2, Foot Position: {reason}"
    assert dances.cell("Foot Position", 1).get_attribute("aria-invalid") == "true"
    assert "cannot move" in str(dances.cell("Foot Position", 1).get_attribute("aria-label"))
    dances.page.get_by_role("button", name="Undo in the pattern").click()
    dances.tab.until("!segueStudio.patterns.file.said.undo")
    # what only the plan finds out
    dances.press("Foot Position", 1, "XIB")
    dances.press("Amount of Turn", 1, "3/4 L")
    dances.page.get_by_role("button", name="set to").click()
    dances.settled()
    dances.planned()
    assert any("beyond its range" in each for each in dances.remarks())
    while dances.page.evaluate("segueStudio.patterns.file.said.undo"):
        rev = dances.page.evaluate("segueStudio.patterns.file.said.rev")
        dances.page.get_by_role("button", name="Undo in the pattern").click()
        dances.tab.until(f"segueStudio.patterns.file.said.rev > {rev}")
    assert dances.text == COMMENTED


def test_comments_and_all_else_stay(dances: Dances) -> None:
    dances.open("mine.dance")
    dances.press("Footwork", 3, "T")
    dances.press("Foot Position", 0, "SS")
    made = dances.text
    assert "# soft knees 🕺" in made
    assert "# the steps" in made
    before, after = COMMENTED.split("\n"), made.split("\n")
    grid = [k for k, line in enumerate(before) if "|" in line]
    assert [a for k, a in enumerate(after) if k not in grid] == [b for k, b in enumerate(before) if k not in grid]
    wanted = COMMENTED.replace("LF FWD", "LF FWD SS", 1).replace("| T-H ", "| T ", 1)
    assert [line.split() for line in after] == [line.split() for line in wanted.split("\n")]


def test_a_pattern_of_segue_is_read_and_its_copy_changed(dances: Dances, folder: Path) -> None:
    dances.open("segue:waltz/box_step.dance")
    before = dances.text
    assert dances.page.locator('[data-symbol="LF"]').is_disabled()
    dances.cell("Foot Position", 0).click()
    dances.page.keyboard.press("Delete")
    dances.tab.until("document.querySelector('.notice.error') !== null")
    assert dances.text == before
    dances.page.get_by_role("button", name="Partner's part").click()
    assert dances.page.locator(".partner-part tr").nth(1).locator("td").first.inner_text() == "RF BWD"
    dances.page.get_by_role("button", name="Partner's part").click()
    dances.page.get_by_role("button", name="Edit a copy").click()
    dances.page.get_by_role("textbox", name="Save a copy as").wait_for()
    dances.page.keyboard.press("Enter")
    dances.tab.until("segueStudio.patterns.file.file === 'waltz/box_step.dance'")
    assert (folder / "waltz" / "box_step.dance").read_text(encoding="utf-8") == before
    dances.page.keyboard.press("Delete")
    dances.tab.until("segueStudio.patterns.file.said.changed")


def test_steps_are_shown_one_by_one_and_partners_together(dances: Dances) -> None:
    page = dances.page
    dances.open("segue:waltz/box_step.dance")
    dances.planned()
    steps = page.evaluate("segueStudio.patterns.outline.floor.steps")
    page.get_by_role("button", name="Next step").click()
    assert page.locator(".step-number").inner_text() == "Step 2 of 6"
    dances.tab.until(f"Math.abs(seguePattern.clock.time - {steps[1]['done']}) < 1e-6")
    page.locator(".pattern-stage canvas").focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator(".step-number").inner_text() == "Step 1 of 6"
    for name, elevation in (("top", 89), ("bottom", -89), ("left", 4)):
        page.get_by_role("button", name=f"View from the {name}").click()
        assert page.evaluate("seguePattern.camera.elevation") == pytest.approx(elevation)
    found = []
    for count in (2, 1, 2):
        page.get_by_role("button", name="Couple", exact=True).click()
        dances.tab.until(f"seguePattern.motions.length === {count}", 60)
        found.append(page.evaluate("Array.from(seguePattern.motions.at(-1).roots)"))
    assert found[0] == found[2]  # the follower comes back whole
    assert page.locator(".plan-sole").count() == 12


def test_a_pattern_goes_into_the_script(dances: Dances) -> None:
    page, tab = dances.page, dances.tab
    tab.settled()
    page.get_by_role("button", name="Put waltz box step into the script").first.click()
    tab.until("segueStudio.store.doc.text.includes('dance(')")
    tab.settled()
    assert 'dance("waltz/box_step.dance")' in tab.text or 'dance("waltz/box step")' in tab.text
    assert page.evaluate("segueStudio.store.doc.diagnostics") == []


@needs_axe
def test_axe_finds_nothing(dances: Dances) -> None:
    dances.open("segue:waltz/left_turning_box.dance")
    dances.planned()
    for theme in ("light", "dark"):
        dances.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert violations(dances.page) == {}
