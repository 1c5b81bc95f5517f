"""Random gestures in the studio: a quiet console, a text that parses or the last good motion, undo to the start."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from segue.language.errors import LanguageError
from segue.language.parser import parse
from tests.studio.pages import Tab
from tests.studio.servers import studio_of
from tests.view.chromium import chromium, needs_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = needs_chromium

TEXT = """walk = clips.walk
wave = trim(only(clips.wave, right_arm), 1, 2)
waving = fill_gaps(retime(wave, 1.0) + (walk - retime(wave, 0.8, 1.4)))
transition(waving, clips.run, 0.6, leave=2.9, enter=0.2)
"""
TYPED = ["(", ")", "0.5", " ", "x", "\n", "trim(", "walk", '"', "#", ",", "🕺"]
COMMANDS = [
    *("play", "loop", "view.ghosts", "view.trails", "view.heat", "view.frame", "time.on10"),
    *("zoom.in", "zoom.out", "zoom.all", "range.in", "range.out", "range.none"),
    *("camera.top", "camera.plan", "camera.persp"),
]
DRAGGED = {  # how far, in pixels to the side and up
    ".tl-handle": (60.0, 0.0),
    ".tl-piece": (40.0, 0.0),
    ".limb-handle": (25.0, 25.0),
    ".sole": (20.0, 10.0),
    ".tl-contact i": (15.0, 0.0),
}
_SHARE = st.floats(-1.0, 1.0)
_WHICH = st.integers(0, 255)  # of the elements that are there


class Gestures(RuleBasedStateMachine):
    """A page and its server, on which each rule makes one gesture."""

    browser: ClassVar[Browser]
    made = 0

    def __init__(self) -> None:
        super().__init__()
        self.resources = ExitStack()
        folder = Path(self.resources.enter_context(tempfile.TemporaryDirectory()))
        self.tab = Tab(self.browser, self.resources.enter_context(studio_of(folder, TEXT)))

    @rule(
        selector=st.sampled_from([".tl-handle", *DRAGGED]),
        which=_WHICH,
        by=st.tuples(_SHARE, _SHARE),
        steps=st.integers(1, 4),
        escape=st.sampled_from([False, False, False, False, True]),
    )
    def drag(self, selector: str, which: int, by: tuple[float, float], steps: int, escape: bool) -> None:
        places = self.tab.page.evaluate(
            "(selector) => [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect())"
            ".filter(({ width, x, y }) => width > 0 && x > 0 && x < innerWidth && y > 50)"
            ".filter(({ bottom }) => bottom < innerHeight)"
            ".map(({ x, y, width, height }) => [x + width / 2, y + height / 2])",
            selector,
        )
        if places:
            x, y = places[which % len(places)]
            wide, high = DRAGGED[selector]
            self.tab.drag((x, y), (by[0] * wide, by[1] * high), steps=steps, let_go=not escape)
        if places and escape:
            self.tab.page.keyboard.press("Escape")
            self.tab.page.mouse.up()

    @rule(
        which=_WHICH,
        keys=st.lists(st.sampled_from(["ArrowLeft", "ArrowRight", "Shift+ArrowRight"]), min_size=1, max_size=3),
        end=st.sampled_from(["Enter", "Escape", "Tab"]),
    )
    def move_by_keys(self, which: int, keys: list[str], end: str) -> None:
        handles = self.tab.page.locator(".tl-handle")
        if count := handles.count():
            handles.nth(which % count).focus()
            for key in [*keys, end]:
                self.tab.page.keyboard.press(key)

    @rule(which=_WHICH, key=st.sampled_from(["Enter", "ArrowLeft", "ArrowRight", "Shift+ArrowLeft"]))
    def change_a_contact(self, which: int, key: str) -> None:
        bars = self.tab.page.locator(".tl-contact:not([hidden])")
        if count := bars.count():
            bars.nth(which % count).focus()
            self.tab.page.keyboard.press(key)

    @rule(keys=st.sampled_from(["Control+z", "Control+z", "Control+Shift+z"]))
    def undo_or_redo(self, keys: str) -> None:
        self.tab.page.keyboard.press(keys)

    @rule(
        at=st.integers(0, 150),
        typed=st.lists(st.sampled_from(TYPED), min_size=1, max_size=3),
        undone=st.sampled_from([True, True, True, True, False]),
    )
    def type_text(self, at: int, typed: list[str], undone: bool) -> None:
        field = self.tab.page.locator(".script-field")
        field.focus()
        field.evaluate(f"(field) => field.setSelectionRange({at}, {at})")
        for text in typed:
            self.tab.page.keyboard.insert_text(text)
        if undone:
            self.tab.page.keyboard.press("Control+z")
        field.blur()

    @rule(command=st.sampled_from(COMMANDS))
    def run_a_command(self, command: str) -> None:
        self.tab.page.evaluate("(id) => segueStudio.store.commands.run(id)", command)

    @rule(time=st.floats(0.0, 5.0))
    def go_to_a_time(self, time: float) -> None:
        self.tab.page.evaluate(f"segueStudio.store.seek({time:.3f})")

    @rule()
    def wait(self) -> None:
        self.tab.settled()
        stale = "document.querySelector('#stage').classList.contains('stale')"
        assert parses(self.tab.text) or self.tab.page.evaluate(stale)

    @invariant()
    def is_quiet_and_shows_a_motion(self) -> None:
        type(self).made += 1
        assert self.tab.heard == []
        assert self.tab.page.evaluate("segueStage.motions.length") > 0

    def teardown(self) -> None:
        try:
            self.wait()
            self.tab.page.evaluate("document.activeElement.blur()")
            while self.tab.page.evaluate("segueStudio.store.doc.undo"):
                rev = self.tab.page.evaluate("segueStudio.store.doc.rev")
                self.tab.page.keyboard.press("Control+z")
                self.tab.until(f"segueStudio.store.doc.rev > {rev}")
                self.tab.settled()
            assert self.tab.text == TEXT
            self.is_quiet_and_shows_a_motion()
        finally:
            self.tab.context.close()
            self.resources.close()


def parses(text: str) -> bool:
    """Return whether a text is a script."""
    try:
        parse(text, "test")
    except LanguageError:
        return False
    return True


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.mark.parametrize(("runs", "steps"), [(2, 15), pytest.param(100, 100, marks=pytest.mark.nightly)])
def test_random_gestures_leave_a_text_that_parses_or_the_last_motion(browser: Browser, runs: int, steps: int) -> None:
    Gestures.browser = browser
    run_state_machine_as_test(
        Gestures,
        settings=settings(
            max_examples=runs,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert Gestures.made > 0.5 * runs * steps
