"""The widget for notebooks: stage and time line in Chromium, over messages that a notebook would carry."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

import pytest

import segue as sg
from segue.errors import ArgumentError
from segue.studio import notebook
from tests.view.chromium import chromium, needs_chromium

pytest.importorskip("anywidget")

SCRIPT = "transition(motion, clips.run, 0.6, leave=1.9, enter=0.2)\n"

PAGE = """async (source) => {
  const heard = [];
  window.model = { send: (message) => window.toPython(JSON.stringify(message)), on: (_, hear) => heard.push(hear),
    off: () => {} };
  window.fromPython = (text, bytes) => {
    const buffers = bytes === null ? [] : [new DataView(Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)).buffer)];
    heard.forEach((hear) => hear(JSON.parse(text), buffers));
  };
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  await (await import(address)).default.render({ model: window.model, el: document.body });
}"""


def test_the_script_and_the_motion_follow_each_other() -> None:
    editor = sg.edit(sg.clips.walk, SCRIPT)
    try:
        assert editor.motion.duration == pytest.approx(5.1, abs=0.05)
        editor.script = SCRIPT.replace("1.9", "1.5")
        assert editor.motion.duration == pytest.approx(4.7, abs=0.05)
        editor.script = "1 +"
        assert editor.motion.duration == pytest.approx(4.7, abs=0.05), "the last good motion stays"
    finally:
        editor.close()
    with pytest.raises(ArgumentError, match="a motion"):
        sg.edit("walk")  # type: ignore[arg-type]


def test_the_bundle_has_every_module_once() -> None:
    text = notebook.module()
    assert text.count('"studio/store.js":') == 1
    assert '"view/view.js":' in text


@needs_chromium
def test_a_drag_in_the_cell_changes_the_script() -> None:
    editor = sg.edit(sg.clips.walk, SCRIPT)
    queue: list[tuple[Any, Any]] = []
    editor.send = lambda content, buffers=None: queue.append((content, buffers))  # type: ignore[method-assign]
    try:
        with chromium() as browser:
            page = browser.new_page(viewport={"width": 1000, "height": 700})
            errors: list[str] = []
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.expose_function("toPython", lambda text: editor._take(None, json.loads(text), None))
            page.set_content("<!doctype html><body></body>")
            page.add_style_tag(content=notebook.style())
            page.evaluate(PAGE, notebook.module())

            def pump(until: Any) -> None:
                for _ in range(600):
                    while queue:
                        content, buffers = queue.pop(0)
                        data = base64.b64encode(buffers[0]).decode() if buffers else None
                        page.evaluate("([text, bytes]) => fromPython(text, bytes)", [json.dumps(content), data])
                    if until():
                        return
                    page.wait_for_timeout(20)
                raise AssertionError(errors)

            handle = page.locator(".tl-handle.leave").first
            pump(lambda: handle.count() and handle.is_visible())
            box = handle.bounding_box()
            assert box is not None
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x - 60, y, steps=3)
            pump(lambda: editor.script != SCRIPT)
            page.mouse.up()
            time.sleep(0.1)
            pump(lambda: not queue)
            assert editor.script.startswith("transition(motion, clips.run, 0.6, leave=1.")
            assert editor.motion.duration < 5.05
            assert not errors
    finally:
        editor.close()
