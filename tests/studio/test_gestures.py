"""Random gestures in the studio: a quiet console, a text that parses or the last good motion, undo to the start."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from segue.language.errors import LanguageError
from segue.language.parser import parse
from tests.studio.pages import Tab
from tests.studio.servers import studio_of
from tests.view.chromium import chromium, needs_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = needs_chromium

TEXT = """walk = clips.walk
wave = trim(select(clips.wave, right_arm), 1, 2)
waving = fill_gaps(retime(wave, 1.0) + (walk - retime(wave, 0.8, 1.4)))
transition(waving, clips.run, 0.6, leave=2.9, enter=0.2)
"""
TYPED = ["(", ")", "0.5", " ", "x", "\n", "trim(", "walk", '"', "#", ",", "🕺"]
COMMANDS = [
    *("play", "loop", "view.ghosts", "view.trails", "view.heat", "view.frame", "time.on10"),
    *("zoom.in", "zoom.out", "zoom.all", "range.in", "range.out", "range.none"),
    *("camera.top", "camera.plan", "camera.persp"),
]
_STEPS_KEPT = 1000  # of undo


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


class Hand:
    """Makes gestures at random."""

    def __init__(self, tab: Tab, seed: int) -> None:
        self.tab, self.random = tab, random.Random(seed)
        self.gestures: list[Callable[[], None]] = [
            lambda: self.pull(".tl-handle", 60.0, 0.0),
            lambda: self.pull(".tl-handle", 60.0, 0.0),
            lambda: self.pull(".tl-piece", 40.0, 0.0),
            lambda: self.pull(".limb-handle", 25.0, 25.0),
            lambda: self.pull(".sole", 20.0, 10.0),
            lambda: self.pull(".tl-contact i", 15.0, 0.0),
            self.keys,
            self.choose,
            self.undo,
            self.undo,
            self.type,
            self.command,
            self.scrub,
        ]

    def one(self) -> None:
        """Make one gesture."""
        self.random.choice(self.gestures)()

    def pull(self, selector: str, wide: float, high: float) -> None:
        boxes = self.tab.page.evaluate(
            "(selector) => [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect())"
            ".filter(({ width, x, y }) => width > 0 && x > 0 && x < innerWidth && y > 50)"
            ".filter(({ bottom }) => bottom < innerHeight)"
            ".map(({ x, y, width, height }) => [x + width / 2, y + height / 2])",
            selector,
        )
        if not boxes:
            return
        x, y = self.random.choice(boxes)
        by = self.random.uniform(-wide, wide), self.random.uniform(-high, high)
        if self.random.random() < 0.2:
            self.tab.drag((x, y), by, steps=2, let_go=False)
            self.tab.page.keyboard.press("Escape")
            self.tab.page.mouse.up()
        else:
            self.tab.drag((x, y), by, steps=self.random.randint(1, 4))

    def keys(self) -> None:
        handles = self.tab.page.locator(".tl-handle")
        if count := handles.count():
            handles.nth(self.random.randrange(count)).focus()
            for _ in range(self.random.randint(1, 3)):
                self.tab.page.keyboard.press(self.random.choice(["ArrowLeft", "ArrowRight", "Shift+ArrowRight"]))
            self.tab.page.keyboard.press(self.random.choice(["Enter", "Escape", "Tab"]))

    def choose(self) -> None:
        bars = self.tab.page.locator(".tl-contact:not([hidden])")
        if count := bars.count():
            bars.nth(self.random.randrange(count)).focus()
            self.tab.page.keyboard.press(self.random.choice(["Enter", "ArrowLeft", "ArrowRight", "Shift+ArrowLeft"]))

    def undo(self) -> None:
        self.tab.page.keyboard.press(self.random.choice(["Control+z", "Control+z", "Control+Shift+z"]))

    def type(self) -> None:
        field = self.tab.page.locator(".script-field")
        field.focus()
        field.evaluate(f"(field) => field.setSelectionRange({(at := self.random.randrange(150))}, {at})")
        for _ in range(self.random.randint(1, 3)):
            self.tab.page.keyboard.insert_text(self.random.choice(TYPED))
        if self.random.random() < 0.8:
            self.tab.page.keyboard.press("Control+z")
        field.blur()

    def command(self) -> None:
        self.tab.page.evaluate("(id) => segueStudio.store.commands.run(id)", self.random.choice(COMMANDS))

    def scrub(self) -> None:
        self.tab.page.evaluate(f"segueStudio.store.seek({self.random.uniform(0, 5):.3f})")


def parses(text: str) -> bool:
    """Return whether a text is a script."""
    try:
        parse(text, "test")
    except LanguageError:
        return False
    return True


@pytest.mark.parametrize("count", [30, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_random_gestures_leave_a_text_that_parses_or_the_last_motion(
    browser: Browser, tmp_path: Path, count: int
) -> None:
    with studio_of(tmp_path, TEXT) as studio:
        tab = Tab(browser, studio)
        hand = Hand(tab, seed=24)
        for k in range(count):
            hand.one()
            assert tab.heard == [], k
            assert tab.page.evaluate("segueStage.motions.length") > 0
            if k % 20 == 19:
                tab.settled()
                assert parses(tab.text) or tab.page.evaluate(
                    "document.querySelector('#stage').classList.contains('stale')"
                )
        tab.page.evaluate("document.activeElement.blur()")
        for _ in range(_STEPS_KEPT):
            tab.settled()
            if not tab.page.evaluate("segueStudio.store.doc.undo"):
                break
            rev = tab.page.evaluate("segueStudio.store.doc.rev")
            tab.page.keyboard.press("Control+z")
            tab.until(f"segueStudio.store.doc.rev > {rev}")
        if count < _STEPS_KEPT:
            assert tab.text == TEXT
        assert tab.heard == []
        tab.context.close()
